// Measures device taint eviction in virtual time, without a server. 50,000 pods have
// a device each, and then a DeviceTaintRule evicts them all at 1,000 per
// second. Reports the cost of the decisions, and if the rate is kept, also when each
// wake is late. `--quick` uses a tenth of the pods; `--strict` fails if a target is
// missed.

#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "api/decode/decode_json_for_test.h"
#include "base/assert.h"
#include "base/metrics.h"
#include "controller/device_taint_eviction/device_taint_eviction.h"
#include "program.h"

namespace plimsoll::bench {
namespace {

using controller::ObjectPtr;

constexpr std::size_t kDevicesPerNode = 8;
constexpr double kRate = 1'000;
constexpr double kRateErrorMax = 0.02;
constexpr double kProcessorShareMax = 0.3;
const Instant kStart = ParseTime("2026-03-01T12:00:00Z").value();

std::string NodeOf(std::size_t pod) { return "node-" + std::to_string(pod / kDevicesPerNode); }

ObjectPtr MakeSlice(std::size_t first_pod) {
  std::string devices;
  for (std::size_t i = 0; i < kDevicesPerNode; ++i) {
    if (i > 0) devices += ',';
    devices +=
        R"({"name":"gpu-)" + std::to_string(i) + R"(","attributes":{"model":{"string":"A100"}}})";
  }
  const std::string node = NodeOf(first_pod);
  return api::DecodeJson(
      R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":")" + node +
      R"("},"spec":{"driver":"gpu.example.com","pool":{"name":")" + node +
      R"(","generation":1,"resourceSliceCount":1},"nodeName":")" + node + R"(","devices":[)" +
      devices + "]}}");
}

ObjectPtr MakeClaim(std::size_t pod) {
  const std::string name = "pod-" + std::to_string(pod);
  return api::DecodeJson(
      R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":")" + name +
      R"(","namespace":"team-)" + std::to_string(pod % 50) +
      R"("},"status":{"allocation":{"devices":{"results":[{"request":"gpu","driver":)"
      R"("gpu.example.com","pool":")" +
      NodeOf(pod) + R"(","device":"gpu-)" + std::to_string(pod % kDevicesPerNode) +
      R"("}]}},"reservedFor":[{"resource":"pods","name":")" + name + R"(","uid":"uid-)" + name +
      R"("}]}})");
}

ObjectPtr MakePod(std::size_t pod) {
  const std::string name = "pod-" + std::to_string(pod);
  return api::DecodeJson(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":")" + name +
                         R"(","namespace":"team-)" + std::to_string(pod % 50) + R"(","uid":"uid-)" +
                         name + R"("},"spec":{"nodeName":")" + NodeOf(pod) +
                         R"(","resourceClaims":[{"name":"gpu","resourceClaimName":")" + name +
                         R"("}]},"status":{"phase":"Running"}})");
}

ObjectPtr MakeRule() {
  return api::DecodeJson(
      R"({"apiVersion":"resource.k8s.io/v1","kind":"DeviceTaintRule","metadata":{"name":"rule",)"
      R"("uid":"rule","generation":1},"spec":{"deviceSelector":{"selectors":[{"cel":{"expression":)"
      R"("device.attributes[\"gpu.example.com\"].model == \"A100\""}}]},"taint":{"key":"broken",)"
      R"("effect":"NoExecute","timeAdded":"2026-03-01T12:00:00Z","evictionsPerSecond":1000}}})");
}

struct World {
  MetricsRegistry metrics;
  controller::DeviceTaintEviction core{{}, {}, metrics};
  controller::Actions actions;
  Instant now = kStart;
  std::size_t evicted = 0;
  std::size_t writes = 0;

  /// Executes the controller's actions and delivers their outcomes and events.
  void Settle() {
    while (!actions.empty()) {
      for (const controller::Action& action : std::exchange(actions, {})) {
        if (const auto* const evict = std::get_if<controller::EvictPod>(&action)) {
          ++evicted;
          core.Observe(controller::ActionFinished{evict->id, {}}, {now, actions});
          core.Observe(controller::ObjectChanged{evict->pod.object(), nullptr}, {now, actions});
        } else if (const auto* const patch = std::get_if<controller::PatchObject>(&action)) {
          ++writes;
          core.Observe(controller::ActionFinished{patch->id, {}}, {now, actions});
        }
      }
    }
  }
};

/// Returns true if the targets are met when every wake is late by `lateness`.
bool Run(std::size_t pods, Duration lateness) {
  World world;
  std::vector<ObjectPtr> objects;
  for (std::size_t i = 0; i < pods; i += kDevicesPerNode) objects.push_back(MakeSlice(i));
  for (std::size_t i = 0; i < pods; ++i) {
    objects.push_back(MakeClaim(i));
    objects.push_back(MakePod(i));
  }
  const double learn = ProcessorSeconds();
  for (const ObjectPtr& object : objects) {
    world.core.Observe(controller::ObjectChanged{nullptr, object}, {world.now, world.actions});
  }
  world.core.Observe(controller::Synced{}, {world.now, world.actions});
  world.Settle();
  const double taint = ProcessorSeconds();
  world.core.Observe(controller::ObjectChanged{nullptr, MakeRule()}, {world.now, world.actions});
  const double decided = ProcessorSeconds();
  world.Settle();
  const std::size_t burst = world.evicted;
  std::size_t wakes = 0;
  while (world.evicted < pods) {
    world.now = std::max(world.now, *world.core.NextWake()) + lateness;
    world.core.Wake({world.now, world.actions});
    world.Settle();
    ++wakes;
  }
  const double done = ProcessorSeconds();

  const double seconds = std::chrono::duration<double>(world.now - kStart).count();
  const double rate = static_cast<double>(pods - burst) / seconds;
  const double share = (done - decided) / seconds;
  const bool is_kept =
      std::abs(rate / kRate - 1) <= kRateErrorMax && share <= kProcessorShareMax && burst <= 10;
  std::printf(
      "%5.0f ms late: learn %6.1f ms, decide %6.1f ms, %7.2f pods/s after %zu at once, "
      "%5.2f us a pod, %4.1f %% of a core, %zu wakes, %zu status writes%s\n",
      std::chrono::duration<double, std::milli>(lateness).count(), (taint - learn) * 1e3,
      (decided - taint) * 1e3, rate, burst, (done - decided) * 1e6 / static_cast<double>(pods),
      share * 100, wakes, world.writes, is_kept ? "" : "  MISSED");
  return is_kept;
}

}  // namespace
}  // namespace plimsoll::bench

int main(int argc, char** argv) {
  using namespace plimsoll::bench;
  using namespace std::chrono_literals;
  const ProgramFlags flags = ReadFlags(argc, argv);
  const std::size_t pods = flags.is_quick ? 5'000 : 50'000;
  std::printf("%zu pods at %.0f a second; aim: the rate within %.0f %%, %.0f %% of a core\n", pods,
              kRate, kRateErrorMax * 100, kProcessorShareMax * 100);
  bool is_kept = true;
  for (const auto lateness : {0ms, 5ms, 50ms}) is_kept &= Run(pods, lateness);
  return flags.is_strict && !is_kept ? 1 : 0;
}
