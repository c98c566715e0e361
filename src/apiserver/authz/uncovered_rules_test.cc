#include "apiserver/authz/uncovered_rules.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "codec/json.h"

namespace plimsoll::apiserver {
namespace {

using Texts = std::vector<std::string>;

PolicyRules RulesOf(std::string_view json) {
  const auto document = codec::ParseJson(std::string(json));
  EXPECT_TRUE(document.has_value());
  return ReadPolicyRules(&(*document)->root());
}

std::string Describe(const UncoveredRules& uncovered) {
  std::string out;
  for (const PolicyRule& rule : uncovered.rules) out += Describe(rule) + "\n";
  if (uncovered.more > 0) out += "more: " + std::to_string(uncovered.more);
  return out + (uncovered.is_exact ? "" : "inexact");
}

struct UncoveredCase {
  std::string name;
  std::string held;
  std::string wanted;
  std::string want;
};

class UncoveredTest : public testing::TestWithParam<UncoveredCase> {};

TEST_P(UncoveredTest, ListsWhatIsNotHeld) {
  EXPECT_EQ(Describe(FindUncovered(RulesOf("[" + GetParam().held + "]"),
                                   RulesOf("[" + GetParam().wanted + "]"))),
            GetParam().want);
}

constexpr const char* kHeldPods =
    R"({"verbs":["get","list"],"apiGroups":[""],"resources":["pods"]})";
constexpr const char* kHeldScale = R"({"verbs":["get"],"apiGroups":["*"],"resources":["*/scale"]})";
constexpr const char* kHeldPaths = R"({"verbs":["get"],"nonResourceURLs":["/healthz","/logs/*"]})";
constexpr const char* kHeldNamed =
    R"({"verbs":["get"],"apiGroups":[""],"resources":["pods"],"resourceNames":["a","b"]})";
constexpr const char* kHeldAll = R"({"verbs":["*"],"apiGroups":["*"],"resources":["*"]})";

INSTANTIATE_TEST_SUITE_P(
    All, UncoveredTest,
    testing::ValuesIn<UncoveredCase>({
        {"EachThingThatIsMissing", std::string(kHeldPods) + "," + kHeldScale + "," + kHeldPaths,
         R"({"verbs":["get","watch"],"apiGroups":["","apps"],"resources":["pods","x/scale"]},)"
         R"({"verbs":["get"],"nonResourceURLs":["/logs/x/*","/metrics"]})",
         "{APIGroups:[\"\"], Resources:[\"pods\"], Verbs:[\"watch\"]}\n"
         "{APIGroups:[\"\"], Resources:[\"x/scale\"], Verbs:[\"watch\"]}\n"
         "{APIGroups:[\"apps\"], Resources:[\"pods\"], Verbs:[\"get\"]}\n"
         "{APIGroups:[\"apps\"], Resources:[\"pods\"], Verbs:[\"watch\"]}\n"
         "{APIGroups:[\"apps\"], Resources:[\"x/scale\"], Verbs:[\"watch\"]}\n"
         "{NonResourceURLs:[\"/metrics\"], Verbs:[\"get\"]}\n"},
        {"ANameDoesNotCoverAllNames", kHeldNamed,
         R"({"verbs":["get"],"apiGroups":[""],"resources":["pods"]})",
         "{APIGroups:[\"\"], Resources:[\"pods\"], Verbs:[\"get\"]}\n"},
        {"AllNamesCoverOne", kHeldPods, kHeldNamed, ""},
        {"OtherNames", kHeldNamed,
         R"({"verbs":["get"],"apiGroups":[""],"resources":["pods"],"resourceNames":["b","c"]})",
         "{APIGroups:[\"\"], Resources:[\"pods\"], ResourceNames:[\"c\"], Verbs:[\"get\"]}\n"},
        {"AllCoversAll", kHeldAll, kHeldAll, ""},
        {"OnlyAllCoversAll", kHeldPods, kHeldAll,
         "{APIGroups:[\"*\"], Resources:[\"*\"], Verbs:[\"*\"]}\n"},
        {"SeveralRulesTogether",
         R"({"verbs":["get"],"apiGroups":["a"],"resources":["x","y"]},)"
         R"({"verbs":["list"],"apiGroups":["a"],"resources":["x"]},)"
         R"({"verbs":["list"],"apiGroups":["*"],"resources":["y"]})",
         R"({"verbs":["get","list"],"apiGroups":["a"],"resources":["x","y"]})", ""},
        {"TheLongestPrefixIsNotTheOnlyOne",
         R"({"verbs":["get"],"nonResourceURLs":["/a/*"]},{"verbs":["put"],"nonResourceURLs":["/a/b/*"]})",
         R"({"verbs":["get","put"],"nonResourceURLs":["/a/b/c","/a/bb"]})",
         "{NonResourceURLs:[\"/a/bb\"], Verbs:[\"put\"]}\n"},
        {"NothingHeld", "", kHeldNamed,
         "{APIGroups:[\"\"], Resources:[\"pods\"], ResourceNames:[\"a\"], Verbs:[\"get\"]}\n"
         "{APIGroups:[\"\"], Resources:[\"pods\"], ResourceNames:[\"b\"], Verbs:[\"get\"]}\n"},
        {"ARuleWithoutVerbs", "", R"({"verbs":[],"apiGroups":[""],"resources":["pods"]})", ""},
    }),
    [](const auto& test) { return test.param.name; });

// Reference implementation: compares one permission with one rule, as upstream.

bool Has(const Texts& texts, std::string_view wanted) {
  return std::ranges::find(texts, wanted) != texts.end();
}

bool Covers(const PolicyRule& held, const PolicyRule& part) {
  const auto has = [](const Texts& texts, const std::string& text) {
    return Has(texts, "*") || Has(texts, text);
  };
  if (!has(held.verbs, part.verbs.front())) return false;
  if (!part.non_resource_urls.empty()) {
    const std::string& wanted = part.non_resource_urls.front();
    return std::ranges::any_of(held.non_resource_urls, [&](std::string own) {
      if (own == wanted) return true;
      if (!own.ends_with('*')) return false;
      while (own.ends_with('*')) own.pop_back();
      return wanted.starts_with(own);
    });
  }
  const std::string& resource = part.resources.front();
  const std::size_t slash = resource.find('/');
  if (!has(held.api_groups, part.api_groups.front())) return false;
  if (!has(held.resources, resource) &&
      (slash == std::string::npos || !Has(held.resources, "*" + resource.substr(slash)))) {
    return false;
  }
  return held.resource_names.empty() ||
         (!part.resource_names.empty() && Has(held.resource_names, part.resource_names.front()));
}

PolicyRules PlainlyUncovered(const PolicyRules& held, const PolicyRules& wanted) {
  PolicyRules missing;
  const auto look = [&](PolicyRule part) {
    if (std::ranges::none_of(held, [&](const PolicyRule& own) { return Covers(own, part); })) {
      missing.push_back(std::move(part));
    }
  };
  for (const PolicyRule& rule : wanted) {
    for (const std::string& group : rule.api_groups) {
      for (const std::string& resource : rule.resources) {
        for (const std::string& verb : rule.verbs) {
          if (rule.resource_names.empty()) look({{verb}, {group}, {resource}, {}, {}});
          for (const std::string& name : rule.resource_names) {
            look({{verb}, {group}, {resource}, {name}, {}});
          }
        }
      }
    }
    for (const std::string& url : rule.non_resource_urls) {
      for (const std::string& verb : rule.verbs) look({{verb}, {}, {}, {}, {url}});
    }
  }
  return missing;
}

Texts SomeOf(const Texts& texts, Random& random) {
  Texts some;
  for (const std::string& text : texts) {
    if (random.Below(3) == 0) some.push_back(text);
  }
  return some;
}

PolicyRules SomeRules(Random& random) {
  PolicyRules rules;
  for (std::uint64_t count = random.Below(5); count > 0; --count) {
    PolicyRule& rule = rules.emplace_back();
    rule.verbs = SomeOf({"get", "list", "*", "put"}, random);
    if (random.Below(4) == 0) {
      rule.non_resource_urls =
          SomeOf({"*", "/a", "/a*", "/a/*", "/a/b", "/a/b/**", "/a/b/c", "/b/*", "/b"}, random);
      continue;
    }
    rule.api_groups = SomeOf({"", "apps", "batch", "*"}, random);
    rule.resources = SomeOf({"x", "y", "x/s", "y/s", "*/s", "x/t", "*"}, random);
    rule.resource_names = SomeOf({"n", "m"}, random);
  }
  return rules;
}

TEST(UncoveredPropertyTest, AgreesWithThePlainComparison) {
  Random random(7);
  for (int round = 0; round < 5000; ++round) {
    const PolicyRules held = SomeRules(random);
    const PolicyRules wanted = SomeRules(random);
    const UncoveredRules uncovered = FindUncovered(held, wanted);
    ASSERT_TRUE(uncovered.is_exact);
    ASSERT_EQ(uncovered.rules, PlainlyUncovered(held, wanted)) << "round " << round;
  }
}

Texts Numbered(std::string_view prefix, std::size_t count) {
  Texts texts;
  for (std::size_t i = 0; i < count; ++i) texts.push_back(std::string(prefix) + std::to_string(i));
  return texts;
}

TEST(UncoveredTest, ManyValuesAreListedAsTheyWereGrouped) {
  // 8 · 10^9 permissions.
  const PolicyRules wanted = {
      {Numbered("v", 2000), Numbered("g", 2000), Numbered("r", 2000), {}, {}}};
  const PolicyRules held = {{{"v0"}, {"*"}, {"*"}, {}, {}}};
  const UncoveredRules uncovered = FindUncovered(held, wanted);
  EXPECT_TRUE(uncovered.is_exact);
  ASSERT_EQ(uncovered.rules.size(), 1u);
  EXPECT_EQ(uncovered.rules[0].verbs.size(), 1999u);
  EXPECT_EQ(uncovered.rules[0].api_groups.size(), 2000u);
  EXPECT_TRUE(FindUncovered(wanted, wanted).rules.empty());
}

TEST(UncoveredTest, RulesThatTakeTooManyStepsAreRefused) {
  // Each held rule lacks one verb, one group and one resource. None covers the wanted rule, and
  // finding the covered combinations takes very many steps.
  constexpr std::size_t kCount = 300;
  const PolicyRules wanted = {
      {Numbered("v", kCount), Numbered("g", kCount), Numbered("r", kCount), {}, {}}};
  PolicyRules held;
  for (std::size_t i = 0; i < kCount; ++i) {
    PolicyRule& rule = held.emplace_back(wanted.front());
    rule.verbs.erase(rule.verbs.begin() + static_cast<std::ptrdiff_t>(i));
    rule.api_groups.erase(rule.api_groups.begin() + static_cast<std::ptrdiff_t>(i));
    rule.resources.erase(rule.resources.begin() + static_cast<std::ptrdiff_t>(i));
  }
  const UncoveredRules uncovered = FindUncovered(held, wanted);
  EXPECT_FALSE(uncovered.is_exact);
  EXPECT_FALSE(uncovered.rules.empty());
}

}  // namespace
}  // namespace plimsoll::apiserver
