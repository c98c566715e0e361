#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace plimsoll::apiserver {

/// How much of a request is written down, as `audit.k8s.io/v1` names it.
enum class AuditLevel : std::uint8_t { None, Metadata, Request, RequestResponse };

/// How far a request has come when it is written down.
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

/// What an audit policy says about one request.
struct AuditRule {
  AuditLevel level = AuditLevel::None;
  AuditStages omitted_stages;
  bool omits_managed_fields = false;
};

/// What is collected about one request for its audit events. One thread at a time uses it: the one
/// that works on the request.
struct AuditRecord {
  AuditRule rule;
  std::string request_object;  // JSON; empty: none, or not wanted at this level
  // From the body, where the path does not say it.
  std::string object_namespace;
  std::string object_name;
  std::string object_uid;
  std::string object_resource_version;
  std::vector<std::pair<std::string, std::string>> annotations;

  /// Adds an annotation. The first value of a key stays, as upstream has it.
  void Annotate(std::string key, std::string value) {
    for (const auto& [known, unused] : annotations) {
      if (known == key) return;
    }
    annotations.emplace_back(std::move(key), std::move(value));
  }
};

}  // namespace plimsoll::apiserver
