#pragma once

#include <algorithm>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plimsoll {

/// Why an operation failed, in terms that a Kubernetes client can act on. The names are those of
/// `Status.reason` on the wire; NoSpace has none there.
enum class Reason : std::uint8_t {
  BadRequest,
  Unauthorized,
  Forbidden,
  NotFound,
  AlreadyExists,
  Conflict,
  Invalid,
  Expired,
  TooManyRequests,
  RequestEntityTooLarge,
  UnsupportedMediaType,
  ServiceUnavailable,
  Timeout,
  InternalError,
  NoSpace,  // the store has reached its quota
};

/// A failure as a value. It has a reason that a client can branch on, and the invalid field, if any
/// (`spec.tolerations[2].value`). The message says what was found and what is wanted.
struct Error {
  Reason reason = Reason::InternalError;
  std::string field;
  std::string message;
  /// Machine-readable details beside the reason, such as `NamespaceTerminating`. Code must compare
  /// these, never the message.
  std::vector<std::string> causes = {};

  bool HasCause(std::string_view cause) const {
    return std::ranges::find(causes, cause) != causes.end();
  }
  /// Returns `field: message`, or the message alone if `field` is empty.
  std::string Text() const { return field.empty() ? message : field + ": " + message; }

  friend bool operator==(const Error&, const Error&) = default;
};

/// A T, or the Error. Compilers warn if a Result is ignored, which they do not for std::expected of
/// GCC 12.
template <class T>
class [[nodiscard]] Result : public std::expected<T, Error> {
 public:
  using std::expected<T, Error>::expected;
};

using Status = Result<void>;

inline std::unexpected<Error> Fail(Reason reason, std::string message) {
  return std::unexpected(Error{reason, {}, std::move(message), {}});
}

inline std::unexpected<Error> FailAt(Reason reason, std::string field, std::string message) {
  return std::unexpected(Error{reason, std::move(field), std::move(message), {}});
}

}  // namespace plimsoll

/// Unwraps a Result, or returns its error from the enclosing function. GCC 12 has no monadic
/// members on expected, and a chain of if-has-value hides the main path.
#define PL_TRY(expression)                                                                  \
  __extension__({                                                                           \
    auto&& pl_try_result = (expression);                                                    \
    if (!pl_try_result.has_value()) [[unlikely]] {                                          \
      return std::unexpected(std::forward<decltype(pl_try_result)>(pl_try_result).error()); \
    }                                                                                       \
    *std::forward<decltype(pl_try_result)>(pl_try_result);                                  \
  })
