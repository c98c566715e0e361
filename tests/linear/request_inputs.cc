#include <string>
#include <utility>

#include "api/selector/field_selector.h"
#include "api/selector/selector.h"
#include "apiserver/authz/policy_rule.h"
#include "apiserver/authz/uncovered_rules.h"
#include "apiserver/read/continue_token.h"
#include "apiserver/read/list_options.h"
#include "apiserver/request/parse_request.h"
#include "apiserver/resource/resource.h"
#include "base/assert.h"
#include "cel/cache.h"
#include "cel/kubernetes.h"
#include "inputs.h"

namespace plimsoll::linear {
namespace {

using Text = std::string;
using apiserver::PolicyRule;
using apiserver::PolicyRules;

template <class Use>
Make OfText(const std::function<Text(Text)>& item, std::string_view separator, Use use,
            const Text& before = "", const Text& after = "") {
  return [=, separator = Text(separator)](std::size_t size) {
    Text text = before + Joined(size, item, separator) + after;
    return [use, text = std::move(text)] { use(text); };
  };
}

void ParseLabels(const Text& text) {
  const auto selector = api::Selector::Parse(text);
  PL_ASSERT(selector.has_value());
  (void)selector->Matches(api::StringMap());
  PL_ASSERT(!selector->Text().empty());
}

std::vector<Input> Selectors() {
  return {
      {"label selector", 4000,
       OfText([](const Text& i) { return "k" + i + "=v"; }, ",", ParseLabels)},
      {"values of a label selector", 4000,
       OfText([](const Text& i) { return "v" + i; }, ",", ParseLabels, "k in (", ")")},
      {"field selector", 4000,
       OfText([](const Text& i) { return "metadata.name!=v" + i; }, ",",
              [](const Text& text) { (void)api::FieldSelector::Parse(text).has_value(); })},
      {"label selector against labels", 4000,
       [](std::size_t size) {
         auto selector =
             api::Selector::Parse(Joined(size, [](const Text& i) { return "k" + i + "=v"; }));
         PL_ASSERT(selector.has_value());
         auto keys = std::make_shared<std::vector<Text>>();
         for (std::size_t i = 0; i < size; ++i) keys->push_back("k" + std::to_string(i));
         std::vector<api::StringMap::Entry> entries;
         for (const Text& key : *keys) entries.emplace_back(key, "v");
         return [keys, selector = *std::move(selector), labels = api::StringMap(entries)] {
           PL_ASSERT(selector.Matches(labels));
         };
       }},
      {"continue token", 100'000,
       OfText([](const Text&) { return Text("eyJ2"); }, "",
              [](const Text& text) { (void)apiserver::ContinueToken::Decode(text).has_value(); })},
  };
}

/// Parses list options of a query with `size` parameters.
Make ListOptionsOf(const std::function<Text(Text)>& parameter) {
  return OfText(
      parameter, "&",
      [](const Text& target) {
        static const apiserver::ResourceTable resources;
        const apiserver::ApiRequest request({.method = "GET", .target = target},
                                            apiserver::ParseRequest("GET", target, resources));
        PL_ASSERT(apiserver::ReadListOptions(request, /*is_watch=*/false).has_value());
      },
      "/api/v1/pods?");
}

std::vector<Input> Options() {
  return {
      {"list options, many parameters", 2000,
       ListOptionsOf([](const Text& i) { return "p" + i + "=v"; })},
      {"list options, one parameter many times", 2000,
       ListOptionsOf([](const Text&) { return Text("labelSelector=a"); })},
  };
}

Make Compiled(const Text& before, const std::function<Text(Text)>& item, const Text& separator,
              const Text& after) {
  return OfText(
      item, separator,
      [](const Text& text) { (void)cel::CompileProgram(text, cel::TolerationEnvironment()); },
      before, after);
}

std::vector<Input> Expressions() {
  return {
      {"CEL, list", 4000,
       Compiled(
           "[", [](const Text& i) { return i; }, ",", "] == []")},
      {"CEL, comparisons", 400,
       Compiled(
           "", [](const Text& i) { return "taint.key == 'k" + i + "'"; }, " || ", "")},
      {"CEL, macros", 200,
       Compiled(
           "", [](const Text&) { return Text("[1].all(x, x == 1)"); }, " && ", "")},
  };
}

std::vector<Text> Numbered(char prefix, std::size_t count) {
  std::vector<Text> texts;
  for (std::size_t i = 0; i < count; ++i) texts.push_back(prefix + std::to_string(i));
  return texts;
}

PolicyRules ManyRules(std::size_t count, const Text& verb) {
  PolicyRules rules;
  for (std::size_t i = 0; i < count; ++i) {
    rules.push_back({{verb}, {"g" + std::to_string(i)}, {"r" + std::to_string(i)}, {}, {}});
  }
  return rules;
}

std::vector<Input> Rules() {
  return {
      {"rules, one large one, nothing held", 2000,
       [](std::size_t n) {
         return [wanted =
                     PolicyRules{{Numbered('v', n), Numbered('g', n), Numbered('r', n), {}, {}}}] {
           PL_ASSERT(!FindUncovered({}, wanted).rules.empty());
         };
       }},
      {"rules, one large one, held in parts", 1000,
       [](std::size_t n) {
         const PolicyRules wanted = {{{"get"}, Numbered('g', n), Numbered('r', n), {}, {}}};
         PolicyRules held;
         for (std::size_t i = 0; i < n; ++i) {
           held.push_back({{"*"}, {"g" + std::to_string(i)}, {"*"}, {}, {}});
         }
         return [=] { PL_ASSERT(FindUncovered(held, wanted).rules.empty()); };
       }},
      {"rules, many small ones, held", 1000,
       [](std::size_t n) {
         return [held = ManyRules(n, "*"), wanted = ManyRules(n, "get")] {
           PL_ASSERT(FindUncovered(held, wanted).rules.empty());
         };
       }},
      {"rules, many small ones, not held", 1000,
       [](std::size_t n) {
         return [held = ManyRules(n, "list"), wanted = ManyRules(n, "get")] {
           PL_ASSERT(!FindUncovered(held, wanted).rules.empty());
         };
       }},
      {"rules, all pairs cross", 500,
       [](std::size_t n) {
         PolicyRules held;
         for (std::size_t i = 0; i < n; ++i) {
           held.push_back({{"get"}, {"g" + std::to_string(i)}, Numbered('r', 4), {}, {}});
         }
         const PolicyRules wanted = {{{"get"}, Numbered('g', n), Numbered('r', 4), {}, {}}};
         return [=] { PL_ASSERT(FindUncovered(held, wanted).rules.empty()); };
       }},
      {"rules, a decision", 4000,
       [](std::size_t n) {
         apiserver::RequestInfo what;
         what.is_resource_request = true;
         what.verb = "get";
         what.group = "x";
         what.resource = "y";
         return [rules = ManyRules(n, "get"), what] {
           for (int round = 0; round < 20; ++round) {
             for (const PolicyRule& rule : rules) PL_ASSERT(!Allows(rule, what));
           }
         };
       }},
      {"rules, compacted", 2000,
       [](std::size_t n) {
         return [rules = ManyRules(n, "get")] { PL_ASSERT(!Compact(rules).empty()); };
       }},
  };
}

}  // namespace

std::vector<Input> RequestInputs() {
  std::vector<Input> all = Selectors();
  for (auto& some : {Options(), Expressions(), Rules()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

}  // namespace plimsoll::linear
