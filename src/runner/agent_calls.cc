#include "runner/agent_calls.h"

#include "agent/pod_volumes.h"
#include "base/assert.h"
#include "runner/call_outcome.h"

namespace plimsoll::runner {
namespace {

const api::KindDesc& KindOf(std::string_view group, std::string_view kind) {
  const api::KindDesc* const found = api::FindKind(group, "v1", kind);
  PL_ASSERT(found != nullptr);
  return *found;
}

}  // namespace

Status Send(const client::Client& client, const agent::CreateObject& create,
            const client::Call& call) {
  return StatusOf(client.Create({*create.kind, create.namespace_}, create.json, {}, call));
}

Status Send(const client::Client& client, const agent::ApplyObject& apply,
            const client::Call& call) {
  client::PatchOptions options;
  options.type = client::PatchType::Apply;
  options.field_manager = apply.field_manager;
  options.force = true;
  return StatusOf(client.Patch({*apply.kind, apply.namespace_, apply.name, apply.subresource},
                               apply.json, options, call));
}

Status Send(const client::Client& client, const agent::PatchStatus& patch,
            const client::Call& call) {
  return StatusOf(client.Patch(ResourceOf(*patch.object, "status"), patch.patch, {}, call));
}

Status Send(const client::Client& client, const agent::RenewLease& renew,
            const client::Call& call) {
  static const api::KindDesc& kind = KindOf("coordination.k8s.io", "Lease");
  client::PatchOptions options;
  options.type = client::PatchType::Merge;
  return StatusOf(client.Patch({kind, "kube-node-lease", renew.node},
                               R"({"spec":{"renewTime":")" + FormatMicroTime(renew.at) + R"("}})",
                               options, call));
}

Status Send(const client::Client& client, const agent::DeletePod& remove,
            const client::Call& call) {
  client::DeleteOptions options;
  options.grace_period_seconds = 0;
  return DeleteThis(client, *remove.pod, options, call);
}

Result<agent::ObjectPtr> Send(const client::Client& client, const agent::ReadNode& read,
                              const client::Call& call) {
  static const api::KindDesc& kind = KindOf("", "Node");
  const api::Answer<client::ObjectPtr> answer = client.Get({kind, {}, read.name}, {}, call);
  PL_TRY(StatusOf(answer));
  return *answer;
}

Result<std::vector<agent::ObjectPtr>> Send(const client::Client& client,
                                           const agent::ReadVolumes& read,
                                           const client::Call& call) {
  const auto get = [&](std::string_view kind, std::string_view namespace_,
                       const std::string& name) -> Result<agent::ObjectPtr> {
    const api::Answer<client::ObjectPtr> answer =
        client.Get({KindOf("", kind), std::string(namespace_), name}, {}, call);
    PL_TRY(StatusOf(answer));
    return *answer;
  };
  return agent::CollectVolumes(*read.pod, get);
}

}  // namespace plimsoll::runner
