#pragma once

#include "agent/action.h"
#include "base/result.h"
#include "client/client.h"

/// Sends the actions of node agents as requests. Each call blocks until the answer, and returns the
/// outcome in the terms of agent/action.h.
namespace plimsoll::runner {

Status Send(const client::Client& client, const agent::CreateObject& create,
            const client::Call& call);
Status Send(const client::Client& client, const agent::ApplyObject& apply,
            const client::Call& call);
Status Send(const client::Client& client, const agent::PatchStatus& patch,
            const client::Call& call);
Status Send(const client::Client& client, const agent::RenewLease& renew, const client::Call& call);
Status Send(const client::Client& client, const agent::DeletePod& remove, const client::Call& call);
Result<agent::ObjectPtr> Send(const client::Client& client, const agent::ReadNode& read,
                              const client::Call& call);
Result<std::vector<agent::ObjectPtr>> Send(const client::Client& client,
                                           const agent::ReadVolumes& read,
                                           const client::Call& call);

}  // namespace plimsoll::runner
