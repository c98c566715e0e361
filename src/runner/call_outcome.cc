#include "runner/call_outcome.h"

#include <algorithm>
#include <utility>

namespace plimsoll::runner {
namespace {

bool HasCause(const api::StatusObject& refusal, std::string_view reason) {
  return refusal.details &&
         std::ranges::find(refusal.details->causes, reason, &api::StatusCause::reason) !=
             refusal.details->causes.end();
}

Reason ReasonOf(const api::StatusObject& refusal) {
  switch (refusal.code) {
    case 400:
      return Reason::BadRequest;
    case 401:
      return Reason::Unauthorized;
    case 403:
      return HasCause(refusal, "NamespaceTerminating") ? Reason::Expired : Reason::Forbidden;
    case 404:
      return Reason::NotFound;
    case 408:
    case 504:
      return Reason::Timeout;
    case 409:
      return refusal.reason == "AlreadyExists" ? Reason::AlreadyExists : Reason::Conflict;
    case 422:
      return Reason::Invalid;
    case 429:
      return Reason::TooManyRequests;
    case 503:
      return Reason::ServiceUnavailable;
    default:
      return refusal.code < 500 ? Reason::BadRequest : Reason::InternalError;
  }
}

}  // namespace

client::Resource ResourceOf(const api::Object& object, std::string_view subresource) {
  return {object.kind(), object.metadata().namespace_, object.metadata().name, subresource};
}

Status StatusOf(const api::Answer<client::ObjectPtr>& answer) {
  if (answer) return {};
  return Fail(ReasonOf(answer.error()), answer.error().message);
}

Status StatusOf(const api::Answer<void>& answer) {
  if (answer) return {};
  return Fail(ReasonOf(answer.error()), answer.error().message);
}

Status DeleteThis(const client::Client& client, const api::Object& object,
                  client::DeleteOptions options, const client::Call& call) {
  options.uid = object.metadata().uid;
  const Status status = StatusOf(client.Delete(ResourceOf(object), options, call));
  if (status || IsGone(status)) return {};
  if (status.error().reason != Reason::Conflict) return status;
  // A conflict does not say in machine-readable form which precondition failed, so read the object.
  client::Call reading = call;
  reading.wants_object = true;
  const auto present = client.Get(ResourceOf(object), {}, reading);
  const bool is_another = present && (*present)->metadata().uid != options.uid;
  return is_another || IsGone(StatusOf(present)) ? Status() : status;
}

}  // namespace plimsoll::runner
