#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/field_error.h"
#include "base/result.h"

namespace plimsoll::api {

struct StatusCause {
  std::string reason;
  std::string message;
  std::string field;
};

struct StatusDetails {
  std::string name;
  std::string group;
  std::string kind;  // a resource (`pods`), or a Kind in validation errors
  std::string uid;
  std::vector<StatusCause> causes;
  std::int32_t retry_after_seconds = 0;
};

/// `meta.v1.Status`: the body of an error response and of some successes.
struct StatusObject {
  int code = 500;
  std::string reason;  // NotFound, …; empty when unset
  std::string message;
  std::optional<StatusDetails> details;
  bool is_success = false;

  /// Returns the wire form.
  std::string Json() const;
};

/// A T, or the error response for the client. PL_TRY works on it.
template <class T>
class [[nodiscard]] Answer : public std::expected<T, StatusObject> {
 public:
  using std::expected<T, StatusObject>::expected;
};

/// Resource, and optionally the object, that a status refers to. The core group is empty.
struct StatusSubject {
  std::string_view group;
  std::string_view resource;
  std::string_view name;
};

// One function per reason, with upstream's texts.
StatusObject NotFound(const StatusSubject& subject);
StatusObject AlreadyExists(const StatusSubject& subject);
/// `the server was not able to generate a unique name for the object`
StatusObject GeneratedNameTaken(const StatusSubject& subject);
/// `Operation cannot be fulfilled on pods "x": <why>`
StatusObject Conflict(const StatusSubject& subject, std::string_view why);
/// … `the object has been modified; please apply your changes to the latest version and try again`
StatusObject Modified(const StatusSubject& subject);
/// `pods "x" is forbidden: <why>`; without a name `pods is forbidden: <why>`
StatusObject Forbidden(const StatusSubject& subject, std::string_view why);
/// `Pod "x" is invalid: …` with one cause per error.
StatusObject Invalid(std::string_view group, std::string_view kind, std::string_view name,
                     const FieldErrors& errors);
StatusObject BadRequest(std::string message);
StatusObject Unauthorized();
/// `<verb> is not supported on resources of kind "pods"`
StatusObject MethodNotSupported(std::string_view group, std::string_view resource,
                                std::string_view verb);
/// `the server could not find the requested resource`
StatusObject NoSuchPath();
/// `the server does not allow this method on the requested resource`
StatusObject NoSuchMethod();
StatusObject Expired(std::string message);
StatusObject TooLargeRevision(std::int64_t asked, std::int64_t current);
StatusObject EntityTooLarge(std::string_view text);
/// `415: Unsupported Media Type`, for a patch of an unknown type. Upstream's router sends it, so it
/// does not list the accepted types.
StatusObject UnsupportedPatchType();
StatusObject UnsupportedMediaType(const std::vector<std::string_view>& accepted);
StatusObject NotAcceptable(const std::vector<std::string_view>& accepted);
StatusObject TooManyRequests(std::string message, std::int32_t retry_after_seconds);
StatusObject InternalError(std::string_view what);
StatusObject ServiceUnavailable(std::string message);
StatusObject TimedOut(std::string_view text, std::int32_t retry_after_seconds);
/// `{"status":"Success", …}` with details of the object that was deleted or changed.
StatusObject Success(int code = 200, std::optional<StatusDetails> details = {});

/// Converts an error of the lower layers, which know no resource: keeps its reason and message.
StatusObject FromError(const Error& error);

/// Converts a refusal of a server to an error: keeps its reason, message and causes.
Error ToError(const StatusObject& refusal);
template <class T>
Status StatusOf(const Answer<T>& answer) {
  if (answer) return {};
  return std::unexpected(ToError(answer.error()));
}

}  // namespace plimsoll::api
