#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "api/validation/field_checks.h"
#include "api/validation/go_json.h"
#include "api/validation/kind_checks.h"
#include "api/validation/tree_reads.h"
#include "base/go_text.h"
#include "base/syntax.h"

/// FlowSchema and PriorityLevelConfiguration.
namespace plimsoll::api {
namespace {

using codec::Value;
using Texts = std::vector<std::string_view>;

constexpr FieldPath kSpec("spec");
constexpr std::int64_t kPrecedenceMax = 10'000;
constexpr std::int64_t kQueuesMax = 10'000'000;
constexpr int kHashBitsMax = 60;
constexpr std::string_view kExempt = "exempt";
constexpr std::string_view kCatchAll = "catch-all";

// The specs that the mandatory objects must have, as upstream prints them.
constexpr std::string_view kAnyRequest =
    R"("ResourceRules":[{"Verbs":["*"],"APIGroups":["*"],"Resources":["*"],"ClusterScope":true,)"
    R"("Namespaces":["*"]}],"NonResourceRules":[{"Verbs":["*"],"NonResourceURLs":["*"]}]}]})";
constexpr std::string_view kExemptSchemaHead =
    R"({"PriorityLevelConfiguration":{"Name":"exempt"},"MatchingPrecedence":1,)"
    R"("DistinguisherMethod":null,"Rules":[{"Subjects":[)"
    R"({"Kind":"Group","User":null,"Group":{"Name":"system:masters"},"ServiceAccount":null}],)";
constexpr std::string_view kCatchAllSchemaHead =
    R"({"PriorityLevelConfiguration":{"Name":"catch-all"},"MatchingPrecedence":10000,)"
    R"("DistinguisherMethod":{"Type":"ByUser"},"Rules":[{"Subjects":[{"Kind":"Group","User":null,)"
    R"("Group":{"Name":"system:unauthenticated"},"ServiceAccount":null},{"Kind":"Group",)"
    R"("User":null,"Group":{"Name":"system:authenticated"},"ServiceAccount":null}],)";
constexpr std::string_view kCatchAllLevel =
    R"({"Type":"Limited","Limited":{"NominalConcurrencyShares":5,"LimitResponse":)"
    R"({"Type":"Reject","Queuing":null},"LendablePercent":0,"BorrowingLimitPercent":null},)"
    R"("Exempt":null})";

// ---- Specs in upstream's internal form, for messages and for comparison.

std::string TextsJson(const Value& object, std::string_view key) {
  const auto texts = DecodedOf<Texts>(&object, key);
  return texts.empty() ? "null" : GoJson(texts);
}

std::string IntJson(const Value* object, std::string_view key) {
  const auto number = IntOf(object, key);
  return number ? std::to_string(*number) : "null";
}

std::string NamedJson(const Value& object, std::string_view key) {
  const Value* named = MemberOf(&object, key);
  return named == nullptr ? "null" : R"({"Name":)" + GoJsonQuote(TextOf(named, "name")) + "}";
}

template <class Print>
std::string ListJson(const Value* object, std::string_view key, const Print& print) {
  const auto items = ItemsOf(object, key);
  if (items.empty()) return "null";
  std::string out = "[";
  for (const Value& item : items) {
    if (out.size() > 1) out += ',';
    out += print(item);
  }
  return out + "]";
}

std::string SubjectJson(const Value& subject) {
  const Value* account = MemberOf(&subject, "serviceAccount");
  return R"({"Kind":)" + GoJsonQuote(TextOf(&subject, "kind")) + R"(,"User":)" +
         NamedJson(subject, "user") + R"(,"Group":)" + NamedJson(subject, "group") +
         R"(,"ServiceAccount":)" +
         (account == nullptr ? "null"
                             : R"({"Namespace":)" + GoJsonQuote(TextOf(account, "namespace")) +
                                   R"(,"Name":)" + GoJsonQuote(TextOf(account, "name")) + "}") +
         "}";
}

std::string ResourceRuleJson(const Value& rule) {
  return R"({"Verbs":)" + TextsJson(rule, "verbs") + R"(,"APIGroups":)" +
         TextsJson(rule, "apiGroups") + R"(,"Resources":)" + TextsJson(rule, "resources") +
         R"(,"ClusterScope":)" + (BoolOf(&rule, "clusterScope") ? "true" : "false") +
         R"(,"Namespaces":)" + TextsJson(rule, "namespaces") + "}";
}

std::string NonResourceRuleJson(const Value& rule) {
  return R"({"Verbs":)" + TextsJson(rule, "verbs") + R"(,"NonResourceURLs":)" +
         TextsJson(rule, "nonResourceURLs") + "}";
}

std::string RuleJson(const Value& rule) {
  return R"({"Subjects":)" + ListJson(&rule, "subjects", SubjectJson) + R"(,"ResourceRules":)" +
         ListJson(&rule, "resourceRules", ResourceRuleJson) + R"(,"NonResourceRules":)" +
         ListJson(&rule, "nonResourceRules", NonResourceRuleJson) + "}";
}

std::string MethodJson(const Value* method) {
  return method == nullptr ? "null" : R"({"Type":)" + GoJsonQuote(TextOf(method, "type")) + "}";
}

std::string SchemaSpecJson(const Value* spec) {
  const Value* level = MemberOf(spec, "priorityLevelConfiguration");
  return R"({"PriorityLevelConfiguration":{"Name":)" + GoJsonQuote(TextOf(level, "name")) +
         R"(},"MatchingPrecedence":)" +
         std::to_string(IntOf(spec, "matchingPrecedence").value_or(0)) +
         R"(,"DistinguisherMethod":)" + MethodJson(MemberOf(spec, "distinguisherMethod")) +
         R"(,"Rules":)" + ListJson(spec, "rules", RuleJson) + "}";
}

std::string QueuingJson(const Value* queuing) {
  if (queuing == nullptr) return "null";
  return R"({"Queues":)" + IntJson(queuing, "queues") + R"(,"HandSize":)" +
         IntJson(queuing, "handSize") + R"(,"QueueLengthLimit":)" +
         IntJson(queuing, "queueLengthLimit") + "}";
}

std::string LimitedJson(const Value* limited) {
  if (limited == nullptr) return "null";
  const Value* response = MemberOf(limited, "limitResponse");
  return R"({"NominalConcurrencyShares":)" +
         std::to_string(IntOf(limited, "nominalConcurrencyShares").value_or(0)) +
         R"(,"LimitResponse":{"Type":)" + GoJsonQuote(TextOf(response, "type")) + R"(,"Queuing":)" +
         QueuingJson(MemberOf(response, "queuing")) + R"(},"LendablePercent":)" +
         IntJson(limited, "lendablePercent") + R"(,"BorrowingLimitPercent":)" +
         IntJson(limited, "borrowingLimitPercent") + "}";
}

std::string LevelSpecJson(const Value* spec) {
  const Value* exempt = MemberOf(spec, "exempt");
  return R"({"Type":)" + GoJsonQuote(TextOf(spec, "type")) + R"(,"Limited":)" +
         LimitedJson(MemberOf(spec, "limited")) + R"(,"Exempt":)" +
         (exempt == nullptr
              ? "null"
              : R"({"NominalConcurrencyShares":)" + IntJson(exempt, "nominalConcurrencyShares") +
                    R"(,"LendablePercent":)" + IntJson(exempt, "lendablePercent") + "}") +
         "}";
}

// ---- FlowSchema

bool HasWildcard(const Texts& texts) { return std::ranges::find(texts, "*") != texts.end(); }

/// Reports a list with `*` and other items. Returns true if the list has a `*`.
bool CheckWildcard(const Texts& texts, std::string_view noun, const FieldPath& at,
                   FieldErrors& errors) {
  if (!HasWildcard(texts)) return false;
  if (texts.size() > 1) {
    errors.Invalid(at, BadValue::Json(GoJson(texts)),
                   std::string("if '*' is present, must not specify other ").append(noun));
  }
  return true;
}

void CheckVerbs(const Value& rule, const FieldPath& at, FieldErrors& errors) {
  static constexpr std::string_view kVerbs[] = {
      "create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"};
  const auto verbs = DecodedOf<Texts>(&rule, "verbs");
  if (verbs.empty()) return errors.Required(at, "verbs must contain at least one value");
  if (CheckWildcard(verbs, "verbs", at, errors)) return;
  const bool are_known = std::ranges::all_of(verbs, [](std::string_view verb) {
    return std::ranges::find(kVerbs, verb) != std::end(kVerbs);
  });
  if (!are_known) errors.NotSupported(at, BadValue::Json(GoJson(verbs)), kVerbs);
}

void CheckUrl(std::string_view url, const FieldPath& at, FieldErrors& errors) {
  if (url == "/") return;
  const auto refuse = [&](std::string_view detail) { errors.Invalid(at, url, detail); };
  if (url.empty()) return refuse("must not be empty");
  if (!url.starts_with('/')) return refuse("must start with slash");
  if (url.contains(' ')) return refuse("must not contain white-space");
  if (url.contains("//")) return refuse("must not contain double slash");
  const auto stars = std::ranges::count(url, '*');
  if (stars > 1 || (stars == 1 && !url.ends_with("/*"))) {
    refuse("wildcard can only do suffix matching");
  }
}

void CheckNonResourceRule(const Value& rule, const FieldPath& at, FieldErrors& errors) {
  CheckVerbs(rule, at / "verbs", errors);
  const FieldPath urls_at = at / "nonResourceURLs";
  const auto urls = DecodedOf<Texts>(&rule, "nonResourceURLs");
  if (urls.empty()) {
    return errors.Required(urls_at, "nonResourceURLs must contain at least one value");
  }
  if (CheckWildcard(urls, "non-resource URLs", urls_at, errors)) return;
  for (std::size_t i = 0; i < urls.size(); ++i) CheckUrl(urls[i], urls_at[i], errors);
}

void CheckResourceRule(const Value& rule, const FieldPath& at, FieldErrors& errors) {
  CheckVerbs(rule, at / "verbs", errors);
  const auto groups = DecodedOf<Texts>(&rule, "apiGroups");
  if (groups.empty()) {
    errors.Required(at / "apiGroups", "resource rules must supply at least one api group");
  }
  CheckWildcard(groups, "api groups", at / "apiGroups", errors);
  const auto resources = DecodedOf<Texts>(&rule, "resources");
  if (resources.empty()) {
    errors.Required(at / "resources", "resource rules must supply at least one resource");
  }
  CheckWildcard(resources, "resources", at / "resources", errors);
  const FieldPath namespaces_at = at / "namespaces";
  const auto namespaces = DecodedOf<Texts>(&rule, "namespaces");
  if (namespaces.empty() && !BoolOf(&rule, "clusterScope")) {
    errors.Required(namespaces_at,
                    "resource rules that are not cluster scoped must supply at least one "
                    "namespace");
  }
  if (CheckWildcard(namespaces, "namespaces", namespaces_at, errors)) return;
  for (std::size_t i = 0; i < namespaces.size(); ++i) {
    for (const std::string& fault : CheckDns1123Label(namespaces[i])) {
      errors.Invalid(namespaces_at[i], namespaces[i],
                     "each member of this list must be '*' or a DNS-1123 label; " + fault);
    }
  }
}

void CheckServiceAccount(const Value& account, const FieldPath& at, FieldErrors& errors) {
  const std::string_view name = TextOf(&account, "name");
  if (name.empty()) {
    errors.Required(at / "name", "");
  } else if (name != "*") {
    AddFaults(at / "name", name, CheckDns1123Subdomain(name), errors);
  }
  const std::string_view namespace_ = TextOf(&account, "namespace");
  if (namespace_.empty()) {
    errors.Required(at / "namespace", "must specify namespace for service account");
  } else {
    AddFaults(at / "namespace", namespace_, CheckDns1123Label(namespace_), errors);
  }
}

void CheckFlowSubject(const Value& subject, const FieldPath& at, FieldErrors& errors) {
  struct Member {
    std::string_view kind;
    std::string_view key;
  };
  // In the order in which upstream reports forbidden members.
  static constexpr Member kMembers[] = {
      {"ServiceAccount", "serviceAccount"}, {"User", "user"}, {"Group", "group"}};
  const std::string_view kind = TextOf(&subject, "kind");
  const auto* own = std::ranges::find(kMembers, kind, &Member::kind);
  if (own == std::end(kMembers)) {
    return CheckOneOf(kind, {"Group", "ServiceAccount", "User"}, at / "kind", errors);
  }
  const std::string key(own->key);
  if (const Value* value = MemberOf(&subject, key); value == nullptr) {
    errors.Required(at / own->key,
                    key + " is required when subject kind is '" + std::string(kind) + "'");
  } else if (kind == "ServiceAccount") {
    CheckServiceAccount(*value, at / own->key, errors);
  } else if (TextOf(value, "name").empty()) {
    const FieldPath own_at = at / own->key;
    errors.Required(own_at / "name", "");
  }
  for (const Member& other : kMembers) {
    if (&other == own || MemberOf(&subject, other.key) == nullptr) continue;
    errors.Forbidden(at / other.key, std::string(other.key) +
                                         " is forbidden when subject kind is not '" +
                                         std::string(other.kind) + "'");
  }
}

void CheckFlowRule(const Value& rule, const FieldPath& at, FieldErrors& errors) {
  const FieldPath subjects_at = at / "subjects";
  const FieldPath resources_at = at / "resourceRules";
  const FieldPath others_at = at / "nonResourceRules";
  const auto subjects = ItemsOf(&rule, "subjects");
  if (subjects.empty()) errors.Required(subjects_at, "subjects must contain at least one value");
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    CheckFlowSubject(subjects[i], subjects_at[i], errors);
  }
  const auto resource_rules = ItemsOf(&rule, "resourceRules");
  const auto other_rules = ItemsOf(&rule, "nonResourceRules");
  if (resource_rules.empty() && other_rules.empty()) {
    errors.Required(at, "at least one of resourceRules and nonResourceRules has to be non-empty");
  }
  for (std::size_t i = 0; i < resource_rules.size(); ++i) {
    CheckResourceRule(resource_rules[i], resources_at[i], errors);
  }
  for (std::size_t i = 0; i < other_rules.size(); ++i) {
    CheckNonResourceRule(other_rules[i], others_at[i], errors);
  }
}

void CheckPrecedence(const Value* spec, std::string_view name, FieldErrors& errors) {
  const std::int64_t precedence = IntOf(spec, "matchingPrecedence").value_or(0);
  const auto refuse = [&](std::string_view detail) {
    errors.Invalid(kSpec / "matchingPrecedence", BadValue::Int(precedence), detail);
  };
  if (precedence <= 0) refuse("must be a positive value");
  if (precedence > kPrecedenceMax) refuse("must not be greater than 10000");
  if (precedence == 1 && name != kExempt) {
    refuse("only the schema named 'exempt' may have matchingPrecedence 1");
  }
}

// ---- PriorityLevelConfiguration

/// Returns the number of hash bits needed to deal a hand of that size from that many queues.
int RequiredEntropyBits(std::int64_t queues, std::int64_t hand_size) {
  return static_cast<int>(
      std::ceil(std::log2(static_cast<double>(queues)) * static_cast<double>(hand_size)));
}

void CheckQueuing(const Value* queuing, const FieldPath& at, FieldErrors& errors) {
  const std::int64_t queues = IntOf(queuing, "queues").value_or(0);
  const std::int64_t hand_size = IntOf(queuing, "handSize").value_or(0);
  const std::int64_t length = IntOf(queuing, "queueLengthLimit").value_or(0);
  if (length <= 0) {
    errors.Invalid(at / "queueLengthLimit", BadValue::Int(length), "must be positive");
  }
  if (queues <= 0) {
    errors.Invalid(at / "queues", BadValue::Int(queues), "must be positive");
  } else if (queues > kQueuesMax) {
    errors.Invalid(at / "queues", BadValue::Int(queues), "must not be greater than 10000000");
  }
  const auto refuse_hand = [&](std::string_view detail) {
    errors.Invalid(at / "handSize", BadValue::Int(hand_size), detail);
  };
  if (hand_size <= 0) return refuse_hand("must be positive");
  if (hand_size > queues) {
    return refuse_hand("should not be greater than queues (" + std::to_string(queues) + ")");
  }
  if (RequiredEntropyBits(queues, hand_size) > kHashBitsMax) {
    refuse_hand("required entropy bits of deckSize " + std::to_string(queues) + " and handSize " +
                std::to_string(hand_size) + " should not be greater than 60");
  }
}

void CheckLendablePercent(const Value* object, const FieldPath& at, FieldErrors& errors) {
  const auto percent = IntOf(object, "lendablePercent");
  if (!percent || (*percent >= 0 && *percent <= 100)) return;
  errors.Invalid(at / "lendablePercent", BadValue::Int(*percent),
                 "must be between 0 and 100, inclusive");
}

void CheckShares(const Value* object, const FieldPath& at, FieldErrors& errors) {
  const auto shares = IntOf(object, "nominalConcurrencyShares");
  if (!shares || *shares >= 0) return;
  errors.Invalid(at / "nominalConcurrencyShares", BadValue::Int(*shares),
                 "must be a non-negative integer");
}

void CheckLimited(const Value* limited, const FieldPath& at, FieldErrors& errors) {
  CheckShares(limited, at, errors);
  const Value* response = MemberOf(limited, "limitResponse");
  const std::string_view type = TextOf(response, "type");
  const Value* queuing = MemberOf(response, "queuing");
  const FieldPath response_at = at / "limitResponse";
  if (type == "Queue" && queuing != nullptr) {
    CheckQueuing(queuing, response_at / "queuing", errors);
  } else if (!type.empty() && type != "Queue" && type != "Reject") {
    CheckOneOf(type, {"Queue", "Reject"}, response_at / "type", errors);
  }
  CheckLendablePercent(limited, at, errors);
  const auto borrowing = IntOf(limited, "borrowingLimitPercent");
  if (borrowing && *borrowing < 0) {
    errors.Invalid(at / "borrowingLimitPercent", BadValue::Int(*borrowing),
                   "if specified, must be a non-negative integer");
  }
}

/// Checks that exactly the members required by the type are set. Upstream reports
/// this after all other errors.
void CheckLevelUnions(const Value* spec, FieldErrors& errors) {
  static constexpr FieldPath kLimited = kSpec / "limited";
  static constexpr FieldPath kResponse = kLimited / "limitResponse";
  const std::string_view type = TextOf(spec, "type");
  const Value* limited = MemberOf(spec, "limited");
  if (MemberOf(spec, "exempt") != nullptr && type != "Exempt") {
    errors.Forbidden(kSpec / "exempt", "");
  }
  if (limited != nullptr && type != "Limited") errors.Forbidden(kLimited, "");
  if (limited == nullptr && type == "Limited") errors.Required(kLimited, "");
  if (type.empty()) errors.Required(kSpec / "type", "");
  if (limited == nullptr) return;
  const Value* response = MemberOf(limited, "limitResponse");
  const std::string_view response_type = TextOf(response, "type");
  const bool has_queuing = MemberOf(response, "queuing") != nullptr;
  if (has_queuing && response_type != "Queue") errors.Forbidden(kResponse / "queuing", "");
  if (!has_queuing && response_type == "Queue") errors.Required(kResponse / "queuing", "");
  if (response_type.empty()) errors.Required(kResponse / "type", "");
}

void CheckMandatoryLevel(const Value* spec, std::string_view name, FieldErrors& errors) {
  if (name == kExempt) {
    // Administrators may change spec.exempt of this object and nothing else.
    if (TextOf(spec, "type") == "Exempt" && MemberOf(spec, "limited") == nullptr) return;
    errors.Invalid(kSpec, BadValue::Json(LevelSpecJson(spec)),
                   "spec of 'exempt' except the 'spec.exempt' field must equal the fixed value");
  }
  if (name != kCatchAll) return;
  std::string json = LevelSpecJson(spec);
  if (json == kCatchAllLevel) return;
  errors.Invalid(kSpec, BadValue::Json(std::move(json)),
                 "spec of 'catch-all' must equal the fixed value");
}

}  // namespace

void ValidateFlowControlStatus(const KindChange& change, FieldErrors& errors) {
  static constexpr FieldPath kStatus("status");
  static constexpr FieldPath kConditions = kStatus / "conditions";
  const auto conditions = ItemsOf(MemberOf(change.tree(), "status"), "conditions");
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    const FieldPath at = kConditions[i];
    const std::string_view type = TextOf(&conditions[i], "type");
    if (!seen.insert(type).second) {
      errors.Duplicate(at / "type", BadValue::TypedString(type));
    }
    if (type.empty()) errors.Required(at / "type", "must not be empty");
  }
}

void ValidateFlowSchema(const KindChange& change, FieldErrors& errors) {
  const Value* spec = MemberOf(change.tree(), "spec");
  const std::string_view name = change.now.metadata().name;
  CheckPrecedence(spec, name, errors);
  if (const Value* method = MemberOf(spec, "distinguisherMethod")) {
    const std::string_view type = TextOf(method, "type");
    if (type != "ByUser" && type != "ByNamespace") {
      static constexpr FieldPath kMethod = kSpec / "distinguisherMethod";
      errors.NotSupported(kMethod / "type", BadValue::Json(MethodJson(method)),
                          {"ByNamespace", "ByUser"});
    }
  }
  static constexpr FieldPath kLevel = kSpec / "priorityLevelConfiguration";
  const std::string_view level = TextOf(MemberOf(spec, "priorityLevelConfiguration"), "name");
  if (level.empty()) {
    errors.Required(kLevel / "name", "must reference a priority level");
  } else {
    AddFaults(kLevel / "name", level, CheckDns1123Subdomain(level), errors);
  }
  static constexpr FieldPath kRules = kSpec / "rules";
  const auto rules = ItemsOf(spec, "rules");
  for (std::size_t i = 0; i < rules.size(); ++i) CheckFlowRule(rules[i], kRules[i], errors);
  if (name == kExempt || name == kCatchAll) {
    std::string json = SchemaSpecJson(spec);
    const std::string fixed =
        std::string(name == kExempt ? kExemptSchemaHead : kCatchAllSchemaHead).append(kAnyRequest);
    if (json != fixed) {
      errors.Invalid(kSpec, BadValue::Json(std::move(json)),
                     "spec of '" + std::string(name) + "' must equal the fixed value");
    }
  }
  ValidateFlowControlStatus(change, errors);
}

void ValidatePriorityLevel(const KindChange& change, FieldErrors& errors) {
  const Value* spec = MemberOf(change.tree(), "spec");
  const std::string_view name = change.now.metadata().name;
  const std::string_view type = TextOf(spec, "type");
  if ((name == kExempt) != (type == "Exempt")) {
    errors.Invalid(kSpec / "type", BadValue::TypedString(type),
                   "must be 'Exempt' if and only if `name` is 'exempt'");
  }
  if (type == "Exempt") {
    if (const Value* exempt = MemberOf(spec, "exempt")) {
      CheckShares(exempt, kSpec / "exempt", errors);
      CheckLendablePercent(exempt, kSpec / "exempt", errors);
    }
  } else if (type == "Limited") {
    if (const Value* limited = MemberOf(spec, "limited")) {
      CheckLimited(limited, kSpec / "limited", errors);
    }
  } else if (!type.empty()) {
    CheckOneOf(type, {"Exempt", "Limited"}, kSpec / "type", errors);
  }
  CheckMandatoryLevel(spec, name, errors);
  ValidateFlowControlStatus(change, errors);
  CheckLevelUnions(spec, errors);
}

}  // namespace plimsoll::api
