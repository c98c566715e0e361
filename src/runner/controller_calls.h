#pragma once

#include "base/result.h"
#include "client/client.h"
#include "controller/action.h"

/// Sends the actions of controllers as requests. Each call blocks until the answer, and returns the
/// outcome in the terms of controller/action.h.
namespace plimsoll::runner {

Status Send(const client::Client& client, const controller::CreateObject& create,
            const client::Call& call);
Status Send(const client::Client& client, const controller::PatchObject& patch,
            const client::Call& call);
Status Send(const client::Client& client, const controller::ReplaceObject& replace,
            const client::Call& call);
Status Send(const client::Client& client, const controller::DeleteObject& remove,
            const client::Call& call);
Status Send(const client::Client& client, const controller::DeleteCollection& remove,
            const client::Call& call);
Status Send(const client::Client& client, const controller::ConfirmObject& confirm,
            const client::Call& call);
Status Send(const client::Client& client, const controller::EvictPod& evict,
            const client::Call& call);

}  // namespace plimsoll::runner
