#include "cel/device.h"

#include <gtest/gtest.h>

#include <string>

#include "cel/cache.h"
#include "cel/program.h"
#include "cel/render.h"

namespace plimsoll::cel {
namespace {

DeviceFacts Gpu() {
  return {.driver = "gpu.example.com",
          .allow_multiple_allocations = true,
          .attributes = {{"model", std::string_view("x1")},
                         {"index", std::int64_t{3}},
                         {"driverVersion", VersionText{"1.2.3"}},
                         {"other.example.com/rack", std::string_view("r42")}},
          .capacity = {{"memory", *Quantity::Parse("80Gi")}}};
}

std::string Evaluate(const std::string& expression, const DeviceFacts& facts) {
  Arena arena;
  const auto device = BindDevice(facts, DeviceMode::New, arena);
  if (!device) return "unbound: " + device.error();
  const Compilation compiled = CompileProgram(expression, DeviceEnvironment(DeviceMode::New));
  if (compiled.stage != Compilation::Stage::Done) return compiled.error;
  Evaluation evaluation;
  return Render(evaluation.Evaluate(*compiled.program, {&*device, 1}).value);
}

struct DeviceCase {
  std::string expression;
  std::string want;
};

TEST(BindDeviceTest, NamesWithoutDomainAreTheDrivers) {
  for (const auto& [expression, want] : std::vector<DeviceCase>{
           {"device.driver", "\"gpu.example.com\""},
           {"device.attributes['gpu.example.com'].model", "\"x1\""},
           {"device.attributes['gpu.example.com'].index == 3", "true"},
           {"device.attributes['other.example.com'].rack", "\"r42\""},
           {"device.attributes['gpu.example.com'].driverVersion.isGreaterThan(semver('1.0.0'))",
            "true"},
           {"device.capacity['gpu.example.com'].memory", "quantity(\"80Gi\")"},
           {"device.allowMultipleAllocations", "true"},
       }) {
    EXPECT_EQ(Evaluate(expression, Gpu()), want) << expression;
  }
}

TEST(BindDeviceTest, AnUnknownDomainIsEmptyAndAnUnknownNameAnError) {
  EXPECT_EQ(Evaluate("'nope' in device.attributes", Gpu()), "false");
  EXPECT_EQ(Evaluate("device.attributes['nope'].x", Gpu()), "no such key: x");
  EXPECT_EQ(Evaluate("has(device.attributes['nope'].x)", Gpu()), "false");
}

TEST(BindDeviceTest, RefusesAttributesThatAreNone) {
  DeviceFacts facts = Gpu();
  facts.attributes = {{"version", VersionText{"v1.0"}}};
  EXPECT_EQ(Evaluate("true", facts),
            "unbound: attribute version: parse semantic version: No Major.Minor.Patch elements "
            "found");
  facts.attributes = {{"nothing", {}}};
  EXPECT_EQ(Evaluate("true", facts), "unbound: attribute nothing: unsupported attribute value");
}

}  // namespace
}  // namespace plimsoll::cel
