#pragma once

#include <string_view>

#include "base/result.h"
#include "client/client.h"

/// Converts the answers of client calls to the outcomes that cores receive.
namespace plimsoll::runner {

client::Resource ResourceOf(const api::Object& object, std::string_view subresource = {});

/// A write into a namespace that is being deleted is Expired; it will never succeed.
Status StatusOf(const api::Answer<client::ObjectPtr>& answer);
Status StatusOf(const api::Answer<void>& answer);

inline bool IsGone(const Status& status) {
  return !status && status.error().reason == Reason::NotFound;
}

/// Deletes the object unless another one has its name. Succeeds also if it does not exist any
/// more.
Status DeleteThis(const client::Client& client, const api::Object& object,
                  client::DeleteOptions options, const client::Call& call);

}  // namespace plimsoll::runner
