#include "api/extension/extended_claim.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "api/extension/annotation.h"
#include "api/schema/conform.h"
#include "api/schema/fields.h"
#include "api/validation/device/device_checks.h"
#include "api/validation/device/device_claim.h"
#include "codec/json.h"

namespace plimsoll::api {
namespace {

using codec::Document;
using codec::Value;

// Marks tolerations that come from the annotation. No field can have this name.
constexpr std::string_view kMark = "plimsoll.io/!noted";

Annotation ReadTolerations(const Object& claim, const ValidationContext& context) {
  Annotation out = ReadListAnnotation(claim, kTolerationsAnnotation,
                                      fields::resource_v1::DeviceToleration::kTypeId);
  if (!out.is_good()) return out;
  const FieldPath metadata("metadata");
  const FieldPath annotations = metadata / "annotations";
  FieldErrors errors;
  DeviceFindings findings{errors};
  CheckDeviceTolerations(out.document->root().items(), DeviceTolerationOptions(context, nullptr),
                         annotations.Key(kTolerationsAnnotation), findings);
  findings.Finish();
  out.Refuse(errors);
  return out;
}

Value* Find(Value* tree, std::initializer_list<std::string_view> path) {
  for (const std::string_view key : path) {
    if (tree == nullptr || !tree->is_object()) return nullptr;
    tree = tree->Find(key);
  }
  return tree;
}

/// Visits every object in a claim that has tolerations.
template <class Visit>
void ForEachHolder(Value& claim, const Visit& visit) {
  const auto each = [](Value* list, const auto& look) {
    if (list == nullptr || !list->is_array()) return;
    for (Value& item : list->items()) {
      if (item.is_object()) look(item);
    }
  };
  each(Find(&claim, {"spec", "devices", "requests"}), [&](Value& request) {
    if (Value* const exactly = request.Find("exactly");
        exactly != nullptr && exactly->is_object()) {
      visit(*exactly);
    }
    each(request.Find("firstAvailable"), visit);
  });
  each(Find(&claim, {"status", "allocation", "devices", "results"}), visit);
}

bool IsMarked(const Value& value) { return value.is_object() && value.Find(kMark) != nullptr; }

bool HasMarked(const Value& value) {
  return IsMarked(value) || std::ranges::any_of(value.items(), HasMarked) ||
         std::ranges::any_of(value.members(),
                             [](const codec::Member& one) { return HasMarked(one.value); });
}

Value WithoutMarked(Document& document, const Value& value) {
  if (value.is_array()) {
    Value out = document.NewArray();
    for (const Value& item : value.items()) {
      if (!IsMarked(item)) document.Append(out, WithoutMarked(document, item));
    }
    return out;
  }
  if (!value.is_object()) return document.Clone(value);
  Value out = document.NewObject();
  for (const codec::Member& member : value.members()) {
    const Value kept = WithoutMarked(document, member.value);
    // Drop a list whose elements all come from the annotation.
    if (member.value.is_array() && kept.items().empty() && !member.value.items().empty()) continue;
    document.AppendMember(out, {document.CopyText(member.key), kept, member.field});
  }
  return out;
}

}  // namespace

std::shared_ptr<const Object> ExtendClaim(const std::shared_ptr<const Object>& claim,
                                          const ValidationContext& context) {
  if (!claim->metadata().annotations.Has(kTolerationsAnnotation)) return claim;
  const Annotation annotation = ReadTolerations(*claim, context);
  if (!annotation.is_good()) return Unreadable(*claim, annotation.faults);
  auto document = std::make_shared<Document>();
  Value& root = document->root();
  root = document->Clone(claim->tree());
  const Value& noted = annotation.document->root();
  ForEachHolder(root, [&](Value& holder) {
    AppendItems(*document, MemberOf(*document, holder, "tolerations", true), &noted);
  });
  std::vector<StrictFinding> findings;
  const Status status =
      Conform(*document, root, *claim->kind().type, FieldValidation::Ignore, findings);
  if (!status) return Unreadable(*claim, {status.error().message});
  // Set the marks last, because Conform removes unknown fields.
  ForEachHolder(root, [&](Value& holder) {
    const auto items = holder.Find("tolerations")->items();
    for (Value& item : items.last(noted.items().size())) {
      document->Set(item, kMark, Value::Bool(true));
    }
  });
  return std::make_shared<const Object>(std::move(document), root, claim->kind());
}

std::string WriteUnextended(const Value& tree) {
  if (!HasMarked(tree)) return codec::WriteJson(tree);
  Document document;
  return codec::WriteJson(WithoutMarked(document, tree));
}

}  // namespace plimsoll::api
