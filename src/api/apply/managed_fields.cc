#include "api/apply/managed_fields.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "base/go_text.h"
#include "codec/value_at.h"

namespace plimsoll::api {
namespace {

using codec::Value;

std::int64_t Seconds(const ManagedEntry& entry) {
  if (!entry.time) return 0;
  return std::chrono::floor<std::chrono::seconds>(*entry.time).time_since_epoch().count();
}

Result<ManagedEntry> DecodeEntry(codec::Document& arena, const Value& value, std::size_t place) {
  ManagedEntry entry{.manager = TextAt(value, "manager"),
                     .api_version = TextAt(value, "apiVersion"),
                     .subresource = TextAt(value, "subresource")};
  const std::string_view operation = TextAt(value, "operation");
  if (operation != "Apply" && operation != "Update") {
    return Fail(Reason::BadRequest, "operation must be `Apply` or `Update`");
  }
  entry.operation =
      operation == "Apply" ? ManagedEntry::Operation::Apply : ManagedEntry::Operation::Update;
  if (entry.api_version.empty()) {
    return Fail(Reason::BadRequest, "apiVersion must not be empty");
  }
  const std::string_view type = TextAt(value, "fieldsType");
  const std::string in_entry = " in managed fields entry " + std::to_string(place);
  if (type.empty()) return Fail(Reason::BadRequest, "missing fieldsType" + in_entry);
  if (type != "FieldsV1") {
    return Fail(Reason::BadRequest, "invalid fieldsType " + GoQuote(type) + in_entry);
  }
  if (const std::string_view time = TextAt(value, "time"); !time.empty()) {
    entry.time = PL_TRY(ParseTime(time));
  }
  if (const Value* const fields = value.Find("fieldsV1"); fields != nullptr && !fields->is_null()) {
    entry.fields = PL_TRY(FieldSet::Parse(arena, *fields));
  }
  return entry;
}

/// Returns a key that is equal for entries of one manager.
auto IdentityOf(const ManagedEntry& entry) {
  const bool is_apply = entry.operation == ManagedEntry::Operation::Apply;
  return std::tuple(entry.operation, entry.manager, entry.subresource,
                    is_apply ? std::string_view() : entry.api_version);
}

constexpr std::string_view kAncient = "ancient-changes";

/// Update entries of one version that Cap merges.
struct Joint {
  const ManagedEntry* first = nullptr;  // the oldest, until there is a second one to merge
  std::vector<const FieldSet*> parts;
  std::optional<Instant> time;  // time of the newest part
};

/// Merges halves recursively, so that each field is copied once per level, not once per part.
FieldSet UnionOf(std::span<const FieldSet* const> parts) {
  if (parts.size() == 1) return *parts.front();
  const std::size_t half = parts.size() / 2;
  return UnionOf(parts.first(half)).Union(UnionOf(parts.subspan(half)));
}

}  // namespace

bool ManagedEntry::IsSameManager(const ManagedEntry& other) const {
  return IdentityOf(*this) == IdentityOf(other);
}

std::string ManagedEntry::Text() const {
  std::string text = GoQuote(manager);
  if (!subresource.empty()) text += " with subresource " + GoQuote(subresource);
  if (operation == Operation::Update) text += " using " + std::string(api_version);
  return text;
}

Result<ManagedFields> ManagedFields::Decode(codec::Document& arena, const Value* list) {
  ManagedFields managed;
  if (list == nullptr) return managed;
  managed.entries_.reserve(list->items().size() + 1);
  std::map<decltype(IdentityOf(ManagedEntry())), std::size_t> places;
  for (std::size_t i = 0; i < list->items().size(); ++i) {
    ManagedEntry entry = PL_TRY(DecodeEntry(arena, list->items()[i], i));
    const auto [same, is_new] = places.try_emplace(IdentityOf(entry), managed.entries_.size());
    if (is_new) {
      managed.entries_.push_back(std::move(entry));
    } else {
      managed.entries_[same->second] = std::move(entry);
    }
  }
  return managed;
}

Value ManagedFields::Encode(codec::Document& out) const {
  if (entries_.empty()) return {};
  std::vector<const ManagedEntry*> sorted;
  for (const ManagedEntry& entry : entries_) sorted.push_back(&entry);
  std::ranges::sort(sorted, {}, [](const ManagedEntry* entry) {
    return std::tuple(entry->operation, Seconds(*entry), entry->manager, entry->api_version,
                      entry->subresource);
  });
  Value list = out.NewArray(sorted.size());
  for (const ManagedEntry* const entry : sorted) {
    Value value = out.NewObject(7);
    if (!entry->manager.empty()) {
      out.AppendMember(value, {"manager", out.NewString(entry->manager)});
    }
    const bool is_apply = entry->operation == ManagedEntry::Operation::Apply;
    out.AppendMember(value, {"operation", Value::String(is_apply ? "Apply" : "Update")});
    out.AppendMember(value, {"apiVersion", out.NewString(entry->api_version)});
    if (entry->time) {
      out.AppendMember(value, {"time", out.NewString(FormatTime(*entry->time))});
    }
    out.AppendMember(value, {"fieldsType", Value::String("FieldsV1")});
    out.AppendMember(value, {"fieldsV1", entry->fields.Encode(out)});
    if (!entry->subresource.empty()) {
      out.AppendMember(value, {"subresource", out.NewString(entry->subresource)});
    }
    out.Append(list, value);
  }
  return list;
}

ManagedEntry* ManagedFields::Find(const ManagedEntry& like) {
  const auto found = std::ranges::find_if(
      entries_, [&](const ManagedEntry& entry) { return entry.IsSameManager(like); });
  return found == entries_.end() ? nullptr : &*found;
}

void ManagedFields::Cap() {
  std::vector<const ManagedEntry*> updates;
  std::map<std::string_view, const ManagedEntry*> ancient;  // by version
  for (const ManagedEntry& entry : entries_) {
    if (entry.operation != ManagedEntry::Operation::Update) continue;
    updates.push_back(&entry);
    if (entry.manager == kAncient && entry.subresource.empty()) ancient[entry.api_version] = &entry;
  }
  if (updates.size() <= kUpdatesMax) return;
  std::ranges::sort(updates, {}, [](const ManagedEntry* entry) {
    return std::tuple(Seconds(*entry), entry->manager, entry->api_version, entry->subresource);
  });
  std::vector<bool> is_joined(entries_.size());
  std::map<std::string_view, Joint> joints;  // by version
  const auto join = [&](Joint& joint, const ManagedEntry& entry) {
    joint.parts.push_back(&entry.fields);
    joint.time = entry.time;
    is_joined[static_cast<std::size_t>(&entry - entries_.data())] = true;
  };
  std::size_t left = updates.size();
  for (const ManagedEntry* const update : updates) {
    if (left <= kUpdatesMax) break;
    Joint& joint = joints[update->api_version];
    if (joint.first == nullptr) {
      joint.first = update;
      continue;
    }
    const auto known = ancient.find(update->api_version);
    if (joint.parts.empty()) join(joint, known == ancient.end() ? *joint.first : *known->second);
    if (known != ancient.end() && known->second == update) {
      joint.time = update->time;
      continue;  // others are joined to this entry, so their number stays
    }
    join(joint, *update);
    --left;
  }
  std::vector<ManagedEntry> kept;
  for (const auto& [version, joint] : joints) {
    if (joint.parts.empty()) continue;
    kept.push_back({.manager = kAncient,
                    .api_version = version,
                    .time = joint.time,
                    .fields = UnionOf(joint.parts)});
  }
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (!is_joined[i]) kept.push_back(std::move(entries_[i]));
  }
  entries_ = std::move(kept);
}

bool IsManagedFieldsReset(const Value* list) {
  if (list == nullptr || !list->is_array()) return false;
  if (list->items().empty()) return true;
  if (list->items().size() > 1) return false;
  return std::ranges::all_of(list->items()[0].members(), [](const codec::Member& member) {
    return member.value.is_null() || (member.value.is_string() && member.value.text().empty());
  });
}

}  // namespace plimsoll::api
