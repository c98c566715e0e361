#include "controller/node_taint_rule/owned_taint.h"

#include <utility>
#include <vector>

#include "api/core/node.h"
#include "base/time_arithmetic.h"
#include "codec/json.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

constexpr std::string_view kNoExecute = "NoExecute";
/// A record has at most some 400 bytes. A longer one is not from this controller.
constexpr std::size_t kRecordBytesMax = 4096;

std::string RecordText(const TaintOwner& owner, const OwnedTaint& taint) {
  return JsonText()
      .Text("key", owner.key)
      .Text("value", taint.value)
      .Text("effect", taint.effect)
      .Text("time", FormatMicroTime(taint.changed_at))
      .Done();
}

struct Record {
  std::string key;
  OwnedTaint taint;
};

Record ReadRecord(std::string_view text) {
  Record record;
  if (text.size() > kRecordBytesMax) return record;
  const auto document = codec::ParseJson(std::string(text));
  if (!document) return record;
  const codec::Value& root = (*document)->root();
  record.key = TextAt(root, {"key"});
  record.taint.value = TextAt(root, {"value"});
  record.taint.effect = TextAt(root, {"effect"});
  record.taint.changed_at = TimeAt(root, {"time"}).value_or(Instant{});
  return record;
}

std::string TaintText(const TaintOwner& owner, const OwnedTaint& taint, bool has_time) {
  JsonText text;
  text.Text("key", owner.key).Text("value", taint.value).Text("effect", taint.effect);
  if (has_time && taint.effect == kNoExecute) {
    text.Text("timeAdded", FormatTime(RoundUpToSecond(taint.changed_at)));
  }
  return text.Done();
}

std::string ApplyBody(const api::Object& node, const TaintOwner& owner,
                      const std::optional<OwnedTaint>& taint) {
  JsonText metadata;
  metadata.Text("name", node.metadata().name).Text("uid", node.metadata().uid);
  JsonText body;
  body.Text("apiVersion", "v1").Text("kind", "Node");
  if (taint) {
    metadata.Raw("annotations",
                 JsonText().Text(owner.annotation(), RecordText(owner, *taint)).Done());
    body.Raw("spec", JsonText().Raw("taints", "[" + TaintText(owner, *taint, false) + "]").Done());
  }
  return body.Raw("metadata", metadata.Done()).Done();
}

/// Returns the list of taints with the owner's replaced. The others stay as they are.
std::string TaintsText(const api::Object& node, const TaintOwner& owner,
                       const std::optional<OwnedTaint>& taint) {
  const std::optional<OwnedTaint> before = OwnedTaintOf(node, owner);
  std::string list;
  const auto append = [&](const std::string& item) { list += (list.empty() ? "" : ",") + item; };
  if (const codec::Value* const taints = FindAt(node.tree(), {"spec", "taints"})) {
    for (const codec::Value& item : taints->items()) {
      const std::string_view effect = TextAt(item, {"effect"});
      const bool is_old =
          before && effect == before->effect && TextAt(item, {"value"}) == before->value;
      const bool is_new = taint && effect == taint->effect;
      if (TextAt(item, {"key"}) == owner.key && (is_old || is_new)) continue;
      append(codec::WriteJson(item));
    }
  }
  if (taint) append(TaintText(owner, *taint, true));
  return list.empty() ? "null" : "[" + list + "]";
}

std::string MergeBody(const api::Object& node, const TaintOwner& owner,
                      const std::optional<OwnedTaint>& taint) {
  const std::string record =
      taint ? JsonText().Text(owner.annotation(), RecordText(owner, *taint)).Done()
            : JsonText().Raw(owner.annotation(), "null").Done();
  return JsonText()
      .Raw("metadata", JsonText()
                           .Text("resourceVersion", node.metadata().resource_version)
                           .Text("uid", node.metadata().uid)
                           .Raw("annotations", record)
                           .Done())
      .Raw("spec", JsonText().Raw("taints", TaintsText(node, owner, taint)).Done())
      .Done();
}

}  // namespace

std::optional<OwnedTaint> OwnedTaintOf(const api::Object& node, const TaintOwner& owner) {
  const auto text = node.metadata().annotations.Find(owner.annotation());
  if (!text) return std::nullopt;
  Record record = ReadRecord(*text);
  // A record of another key is none of this rule, whose key cannot change.
  if (record.key != owner.key) return OwnedTaint{};
  return std::move(record.taint);
}

std::optional<std::string_view> TaintOn(const api::Object& node, std::string_view key,
                                        std::string_view effect) {
  for (const api::Taint& taint : node.As<api::Node>()->spec.taints) {
    if (taint.key == key && taint.effect == effect) return taint.value;
  }
  return std::nullopt;
}

PatchObject OwnedTaintPatch(const ObjectPtr& node, const TaintOwner& owner,
                            const std::optional<OwnedTaint>& taint, bool owns_single_taints) {
  PatchObject patch{.object = node};
  if (owns_single_taints) {
    patch.form = PatchForm::ApplyUnforced;
    patch.body = ApplyBody(*node, owner, taint);
    patch.field_manager = owner.manager();
  } else {
    patch.body = MergeBody(*node, owner, taint);
  }
  return patch;
}

PatchObject RecordRemoval(const ObjectPtr& node, const TaintOwner& owner) {
  return {.object = node,
          .body = JsonText()
                      .Raw("metadata", JsonText()
                                           .Text("uid", node->metadata().uid)
                                           .Raw("annotations",
                                                JsonText().Raw(owner.annotation(), "null").Done())
                                           .Done())
                      .Done()};
}

bool IsFreeFor(const api::Object& node, const TaintOwner& owner, std::string_view effect) {
  const std::optional<std::string_view> value = TaintOn(node, owner.key, effect);
  if (!value) return true;
  const std::optional<OwnedTaint> own = OwnedTaintOf(node, owner);
  return own && own->effect == effect && own->value == *value;
}

std::string_view OtherOwnerOf(const api::Object& node, const TaintOwner& owner,
                              std::string_view effect) {
  for (const auto& [key, text] : node.metadata().annotations) {
    if (!key.starts_with(kOwnedTaintPrefix)) continue;
    const std::string_view rule = key.substr(kOwnedTaintPrefix.size());
    if (rule == owner.rule) continue;
    const Record record = ReadRecord(text);
    if (record.key == owner.key && record.taint.effect == effect) return rule;
  }
  return {};
}

}  // namespace plimsoll::controller
