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

/// What a write is about, and how the client wants it done.
struct WriteTarget {
  const Resource* resource = nullptr;
  const Resource* served = nullptr;  // what the client calls it, where that is another version
  std::string subresource;
  std::string namespace_;  // empty for cluster-wide kinds
  std::string name;        // empty for a create
  const User* user = nullptr;
  bool is_dry_run = false;
  bool is_forced = false;     // of an apply
  std::string field_manager;  // as the client named it, or the first word of its user agent
  api::FieldValidation field_validation = api::FieldValidation::Warn;
  std::vector<std::string>* warnings = nullptr;
  AuditRecord* audit = nullptr;  // may be null
  Instant received{};            // the request's; what waits gives up some time after it

  bool is_status() const { return subresource == "status"; }
  /// In the version that the client speaks.
  const Resource& Served() const { return served == nullptr ? *resource : *served; }
  api::StatusSubject Subject() const { return {Served().group(), Served().name(), name}; }
};

/// Which options a verb takes; their kind names them in messages.
enum class OptionsKind : std::uint8_t { CreateOptions, UpdateOptions, PatchOptions };

/// From the path alone.
WriteTarget TargetOf(ApiRequest& request);

/// And from the query: dryRun, fieldManager, fieldValidation, force. Invalid in upstream's words,
/// like `CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: …`. For an apply a
/// field manager must be named.
api::Answer<WriteTarget> ReadWriteTarget(ApiRequest& request, OptionsKind kind, bool is_apply);

/// Whether they say `All`; NotSupported for anything else.
bool CheckDryRun(const std::vector<std::string_view>& values, api::FieldErrors& errors);

/// All values of a parameter, in their order.
std::vector<std::string_view> QueryValues(const net::Target& target, std::string_view name);

/// `kubectl` of `kubectl/v1.33.0 (linux/amd64)`.
std::string ManagerFromUserAgent(std::string_view user_agent);

/// An object on its way to the store: its tree conforms to its kind.
using Draft = std::shared_ptr<codec::Document>;

}  // namespace plimsoll::apiserver
