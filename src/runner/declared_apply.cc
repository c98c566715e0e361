#include "runner/declared_apply.h"

#include <utility>

#include "codec/json.h"
#include "runner/agent_calls.h"

namespace plimsoll::runner {
namespace {

/// Upstream answers an undeclared field with 500, other servers with 400 or 422.
bool MayBeUndeclared(const Status& status) {
  if (status) return false;
  const Reason reason = status.error().reason;
  return reason == Reason::InternalError || reason == Reason::BadRequest ||
         reason == Reason::Invalid;
}

}  // namespace

std::string DeclaredApply::Pruned(const agent::ApplyObject& apply, Instant now) {
  const std::scoped_lock lock(mutex_);
  const auto known = by_kind_.find(apply.kind);
  if (known == by_kind_.end()) return apply.json;
  if (now - known->second.read_at > kReadAgainAfter) {
    by_kind_.erase(known);
    return apply.json;
  }
  auto document = codec::ParseJson(apply.json);
  if (!document || known->second.fields.Prune(**document).empty()) return apply.json;
  return codec::WriteJson((*document)->root());
}

bool DeclaredApply::Learn(const client::Client& client, const api::KindDesc& kind,
                          const client::Call& call) {
  auto fields = client.GetDeclaredFields(kind, call);
  if (!fields) return false;
  const std::scoped_lock lock(mutex_);
  by_kind_.insert_or_assign(&kind, Known{*std::move(fields), client.clock().Now()});
  return true;
}

Status DeclaredApply::Send(const client::Client& client, const agent::ApplyObject& apply,
                           const client::Call& call) {
  agent::ApplyObject sent = apply;
  sent.json = Pruned(apply, client.clock().Now());
  const Status status = runner::Send(client, sent, call);
  // A pruned object has no undeclared fields, so the error has another cause.
  if (!MayBeUndeclared(status) || sent.json != apply.json) return status;
  if (!Learn(client, *apply.kind, call)) return status;
  sent.json = Pruned(apply, client.clock().Now());
  return sent.json == apply.json ? status : runner::Send(client, sent, call);
}

}  // namespace plimsoll::runner
