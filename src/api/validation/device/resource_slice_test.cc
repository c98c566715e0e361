#include <gtest/gtest.h>

#include "api/validation/device/capacity.h"
#include "api/validation/device/device.h"
#include "api/validation/device/device_checks.h"
#include "api/validation/device/go_value.h"
#include "api/validation/device/names.h"
#include "api/validation/object_for_test.h"

namespace plimsoll::api {
namespace {

/// Returns a valid slice with these members added to its spec.
std::string Slice(std::string_view members) {
  return R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","spec":{"driver":"d.com",)"
         R"("pool":{"name":"n1","generation":1,"resourceSliceCount":1},"nodeName":"n1",)" +
         std::string(members) + "}}";
}

/// Returns a slice with one device that has these members.
std::string SliceOf(std::string_view device) {
  return Slice(R"("devices":[{"name":"d0",)" + std::string(device) + "}]");
}

std::string Repeated(std::string_view item, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out.append(i == 0 ? "" : ",").append(item);
  return out;
}

std::string NumberedDevices(int count, std::string_view members = "") {
  std::string out;
  for (int i = 0; i < count; ++i) {
    out.append(i == 0 ? "" : ",").append(R"({"name":"d)").append(std::to_string(i)).append("\"");
    out.append(members).append("}");
  }
  return out;
}

class ResourceSliceTest : public testing::TestWithParam<KindCase> {};

TEST_P(ResourceSliceTest, SaysWhatIsWrong) { EXPECT_EQ(FaultsOf(GetParam()), GetParam().want); }

INSTANTIATE_TEST_SUITE_P(
    Spec, ResourceSliceTest,
    testing::ValuesIn(std::vector<KindCase>{
        {"Right", SliceOf(R"("attributes":{"model":{"string":"a"}})"), "", {}},
        {"NoDevices", Slice(R"("devices":[])"), "", {}},
        {"Identity",
         Slice(R"("devices":[])"),
         R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","spec":{"driver":"e.com","pool":{"name":"n2","generation":1,"resourceSliceCount":1},"allNodes":true}})",
         {R"(spec.pool.name: Invalid value: "n1": field is immutable)",
          R"(spec.driver: Invalid value: "d.com": field is immutable)",
          R"(spec.nodeName: Invalid value: "n1": field is immutable)"}},
        {"DevicesAndCounters",
         Slice(R"("devices":[],"sharedCounters":[{"name":"s","counters":{"c":{"value":"1"}}}])"),
         "",
         {R"(spec: Invalid value: "": only one of `sharedCounters` or `devices` is allowed)"}},
        {"TaintsBesideDevices",
         SliceOf("\"bindsToNode\":true}],\"taints\":[{\"device\":\"d0\",\"taint\":{\"key\":\"k\","
                 "\"effect\":\"None\"}")
             .c_str(),
         "",
         {R"(spec: Invalid value: "": only one of `taints` or `devices` is allowed)"}},
        {"SliceTaints",
         Slice(R"("taints":[{"device":"","taint":{"key":"k","effect":"NoExecute"}},)"
               R"({"device":"x","taint":{"key":"k","effect":"Bad","evictionsPerSecond":0}}])"),
         "",
         {R"(spec.taints[0].device: Required value)",
          R"(spec.taints[1].taint.evictionsPerSecond: Invalid value: 0: must be greater than zero)",
          R"(spec.taints[1].taint.effect: Unsupported value: "Bad": supported values: "NoExecute", "NoSchedule", "None")"}},
        {"SliceTaintsMax",
         Slice(R"("taints":[)" +
               Repeated(R"({"device":"x","taint":{"key":"k","effect":"None"}})", 33) + "]"),
         "",
         {R"(spec.taints: Too many: 33: must have at most 32 items)"}},
        {"DevicesMax",
         Slice(R"("devices":[)" + NumberedDevices(129) + "]"),
         "",
         {R"(spec.devices: Too many: 129: must have at most 128 items)"}},
        {"TaintedDevicesMax",
         Slice(R"("devices":[)" +
               NumberedDevices(65, R"(,"taints":[{"key":"k","effect":"None"}])") + "]"),
         "",
         {R"(spec.devices: Too many: 65: must have at most 64 items)"}},
        {"SharedCounters",
         Slice(
             R"("sharedCounters":[{"name":"a","counters":{}},{"name":"a","counters":{"B":{"value":"1"}}}])"),
         "",
         {R"(spec.sharedCounters[0].counters: Required value)",
          R"(spec.sharedCounters[1].counters: Invalid value: "B": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?'))",
          R"(spec.sharedCounters[1]: Duplicate value: {"name":"a","counters":{"B":{"value":"1"}}})"}},
    }),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Device, ResourceSliceTest,
    testing::ValuesIn(std::vector<KindCase>{
        {"TaintFields",
         SliceOf(R"("taints":[{"key":"k","effect":"None","description":")" +
                 std::string(1025, 'x') + R"(","data":5,"evictionsPerSecond":-1}])"),
         "",
         {R"(spec.devices[0].taints[0].evictionsPerSecond: Invalid value: -1: must be greater than zero)",
          R"(spec.devices[0].taints[0].description: Too long: may not be more than 1024 bytes)"}},
        {"TaintDataIsAnyValue",
         SliceOf(
             R"("taints":[{"key":"a","effect":"None","data":"text"},{"key":"b","effect":"None",)"
             R"("data":[1,null]},{"key":"c","effect":"None","data":false}])"),
         "",
         {}},
        {"TaintTextMax",
         SliceOf(R"("taints":[{"key":"k","effect":"None","data":")" + std::string(10239, 'x') +
                 R"("}])"),
         "",
         {R"(spec.devices[0].taints[0].data: Too long: may not be more than 10240 bytes)"}},
        {"TaintDataMax",
         SliceOf(R"("taints":[{"key":"k","effect":"None","data":{"a":")" + std::string(10240, 'x') +
                 R"("}}])"),
         "",
         {R"(spec.devices[0].taints[0].data: Too long: may not be more than 10240 bytes)"}},
        {"Bindings",
         SliceOf(R"("bindingConditions":["a","a"],"bindingFailureConditions":["a"])"),
         "",
         {R"(spec.devices[0].bindingConditions[1]: Duplicate value: "a")",
          R"(spec.devices[0].bindingFailureConditions[0]: Invalid value: "a": bindingFailureConditions must not overlap with bindingConditions)"}},
        {"BindingsAlone",
         SliceOf(R"("bindingFailureConditions":["a"])"),
         "",
         {R"(spec.devices[0].bindingConditions: Invalid value: null: bindingConditions are required to use bindingFailureConditions)"}},
        {"Consumption",
         SliceOf(
             R"("consumesCounters":[{"counterSet":"a","counters":{"c":{"value":"1"}}},{"counterSet":"a","counters":{"c":{"value":"1"}}}])"),
         "",
         {R"(spec.devices[0].consumesCounters[1]: Duplicate value: {"counterSet":"a","counters":{"c":{"value":"1"}}})"}},
        {"LongKey",
         SliceOf(R"("attributes":{")" + std::string(100, 'a') + R"(":{}})"),
         "",
         {R"(spec.devices[0].attributes: Too long: may not be more than 32 bytes)",
          R"(spec.devices[0].attributes[)" + std::string(47, 'a') + "..." + std::string(46, 'a') +
              R"(]: Invalid value: "": must specify one of: `int`, `bool`, `string`, `version`, `ints`, `bools`, `strings`, `versions`)"}},
    }),
    [](const auto& test) { return test.param.name; });

/// Returns a slice with a shared device of ten units with that policy.
std::string Shared(std::string_view policy) {
  return SliceOf(
      R"("allowMultipleAllocations":true,"capacity":{"m":{"value":"10","requestPolicy":)" +
      std::string(policy) + "}}");
}

INSTANTIATE_TEST_SUITE_P(
    Policy, ResourceSliceTest,
    testing::ValuesIn(std::vector<KindCase>{
        {"Range",
         Shared(R"({"default":"2","validRange":{"min":"2","max":"8","step":"2"}})"),
         "",
         {}},
        {"Values", Shared(R"({"default":"2","validValues":["2","4"]})"), "", {}},
        {"Both",
         Shared(R"({"default":"2","validValues":["2"],"validRange":{"min":"1"}})"),
         "",
         {R"(spec.devices[0].capacity[m].requestPolicy: Forbidden: exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time)"}},
        {"NoDefault",
         Shared(R"({"validRange":{"min":"1"}})"),
         "",
         {R"(spec.devices[0].capacity[m].requestPolicy.default: Required value: required when validRange is defined)"}},
        {"ValuesOutOfOrder",
         Shared(R"({"default":"3","validValues":["4","2","20"]})"),
         "",
         {R"(spec.devices[0].capacity[m].requestPolicy.validValues[1]: Invalid value: "2": values must be sorted in ascending order)",
          R"(spec.devices[0].capacity[m].requestPolicy.validValues[2]: Invalid value: "20": option is larger than capacity value: 10)",
          R"(spec.devices[0].capacity[m].requestPolicy.validValues: Invalid value: "3": default value is not valid according to the requestPolicy)"}},
        {"OffStep",
         Shared(R"({"default":"3","validRange":{"min":"2","max":"9","step":"2"}})"),
         "",
         {R"(spec.devices[0].capacity[m].requestPolicy.validRange.step: Invalid value: "3": value is not a multiple of a given step (2) from (2))",
          R"(spec.devices[0].capacity[m].requestPolicy.validRange.step: Invalid value: "9": value is not a multiple of a given step (2) from (2))"}},
        {"Fractions",
         Shared(R"({"default":"1500m","validRange":{"min":"500m","step":"500m"}})"),
         "",
         {}},
        {"NoStep",
         Shared(R"({"default":"1","validRange":{"min":"1","step":"0"}})"),
         "",
         {R"(spec.devices[0].capacity[m].requestPolicy.validRange.step: Invalid value: "0": must be greater than zero)"}},
        {"OutOfBounds",
         Shared(R"({"default":"0","validRange":{"min":"11","max":"12"}})"),
         "",
         {R"(spec.devices[0].capacity[m].requestPolicy.validRange.min: Invalid value: "11": min is larger than capacity value: 10)",
          R"(spec.devices[0].capacity[m].requestPolicy.validRange.default: Invalid value: "0": default is less than min: 11)",
          R"(spec.devices[0].capacity[m].requestPolicy.validRange.max: Invalid value: "12": max is larger than capacity value: 10)"}},
    }),
    [](const auto& test) { return test.param.name; });

TEST(ResourceSliceListsTest, AListHasItems) {
  std::string json = SliceOf(R"("attributes":{"a":{"ints":[]},"b":{"versions":["1.2"]}})");
  json.insert(json.find(R"("spec")"), R"("metadata":{"name":"x"},)");
  EXPECT_EQ(
      Texts(ValidateCreate(*ObjectFrom(json), {})),
      (std::vector<std::string>{
          R"(spec.devices[0].attributes[a].ints: Invalid value: []: must not be empty if specified)",
          R"(spec.devices[0].attributes[b].versions[0]: Invalid value: "1.2": must be a string compatible with semver.org spec 2.0.0)"}));
}

}  // namespace
}  // namespace plimsoll::api
