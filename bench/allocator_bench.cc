// Measures the allocation of devices: time per node, and the allocator's share of scheduling a pod
// with claims when all nodes are filtered. `--quick` uses a tenth of the nodes; `--strict` fails if
// a rate is below its target.

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "api/decode/decode_json_for_test.h"
#include "base/assert.h"
#include "dra/allocator.h"
#include "program.h"

namespace plimsoll::bench {
namespace {

using ObjectPtr = std::shared_ptr<const api::Object>;

/// Returns the slice of a node: devices of models 0 … 3 in turn, every seventh tainted.
ObjectPtr SliceOf(const std::string& node, std::size_t devices) {
  std::string text =
      R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":")" + node +
      R"("},"spec":{"driver":"gpu.example.com","pool":{"name":")" + node +
      R"(","generation":1,"resourceSliceCount":1},"nodeName":")" + node + R"(","devices":[)";
  for (std::size_t i = 0; i < devices; ++i) {
    if (i != 0) text += ",";
    text += R"({"name":"gpu-)" + std::to_string(i) + R"(","attributes":{"model":{"int":)" +
            std::to_string(i % 4) + R"(},"numa":{"int":)" + std::to_string(i / 4) + R"(}})";
    if (i % 7 == 6) text += R"(,"taints":[{"key":"errors","value":"8","effect":"NoSchedule"}])";
    text += "}";
  }
  return api::DecodeJson(text + "]}}");
}

std::string Request(const std::string& more) {
  return R"("requests":[{"name":"gpu","exactly":{"deviceClassName":"gpu","allocationMode":"ExactCount",)" +
         more + "}}]";
}

struct Workload {
  const char* what;
  std::size_t nodes;
  std::size_t devices;
  std::string spec;
  double pods_per_second_min;
};

std::vector<Workload> Workloads(bool is_quick) {
  const std::size_t part = is_quick ? 10 : 1;
  const std::string plain = Request(R"("count":1)");
  const std::string picky = Request(
      R"("count":1,"selectors":[{"cel":{"expression":"device.attributes[\"gpu.example.com\"].model < 2"}}],)"
      R"("tolerations":[{"key":"errors","operator":"Gt","value":"4"}])");
  const std::string pair =
      Request(R"("count":2)") + R"(,"constraints":[{"matchAttribute":"gpu.example.com/numa"}])";
  return {{"500 nodes x 10 devices, a device", 500 / part, 10, plain, 3000},
          {"... with a CEL selector and a toleration", 500 / part, 10, picky, 2000},
          {"... two of one NUMA node", 500 / part, 10, pair, 2000},
          {"5,000 nodes x 8 devices, a device", 5000 / part, 8, plain, 1000}};
}

class DeviceCluster {
 public:
  explicit DeviceCluster(const Workload& workload)
      : nodes_(workload.nodes), allocator_(tracker_, selectors_, match::TolerationTimeRules{}) {
    allocator_.Observe(api::ObjectChanged{
        nullptr,
        api::DecodeJson(
            R"({"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"gpu"},)"
            R"("spec":{"selectors":[{"cel":{"expression":"device.driver == \"gpu.example.com\""}}]}})")});
    for (std::size_t i = 0; i < nodes_; ++i) {
      const std::string name = "node-" + std::to_string(i);
      allocator_.SetNode(
          static_cast<dra::NodeSlot>(i),
          api::DecodeJson(R"({"apiVersion":"v1","kind":"Node","metadata":{"name":")" + name +
                          R"("}})"));
      allocator_.Observe(tracker_.Observe({nullptr, SliceOf(name, workload.devices)}));
    }
  }

  dra::ClaimSet Claim(std::size_t number, const std::string& spec) {
    return allocator_.Compile({api::DecodeJson(
        R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"namespace":"default","name":"c-)" +
        std::to_string(number) + R"("},"spec":{"devices":{)" + spec + "}}}")});
  }
  /// Filters all nodes and allocates on the first possible one, as the scheduler does.
  bool Place(const dra::ClaimSet& claims, std::size_t number) {
    Bitmap nodes(nodes_);
    nodes.Fill(true);
    allocator_.Filter(claims, nodes);
    for (std::size_t i = 0; i < nodes_; ++i) {
      const std::size_t node = (number + i) % nodes_;
      if (!nodes.Test(node)) continue;
      auto outcome = allocator_.Allocate(claims, static_cast<dra::NodeSlot>(node), random_);
      PL_ASSERT(outcome.answer == dra::Allocator::Answer::Possible);
      allocator_.SetAllocation("uid-" + std::to_string(number), &outcome.allocations[0].result);
      bytes_ += outcome.allocations[0].ToJson().size();
      return true;
    }
    return false;
  }
  /// Returns the nanoseconds per node of Allocate.
  double AskAll(const dra::ClaimSet& claims) {
    constexpr int kRounds = 20;
    const double begin = ProcessorSeconds();
    for (int round = 0; round < kRounds; ++round) {
      for (std::size_t i = 0; i < nodes_; ++i) {
        allocator_.Allocate(claims, static_cast<dra::NodeSlot>(i), random_);
      }
    }
    return (ProcessorSeconds() - begin) * 1e9 / static_cast<double>(nodes_ * kRounds);
  }
  /// Returns the nanoseconds per node of Filter, for claims that are not cached.
  double FilterAll(std::string spec) {
    spec.replace(spec.find(R"("name":"gpu")"), 12, R"("name":"new")");
    const dra::ClaimSet claims = Claim(0, spec);
    Bitmap nodes(nodes_);
    nodes.Fill(true);
    const double begin = ProcessorSeconds();
    allocator_.Filter(claims, nodes);
    return (ProcessorSeconds() - begin) * 1e9 / static_cast<double>(nodes_);
  }

 private:
  std::size_t nodes_;
  dra::DeviceSelectors selectors_;
  dra::SliceTracker tracker_{selectors_, {}};
  dra::Allocator allocator_;
  Random random_{1};
  std::size_t bytes_ = 0;
};

bool Run(const Workload& workload) {
  DeviceCluster cluster(workload);
  const std::size_t half = workload.nodes * workload.devices / 2;
  // Half of the devices are allocated before the measurement.
  std::size_t placed = 0;
  for (std::size_t i = 0; i < half; ++i) {
    placed += cluster.Place(cluster.Claim(i, Request(R"("count":1)")), i) ? 1 : 0;
  }
  const std::size_t pods = half / 4;
  std::vector<dra::ClaimSet> claims;
  for (std::size_t i = 0; i < pods; ++i) {
    claims.push_back(cluster.Claim(half + i, workload.spec));
  }
  const double begin = ProcessorSeconds();
  std::size_t done = 0;
  for (std::size_t i = 0; i < pods; ++i) done += cluster.Place(claims[i], half + i) ? 1 : 0;
  const double seconds = ProcessorSeconds() - begin;
  const double rate = static_cast<double>(pods) / seconds;
  std::printf("%-44s %9.0f pods/s (%zu of %zu placed), aim %.0f\n", workload.what, rate, done, pods,
              workload.pods_per_second_min);
  std::printf("%-44s %9.0f ns a node, first question; %.0f ns with results\n", "",
              cluster.FilterAll(workload.spec), cluster.AskAll(claims[0]));
  return rate >= workload.pods_per_second_min;
}

/// Unsatisfiable claims that exhaustive search could not reject in time: as many devices as the API
/// permits, and each request is satisfiable alone.
struct Hostile {
  const char* what;
  std::size_t devices;
  int requests;
  int count;
  const char* constraints;
};
constexpr Hostile kHostile[] = {
    {"8 x 2 of 15 devices", 15, 8, 2, ""},
    {"8 x 2 of 16, all of one NUMA node", 16, 8, 2,
     R"(,"constraints":[{"matchAttribute":"gpu.example.com/numa"}])"},
    {"8 x 4 of 32, all of different models", 32, 8, 4,
     R"(,"constraints":[{"distinctAttribute":"gpu.example.com/model"}])"},
};

void RunHostile(const Hostile& hostile) {
  DeviceCluster cluster({hostile.what, 1, hostile.devices, "", 0});
  std::string requests;
  for (int i = 0; i < hostile.requests; ++i) {
    requests += (i == 0 ? "" : ",") + (R"({"name":"r)" + std::to_string(i)) +
                R"(","exactly":{"deviceClassName":"gpu","allocationMode":"ExactCount","count":)" +
                std::to_string(hostile.count) + R"(,"tolerations":[{"operator":"Exists"}]}})";
  }
  const dra::ClaimSet claims =
      cluster.Claim(0, R"("requests":[)" + requests + "]" + hostile.constraints);
  std::printf("%-44s %9.0f us until it is known that there is no way\n", hostile.what,
              cluster.AskAll(claims) / 1e3);
}

int Main(int argc, char** argv) {
  const ProgramFlags flags = ReadFlags(argc, argv);
  bool are_met = true;
  for (const Workload& workload : Workloads(flags.is_quick)) are_met = Run(workload) && are_met;
  for (const Hostile& hostile : kHostile) RunHostile(hostile);
  return flags.is_strict && !are_met ? 1 : 0;
}

}  // namespace
}  // namespace plimsoll::bench

int main(int argc, char** argv) { return plimsoll::bench::Main(argc, argv); }
