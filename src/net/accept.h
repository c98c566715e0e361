#pragma once

#include <memory>
#include <string>

#include "net/channel.h"
#include "net/connection_table.h"
#include "net/server_core.h"

struct ssl_ctx_st;

namespace plimsoll::net {

/// An accepted socket on its way to the thread that serves it.
struct Accepted {
  std::unique_ptr<Channel> channel;
  std::unique_ptr<ConnectionTable::Place> place;
  std::string remote_address;
};

/// Makes a connection of an accepted socket, on the thread of the lane. With a context the
/// connection begins with a TLS handshake.
void Adopt(Lane& lane, Accepted accepted, const std::shared_ptr<ssl_ctx_st>& context);

}  // namespace plimsoll::net
