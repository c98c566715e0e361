#pragma once

#include "api/action.h"
#include "api/pure_core.h"
#include "client/client.h"

namespace plimsoll::runner {

/// Sends the query to its Prometheus server and blocks until the response or the timeout. Reads the
/// token from the API server first. Forbidden: the Secret has another type. ServiceUnavailable: the
/// server is unreachable, or its status is not 200; a redirect is not followed. Stops with `call`.
api::ActionFinished SendQuery(const client::Client& client, const api::QueryMetrics& query,
                              const client::Call& call);

}  // namespace plimsoll::runner
