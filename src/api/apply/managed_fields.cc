#include "api/apply/managed_fields.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/go_text.h"

namespace plimsoll::api {
namespace {

using codec::Value;

std::string_view TextAt(const Value& entry, std::string_view key) {
  const Value* const value = entry.Find(key);
  return value != nullptr && value->is_string() ? value->text() : std::string_view();
}

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

}  // namespace

bool ManagedEntry::IsSameManager(const ManagedEntry& other) const {
  return manager == other.manager && operation == other.operation &&
         subresource == other.subresource &&
         (operation == Operation::Apply || api_version == other.api_version);
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
  for (std::size_t i = 0; i < list->items().size(); ++i) {
    ManagedEntry entry = PL_TRY(DecodeEntry(arena, list->items()[i], i));
    if (ManagedEntry* const same = managed.Find(entry)) {
      *same = std::move(entry);
    } else {
      managed.entries_.push_back(std::move(entry));
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

void ManagedFields::RemoveEmpty() {
  std::erase_if(entries_, [](const ManagedEntry& entry) { return entry.fields.empty(); });
}

void ManagedFields::Cap() {
  std::vector<ManagedEntry> updates;
  for (const ManagedEntry& entry : entries_) {
    if (entry.operation == ManagedEntry::Operation::Update) updates.push_back(entry);
  }
  if (updates.size() <= kUpdatesMax) return;
  std::ranges::sort(updates, {}, [](const ManagedEntry& entry) {
    return std::tuple(Seconds(entry), entry.manager, entry.api_version, entry.subresource);
  });
  std::size_t left = updates.size();
  // The oldest of a version waits alone until there is another to join it with.
  std::vector<const ManagedEntry*> firsts;
  const auto erase = [this](const ManagedEntry& like) {
    std::erase_if(entries_, [&](const ManagedEntry& entry) { return entry.IsSameManager(like); });
  };
  for (const ManagedEntry& update : updates) {
    if (left <= kUpdatesMax) break;
    const auto first = std::ranges::find(firsts, update.api_version, &ManagedEntry::api_version);
    if (first == firsts.end()) {
      firsts.push_back(&update);
      continue;
    }
    const ManagedEntry like{.manager = "ancient-changes", .api_version = update.api_version};
    FieldSet joined;
    if (const ManagedEntry* const bucket = Find(like)) {
      joined = bucket->fields.Union(update.fields);
    } else {
      joined = (*first)->fields.Union(update.fields);
      erase(**first);
    }
    erase(like);
    erase(update);
    entries_.push_back({.manager = like.manager,
                        .api_version = update.api_version,
                        .time = update.time,
                        .fields = std::move(joined)});
    --left;
  }
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
