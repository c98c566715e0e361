#pragma once

#include <memory>
#include <string>
#include <vector>

#include "api/schema/conform.h"
#include "api/status/status.h"
#include "apiserver/request/api_request.h"
#include "apiserver/request/user.h"
#include "apiserver/resource/resource.h"
#include "base/time.h"
#include "codec/document.h"

namespace plimsoll::apiserver {

/// Object and options of a write request.
struct WriteTarget {
  const Resource* resource = nullptr;
  const Resource* served = nullptr;  // the client's version, if it is another
  std::string subresource;
  std::string namespace_;  // empty for cluster-scoped kinds
  std::string name;        // empty for a create
  const User* user = nullptr;
  bool is_dry_run = false;
  bool is_forced = false;     // `force` of an apply
  std::string field_manager;  // from the client, or the first word of its user agent
  api::FieldValidation field_validation = api::FieldValidation::Warn;
  std::vector<std::string>* warnings = nullptr;
  AuditRecord* audit = nullptr;  // may be null
  Instant received{};            // time of the request; retries stop some time after it

  bool is_status() const { return subresource == "status"; }
  /// Returns the resource in the client's version.
  const Resource& Served() const { return served == nullptr ? *resource : *served; }
  api::StatusSubject Subject() const { return {Served().group(), Served().name(), name}; }
};

/// Type of a verb's options, as messages name it.
enum class OptionsKind : std::uint8_t { CreateOptions, UpdateOptions, PatchOptions };

/// Reads the path only.
WriteTarget TargetOf(ApiRequest& request);

/// Also reads the query: dryRun, fieldManager, fieldValidation, force. Fails with Invalid and
/// upstream's text, such as `CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value:
/// …`. An apply must name a field manager.
api::Answer<WriteTarget> ReadWriteTarget(ApiRequest& request, OptionsKind kind, bool is_apply);

/// Returns true if the values are `All`. Adds NotSupported for any other value.
bool CheckDryRun(const std::vector<std::string_view>& values, api::FieldErrors& errors);

/// Returns all values of a parameter, in order.
std::vector<std::string_view> QueryValues(const net::Target& target, std::string_view name);

/// Returns `kubectl` for `kubectl/v1.33.0 (linux/amd64)`.
std::string ManagerFromUserAgent(std::string_view user_agent);

/// An object before it is stored. Its tree conforms to its kind.
using Draft = std::shared_ptr<codec::Document>;

}  // namespace plimsoll::apiserver
