#pragma once

#include <string>

#include "base/result.h"
#include "client/client.h"
#include "scheduler/action.h"

/// Sends the actions of the scheduler as requests. Each call blocks until the answer, and returns
/// the outcome in the terms of scheduler/action.h.
namespace plimsoll::runner {

Status Send(const client::Client& client, const scheduler::Bind& bind, const client::Call& call);
Status Send(const client::Client& client, const scheduler::PatchPodStatus& patch,
            const client::Call& call);
Status Send(const client::Client& client, const scheduler::EvictVictim& evict,
            const client::Call& call);
Status Send(const client::Client& client, const scheduler::WriteObjects& write,
            const client::Call& call);

}  // namespace plimsoll::runner
