#include "cli/devices/taint_arguments.h"

#include <gtest/gtest.h>

namespace plimsoll::cli {
namespace {

struct NameCase {
  std::string name;
  std::string word;
  std::string want;  // parts separated by blanks; empty: Invalid
};

class ReadDeviceNameTest : public testing::TestWithParam<NameCase> {};

TEST_P(ReadDeviceNameTest, TakesThreeParts) {
  const auto target = ParseDeviceName(GetParam().word);
  ASSERT_EQ(target.has_value(), !GetParam().want.empty());
  if (target) {
    EXPECT_EQ(*target->driver + " " + *target->pool + " " + *target->device, GetParam().want);
    EXPECT_EQ(ToText(*target), GetParam().word);
  } else {
    EXPECT_TRUE(target.error().message.contains("want DRIVER/POOL/DEVICE"));
  }
}

INSTANTIATE_TEST_SUITE_P(All, ReadDeviceNameTest,
                         testing::ValuesIn<NameCase>({
                             {"Plain", "d.example.com/pool/dev", "d.example.com pool dev"},
                             {"PoolWithSlashes", "d/a/b/dev", "d a/b dev"},
                             {"NoDevice", "d/pool", ""},
                             {"EmptyDevice", "d/pool/", ""},
                             {"EmptyPool", "d//dev", ""},
                             {"EmptyDriver", "/pool/dev", ""},
                             {"OneWord", "dev", ""},
                         }),
                         [](const auto& test) { return test.param.name; });

struct WordCase {
  std::string name;
  std::string word;
  std::string want;        // key|value|effect|removal
  std::string want_error;  // substring
};

class ReadTaintWordTest : public testing::TestWithParam<WordCase> {};

TEST_P(ReadTaintWordTest, Reads) {
  const auto taint = ParseTaintArgument(GetParam().word);
  ASSERT_EQ(taint.has_value(), GetParam().want_error.empty());
  if (!taint) {
    EXPECT_TRUE(taint.error().message.contains(GetParam().want_error)) << taint.error().message;
    return;
  }
  EXPECT_EQ(
      taint->key + "|" + taint->value + "|" + taint->effect + (taint->is_removal ? "|-" : "|"),
      GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(
    All, ReadTaintWordTest,
    testing::ValuesIn<WordCase>({
        {"Whole", "a.b/k=v:NoExecute", "a.b/k|v|NoExecute|", ""},
        {"NoValue", "k:None", "k||None|", ""},
        {"EmptyValue", "k=:NoSchedule", "k||NoSchedule|", ""},
        {"Removal", "k-", "k|||-", ""},
        {"RemovalOfOneEffect", "k:NoExecute-", "k||NoExecute|-", ""},
        {"NoEffect", "k=v", "", "is no taint: want key=value:Effect"},
        {"NoKey", "=v:NoExecute", "", "is no taint"},
        {"Nothing", "-", "", "is no taint"},
        {"WrongEffect", "k:noexecute", "", "did you mean NoExecute?"},
        {"OfNodes", "k:PreferNoSchedule", "", "want NoExecute, NoSchedule or None"},
        {"RemovalWithValue", "k=v-", "", "removed by its key, and effect, alone: k-"},
    }),
    [](const auto& test) { return test.param.name; });

TEST(RuleNameForTest, IsAName) {
  const DeviceTarget device = *ParseDeviceName("gpu.example.com/node-1/gpu-0");
  const std::string name = RuleNameFor(device, "example.com/Un_healthy");
  EXPECT_TRUE(name.starts_with("un-healthy-gpu-0-")) << name;
  EXPECT_EQ(name, RuleNameFor(device, "example.com/Un_healthy"));
  EXPECT_NE(name, RuleNameFor(*ParseDeviceName("gpu.example.com/node-2/gpu-0"),
                              "example.com/Un_healthy"));
  DeviceTarget selected;
  selected.expressions = {"true"};
  EXPECT_TRUE(RuleNameFor(selected, "k").starts_with("k-selected-"));
  selected.class_name = std::string(100, 'c');
  EXPECT_LE(RuleNameFor(selected, std::string(200, 'k')).size(), 63u);
}

TEST(RuleJsonTest, HasWhatIsAskedFor) {
  DeviceTarget target;
  target.driver = "d";
  target.class_name = "c";
  target.expressions = {"true"};
  EXPECT_EQ(
      RuleJson("n", target, *ParseTaintArgument("k=v:NoExecute"), {5, "why"}),
      R"({"apiVersion":"resource.k8s.io/v1","kind":"DeviceTaintRule","metadata":{"name":"n"},)"
      R"("spec":{"deviceSelector":{"driver":"d","deviceClassName":"c","selectors":[{"cel":)"
      R"({"expression":"true"}}]},"taint":{"key":"k","value":"v","effect":"NoExecute",)"
      R"("evictionsPerSecond":5,"description":"why"}}})");
  EXPECT_EQ(ToText(target), "driver=d, class=c, cel=true");
}

}  // namespace
}  // namespace plimsoll::cli
