#include "apiserver/review/review_json.h"

#include <algorithm>

#include "apiserver/authz/policy_rule.h"
#include "codec/json.h"

namespace plimsoll::apiserver {

using codec::Value;

Value WriteUser(const User& user, codec::Document& document) {
  Value out = document.NewObject(4);
  if (!user.name.empty()) document.Set(out, "username", document.NewString(user.name));
  if (!user.uid.empty()) document.Set(out, "uid", document.NewString(user.uid));
  if (!user.groups.empty()) document.Set(out, "groups", WriteTexts(user.groups, document));
  if (!user.extra.empty()) {
    Value extra = document.NewObject(user.extra.size());
    for (const auto& [key, values] : user.extra) {
      document.Set(extra, document.CopyText(key), WriteTexts(values, document));
    }
    document.Set(out, "extra", extra);
  }
  return out;
}

User ReadUser(const Value& spec) {
  User user;
  user.name = TextAt(spec, "user");
  user.uid = TextAt(spec, "uid");
  user.groups = ReadTexts(spec.Find("groups"));
  if (const Value* const extra = spec.Find("extra")) {
    for (const codec::Member& member : extra->members()) {
      user.extra[std::string(member.key)] = ReadTexts(&member.value);
    }
  }
  return user;
}

std::string WriteReview(codec::Document& document, std::string_view group, std::string_view kind,
                        const Value& review, const Value* spec, const Value& status) {
  Value root = document.NewObject(5);
  document.Set(root, "kind", Value::String(kind));
  document.Set(root, "apiVersion", document.NewString(std::string(group) + "/v1"));
  const Value* const metadata = review.Find("metadata");
  document.Set(root, "metadata",
               metadata != nullptr ? document.Clone(*metadata) : document.NewObject());
  document.Set(root, "spec", spec != nullptr ? document.Clone(*spec) : document.NewObject());
  document.Set(root, "status", status);
  return codec::WriteJson(root);
}

bool IsMetadataEmpty(const Value& review, bool may_have_namespace) {
  const Value* const metadata = review.Find("metadata");
  return metadata == nullptr ||
         std::ranges::all_of(metadata->members(), [&](const codec::Member& member) {
           const Value& value = member.value;
           const bool is_empty = value.is_null() || (value.is_string() && value.text().empty()) ||
                                 (value.is_object() && value.members().empty()) ||
                                 (value.is_array() && value.items().empty());
           return is_empty || member.key == "managedFields" ||
                  (may_have_namespace && member.key == "namespace");
         });
}

}  // namespace plimsoll::apiserver
