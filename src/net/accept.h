#pragma once

#include <memory>
#include <string>

#include "net/channel.h"
#include "net/server_core.h"

struct ssl_ctx_st;

namespace plimsoll::net {

/// Makes a connection of an accepted socket, on the thread of the lane: with a context through the
/// TLS handshake, without it at once.
void Adopt(Lane& lane, std::unique_ptr<Channel> channel, std::string remote_address,
           const std::shared_ptr<ssl_ctx_st>& context);

}  // namespace plimsoll::net
