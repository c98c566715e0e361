#include "dra/device_selectors.h"

#include <gtest/gtest.h>

namespace plimsoll::dra {
namespace {

struct SelectorCase {
  std::string_view expression;
  std::string_view answer;  // "true", "false", or the beginning of the error
};

TEST(DeviceSelectorsTest, SelectsByDriverAttributesAndCapacity) {
  api::Device device;
  device.facts.driver = "gpu.example.com";
  device.facts.attributes = {{"memGiB", std::int64_t{40}}};
  device.facts.capacity = {{"memory", *Quantity::Parse("40Gi")}};
  const SelectorCase kCases[] = {
      {R"(device.driver == "gpu.example.com")", "true"},
      {R"(device.attributes["gpu.example.com"].memGiB >= 80)", "false"},
      {R"(device.capacity["gpu.example.com"].memory.isGreaterThan(quantity("16Gi")))", "true"},
      {R"(device.driver ==)", "CEL compile error: compilation failed: ERROR: <input>:1:17: Syntax"},
      {R"(device.attributes["gpu.example.com"].numa == 1)", "CEL runtime error: no such key: numa"},
      {R"(device.driver)", "CEL compile error: must evaluate to bool or the unknown type"},
      {R"(device.attributes["gpu.example.com"].memGiB)",
       "CEL runtime error: CEL result of type int could not be converted to bool"},
  };
  const DeviceSelectors selectors;
  for (const SelectorCase& c : kCases) {
    const auto answer = selectors.Matches(c.expression, device);
    const std::string text = answer ? (*answer ? "true" : "false") : answer.error().message;
    EXPECT_TRUE(text.starts_with(c.answer)) << c.expression << ": " << text;
  }
}

}  // namespace
}  // namespace plimsoll::dra
