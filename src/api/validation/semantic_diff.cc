#include "api/validation/semantic_diff.h"

#include <algorithm>
#include <array>

#include "base/quantity.h"
#include "codec/json.h"
#include "codec/patch/member_index.h"

namespace plimsoll::api {
namespace {

using codec::Value;
using namespace std::string_view_literals;

constexpr std::size_t kDifferencesShownMax = 10;
constexpr std::size_t kValueBytesShownMax = 200;

// Plain numbers and booleans of the API, for which missing and zero are the same. For other fields
// a missing value has its own meaning (`priority`, `hostUsers`).
constexpr std::array kPlainFields{
    "hostNetwork"sv, "hostPID"sv,   "hostIPC"sv,  "stdin"sv,           "stdinOnce"sv,
    "tty"sv,         "readOnly"sv,  "hostPort"sv, "minReadySeconds"sv, "initialDelaySeconds"sv,
    "paused"sv,      "partition"sv, "weight"sv,
};

// Texts for which missing and empty differ.
constexpr std::array kOptionalTexts{"storageClassName"sv, "volumeAttributesClassName"sv,
                                    "runtimeClassName"sv};

// Structs held by value, and maps: empty is the same as missing. All other objects are either set
// or not: `emptyDir: {}` has a meaning.
constexpr std::array kPlainObjects{
    "resources"sv,        "metadata"sv,       "spec"sv,
    "status"sv,           "template"sv,       "preference"sv,
    "podAffinityTerm"sv,  "updateStrategy"sv, "strategy"sv,
    "nodeSelector"sv,     "overhead"sv,       "requests"sv,
    "limits"sv,           "capacity"sv,       "labels"sv,
    "annotations"sv,      "matchLabels"sv,    "options"sv,
    "volumeAttributes"sv,
};

// Maps of quantities, and single quantities.
constexpr std::array kQuantityMaps{"requests"sv, "limits"sv, "overhead"sv, "capacity"sv};
constexpr std::array kQuantities{"sizeLimit"sv, "divisor"sv};

template <class List>
bool Contains(const List& list, std::string_view name) {
  return std::ranges::find(list, name) != list.end();
}

std::string ScalarText(const Value& value) {
  return value.is_int() ? std::to_string(value.AsInt()) : std::string(value.text());
}

bool SameQuantity(const Value& a, const Value& b) {
  const auto is_scalar = [](const Value& value) { return value.is_string() || value.is_number(); };
  if (!is_scalar(a) || !is_scalar(b)) return false;
  const Result<Quantity> left = Quantity::FromScalar(ScalarText(a));
  const Result<Quantity> right = Quantity::FromScalar(ScalarText(b));
  return left && right && left->Compare(*right) == 0;
}

class Walk {
 public:
  explicit Walk(std::span<const std::string_view> ignored) : ignored_(ignored) {}

  void Compare(const Value* before, const Value* now) {
    if (before == nullptr && now == nullptr) return;
    if (Contains(ignored_, pattern_)) return;
    const bool has_before = before != nullptr && !before->is_null();
    const bool has_now = now != nullptr && !now->is_null();
    if ((has_before && before->is_object()) || (has_now && now->is_object())) {
      return CompareObjects(has_before ? before : nullptr, has_now ? now : nullptr);
    }
    if ((has_before && before->is_array()) || (has_now && now->is_array())) {
      return CompareArrays(has_before ? before : nullptr, has_now ? now : nullptr);
    }
    if (has_before && has_now) {
      if (!SameScalar(*before, *now)) Report(before, now);
    } else if (has_before && !IsZero(*before)) {
      Report(before, nullptr);
    } else if (has_now && !IsZero(*now)) {
      Report(nullptr, now);
    }
  }

  std::vector<Difference> Take() { return std::move(differences_); }

 private:
  void CompareObjects(const Value* before, const Value* now) {
    if ((before != nullptr && !before->is_object()) || (now != nullptr && !now->is_object())) {
      return Report(before, now);
    }
    if (before == nullptr || now == nullptr) return CompareWithNothing(before, now);
    const codec::MemberIndex of_before(*before);
    const codec::MemberIndex of_now(*now);
    for (const codec::Member& member : before->members()) {
      Descend(member.key, &member.value, of_now.Find(member.key));
    }
    for (const codec::Member& member : now->members()) {
      if (of_before.Find(member.key) == nullptr) Descend(member.key, nullptr, &member.value);
    }
  }

  /// An object with an ignored member is compared by its other members.
  void CompareWithNothing(const Value* before, const Value* now) {
    const Value& present = before != nullptr ? *before : *now;
    const bool is_plain = key_.empty() || Contains(kPlainObjects, key_);
    if (!is_plain && !HasIgnoredMember(present)) return Report(before, now);
    for (const codec::Member& member : present.members()) {
      Descend(member.key, before != nullptr ? &member.value : nullptr,
              before != nullptr ? nullptr : &member.value);
    }
  }

  bool HasIgnoredMember(const Value& object) const {
    return std::ranges::any_of(object.members(), [&](const codec::Member& member) {
      return Contains(ignored_, pattern_ + "." + std::string(member.key));
    });
  }

  void CompareArrays(const Value* before, const Value* now) {
    const auto items = [](const Value* value) {
      return value != nullptr ? value->items() : std::span<const Value>();
    };
    const std::span<const Value> left = items(before);
    const std::span<const Value> right = items(now);
    if (left.size() != right.size()) return Report(before, now);
    const std::size_t path_size = path_.size();
    const std::size_t pattern_size = pattern_.size();
    for (std::size_t i = 0; i < left.size(); ++i) {
      path_ += '[' + std::to_string(i) + ']';
      pattern_ += "[*]";
      Compare(&left[i], &right[i]);
      path_.resize(path_size);
      pattern_.resize(pattern_size);
    }
  }

  void Descend(std::string_view key, const Value* before, const Value* now) {
    const std::size_t path_size = path_.size();
    const std::size_t pattern_size = pattern_.size();
    const std::string_view parent = std::exchange(parent_, key_);
    const std::string_view former = std::exchange(key_, key);
    if (!path_.empty()) path_ += '.';
    if (!pattern_.empty()) pattern_ += '.';
    path_ += key;
    pattern_ += key;
    Compare(before, now);
    path_.resize(path_size);
    pattern_.resize(pattern_size);
    key_ = former;
    parent_ = parent;
  }

  bool SameScalar(const Value& a, const Value& b) const {
    return a == b || (IsQuantity() && SameQuantity(a, b));
  }

  bool IsQuantity() const {
    return Contains(kQuantityMaps, parent_) || Contains(kQuantities, key_);
  }

  bool IsZero(const Value& value) const {
    if (value.is_string()) return value.text().empty() && !Contains(kOptionalTexts, key_);
    if (!Contains(kPlainFields, key_)) return false;
    return value.is_bool() ? !value.AsBool() : value.is_int() && value.AsInt() == 0;
  }

  void Report(const Value* before, const Value* now) {
    differences_.push_back({path_, before, now});
  }

  std::span<const std::string_view> ignored_;
  std::string path_;
  std::string pattern_;  // the path with [*] for every index
  std::string_view parent_;
  std::string_view key_;
  std::vector<Difference> differences_;
};

std::string Shown(const Value* value) {
  if (value == nullptr) return "(none)";
  std::string text = codec::WriteJson(*value);
  if (text.size() > kValueBytesShownMax) text = text.substr(0, kValueBytesShownMax) + "...";
  return text;
}

}  // namespace

std::vector<Difference> Differences(const Value* before, const Value* now,
                                    std::span<const std::string_view> ignored) {
  Walk walk(ignored);
  walk.Compare(before, now);
  return walk.Take();
}

std::string DescribeDifferences(std::span<const Difference> differences, std::string_view root) {
  std::string out;
  for (std::size_t i = 0; i < std::min(differences.size(), kDifferencesShownMax); ++i) {
    const Difference& one = differences[i];
    out.append(root).append(root.empty() || one.path.empty() ? "" : ".").append(one.path);
    out += ": " + Shown(one.before) + " -> " + Shown(one.now) + "\n";
  }
  if (differences.size() > kDifferencesShownMax) {
    out += "and " + std::to_string(differences.size() - kDifferencesShownMax) + " more\n";
  }
  return out;
}

}  // namespace plimsoll::api
