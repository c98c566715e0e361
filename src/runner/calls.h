#pragma once

#include "api/action.h"
#include "api/pure_core.h"
#include "base/result.h"
#include "client/client.h"

namespace plimsoll::runner {

/// Sends an action as one or more requests, blocks until the answer, and returns the outcome that
/// the core receives. Events and log lines have no request.
api::ActionFinished Send(const client::Client& client, const api::Action& action,
                         client::Call call);

}  // namespace plimsoll::runner
