#include "apiserver/subresource/amend.h"

namespace plimsoll::apiserver {

api::Answer<ObjectPtr> Amend(Writer& writer, const WriteTarget& target,
                             const Amendment& amendment) {
  ObjectPtr current = PL_TRY(writer.Find(target, /*is_latest=*/false));
  while (true) {
    if (current == nullptr) return std::unexpected(api::NotFound(target.Subject()));
    const std::shared_ptr<const api::Object> before = PL_TRY(current->Decode());
    const auto draft = std::make_shared<codec::Document>(2 * current->bytes()->size());
    draft->root() = draft->Clone(before->tree());
    PL_TRY(amendment(ObjectEditor(*draft, before->kind()), *before));
    if (target.is_dry_run || draft->root() == before->tree()) return current;
    const auto written = PL_TRY(writer.Commit(target, target.name, draft, current->revision()));
    if (written) return written->object;
    current = PL_TRY(writer.Find(target, /*is_latest=*/true));
  }
}

ObjectEditor SetCondition(ObjectEditor object, std::string_view type, std::string_view status,
                          std::string_view reason, std::string_view message, Instant now) {
  const ObjectEditor parent = object.Child("status");
  codec::Document& document = parent.document();
  codec::Value* list = parent.Find("conditions");
  if (list == nullptr) list = &parent.Set("conditions", document.NewArray(1));
  const api::TypeDesc* item_type = parent.ItemType("conditions");
  codec::Value* found = nullptr;
  for (codec::Value& item : list->items()) {
    if (TextAt(item, "type") == type) found = &item;
  }
  if (found == nullptr) {
    document.Append(*list, document.NewObject(6));
    found = &list->items().back();
  }
  const ObjectEditor condition(document, *found, item_type);
  const bool is_transition = condition.Text("status") != status;
  condition.SetText("type", type);
  condition.SetText("status", status);
  if (is_transition) condition.SetText("lastTransitionTime", FormatTime(now));
  for (const auto& [field, text] : {std::pair("reason", reason), std::pair("message", message)}) {
    if (text.empty()) {
      condition.Remove(field);
    } else {
      condition.SetText(field, text);
    }
  }
  return condition;
}

}  // namespace plimsoll::apiserver
