#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "apiserver/bootstrap/default_objects.h"
#include "base/result.h"

namespace plimsoll::apiserver {

/// How the first objects get into the store.
class BootstrapWriter {
 public:
  virtual ~BootstrapWriter() = default;
  /// The JSON text, with its resourceVersion; nothing when there is none.
  virtual Result<std::optional<std::string>> Get(std::string_view group, std::string_view resource,
                                                 std::string_view namespace_,
                                                 std::string_view name) = 0;
  /// AlreadyExists.
  virtual Status Create(const DefaultObject& object) = 0;
  /// Of what Get gave. Conflict when it has changed since, NotFound.
  virtual Status Update(const DefaultObject& object) = 0;
  virtual Status Delete(const DefaultObject& object) = 0;
  /// Updates the status of what Get gave. Conflict when it has changed since, NotFound.
  virtual Status UpdateStatus(const DefaultObject& object) = 0;
};

struct BootstrapOptions {
  std::string service_ip = "10.96.0.1";
  std::uint16_t port = 6443;
  std::string client_ca_pem;  // certificates that clients are authenticated with
  Instant now;
};

/// Writes what is missing, adds to default roles and bindings what they lack, and tells the service
/// `kubernetes` the port. May be done at
/// every start, also by several servers at once. An error names the object.
Status Bootstrap(BootstrapWriter& writer, const BootstrapOptions& options = {});

/// Restores the system namespaces, the Service `kubernetes`, and the ConfigMaps by which the server
/// tells of itself. Part of Bootstrap, and done again from time to time.
Status EnsureSystemObjects(BootstrapWriter& writer, const BootstrapOptions& options);

/// Writes the FlowSchemas and PriorityLevelConfigurations that are missing, and restores the specs
/// of those that the server maintains. Part of Bootstrap, and done again from time to time.
Status EnsureFlowControl(BootstrapWriter& writer);

}  // namespace plimsoll::apiserver
