#pragma once

#include <string_view>

#include "base/result.h"
#include "client/client.h"

/// Between the calls of a client and the outcomes that cores are told.
namespace plimsoll::runner {

client::Resource ResourceOf(const api::Object& object, std::string_view subresource = {});

/// A write into a namespace that is being deleted is Expired; it will never succeed.
Status StatusOf(const api::Answer<client::ObjectPtr>& answer);
Status StatusOf(const api::Answer<void>& answer);

inline bool IsGone(const Status& status) {
  return !status && status.error().reason == Reason::NotFound;
}

/// Deletes the object unless another one has taken its name. When it is not there any more, that is
/// as good.
Status DeleteThis(const client::Client& client, const api::Object& object,
                  client::DeleteOptions options, const client::Call& call);

}  // namespace plimsoll::runner
