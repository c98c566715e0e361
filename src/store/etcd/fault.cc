#include "store/etcd/fault.h"

#include <fmt/format.h>

#include <array>

namespace plimsoll::store::etcd {
namespace {

using Kind = Fault::Kind;

// gRPC status code.
constexpr int kUnauthenticated = 16;

struct TextRow {
  std::string_view text;  // substring of the message
  Kind kind;
};

// Texts of etcd, because its codes alone are ambiguous. Texts about a lost quorum ("request timed
// out", "leader changed") are left out: such a request may yet take effect.
constexpr std::array kTexts = {
    TextRow{"required revision has been compacted", Kind::Compacted},
    TextRow{"required revision is a future revision", Kind::Future},
    TextRow{"database space exceeded", Kind::NoSpace},
    TextRow{"request is too large", Kind::TooLarge},
    TextRow{"received message larger than max", Kind::TooLarge},
    TextRow{"too many requests", Kind::Busy},
    TextRow{"not capable", Kind::Busy},
    TextRow{"etcdserver: no leader", Kind::NoLeader},
    TextRow{"invalid auth token", Kind::TokenInvalid},
    TextRow{"auth: revision in header is old", Kind::TokenInvalid},
    TextRow{"authentication failed", Kind::Refused},
    TextRow{"authentication is not enabled", Kind::AuthDisabled},
    TextRow{"user name is empty", Kind::Refused},
    TextRow{"permission denied", Kind::Refused},
    TextRow{"duplicate key given", Kind::Refused},
    TextRow{"etcdserver: corrupt cluster", Kind::Refused},
    // Texts of gRPC for failures before anything is sent.
    TextRow{"failed to connect to all addresses", Kind::Unreachable},
    TextRow{"DNS resolution failed", Kind::Unreachable},
};

}  // namespace

bool Fault::IsTransient() const {
  return kind == Kind::Busy || kind == Kind::NoLeader || kind == Kind::Unreachable ||
         kind == Kind::TokenInvalid || kind == Kind::Unknown;
}

bool Fault::IsMemberFault() const {
  return kind == Kind::NoLeader || kind == Kind::Unreachable || kind == Kind::Unknown;
}

Fault FaultOf(int code, std::string_view message) {
  for (const TextRow& row : kTexts) {
    if (message.find(row.text) != std::string_view::npos) return {row.kind, std::string(message)};
  }
  return {code == kUnauthenticated ? Kind::TokenInvalid : Kind::Unknown, std::string(message)};
}

Error ErrorOf(const Fault& fault) {
  switch (fault.kind) {
    case Kind::Compacted:
      return {Reason::Expired, {}, fault.text};
    case Kind::Future:
      return {Reason::Timeout, {}, fault.text};
    case Kind::NoSpace:
      return {
          Reason::ServiceUnavailable,
          {},
          fmt::format("etcd's database has reached its quota ({}): writes fail, reads "
                      "continue. Compact and defragment it or raise --quota-backend-bytes, then "
                      "`etcdctl alarm disarm`",
                      fault.text)};
    case Kind::TooLarge:
      return {Reason::RequestEntityTooLarge,
              {},
              fmt::format("the value is too large for etcd ({}); its limit is --max-request-bytes",
                          fault.text)};
    case Kind::Busy:
    case Kind::NoLeader:
      return {Reason::ServiceUnavailable, {}, fmt::format("etcd is not available: {}", fault.text)};
    case Kind::Unreachable:
      return {Reason::ServiceUnavailable, {}, fmt::format("cannot reach etcd: {}", fault.text)};
    case Kind::TokenInvalid:
    case Kind::AuthDisabled:
    case Kind::Refused:
      return {Reason::InternalError, {}, fmt::format("etcd rejected the request: {}", fault.text)};
    case Kind::Unknown:
      break;
  }
  return {Reason::Timeout, {}, fmt::format("etcd's answer is missing or invalid: {}", fault.text)};
}

}  // namespace plimsoll::store::etcd
