#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace plimsoll::store::etcd {

/// Address of an etcd member.
struct Endpoint {
  std::string address;  // host:port, in gRPC's syntax
  bool is_tls = false;

  friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

/// Parses `https://10.0.0.1:2379`, `http://…`, or `10.0.0.1:2379`. Without a scheme it is http, as
/// in etcd's own client. Invalid: no host, no port, or another scheme.
Result<Endpoint> ParseEndpoint(std::string_view text);
/// Parses all of them. Invalid: the list is empty, or an endpoint is invalid.
Result<std::vector<Endpoint>> ParseEndpoints(const std::vector<std::string>& texts);

}  // namespace plimsoll::store::etcd
