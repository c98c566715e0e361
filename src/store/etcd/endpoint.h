#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace plimsoll::store::etcd {

/// Where a member listens.
struct Endpoint {
  std::string address;  // host:port, as gRPC takes it
  bool is_tls = false;

  friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

/// `https://10.0.0.1:2379`, `http://…`, or `10.0.0.1:2379`, which is http as etcd's own client has
/// it. Invalid: no host, no port, or another scheme.
Result<Endpoint> ParseEndpoint(std::string_view text);
/// At least one.
Result<std::vector<Endpoint>> ParseEndpoints(const std::vector<std::string>& texts);

}  // namespace plimsoll::store::etcd
