#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/value.h"

/// FlowSchemas and PriorityLevelConfigurations in the form that the server uses.
namespace plimsoll::apiserver {

inline constexpr std::string_view kFlowControlGroup = "flowcontrol.apiserver.k8s.io";

struct QueueConfig {
  std::uint32_t queues = 1;
  std::uint32_t hand_size = 1;     // queues that one flow may use
  std::uint32_t length_limit = 1;  // requests in one queue

  friend bool operator==(const QueueConfig&, const QueueConfig&) = default;
};

/// A PriorityLevelConfiguration.
struct LevelConfig {
  std::string name;
  std::string uid;
  bool is_exempt = false;
  int nominal_shares = 0;
  int lendable_percent = 0;
  std::optional<int> borrowing_percent;  // unset: no limit
  std::optional<QueueConfig> queuing;    // unset: rejects requests instead of queuing them
};

struct SubjectConfig {
  enum class Kind : std::uint8_t { User, Group, ServiceAccount };
  Kind kind = Kind::User;
  std::string name;        // `*`: any
  std::string namespace_;  // of a service account
};

struct ResourceRule {
  std::vector<std::string> verbs;
  std::vector<std::string> groups;
  std::vector<std::string> resources;  // pods, pods/status
  std::vector<std::string> namespaces;
  bool has_cluster_scope = false;
};

struct NonResourceRule {
  std::vector<std::string> verbs;
  std::vector<std::string> urls;
};

struct FlowRule {
  std::vector<SubjectConfig> subjects;
  std::vector<ResourceRule> resource_rules;
  std::vector<NonResourceRule> non_resource_rules;
};

enum class Distinguisher : std::uint8_t { None, ByUser, ByNamespace };

/// A FlowSchema.
struct FlowConfig {
  std::string name;
  std::string uid;
  std::string level;
  int precedence = 0;
  Distinguisher distinguisher = Distinguisher::None;
  std::vector<FlowRule> rules;
};

/// Read an object's tree. A member that is missing or has another type reads as its zero value.
LevelConfig ReadLevelConfig(const codec::Value& object);
FlowConfig ReadFlowConfig(const codec::Value& object);

/// Return the mandatory objects `exempt` and `catch-all`. The server uses them while the stored
/// ones are missing.
std::vector<LevelConfig> MandatoryLevels();
std::vector<FlowConfig> MandatoryFlows();

}  // namespace plimsoll::apiserver
