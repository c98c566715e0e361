#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "apiserver/bootstrap/default_objects.h"
#include "base/result.h"

namespace plimsoll::apiserver {

/// Reads and writes the default objects.
/// An interface, because tests keep the objects in a map and make writes fail.
class BootstrapWriter {
 public:
  virtual ~BootstrapWriter() = default;
  /// Returns the JSON with its resourceVersion, or nullopt if the object does not exist.
  virtual Result<std::optional<std::string>> Get(std::string_view group, std::string_view resource,
                                                 std::string_view namespace_,
                                                 std::string_view name) = 0;
  /// Fails with AlreadyExists.
  virtual Status Create(const DefaultObject& object) = 0;
  /// Updates an object from Get. Fails with Conflict if it has changed since, or NotFound.
  virtual Status Update(const DefaultObject& object) = 0;
  virtual Status Delete(const DefaultObject& object) = 0;
  /// Updates the status of an object from Get. Fails with Conflict if it has changed, or NotFound.
  virtual Status UpdateStatus(const DefaultObject& object) = 0;
};

struct BootstrapOptions {
  std::string service_ip = "10.96.0.1";
  std::uint16_t port = 6443;
  std::string client_ca_pem;  // authorities that sign client certificates
  Instant now;
};

/// Creates missing default objects, adds missing rules and subjects to default roles and bindings,
/// and sets the port of the service `kubernetes`. Safe to call at every start, also by several
/// servers at once. An error names the object.
Status Bootstrap(BootstrapWriter& writer, const BootstrapOptions& options = {});

/// Restores the system namespaces, the Service `kubernetes`, and the ConfigMaps that the server
/// publishes. Part of Bootstrap, and repeated periodically.
Status EnsureSystemObjects(BootstrapWriter& writer, const BootstrapOptions& options);

/// Creates missing FlowSchemas and PriorityLevelConfigurations, and restores the specs of those
/// that the server maintains. Part of Bootstrap, and repeated periodically.
Status EnsureFlowControl(BootstrapWriter& writer);

}  // namespace plimsoll::apiserver
