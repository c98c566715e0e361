#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/status/status.h"
#include "base/clock.h"
#include "client/client.h"
#include "client/lru_map.h"
#include "net/http.h"
#include "runner/limits.h"

namespace plimsoll::runner {

/// Clients of the API server for reviews. Both must outlive DelegatedAuth.
struct AuthDelegates {
  const client::Client& authentication;  // creates TokenReviews
  const client::Client& authorization;   // creates SubjectAccessReviews
};

/// Decides who may read the pages of a component, as the secure port of upstream's components does.
/// A client certificate or a bearer token (TokenReview) identifies the user, and the API server
/// authorizes the request (SubjectAccessReview). Answers are cached for ten seconds. Safe for use
/// by many threads.
class DelegatedAuth {
 public:
  /// `always_allow_paths` need no authentication: each is a path, or a prefix that ends with `/*`.
  DelegatedAuth(const AuthDelegates& delegates, const Clock& clock,
                std::vector<std::string> always_allow_paths)
      : delegates_(delegates), clock_(clock), open_paths_(std::move(always_allow_paths)) {}

  /// Returns true if everybody may read the path.
  bool IsOpen(std::string_view path) const;

  /// Returns Ok or the error: Unauthorized, Forbidden, or an internal error if the API server does
  /// not answer. Blocks until the API server has answered.
  api::Answer<void> Check(const net::Request& request, std::string_view path);

 private:
  struct UserInfo {
    std::string name;
    std::string uid;
    std::vector<std::string> groups;
    std::string extra_json;  // from the TokenReview, unchanged
  };
  struct KnownUser {
    Instant until{};
    std::optional<UserInfo> user;  // unset: the token is not valid
  };
  struct KnownRight {
    Instant until{};
    bool is_allowed = false;
    std::string reason;
  };

  api::Answer<UserInfo> Authenticate(const net::Request& request);
  api::Answer<UserInfo> ReviewToken(const std::string& token);
  api::Answer<KnownRight> ReviewAccess(const UserInfo& user, std::string_view verb,
                                       std::string_view path);

  const AuthDelegates delegates_;
  const Clock& clock_;
  const std::vector<std::string> open_paths_;

  std::mutex mutex_;  // guards everything below
  client::LruMap<KnownUser> users_{kKnownAnswersMax};
  client::LruMap<KnownRight> rights_{kKnownAnswersMax};
};

}  // namespace plimsoll::runner
