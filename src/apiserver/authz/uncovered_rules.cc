#include "apiserver/authz/uncovered_rules.h"

#include <algorithm>
#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apiserver/limits.h"

// A wanted rule is a product of sets: groups × resources × verbs × names, or URLs × verbs. Values
// of one set that the same held rules cover form a class. The search visits the classes of one set
// after the other and keeps the held rules that cover all values so far. If none is left, the
// product of these classes and the remaining sets is uncovered.

namespace plimsoll::apiserver {
namespace {

using Texts = std::vector<std::string>;
using RuleId = std::uint32_t;
using ListId = std::uint32_t;
using RuleIds = std::vector<RuleId>;
using Positions = std::vector<std::uint32_t>;  // indexes into one of the lists of a wanted rule

enum Dimension : std::uint8_t { kByGroup, kByResource, kByVerb, kByName, kByUrl };
constexpr std::size_t kDimensions = 5;

constexpr std::size_t kStepsAlways = 100'000;
constexpr std::size_t kStepsPerText = 16;

const Texts& TextsOf(const PolicyRule& rule, std::size_t dimension) {
  switch (dimension) {
    case kByGroup:
      return rule.api_groups;
    case kByResource:
      return rule.resources;
    case kByVerb:
      return rule.verbs;
    case kByName:
      return rule.resource_names;
    default:
      return rule.non_resource_urls;
  }
}

std::size_t CountTexts(std::span<const PolicyRule> rules) {
  std::size_t count = 0;
  for (const PolicyRule& rule : rules) {
    for (std::size_t d = 0; d < kDimensions; ++d) count += 1 + TextsOf(rule, d).size();
  }
  return count;
}

/// Returns `/status` for `pods/status`, or "".
std::string_view SubresourceOf(std::string_view resource) {
  const std::size_t slash = resource.find('/');
  return slash == std::string_view::npos ? std::string_view() : resource.substr(slash);
}

/// Index of the held rules by value. Contains only values that wanted rules name.
class HeldIndex {
 public:
  HeldIndex(std::span<const PolicyRule> held, std::span<const PolicyRule> wanted) {
    for (const PolicyRule& rule : wanted) {
      for (std::size_t d = 0; d < kByUrl; ++d) {
        for (const std::string& text : TextsOf(rule, d)) Want(d, text);
      }
      for (const std::string& url : rule.non_resource_urls) Want(kByUrl, url);
    }
    for (RuleId id = 0; id < held.size(); ++id) AddPrefixes(held[id]);
    LinkPrefixes();
    is_wild_.resize(held.size());
    for (RuleId id = 0; id < held.size(); ++id) Add(held[id], id);
  }

  /// Appends the lists of held rules that cover the value, except those of `wild`.
  void ListsOf(std::size_t dimension, const std::string& text, std::vector<ListId>& out) const {
    out.push_back(exact_[dimension].at(text));
    if (dimension == kByResource) {
      if (const std::string_view sub = SubresourceOf(text); !sub.empty()) {
        out.push_back(subresources_.at(sub));
      }
    }
    if (dimension != kByUrl) return;
    // The last prefix in sort order that is not after the URL is the longest match, or one of the
    // prefixes it starts with is.
    auto at = std::ranges::upper_bound(prefixes_, std::string_view(text), {}, &Prefix::text);
    if (at == prefixes_.begin()) return;
    std::optional<std::size_t> found = static_cast<std::size_t>(at - prefixes_.begin()) - 1;
    while (found && !text.starts_with(prefixes_[*found].text)) found = prefixes_[*found].parent;
    for (; found; found = prefixes_[*found].parent) out.push_back(prefixes_[*found].list);
  }
  const RuleIds& list(ListId id) const { return lists_[id]; }
  /// Returns the rules that cover every value.
  const RuleIds& wild(std::size_t dimension) const { return wild_[dimension]; }
  bool IsWild(std::size_t dimension, RuleId rule) const {
    return (is_wild_[rule] >> dimension & 1) != 0;
  }
  bool IsIn(ListId list, RuleId rule) const { return members_.contains(KeyOf(list, rule)); }

 private:
  struct Prefix {
    std::string_view text;
    ListId list = 0;
    std::optional<std::size_t> parent;  // longest other prefix of `text`
  };

  static std::uint64_t KeyOf(ListId list, RuleId rule) { return std::uint64_t{list} << 32 | rule; }

  ListId NewList() {
    lists_.emplace_back();
    return static_cast<ListId>(lists_.size() - 1);
  }
  void Want(std::size_t dimension, std::string_view text) {
    if (const auto [at, is_new] = exact_[dimension].try_emplace(text, 0); is_new) {
      at->second = NewList();
    }
    if (dimension != kByResource) return;
    const std::string_view sub = SubresourceOf(text);
    if (sub.empty()) return;
    if (const auto [at, is_new] = subresources_.try_emplace(sub, 0); is_new) at->second = NewList();
  }

  /// Returns the prefix of a URL that ends with `*`, or nullopt.
  static std::optional<std::string_view> PrefixOf(std::string_view url) {
    if (!url.ends_with('*')) return std::nullopt;
    while (url.ends_with('*')) url.remove_suffix(1);
    return url;
  }
  void AddPrefixes(const PolicyRule& rule) {
    for (const std::string& url : rule.non_resource_urls) {
      if (const auto prefix = PrefixOf(url)) prefixes_.push_back({*prefix, 0, {}});
    }
  }
  void LinkPrefixes() {
    std::ranges::sort(prefixes_, {}, &Prefix::text);
    const auto repeated = std::ranges::unique(prefixes_, {}, &Prefix::text);
    prefixes_.erase(repeated.begin(), repeated.end());
    std::vector<std::size_t> open;  // prefixes that the next one may start with
    for (std::size_t i = 0; i < prefixes_.size(); ++i) {
      while (!open.empty() && !prefixes_[i].text.starts_with(prefixes_[open.back()].text)) {
        open.pop_back();
      }
      if (!open.empty()) prefixes_[i].parent = open.back();
      prefixes_[i].list = NewList();
      open.push_back(i);
    }
  }

  void Enter(ListId list, RuleId rule) {
    if (members_.insert(KeyOf(list, rule)).second) lists_[list].push_back(rule);
  }
  void AddWild(std::size_t dimension, RuleId rule) {
    if (IsWild(dimension, rule)) return;
    is_wild_[rule] |= static_cast<std::uint8_t>(1U << dimension);
    wild_[dimension].push_back(rule);
  }
  void Add(const PolicyRule& rule, RuleId id) {
    for (std::size_t d = 0; d < kDimensions; ++d) {
      for (const std::string& text : TextsOf(rule, d)) {
        if (d <= kByVerb && text == "*") AddWild(d, id);
        if (const auto found = exact_[d].find(text); found != exact_[d].end()) {
          Enter(found->second, id);
        }
      }
    }
    for (const std::string& resource : rule.resources) {
      if (!resource.starts_with("*/")) continue;
      const auto found = subresources_.find(std::string_view(resource).substr(1));
      if (found != subresources_.end()) Enter(found->second, id);
    }
    for (const std::string& url : rule.non_resource_urls) {
      const auto prefix = PrefixOf(url);
      if (!prefix) continue;
      Enter(std::ranges::lower_bound(prefixes_, *prefix, {}, &Prefix::text)->list, id);
    }
    if (rule.resource_names.empty()) AddWild(kByName, id);
  }

  using ByText = boost::unordered_flat_map<std::string_view, ListId>;
  std::array<ByText, kDimensions> exact_;
  ByText subresources_;  // `/status`, for held rules with `*/status`
  std::vector<Prefix> prefixes_;
  std::vector<RuleIds> lists_;
  boost::unordered_flat_set<std::uint64_t> members_;  // (list, rule) pairs
  std::array<RuleIds, kDimensions> wild_;
  std::vector<std::uint8_t> is_wild_;  // by RuleId, one bit per dimension
};

/// One of the sets whose product is a wanted rule.
struct Side {
  Dimension dimension = kByVerb;
  std::vector<std::vector<ListId>> lists;  // by position
  std::size_t weight = 0;                  // total length of the lists
};

/// A product of some positions of each side. A side that is not in `chosen` counts as a whole.
struct Box {
  std::uint32_t rule = 0;
  bool is_url = false;
  std::map<Dimension, Positions> chosen;
};

class Search {
 public:
  Search(std::span<const PolicyRule> held, std::span<const PolicyRule> wanted)
      : wanted_(wanted),
        index_(held, wanted),
        steps_left_(kStepsAlways + kStepsPerText * (CountTexts(held) + CountTexts(wanted))),
        stamps_(held.size()) {}

  UncoveredRules Run() {
    for (std::uint32_t rule = 0; rule < wanted_.size(); ++rule) {
      Examine(rule, {kByGroup, kByResource, kByVerb, kByName}, false);
      Examine(rule, {kByUrl, kByVerb}, true);
    }
    UncoveredRules uncovered{.rules = {}, .more = 0, .is_exact = is_exact_};
    if (CountParts() <= kUncoveredPartsMax) {
      uncovered.rules = ListParts();
    } else {
      ListBoxes(uncovered);
    }
    return uncovered;
  }

 private:
  void Examine(std::uint32_t rule, std::initializer_list<Dimension> dimensions, bool is_url) {
    std::vector<Side> sides;
    for (const Dimension dimension : dimensions) {
      const Texts& texts = TextsOf(wanted_[rule], dimension);
      if (texts.empty() && dimension != kByName) return;  // the rule allows nothing
      Side& side = sides.emplace_back();
      side.dimension = dimension;
      side.lists.resize(std::max<std::size_t>(texts.size(), 1));  // no name means all names
      for (std::size_t i = 0; i < texts.size(); ++i) {
        index_.ListsOf(dimension, texts[i], side.lists[i]);
        for (const ListId list : side.lists[i]) side.weight += 1 + index_.list(list).size();
      }
      side.weight += index_.wild(dimension).size();
    }
    std::ranges::stable_sort(sides, {}, &Side::weight);
    box_ = {rule, is_url, {}};
    Descend(sides, nullptr);
  }

  /// `held` are the rules that cover the chosen positions. Null: all rules.
  void Descend(std::span<const Side> sides, const RuleIds* held) {
    if (sides.empty()) return;
    if (held != nullptr && (held->empty() || CoversAll(sides, *held))) {
      if (held->empty()) missing_.push_back(box_);
      return;
    }
    if (steps_left_ == 0) {
      is_exact_ = false;
      missing_.push_back(box_);
      return;
    }
    const Side& side = sides.front();
    for (auto& [rules, positions] : Classes(side, held)) {
      if (sides.size() == 1 && !rules.empty()) continue;
      box_.chosen[side.dimension] = std::move(positions);
      Descend(sides.subspan(1), &rules);
      if (sides.size() == 1) missing_.push_back(box_);
      box_.chosen.erase(side.dimension);
    }
  }

  bool CoversAll(std::span<const Side> sides, const RuleIds& held) {
    Take(held.size());
    return std::ranges::any_of(held, [&](RuleId rule) {
      return std::ranges::all_of(
          sides, [&](const Side& side) { return index_.IsWild(side.dimension, rule); });
    });
  }

  /// Groups the positions of the side by the held rules that cover them.
  std::map<RuleIds, Positions> Classes(const Side& side, const RuleIds* held) {
    RuleIds common;
    if (held == nullptr) {
      common = index_.wild(side.dimension);
    } else {
      for (const RuleId rule : *held) {
        if (index_.IsWild(side.dimension, rule)) common.push_back(rule);
      }
      Take(held->size());
    }
    const bool asks_each = held != nullptr && held->size() * side.lists.size() < side.weight;
    if (held != nullptr && !asks_each) Stamp(*held);
    std::map<RuleIds, Positions> classes;
    for (std::uint32_t position = 0; position < side.lists.size(); ++position) {
      RuleIds rules;
      const auto add = [&](RuleId rule) {
        if (!index_.IsWild(side.dimension, rule)) rules.push_back(rule);
      };
      for (const ListId list : side.lists[position]) {
        if (asks_each) {
          for (const RuleId rule : *held) {
            if (index_.IsIn(list, rule)) add(rule);
          }
          Take(held->size());
        } else {
          for (const RuleId rule : index_.list(list)) {
            if (held == nullptr || stamps_[rule] == stamp_) add(rule);
          }
          Take(index_.list(list).size());
        }
      }
      std::ranges::sort(rules);
      const auto repeated = std::ranges::unique(rules);
      rules.erase(repeated.begin(), repeated.end());
      Take(1 + rules.size());
      classes[std::move(rules)].push_back(position);
    }
    if (common.empty()) return classes;
    std::map<RuleIds, Positions> all;
    for (auto& [rules, positions] : classes) {
      Take(common.size());
      RuleIds both = common;
      both.insert(both.end(), rules.begin(), rules.end());
      all.emplace(std::move(both), std::move(positions));
    }
    return all;
  }

  void Stamp(const RuleIds& rules) {
    ++stamp_;
    for (const RuleId rule : rules) stamps_[rule] = stamp_;
  }
  void Take(std::size_t steps) { steps_left_ -= std::min(steps, steps_left_); }

  std::size_t SizeOf(const Box& box, Dimension dimension) const {
    const auto chosen = box.chosen.find(dimension);
    if (chosen != box.chosen.end()) return chosen->second.size();
    return std::max<std::size_t>(TextsOf(wanted_[box.rule], dimension).size(), 1);
  }
  std::size_t CountParts() const {
    std::size_t all = 0;
    for (const Box& box : missing_) {
      std::size_t parts = 1;
      for (const Dimension dimension : {kByGroup, kByResource, kByVerb, kByName, kByUrl}) {
        if ((dimension == kByUrl) != box.is_url && dimension != kByVerb) continue;
        parts = std::min(parts * SizeOf(box, dimension), kUncoveredPartsMax + 1);
      }
      all = std::min(all + parts, kUncoveredPartsMax + 1);
    }
    return all;
  }

  Positions PositionsOf(const Box& box, Dimension dimension) const {
    const auto chosen = box.chosen.find(dimension);
    if (chosen != box.chosen.end()) return chosen->second;
    Positions all;
    for (std::uint32_t i = 0; i < SizeOf(box, dimension); ++i) all.push_back(i);
    return all;
  }
  Texts Chosen(const Box& box, Dimension dimension) const {
    const Texts& texts = TextsOf(wanted_[box.rule], dimension);
    const auto chosen = box.chosen.find(dimension);
    if (chosen == box.chosen.end() || texts.empty()) return texts;
    Texts out;
    for (const std::uint32_t position : chosen->second) out.push_back(texts[position]);
    return out;
  }

  void ListBoxes(UncoveredRules& out) const {
    std::size_t texts = 0;
    for (const Box& box : missing_) {
      if (texts > kUncoveredTextsMax) {
        ++out.more;
        continue;
      }
      if (box.is_url) {
        out.rules.push_back({Chosen(box, kByVerb), {}, {}, {}, Chosen(box, kByUrl)});
      } else {
        out.rules.push_back({Chosen(box, kByVerb),
                             Chosen(box, kByGroup),
                             Chosen(box, kByResource),
                             Chosen(box, kByName),
                             {}});
      }
      texts += CountTexts({&out.rules.back(), 1});
    }
  }

  /// Returns the single permissions in the order of upstream's breakdown.
  PolicyRules ListParts() const {
    using Part = std::array<std::uint32_t, 6>;
    std::vector<Part> parts;
    for (const Box& box : missing_) {
      const Dimension first = box.is_url ? kByUrl : kByGroup;
      const Positions none = {0};
      for (const std::uint32_t a : PositionsOf(box, first)) {
        for (const std::uint32_t b : box.is_url ? none : PositionsOf(box, kByResource)) {
          for (const std::uint32_t c : PositionsOf(box, kByVerb)) {
            for (const std::uint32_t d : box.is_url ? none : PositionsOf(box, kByName)) {
              parts.push_back({box.rule, box.is_url ? 1U : 0U, a, b, c, d});
            }
          }
        }
      }
    }
    std::ranges::sort(parts);
    PolicyRules rules;
    for (const auto& [rule, is_url, a, b, c, d] : parts) {
      const PolicyRule& from = wanted_[rule];
      if (is_url != 0) {
        rules.push_back({{from.verbs[c]}, {}, {}, {}, {from.non_resource_urls[a]}});
        continue;
      }
      PolicyRule& part = rules.emplace_back();
      part.verbs = {from.verbs[c]};
      part.api_groups = {from.api_groups[a]};
      part.resources = {from.resources[b]};
      if (!from.resource_names.empty()) part.resource_names = {from.resource_names[d]};
    }
    return rules;
  }

  std::span<const PolicyRule> wanted_;
  HeldIndex index_;
  std::size_t steps_left_;
  bool is_exact_ = true;
  Box box_;
  std::vector<Box> missing_;
  std::vector<std::uint64_t> stamps_;  // by RuleId
  std::uint64_t stamp_ = 0;
};

}  // namespace

UncoveredRules FindUncovered(std::span<const PolicyRule> held, std::span<const PolicyRule> wanted) {
  if (wanted.empty()) return {};
  return Search(held, wanted).Run();
}

}  // namespace plimsoll::apiserver
