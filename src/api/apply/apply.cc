#include "api/apply/apply.h"

#include <algorithm>
#include <utility>

#include "api/apply/check_config.h"
#include "api/apply/compare.h"
#include "api/apply/managed_fields.h"
#include "api/apply/merge_trees.h"
#include "api/apply/taint_ownership.h"
#include "api/apply/update_managed.h"
#include "api/apply/zero_object.h"
#include "api/defaults/defaults.h"
#include "api/defaults/stored_form.h"
#include "api/schema/conform.h"
#include "base/go_text.h"
#include "codec/json.h"
#include "codec/value_at.h"

namespace plimsoll::api {
namespace {

using codec::Document;
using codec::Member;
using codec::Value;

constexpr std::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";

/// Returns kubectl's last-applied annotation, which client-side apply maintains.
std::string_view LastAppliedOf(const Value& object) {
  return TextAt(object, "metadata", "annotations", kLastApplied);
}

/// `default/web; apps/v1, Kind=Deployment`
std::string Describe(const Value& config, const KindDesc& kind) {
  return std::string(TextAt(config, "metadata", "namespace")) + "/" +
         std::string(TextAt(config, "metadata", "name")) + "; " + std::string(kind.group) + "/" +
         std::string(kind.version) + ", Kind=" + std::string(kind.kind);
}

/// Returns upstream's sort key of managers.
std::string Identifier(const ManagedEntry& entry) {
  const bool is_apply = entry.operation == ManagedEntry::Operation::Apply;
  std::string text = "{\"manager\":" + GoJsonQuote(entry.manager) + ",\"operation\":\"" +
                     (is_apply ? "Apply" : "Update") + "\"";
  if (!is_apply) text += ",\"apiVersion\":" + GoJsonQuote(entry.api_version);
  if (!entry.subresource.empty()) text += ",\"subresource\":" + GoJsonQuote(entry.subresource);
  return text + "}";
}

/// Fields that another manager would lose.
struct Contest {
  const ManagedEntry* owner = nullptr;
  FieldSet fields;
};

std::size_t CountOf(const std::vector<Contest>& contests) {
  std::size_t count = 0;
  for (const Contest& contest : contests) {
    contest.fields.ForEach([&](std::span<const PathElement>) { ++count; });
  }
  return count;
}

/// Writes the conflicts of a rejected apply into `result`.
void Tell(std::vector<Contest> contests, ApplyResult& result) {
  std::ranges::sort(contests, {},
                    [](const Contest& contest) { return Identifier(*contest.owner); });
  const std::size_t count = CountOf(contests);
  std::string& message = result.conflict_message;
  message =
      "Apply failed with " + std::to_string(count) + (count == 1 ? " conflict: " : " conflicts: ");
  for (const Contest& contest : contests) {
    const std::string owner = contest.owner->Text();
    if (count > 1) {
      message += (&contest == &contests.front() ? "" : "\n");
      message += "conflicts with " + owner + ":";
    }
    contest.fields.ForEach([&](std::span<const PathElement> path) {
      const std::string field = PathText(path);
      result.conflicts.push_back({field, "conflict with " + owner});
      message += count == 1 ? result.conflicts.back().message + ": " + field : "\n- " + field;
    });
  }
}

/// Returns a copy with members sorted by key, as Go writes maps.
Value Sorted(Document& out, const Value& value) {
  Value copy = value;
  if (value.is_array()) {
    copy = out.NewArray(value.items().size());
    for (const Value& item : value.items()) out.Append(copy, Sorted(out, item));
  } else if (value.is_object()) {
    copy = out.NewObject(value.members().size());
    for (const Member& member : value.members()) {
      out.AppendMember(copy, {member.key, Sorted(out, member.value)});
    }
    std::ranges::sort(copy.members(), {}, &Member::key);
  }
  return copy;
}

/// One attempt to apply.
class Applier {
 public:
  Applier(Document& out, const Value* live, const Value& config, const FieldWriter& writer)
      : out_(out),
        live_(live == nullptr ? nothing_ : *live),
        is_created_(live == nullptr),
        config_(config),
        writer_(writer),
        kind_(*writer.kind),
        type_(OwnedType(*kind_.type, writer.owns_single_taints)),
        version_(ApiVersionText(kind_)),
        reset_(ResetFields(kind_, writer.subresource)) {}

  Status ReadManagers() {
    auto managed = ManagedFields::Decode(arena_, FindAt(live_, "metadata", "managedFields"));
    if (!managed) {
      return Fail(Reason::InternalError,
                  "failed to decode managed fields: " + managed.error().message);
    }
    managed_ = *std::move(managed);
    ReconcileTaintOwners(arena_, managed_, live_, kind_, writer_.owns_single_taints);
    if (managed_.empty() && !is_created_) {
      // Ownership was not tracked so far: one manager stands for all previous writers.
      const Value zero = ZeroObject(arena_, type_);
      RecordUpdate(managed_, Compare(arena_, zero, live_, type_),
                   {.manager = "before-first-apply",
                    .api_version = version_,
                    .subresource = writer_.subresource,
                    .time = writer_.now},
                   kind_);
    }
    return {};
  }

  ApplyResult Run(bool is_forced) {
    const Value merged = MergeTrees(out_, live_, config_, type_);
    const ManagedEntry like{.manager = writer_.manager.empty() ? "unknown" : writer_.manager,
                            .operation = ManagedEntry::Operation::Apply,
                            .api_version = version_,
                            .subresource = writer_.subresource};
    ManagedEntry self = like;
    self.fields = FieldsOf(arena_, config_, type_).RecursiveDifference(reset_);
    ManagedEntry last;
    if (ManagedEntry* const found = managed_.Find(like)) {
      last = *found;
      self.time = found->time;
    }
    ApplyResult result{.object = Prune(merged, last, self)};
    Comparison comparison = Compare(arena_, live_, result.object, type_);
    Exclude(reset_, comparison);
    if (!is_forced) {
      std::vector<Contest> contests = FindContests(comparison, like);
      if (!contests.empty()) {
        Tell(std::move(contests), result);
        return result;
      }
    }
    TakeFromOthers(managed_, comparison, kind_, &like);
    result.is_unchanged = !is_created_ && result.object == live_;
    if (!result.is_unchanged) self.time = writer_.now;
    Finish(std::move(self), result.object);
    return result;
  }

 private:
  std::vector<Contest> FindContests(const Comparison& comparison, const ManagedEntry& self) {
    const FieldSet changed = comparison.modified.Union(comparison.added);
    std::vector<Contest> contests;
    for (const ManagedEntry& entry : managed_.entries()) {
      if (entry.IsSameManager(self) || entry.api_version != version_) continue;
      FieldSet contested = entry.fields.Intersection(changed);
      if (!contested.empty()) contests.push_back({&entry, std::move(contested)});
    }
    if (contests.empty()) return contests;
    const FieldSet allowed = AllowedByLastApplied();
    for (Contest& contest : contests) contest.fields = contest.fields.Difference(allowed);
    std::erase_if(contests, [](const Contest& contest) { return contest.fields.empty(); });
    return contests;
  }

  /// Returns the fields that kubectl set by client-side apply and that are still as it left them.
  /// It may take those over without a conflict.
  FieldSet AllowedByLastApplied() {
    if (writer_.manager != "kubectl") return {};
    const std::string_view text = LastAppliedOf(live_);
    if (text.empty()) return {};
    const auto parsed = codec::ParseJson(std::string(text));
    if (!parsed) return {};
    const Value last = arena_.Clone((*parsed)->root());
    const Value* const version = last.Find("apiVersion");
    if (version == nullptr || !version->is_string() || version->text() != version_) return {};
    if (!CheckConfig(last, type_).empty()) return {};
    FieldSet changed = ChangedSince(last);
    if (!changed.empty()) {
      // The server stores defaults and canonical quantities, which the annotation does not have. An
      // atomic field that differs only by them is unchanged: `fieldRef` without its `apiVersion`.
      Value stored = arena_.Clone(last);
      if (PutAsStored(stored)) changed = changed.Intersection(ChangedSince(stored));
    }
    return FieldsOf(arena_, last, type_).Difference(changed);
  }

  /// Returns the fields in which the live object differs from `tree`.
  FieldSet ChangedSince(const Value& tree) {
    const Comparison since = Compare(arena_, tree, live_, type_);
    return since.modified.Union(since.added).Union(since.removed);
  }

  /// Gives a tree in the arena the form in which the server would store it. Returns false if the
  /// tree does not fit its type.
  bool PutAsStored(Value& tree) {
    std::vector<StrictFinding> findings;
    if (!Conform(arena_, tree, type_, FieldValidation::Ignore, findings)) return false;
    ApplyDefaults(arena_, tree, type_);
    PutInStoredForm(arena_, tree, type_);
    return true;
  }

  /// Removes fields that the manager applied last time, omits now, and no other manager owns.
  Value Prune(const Value& merged, const ManagedEntry& last, const ManagedEntry& self) {
    if (last.fields.empty() || last.api_version != version_) return merged;
    FieldSet owned = self.fields;
    for (const ManagedEntry& entry : managed_.entries()) {
      if (entry.IsSameManager(self) || entry.api_version != version_) continue;
      owned = owned.Union(entry.fields);
    }
    owned = WithStructFieldsAsMembers(owned, type_);
    const FieldSet gone = WithStructFieldsAsMembers(last.fields, type_);
    if (gone.Difference(owned).empty()) return merged;

    const FieldSet all = WithStructFieldsAsMembers(FieldsOf(arena_, merged, type_), type_);
    const auto fields_after = [&](const FieldSet& removed) {
      const Value tree = RemoveFields(arena_, merged, removed, type_);
      return WithStructFieldsAsMembers(FieldsOf(arena_, tree, type_), type_);
    };
    // Removing a list element also removes fields in it that other managers own, or nobody owns.
    // Such fields are found and kept.
    const FieldSet unowned = all.Difference(fields_after(gone).Union(owned));
    const FieldSet removed = all.Difference(fields_after(unowned)).Intersection(gone);
    return RemoveFields(out_, merged, removed, type_);
  }

  void Finish(ManagedEntry self, Value& object) {
    self.fields = self.fields.Difference(UnownedFields());
    auto& entries = managed_.entries();
    std::erase_if(entries, [&](const ManagedEntry& entry) { return entry.IsSameManager(self); });
    if (!self.fields.empty()) entries.push_back(std::move(self));
    Value* metadata = object.Find("metadata");
    // The configuration may contain `metadata: null`, and there may be no live object.
    if (metadata == nullptr || !metadata->is_object()) {
      metadata = &out_.Set(object, "metadata", out_.NewObject());
    }
    out_.Remove(*metadata, "managedFields");
    if (!managed_.empty()) out_.Set(*metadata, "managedFields", managed_.Encode(out_));
    if (writer_.manager == "kubectl" && !LastAppliedOf(object).empty())
      KeepUpLastApplied(*metadata);
  }

  void KeepUpLastApplied(Value& metadata) {
    Value config = Sorted(arena_, config_);
    if (Value* const inner = config.Find("metadata")) {
      if (Value* const annotations = inner->Find("annotations")) {
        arena_.Remove(*annotations, kLastApplied);
      }
    }
    out_.Set(*metadata.Find("annotations"), kLastApplied,
             out_.NewString(codec::WriteJson(config) + "\n"));
  }

  Document arena_{4096};
  const Value nothing_ = arena_.NewObject();
  Document& out_;
  const Value& live_;
  const bool is_created_;
  const Value& config_;
  const FieldWriter& writer_;
  const KindDesc& kind_;
  const TypeDesc& type_;
  const std::string version_;
  const FieldSet reset_;
  ManagedFields managed_;
};

}  // namespace

Result<ApplyResult> Apply(Document& out, const Value* live, const Value& config,
                          const ApplyRequest& request) {
  const KindDesc& kind = *request.writer.kind;
  const std::string version = ApiVersionText(kind);
  const Value* const given = config.Find("apiVersion");
  if (given == nullptr || !given->is_string() || given->text() != version) {
    const bool is_text = given != nullptr && given->is_string();
    return Fail(Reason::BadRequest,
                "Incorrect version specified in apply patch. Specified patch version: " +
                    std::string(is_text ? given->text() : "") + ", expected: " + version);
  }
  const Value* const named = config.Find("kind");
  if (named != nullptr && (!named->is_string() || named->text() != kind.kind)) {
    return Fail(Reason::InternalError,
                "failed to create typed patch object (" + Describe(config, kind) +
                    "): no corresponding type for " + version +
                    ", Kind=" + (named->is_string() ? std::string(named->text()) : std::string()));
  }
  if (const Value* const list = FindAt(config, "metadata", "managedFields");
      list != nullptr && !list->is_null()) {
    return Fail(Reason::BadRequest, "metadata.managedFields must be nil");
  }
  const TypeDesc& type = OwnedType(*kind.type, request.writer.owns_single_taints);
  if (const std::string fault = CheckConfig(config, type); !fault.empty()) {
    return Fail(Reason::InternalError,
                "failed to create typed patch object (" + Describe(config, kind) + "): " + fault);
  }
  Applier applier(out, live, config, request.writer);
  PL_TRY(applier.ReadManagers());
  return applier.Run(request.is_forced);
}

}  // namespace plimsoll::api
