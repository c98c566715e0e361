#include "cli/explain/claim_explanation.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "api/core/taint.h"
#include "cli/devices/device_text.h"
#include "cli/explain/cluster_reader.h"
#include "cli/explain/toleration_margin.h"
#include "dra/allocator.h"
#include "match/diagnosis.h"
#include "scheduler/dra/devices.h"

namespace plimsoll::cli {
namespace {

std::string TaintsText(const dra::DeviceRefusal& refusal) {
  std::string text;
  for (const dra::TaintRefusal& one : refusal.taints) {
    if (!text.empty()) text += "; ";
    text += TaintSourceText(*one.source) + ": ";
    text += match::ToText(
        match::TaintDiagnosis{.taint = one.source->taint, .blocks = true, .nearest = one.nearest});
  }
  return text;
}

std::string NameOf(const dra::TrackedDevice& device) {
  return DeviceName(device.slice->view->driver, device.slice->view->pool.name, device.device->name);
}

/// Merges the diagnoses of all nodes, by request. A device that several nodes can use counts once.
class RequestMerger {
 public:
  explicit RequestMerger(const DeviceSnapshot& devices) : devices_(devices) {}

  void Add(const dra::RequestDiagnosis& diagnosis) {
    const auto [at, is_new] = places_.try_emplace(diagnosis.request, merged_.size());
    if (is_new) merged_.push_back({diagnosis.request, diagnosis.wanted, {}, {}});
    Merged& merged = merged_[at->second];
    for (const dra::DeviceRefusal& refusal : diagnosis.devices) {
      const std::string name = NameOf(*refusal.device);
      if (refusal.fault == dra::DeviceFault::None) {
        merged.usable.insert(name);
      } else {
        Refused& refused = merged.refused[{
            std::string(dra::ToText(refusal.fault)),
            refusal.fault == dra::DeviceFault::Tainted ? TaintsText(refusal) : refusal.detail}];
        refused.devices.insert(name);
        if (refusal.fault == dra::DeviceFault::InUse) AddUsers(*refusal.device, refused.users);
      }
    }
  }

  std::vector<RequestExplanation> Done() const {
    std::vector<RequestExplanation> requests;
    for (const Merged& merged : merged_) {
      RequestExplanation& request = requests.emplace_back();
      request.request = merged.request;
      request.wanted = merged.wanted;
      request.usable.assign(merged.usable.begin(), merged.usable.end());
      for (const auto& [reason, found] : merged.refused) {
        std::vector<std::string> names;
        std::ranges::set_difference(found.devices, merged.usable, std::back_inserter(names));
        if (names.empty()) continue;
        request.refusals.push_back({reason.first,
                                    reason.second,
                                    std::move(names),
                                    {found.users.begin(), found.users.end()}});
      }
      std::ranges::stable_sort(request.refusals, std::ranges::greater(),
                               [](const DeviceRefusals& one) { return one.devices.size(); });
    }
    return requests;
  }

 private:
  struct Refused {
    std::set<std::string> devices;
    std::set<std::string> users;
  };
  struct Merged {
    std::string request;
    std::int64_t wanted = 0;
    std::set<std::string> usable;
    std::map<std::pair<std::string, std::string>, Refused> refused;  // by fault and detail
  };

  /// Adds the claims that have the device.
  void AddUsers(const dra::TrackedDevice& device, std::set<std::string>& users) const {
    const api::ResourceSlice& slice = *device.slice->view;
    for (const DeviceUse& use :
         devices_.UsesOf(slice.driver, slice.pool.name, device.device->name)) {
      users.insert(FullName(*use.claim));
    }
  }

  const DeviceSnapshot& devices_;
  std::vector<Merged> merged_;
  std::map<std::string, std::size_t> places_;
};

void ExplainUnallocated(ClusterSnapshot& snapshot, Instant now, const DeviceSnapshot& devices,
                        ClaimExplanation& out) {
  scheduler::ClusterState& cluster = snapshot.cluster();
  scheduler::Devices& known = cluster.devices();
  known.FollowNodes(cluster);
  dra::Allocator& allocator = known.allocator();
  allocator.BeginAttempt(now, Duration::zero());
  const dra::ClaimSet claims = allocator.Compile({out.claim});
  RequestMerger merger(devices);
  out.nodes = cluster.node_count();
  for (const std::string& name : snapshot.NodeNames()) {
    const scheduler::NodeSlot slot = *cluster.FindNode(name);
    const dra::Allocator::Answer answer = allocator.CheckNode(claims, slot);
    if (answer == dra::Allocator::Answer::Possible) out.possible.push_back(name);
    if (answer == dra::Allocator::Answer::Error && out.error.empty()) {
      out.error = allocator.Allocate(claims, slot, known.random()).error;
    }
    for (const dra::RequestDiagnosis& request : allocator.Diagnose(claims, slot).requests) {
      merger.Add(request);
    }
  }
  out.requests = merger.Done();
}

std::vector<AllocatedTaint> TaintsOf(const dra::TrackedDevice* published,
                                     const api::DeviceResult& result, const DeviceSnapshot& devices,
                                     const match::Rules& rules) {
  std::vector<dra::DeviceTaintSource> taints;
  if (published != nullptr) {
    taints.assign(published->taints.begin(), published->taints.end());
  } else {
    taints = devices.tracker().RuleTaintsOf(result.driver, result.pool, result.device);
  }
  std::vector<AllocatedTaint> out;
  for (const dra::DeviceTaintSource& one : taints) {
    AllocatedTaint& taint = out.emplace_back();
    taint.taint = api::ToText(*one.taint);
    taint.source = TaintSourceText(one);
    if (auto tolerance = FindTolerance(*one.taint, result.tolerations, rules)) {
      taint.toleration = std::move(tolerance->text);
      taint.margin = std::move(tolerance->margin);
    }
  }
  return out;
}

}  // namespace

ClaimExplanation ExplainClaim(const ObjectPtr& claim, const DeviceSnapshot& devices,
                              ClusterSnapshot& cluster, Instant now) {
  const api::ResourceClaim& view = *claim->As<api::ResourceClaim>();
  ClaimExplanation out;
  out.claim = claim;
  for (const api::ConsumerReference& consumer : view.reserved_for) {
    out.reserved_for.emplace_back(consumer.name);
  }
  out.is_allocated = view.allocation.has_value();
  if (!out.is_allocated) {
    ExplainUnallocated(cluster, now, devices, out);
    return out;
  }
  for (const api::DeviceResult& result : view.allocation->results) {
    const dra::TrackedDevice* const published =
        devices.tracker().FindDevice(result.driver, result.pool, result.device);
    out.devices.push_back(
        {std::string(result.request), DeviceName(result.driver, result.pool, result.device),
         published != nullptr, TaintsOf(published, result, devices, cluster.cluster().rules())});
  }
  return out;
}

}  // namespace plimsoll::cli
