#include "apiserver/fairness/flow_config.h"

#include <algorithm>
#include <span>

#include "codec/value_at.h"

namespace plimsoll::apiserver {
namespace {

using codec::Value;

std::optional<int> NumberAt(const Value* object, std::string_view key) {
  const Value* found = FindAt(object, key);
  if (found == nullptr || !found->is_int()) return std::nullopt;
  return static_cast<int>(std::clamp<std::int64_t>(found->AsInt(), 0, 2'147'483'647));
}

std::uint32_t PositiveAt(const Value* object, std::string_view key) {
  return static_cast<std::uint32_t>(std::max(1, NumberAt(object, key).value_or(1)));
}

std::span<const Value> ListAt(const Value* object, std::string_view key) {
  const Value* found = FindAt(object, key);
  return found != nullptr && found->is_array() ? found->items() : std::span<const Value>();
}

std::vector<std::string> TextsAt(const Value* object, std::string_view key) {
  std::vector<std::string> texts;
  for (const Value& item : ListAt(object, key)) {
    if (item.is_string()) texts.emplace_back(item.text());
  }
  return texts;
}

std::optional<SubjectConfig> ReadFlowSubject(const Value& subject) {
  const std::string_view kind = TextAt(&subject, "kind");
  if (kind == "User") {
    return SubjectConfig{SubjectConfig::Kind::User,
                         std::string(TextAt(FindAt(&subject, "user"), "name")), ""};
  }
  if (kind == "Group") {
    return SubjectConfig{SubjectConfig::Kind::Group,
                         std::string(TextAt(FindAt(&subject, "group"), "name")), ""};
  }
  if (kind != "ServiceAccount") return std::nullopt;
  const Value* account = FindAt(&subject, "serviceAccount");
  return SubjectConfig{SubjectConfig::Kind::ServiceAccount, std::string(TextAt(account, "name")),
                       std::string(TextAt(account, "namespace"))};
}

FlowRule ReadFlowRule(const Value& item) {
  FlowRule rule;
  for (const Value& subject : ListAt(&item, "subjects")) {
    if (auto read = ReadFlowSubject(subject)) rule.subjects.push_back(*std::move(read));
  }
  for (const Value& resource : ListAt(&item, "resourceRules")) {
    const Value* scope = resource.Find("clusterScope");
    rule.resource_rules.push_back({TextsAt(&resource, "verbs"), TextsAt(&resource, "apiGroups"),
                                   TextsAt(&resource, "resources"),
                                   TextsAt(&resource, "namespaces"),
                                   scope != nullptr && scope->is_bool() && scope->AsBool()});
  }
  for (const Value& other : ListAt(&item, "nonResourceRules")) {
    rule.non_resource_rules.push_back(
        {TextsAt(&other, "verbs"), TextsAt(&other, "nonResourceURLs")});
  }
  return rule;
}

FlowConfig MandatoryFlow(std::string name, int precedence, Distinguisher distinguisher,
                         const std::vector<std::string>& groups) {
  FlowConfig flow{.name = name,
                  .uid = {},
                  .level = name,
                  .precedence = precedence,
                  .distinguisher = distinguisher,
                  .rules = {}};
  FlowRule& rule = flow.rules.emplace_back();
  for (const std::string& group : groups) {
    rule.subjects.push_back({SubjectConfig::Kind::Group, group, ""});
  }
  rule.resource_rules.push_back({{"*"}, {"*"}, {"*"}, {"*"}, true});
  rule.non_resource_rules.push_back({{"*"}, {"*"}});
  return flow;
}

}  // namespace

LevelConfig ReadLevelConfig(const Value& object) {
  const Value* metadata = FindAt(&object, "metadata");
  const Value* spec = FindAt(&object, "spec");
  LevelConfig level;
  level.name = TextAt(metadata, "name");
  level.uid = TextAt(metadata, "uid");
  level.is_exempt = TextAt(spec, "type") == "Exempt";
  const Value* limits = FindAt(spec, level.is_exempt ? "exempt" : "limited");
  level.nominal_shares = NumberAt(limits, "nominalConcurrencyShares").value_or(0);
  level.lendable_percent = std::min(100, NumberAt(limits, "lendablePercent").value_or(0));
  level.borrowing_percent = NumberAt(limits, "borrowingLimitPercent");
  const Value* response = FindAt(limits, "limitResponse");
  if (TextAt(response, "type") == "Queue") {
    const Value* queuing = FindAt(response, "queuing");
    QueueConfig config{PositiveAt(queuing, "queues"), PositiveAt(queuing, "handSize"),
                       PositiveAt(queuing, "queueLengthLimit")};
    config.hand_size = std::min(config.hand_size, config.queues);
    level.queuing = config;
  }
  return level;
}

FlowConfig ReadFlowConfig(const Value& object) {
  const Value* metadata = FindAt(&object, "metadata");
  const Value* spec = FindAt(&object, "spec");
  FlowConfig flow;
  flow.name = TextAt(metadata, "name");
  flow.uid = TextAt(metadata, "uid");
  flow.level = TextAt(FindAt(spec, "priorityLevelConfiguration"), "name");
  flow.precedence = NumberAt(spec, "matchingPrecedence").value_or(0);
  const std::string_view method = TextAt(FindAt(spec, "distinguisherMethod"), "type");
  if (method == "ByUser") flow.distinguisher = Distinguisher::ByUser;
  if (method == "ByNamespace") flow.distinguisher = Distinguisher::ByNamespace;
  for (const Value& rule : ListAt(spec, "rules")) flow.rules.push_back(ReadFlowRule(rule));
  return flow;
}

std::vector<LevelConfig> MandatoryLevels() {
  LevelConfig exempt;
  exempt.name = "exempt";
  exempt.is_exempt = true;
  LevelConfig rest;
  rest.name = "catch-all";
  rest.nominal_shares = 5;
  return {std::move(exempt), std::move(rest)};
}

std::vector<FlowConfig> MandatoryFlows() {
  return {MandatoryFlow("exempt", 1, Distinguisher::None, {"system:masters"}),
          MandatoryFlow("catch-all", 10'000, Distinguisher::ByUser,
                        {"system:unauthenticated", "system:authenticated"})};
}

}  // namespace plimsoll::apiserver
