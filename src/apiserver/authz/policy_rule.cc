#include "apiserver/authz/policy_rule.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "base/go_text.h"

namespace plimsoll::apiserver {
namespace {

using Texts = std::vector<std::string>;

bool Has(const Texts& texts, std::string_view wanted) {
  return std::ranges::find(texts, wanted) != texts.end();
}

bool HasOrAll(const Texts& texts, std::string_view wanted) {
  return std::ranges::any_of(texts,
                             [&](const std::string& own) { return own == "*" || own == wanted; });
}

/// Returns true if `own` is `resource/subresource` or `*/subresource`. Allocates nothing.
bool NamesResource(std::string_view own, std::string_view resource, std::string_view subresource) {
  if (subresource.empty()) return own == resource;
  if (own.size() <= subresource.size() || !own.ends_with(subresource)) return false;
  own.remove_suffix(subresource.size());
  if (!own.ends_with('/')) return false;
  own.remove_suffix(1);
  return own == resource || own == "*";
}

bool ResourceMatches(const Texts& owned, std::string_view resource, std::string_view subresource) {
  return std::ranges::any_of(owned, [&](const std::string& own) {
    return own == "*" || NamesResource(own, resource, subresource);
  });
}

/// Returns true if the URLs are equal, or `own` ends with `*` and `wanted` has its prefix.
bool UrlMatches(std::string_view own, std::string_view wanted) {
  if (own == wanted) return true;
  if (!own.ends_with('*')) return false;
  while (own.ends_with('*')) own.remove_suffix(1);
  return wanted.starts_with(own);
}

bool IsSimple(const PolicyRule& rule) {
  return rule.resource_names.size() <= 1 && rule.non_resource_urls.empty() &&
         rule.api_groups.size() == 1 && rule.resources.size() == 1;
}

}  // namespace

std::vector<std::string> ReadTexts(const codec::Value* list) {
  std::vector<std::string> texts;
  if (list == nullptr) return texts;
  texts.reserve(list->items().size());
  for (const codec::Value& item : list->items()) {
    if (item.is_string()) texts.emplace_back(item.text());
  }
  return texts;
}

PolicyRules ReadPolicyRules(const codec::Value* rules) {
  PolicyRules out;
  if (rules == nullptr) return out;
  out.reserve(rules->items().size());
  for (const codec::Value& rule : rules->items()) {
    out.push_back({.verbs = ReadTexts(rule.Find("verbs")),
                   .api_groups = ReadTexts(rule.Find("apiGroups")),
                   .resources = ReadTexts(rule.Find("resources")),
                   .resource_names = ReadTexts(rule.Find("resourceNames")),
                   .non_resource_urls = ReadTexts(rule.Find("nonResourceURLs"))});
  }
  return out;
}

codec::Value WriteTexts(std::span<const std::string> texts, codec::Document& document) {
  codec::Value list = document.NewArray(texts.size());
  for (const std::string& text : texts) document.Append(list, document.NewString(text));
  return list;
}

codec::Value WritePolicyRule(const PolicyRule& rule, codec::Document& document) {
  codec::Value out = document.NewObject(5);
  // A role without verbs is not valid, so an empty list is written, too.
  document.Set(out, "verbs", WriteTexts(rule.verbs, document));
  const auto set = [&](std::string_view key, const Texts& texts) {
    if (!texts.empty()) document.Set(out, key, WriteTexts(texts, document));
  };
  set("apiGroups", rule.api_groups);
  set("resources", rule.resources);
  set("resourceNames", rule.resource_names);
  set("nonResourceURLs", rule.non_resource_urls);
  return out;
}

bool Allows(const PolicyRule& rule, const RequestInfo& what) {
  if (!HasOrAll(rule.verbs, what.verb)) return false;
  if (!what.is_resource_request) {
    return std::ranges::any_of(rule.non_resource_urls,
                               [&](const std::string& own) { return UrlMatches(own, what.path); });
  }
  return HasOrAll(rule.api_groups, what.group) &&
         ResourceMatches(rule.resources, what.resource, what.subresource) &&
         (rule.resource_names.empty() || Has(rule.resource_names, what.name));
}

PolicyRules Compact(std::span<const PolicyRule> rules) {
  PolicyRules out;
  std::map<std::array<std::string_view, 3>, std::size_t> places;  // indexes in `out`
  for (const PolicyRule& rule : rules) {
    if (!IsSimple(rule)) {
      out.push_back(rule);
      continue;
    }
    // A name is never empty, so the empty text means no name.
    std::string_view name;
    if (!rule.resource_names.empty()) name = rule.resource_names.front();
    const auto [at, is_new] =
        places.try_emplace({rule.api_groups.front(), rule.resources.front(), name}, out.size());
    if (is_new) {
      out.push_back(rule);
    } else {
      Texts& verbs = out[at->second].verbs;
      verbs.insert(verbs.end(), rule.verbs.begin(), rule.verbs.end());
    }
  }
  return out;
}

std::string QuoteList(std::span<const std::string> texts) {
  std::string out = "[";
  for (const std::string& text : texts) {
    if (out.size() > 1) out += ' ';
    out += GoQuote(text);
  }
  return out + "]";
}

std::string Describe(const PolicyRule& rule) {
  std::string out = "{";
  const auto add = [&](std::string_view name, const Texts& texts) {
    if (texts.empty()) return;
    if (out.size() > 1) out += ", ";
    out.append(name).append(":").append(QuoteList(texts));
  };
  add("APIGroups", rule.api_groups);
  add("Resources", rule.resources);
  add("NonResourceURLs", rule.non_resource_urls);
  add("ResourceNames", rule.resource_names);
  add("Verbs", rule.verbs);
  return out + "}";
}

}  // namespace plimsoll::apiserver
