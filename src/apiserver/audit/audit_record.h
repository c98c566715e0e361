#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace plimsoll::apiserver {

/// Level of detail of audit events, as in `audit.k8s.io/v1`.
enum class AuditLevel : std::uint8_t { None, Metadata, Request, RequestResponse };

/// Stage of a request at which an audit event is written.
enum class AuditStage : std::uint8_t { RequestReceived, ResponseStarted, ResponseComplete, Panic };

/// A set of stages.
class AuditStages {
 public:
  void Add(AuditStage stage) { bits_ = static_cast<std::uint8_t>(bits_ | Bit(stage)); }
  void Add(const AuditStages& other) { bits_ = static_cast<std::uint8_t>(bits_ | other.bits_); }
  bool Has(AuditStage stage) const { return (bits_ & Bit(stage)) != 0; }

 private:
  static unsigned Bit(AuditStage stage) { return 1U << static_cast<unsigned>(stage); }
  std::uint8_t bits_ = 0;
};

/// Result of an audit policy for one request.
struct AuditRule {
  AuditLevel level = AuditLevel::None;
  AuditStages omitted_stages;
  bool omits_managed_fields = false;
};

/// Data of one request for its audit events. Only one thread at a time uses it: the one that works
/// on the request.
struct AuditRecord {
  AuditRule rule;
  std::string request_object;  // JSON; empty: none, or not needed at this level
  // From the body, if the path does not contain them.
  std::string object_namespace;
  std::string object_name;
  std::string object_uid;
  std::string object_resource_version;
  std::vector<std::pair<std::string, std::string>> annotations;

  /// Adds an annotation. The first value of a key wins, as upstream.
  void Annotate(std::string key, std::string value) {
    for (const auto& [known, unused] : annotations) {
      if (known == key) return;
    }
    annotations.emplace_back(std::move(key), std::move(value));
  }
};

}  // namespace plimsoll::apiserver
