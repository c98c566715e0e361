#include "controller/eviction_policy/eviction_requests.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/assert.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

constexpr Duration kRetryMin = std::chrono::milliseconds(100);
constexpr Duration kRetryMax = std::chrono::seconds(30);
constexpr std::string_view kManager = "plimsoll-eviction-policy";

const api::KindDesc& RequestKind() {
  static const api::KindDesc* const kKind =
      api::FindKind("lifecycle.k8s.io", "v1alpha1", "EvictionRequest");
  PL_ASSERT(kKind != nullptr);
  return *kKind;
}

std::string BodyOf(const api::ObjectMeta& pod, std::string_view name, bool is_wanted) {
  return JsonText()
      .Text("apiVersion", "lifecycle.k8s.io/v1alpha1")
      .Text("kind", "EvictionRequest")
      .Raw("metadata", JsonText().Text("name", name).Text("namespace", pod.namespace_).Done())
      .Raw("spec",
           JsonText()
               .Text("intent", is_wanted ? "Eviction" : "Withdrawn")
               .Text("requester", EvictionRequests::kRequester)
               .Raw("target",
                    JsonText()
                        .Raw("pod", JsonText().Text("name", pod.name).Text("uid", pod.uid).Done())
                        .Done())
               .Done())
      .Done();
}

}  // namespace

void EvictionRequests::Want(const ObjectPtr& pod, bool is_wanted) {
  Request& request = requests_[std::string(pod->metadata().uid)];
  const bool is_same = request.pod != nullptr && request.is_wanted == is_wanted;
  request.pod = pod;
  request.is_wanted = is_wanted;
  if (!is_same) due_.insert(std::string(pod->metadata().uid));
}

void EvictionRequests::Forget(std::string_view uid) {
  const auto found = requests_.find(uid);
  if (found == requests_.end()) return;
  due_.erase(found->first);
  requests_.erase(found);
}

void EvictionRequests::Run(const Turn& turn, ActionId& last_action) {
  for (auto place = due_.begin(); place != due_.end();) {
    const std::string uid = *place;
    Request& request = requests_.find(uid)->second;
    if (request.write != 0 || request.retry_at > turn.now) {
      ++place;
      continue;
    }
    place = due_.erase(place);
    const api::ObjectMeta& pod = request.pod->metadata();
    const std::string name = "plimsoll-" + uid;
    request.write = ++last_action;
    writes_[request.write] = uid;
    turn.Do(PatchObject{.id = request.write,
                        .object = api::ObjectRef(RequestKind(), pod.namespace_, name),
                        .body = BodyOf(pod, name, request.is_wanted),
                        .form = PatchForm::Apply,
                        .field_manager = std::string(kManager)});
    if (!request.is_wanted) continue;
    turn.Do(RecordEvent{.regarding = request.pod,
                        .reason = "EvictionRequested",
                        .message = "Requested the eviction by EvictionRequest " + name});
  }
}

bool EvictionRequests::Finish(const ActionFinished& finished, const Turn& turn) {
  const auto write = writes_.find(finished.id);
  if (write == writes_.end()) return false;
  const auto found = requests_.find(write->second);
  writes_.erase(write);
  if (found == requests_.end() || found->second.write != finished.id) return true;
  Request& request = found->second;
  request.write = 0;
  if (finished.status) {
    request.wait = {};
    if (!request.is_wanted && !due_.contains(found->first)) requests_.erase(found);
    return true;
  }
  due_.insert(found->first);
  if (request.wait == Duration::zero()) {
    turn.Do(api::WriteLog{.message = "cannot write EvictionRequest plimsoll-" + found->first,
                          .error = finished.status.error()});
  }
  request.wait =
      request.wait == Duration::zero() ? kRetryMin : std::min(request.wait * 2, kRetryMax);
  request.retry_at = turn.now + request.wait;
  return true;
}

std::optional<Instant> EvictionRequests::NextWake() const {
  std::optional<Instant> first;
  for (const std::string& uid : due_) {
    const Request& request = requests_.find(uid)->second;
    if (request.write != 0) continue;
    if (!first || request.retry_at < *first) first = request.retry_at;
  }
  return first;
}

}  // namespace plimsoll::controller
