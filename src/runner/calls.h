#pragma once

#include "api/action.h"
#include "api/pure_core.h"
#include "base/result.h"
#include "client/client.h"

namespace plimsoll::runner {

/// Sends an action as one or more requests, blocks until the answer, and returns the outcome that
/// the core receives. Events and log lines have no request.
///
/// A write into a namespace that is being deleted is Expired: it will never succeed.
api::ActionFinished Send(const client::Client& client, const api::Action& action,
                         client::Call call);

}  // namespace plimsoll::runner
