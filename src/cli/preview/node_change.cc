#include "cli/preview/node_change.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "api/core/node.h"
#include "api/core/taint.h"
#include "api/validation/object.h"
#include "base/suggest.h"
#include "codec/json.h"
#include "codec/value_at.h"

namespace plimsoll::cli {
namespace {

using codec::Document;
using codec::Value;

const std::vector<std::string> kEffects = {"NoSchedule", "PreferNoSchedule", "NoExecute"};

Status CheckEffect(std::string_view effect) {
  if (std::ranges::find(kEffects, effect) != kEffects.end()) return {};
  std::string message = fmt::format(
      "\"{}\" is no effect of a taint: want NoExecute, NoSchedule or PreferNoSchedule", effect);
  if (const auto nearest = Nearest(effect, kEffects)) {
    message += fmt::format("; did you mean {}?", *nearest);
  }
  return Fail(Reason::Invalid, std::move(message));
}

std::unexpected<Error> NoTaint(std::string_view word) {
  return Fail(Reason::Invalid,
              fmt::format("\"{}\" is no taint: want key=value:Effect or key:Effect, or key- or "
                          "key:Effect- to remove it",
                          word));
}

bool IsAbout(const TaintEdit& edit, const Value& taint) {
  return TextAt(taint, "key") == edit.key &&
         (edit.effect.empty() || TextAt(taint, "effect") == edit.effect);
}

Value NewTaint(const TaintEdit& edit, Document& document) {
  Value taint = document.NewObject();
  document.Set(taint, "key", document.NewString(edit.key));
  if (!edit.value.empty()) document.Set(taint, "value", document.NewString(edit.value));
  document.Set(taint, "effect", document.NewString(edit.effect));
  return taint;
}

/// Returns the taints after the edit. Sets `is_changed` if they differ.
std::vector<Value> Edited(std::vector<Value> taints, const TaintEdit& edit, Document& document,
                          bool& is_changed) {
  std::vector<Value> edited;
  bool is_set = edit.is_removal;
  for (Value& taint : taints) {
    if (!IsAbout(edit, taint)) {
      edited.push_back(std::move(taint));
    } else if (edit.is_removal) {
      is_changed = true;
    } else if (TextAt(taint, "value") == edit.value) {
      is_set = true;
      edited.push_back(std::move(taint));
    } else {
      is_set = true;
      is_changed = true;
      edited.push_back(NewTaint(edit, document));
    }
  }
  if (is_set) return edited;
  is_changed = true;
  edited.push_back(NewTaint(edit, document));
  return edited;
}

/// Returns the node's document and its `spec`.
struct EditableNode {
  std::shared_ptr<Document> document;
  Value* spec = nullptr;
};
EditableNode Edit(const api::Object& node) {
  EditableNode out{std::make_shared<Document>(), nullptr};
  out.document->root() = out.document->Clone(node.tree());
  Value& root = out.document->root();
  if (root.Find("spec") == nullptr) out.document->Set(root, "spec", out.document->NewObject());
  out.spec = root.Find("spec");
  return out;
}

Result<ObjectPtr> Decoded(const EditableNode& node, const api::KindDesc& kind) {
  auto decoded = api::DecodeObject(
      node.document, {.tree = &node.document->root(), .path = {}, .implied_kind = &kind},
      {.field_validation = api::FieldValidation::Ignore, .apply_defaults = false});
  if (!decoded) return std::unexpected(std::move(decoded.error()));
  return std::move(decoded->object);
}

}  // namespace

std::string TaintEdit::Text() const {
  std::string text = key;
  if (!value.empty()) text += "=" + value;
  if (!effect.empty()) text += ":" + effect;
  return is_removal ? text + "-" : text;
}

Result<TaintEdit> ParseTaintEdit(std::string_view word) {
  TaintEdit edit;
  std::string_view rest = word;
  if (rest.ends_with('-')) {
    edit.is_removal = true;
    rest.remove_suffix(1);
  }
  const std::size_t colon = rest.rfind(':');
  if (colon != std::string_view::npos) {
    edit.effect = rest.substr(colon + 1);
    PL_TRY(CheckEffect(edit.effect));
    rest = rest.substr(0, colon);
  } else if (!edit.is_removal) {
    return NoTaint(word);
  }
  const std::size_t equals = rest.find('=');
  edit.key = rest.substr(0, equals);
  if (edit.key.empty()) return NoTaint(word);
  if (equals != std::string_view::npos) {
    if (edit.is_removal) {
      return Fail(Reason::Invalid, fmt::format("\"{}\": a taint is removed by its key, and effect, "
                                               "alone: {}-",
                                               word, edit.key));
    }
    edit.value = rest.substr(equals + 1);
  }
  return edit;
}

Result<ObjectPtr> WithTaints(const ObjectPtr& node, std::span<const TaintEdit> edits) {
  const EditableNode copy = Edit(*node);
  std::vector<Value> taints;
  if (const Value* const list = copy.spec->Find("taints"); list != nullptr && list->is_array()) {
    for (const Value& taint : list->items()) taints.push_back(copy.document->Clone(taint));
  }
  bool is_changed = false;
  for (const TaintEdit& edit : edits) {
    taints = Edited(std::move(taints), edit, *copy.document, is_changed);
  }
  if (!is_changed) return node;
  Value list = copy.document->NewArray(taints.size());
  for (Value& taint : taints) copy.document->Append(list, std::move(taint));
  copy.document->Set(*copy.spec, "taints", list);
  ObjectPtr changed = PL_TRY(Decoded(copy, node->kind()));
  const api::FieldErrors faults = api::ValidateUpdate(*changed, *node, {});
  // A node of a file may have faults of its own, such as no resourceVersion.
  if (!faults.empty() && faults.Text() != api::ValidateUpdate(*node, *node, {}).Text()) {
    return Fail(Reason::Invalid, api::InvalidPrefix(*changed) + faults.Text());
  }
  return changed;
}

Result<ObjectPtr> WithUnschedulable(const ObjectPtr& node, bool is_unschedulable) {
  if (node->As<api::Node>()->spec.unschedulable == is_unschedulable) return node;
  const EditableNode copy = Edit(*node);
  if (is_unschedulable) {
    copy.document->Set(*copy.spec, "unschedulable", Value::Bool(true));
  } else {
    copy.document->Remove(*copy.spec, "unschedulable");
  }
  return Decoded(copy, node->kind());
}

std::string NodePatch(const api::Object& before, const api::Object& after) {
  Document document;
  Value root = document.NewObject();
  if (!before.metadata().resource_version.empty()) {
    Value metadata = document.NewObject();
    document.Set(metadata, "resourceVersion",
                 document.NewString(before.metadata().resource_version));
    document.Set(root, "metadata", metadata);
  }
  Value spec = document.NewObject();
  const Value* const old_spec = before.tree().Find("spec");
  const Value* const new_spec = after.tree().Find("spec");
  for (const std::string_view field : {"taints", "unschedulable"}) {
    const Value* const was = old_spec == nullptr ? nullptr : old_spec->Find(field);
    const Value* const is = new_spec == nullptr ? nullptr : new_spec->Find(field);
    const std::string old_text = was == nullptr ? "null" : codec::WriteJson(*was);
    const std::string new_text = is == nullptr ? "null" : codec::WriteJson(*is);
    if (old_text == new_text) continue;
    document.Set(spec, field, is == nullptr ? Value::Null() : document.Clone(*is));
  }
  document.Set(root, "spec", spec);
  return codec::WriteJson(root);
}

}  // namespace plimsoll::cli
