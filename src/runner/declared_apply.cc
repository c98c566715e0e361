#include "runner/declared_apply.h"

#include <utility>

#include "codec/json.h"
#include "runner/calls.h"

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

std::string DeclaredApply::Pruned(const api::PatchObject& apply, Instant now) {
  const std::scoped_lock lock(mutex_);
  const auto known = by_kind_.find(&apply.object.kind());
  if (known == by_kind_.end()) return apply.body;
  if (now - known->second.read_at > kReadAgainAfter) {
    by_kind_.erase(known);
    return apply.body;
  }
  auto document = codec::ParseJson(apply.body);
  if (!document || known->second.fields.Prune(**document).empty()) return apply.body;
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

api::ActionFinished DeclaredApply::Send(const client::Client& client, const api::PatchObject& apply,
                                        const client::Call& call) {
  api::PatchObject sent = apply;
  sent.body = Pruned(apply, client.clock().Now());
  api::ActionFinished finished = runner::Send(client, sent, call);
  // A pruned object has no undeclared fields, so the error has another cause.
  if (!MayBeUndeclared(finished.status) || sent.body != apply.body) return finished;
  if (!Learn(client, apply.object.kind(), call)) return finished;
  sent.body = Pruned(apply, client.clock().Now());
  return sent.body == apply.body ? finished : runner::Send(client, sent, call);
}

}  // namespace plimsoll::runner
