#pragma once

#include <memory>
#include <string>

#include "net/channel.h"
#include "net/connection_table.h"
#include "net/server_core.h"

struct ssl_ctx_st;

namespace plimsoll::net {

/// An accepted socket, before the thread that serves it takes it over.
struct Accepted {
  std::unique_ptr<Channel> channel;
  std::unique_ptr<ConnectionTable::Entry> entry;
  std::string remote_address;
};

/// Turns an accepted socket into a connection. Call it on `thread`. With a context,
/// the connection begins with a TLS handshake.
void Adopt(ServerThread& thread, Accepted accepted, const std::shared_ptr<ssl_ctx_st>& context);

}  // namespace plimsoll::net
