// Measures how fast the slice tracker handles events: 1,000 DeviceTaintRules with CEL selectors
// over 40,000 devices on 5,000 nodes. `--quick` uses a tenth of the devices and rules; `--strict`
// fails if a change takes longer than its limit.

#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "api/decode/decode_json_for_test.h"
#include "base/assert.h"
#include "dra/slice_tracker.h"
#include "program.h"

namespace plimsoll::bench {
namespace {

using ObjectPtr = std::shared_ptr<const api::Object>;

constexpr std::size_t kDevicesPerNode = 8;
constexpr double kChangeSecondsMax = 0.005;
constexpr int kRepetitions = 20;

struct Row {
  const char* what;
  /// Returns the selector of the rule with this number.
  std::function<std::string(std::size_t)> expression;
};
const Row kRows[] = {
    {"a model and an error budget",
     [](std::size_t i) {
       return R"(device.attributes[\"gpu.example.com\"].model == \"model-)" +
              std::to_string(i % 10) + R"(\" && device.attributes[\"gpu.example.com\"].errors > )" +
              std::to_string(900 + i % 100);
     }},
    {"a driver's version",
     [](std::size_t i) {
       return R"(device.attributes[\"gpu.example.com\"].version.isLessThan(semver(\"1.)" +
              std::to_string(i % 20) + R"(.0\")))";
     }},
    {"a serial number, which each device has its own of",
     [](std::size_t i) {
       return R"(device.attributes[\"gpu.example.com\"].serial == \"serial-)" + std::to_string(i) +
              R"(\")";
     }},
};

/// Returns a node's slice. Version 0 has the original devices; other versions have other error
/// counts, serial numbers and so on.
ObjectPtr MakeSlice(std::size_t node, std::size_t version, bool is_tainted = false) {
  const std::string name = "node-" + std::to_string(node);
  std::string devices;
  for (std::size_t i = 0; i < kDevicesPerNode; ++i) {
    const std::size_t number = node * kDevicesPerNode + i;
    if (i > 0) devices += ',';
    devices += R"({"name":"gpu-)" + std::to_string(i) +
               R"(","attributes":{"model":{"string":"model-)" + std::to_string(node % 10) +
               R"("},"errors":{"int":)" + std::to_string((number + version) % 1000) +
               R"(},"version":{"version":"1.)" + std::to_string((node + version) % 1000) +
               R"(.3"},"serial":{"string":"serial-)" + std::to_string(number) +
               (version == 0 ? "" : "-" + std::to_string(version)) + R"("},"numa":{"int":)" +
               std::to_string(i / 4) + R"(},"pci":{"string":"0000:)" + std::to_string(i) +
               R"(1:00.0"},"productName":{"string":"Example GPU of some kind"}},)" +
               R"("capacity":{"memory":{"value":"80Gi"}})" +
               (is_tainted ? R"(,"taints":[{"key":"worn","effect":"NoSchedule"}])" : "") + "}";
  }
  return api::DecodeJson(
      R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":")" + name +
      R"("},"spec":{"driver":"gpu.example.com","pool":{"name":")" + name +
      R"(","generation":1,"resourceSliceCount":1},"nodeName":")" + name + R"(","devices":[)" +
      devices + "]}}");
}

/// `named` contains further fields of the selector.
ObjectPtr MakeRule(std::size_t index, const std::string& expression, const char* effect,
                   const std::string& named = "") {
  const std::string name = "rule-" + std::to_string(index);
  return api::DecodeJson(
      R"({"apiVersion":"resource.k8s.io/v1","kind":"DeviceTaintRule","metadata":{"name":")" + name +
      R"(","uid":")" + name + R"("},"spec":{"deviceSelector":{)" + named +
      R"("selectors":[{"cel":{"expression":")" + expression +
      R"("}}]},"taint":{"key":"example.com/worn","effect":")" + effect + R"("}}})");
}

class Bench {
 public:
  Bench(const Row& row, std::size_t nodes, std::size_t rules)
      : row_(row), nodes_(nodes), rules_(rules) {}

  /// Returns true if every change was handled within its limit.
  bool Run() {
    std::vector<ObjectPtr> objects;
    for (std::size_t i = 0; i < nodes_; ++i) objects.push_back(MakeSlice(i, 0));
    for (std::size_t i = 0; i < rules_; ++i) {
      objects.push_back(MakeRule(i, row_.expression(i), "NoSchedule"));
    }
    const double start = ProcessorSeconds();
    for (const ObjectPtr& object : objects) tracker_.Observe({nullptr, object});
    std::printf("%s: %.2f s to take in %zu devices and %zu rules\n", row_.what,
                ProcessorSeconds() - start, nodes_ * kDevicesPerNode, rules_);

    std::size_t turn = 0;
    const auto node = [&] { return ++turn * 37 % nodes_; };
    const auto rule = [&] { return ++turn * 37 % rules_; };
    Measure("slice: its devices are tainted", [&] { return MakeSlice(node(), 0, true); });
    Measure("slice: other facts of every device", [&] { return MakeSlice(node(), 1 + turn); });
    Measure("rule: another effect", [&] {
      const std::size_t index = rule();
      return MakeRule(index, row_.expression(index), "NoExecute");
    });
    Measure("rule: another expression",
            [&] { return MakeRule(rule(), row_.expression(rules_ + turn), "NoSchedule"); });
    Measure("rule: comes to select every device",
            [&] { return MakeRule(rule(), "device.driver != 'none'", "NoSchedule"); });
    Measure("rule: the same, of a driver", [&] {
      return MakeRule(rule(), "true", "NoSchedule", R"("driver":"gpu.example.com",)");
    });
    Measure("rule: the same, by a fact new to rules", [&] {
      return MakeRule(rule(), R"(device.attributes[\"gpu.example.com\"].numa >= 0)", "NoSchedule");
    });
    return is_kept_;
  }

 private:
  void Measure(const char* what, const std::function<ObjectPtr()>& next) {
    std::vector<ObjectPtr> news;
    for (int i = 0; i < kRepetitions; ++i) news.push_back(next());
    double longest = 0;
    double sum = 0;
    std::size_t devices = 0;
    for (const ObjectPtr& object : news) {
      const double start = ProcessorSeconds();
      devices += tracker_.Observe({nullptr, object}).devices.size();
      const double seconds = ProcessorSeconds() - start;
      longest = std::max(longest, seconds);
      sum += seconds;
    }
    const bool is_kept = longest <= kChangeSecondsMax;
    is_kept_ &= is_kept;
    std::printf("  %-40s %8.3f ms, longest %8.3f ms, %7.1f devices changed%s\n", what,
                sum / kRepetitions * 1e3, longest * 1e3,
                static_cast<double>(devices) / kRepetitions, is_kept ? "" : "  MISSED");
  }

  const Row& row_;
  const std::size_t nodes_;
  const std::size_t rules_;
  const dra::DeviceSelectors selectors_;
  dra::SliceTracker tracker_{selectors_, {}};
  bool is_kept_ = true;
};

}  // namespace
}  // namespace plimsoll::bench

int main(int argc, char** argv) {
  using namespace plimsoll::bench;
  const ProgramFlags flags = ReadFlags(argc, argv);
  const std::size_t nodes = flags.is_quick ? 500 : 5'000;
  const std::size_t rules = flags.is_quick ? 100 : 1'000;
  std::printf("processor time; aim: a change within %.0f ms\n", kChangeSecondsMax * 1e3);
  bool is_kept = true;
  for (const Row& row : kRows) is_kept &= Bench(row, nodes, rules).Run();
  return flags.is_strict && !is_kept ? 1 : 0;
}
