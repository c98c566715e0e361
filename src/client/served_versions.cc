#include "client/served_versions.h"

#include <algorithm>

#include "api/schema/api_version.h"
#include "codec/json.h"
#include "codec/value_at.h"

namespace plimsoll::client {
namespace {

constexpr int kNotFound = 404;

}  // namespace

std::vector<const api::KindDesc*> AlikeVersions(const api::KindDesc& kind) {
  std::vector<const api::KindDesc*> alike;
  for (const api::KindDesc& one : api::AllKinds()) {
    if (one.group == kind.group && one.kind == kind.kind && one.plural == kind.plural &&
        one.type == kind.type) {
      alike.push_back(&one);
    }
  }
  return alike;
}

bool IsUnservedPath(const api::StatusObject& refusal) {
  return refusal.code == kNotFound && (!refusal.details || refusal.details->name.empty());
}

Result<std::vector<std::string>> ReadGroupVersions(std::string document) {
  const auto parsed = PL_TRY(codec::ParseJson(std::move(document)));
  std::vector<std::string> versions;
  const codec::Value* const listed = parsed->root().Find("versions");
  if (listed == nullptr) return versions;
  for (const codec::Value& one : listed->items()) versions.emplace_back(TextAt(one, "version"));
  return versions;
}

Result<bool> HasResource(std::string document, std::string_view plural) {
  const auto parsed = PL_TRY(codec::ParseJson(std::move(document)));
  const codec::Value* const resources = parsed->root().Find("resources");
  return resources != nullptr &&
         std::ranges::any_of(resources->items(), [&](const codec::Value& one) {
           return TextAt(one, "name") == plural;
         });
}

std::string BodyInVersion(std::string json, const api::KindDesc& from, const api::KindDesc& to) {
  if (&from == &to) return json;
  const auto parsed = codec::ParseJson(json);
  if (!parsed || TextAt((*parsed)->root(), "apiVersion") != ApiVersionOf(from)) return json;
  codec::Document& document = **parsed;
  document.Set(document.root(), "apiVersion", document.NewString(ApiVersionOf(to)));
  return codec::WriteJson(document.root());
}

const api::KindDesc& ServedVersions::Of(const api::KindDesc& kind) const {
  const std::scoped_lock lock(mutex_);
  const auto known = by_kind_.find({kind.group, kind.kind});
  // A version with other fields cannot replace it.
  return known == by_kind_.end() || known->second->type != kind.type ? kind : *known->second;
}

void ServedVersions::Learn(const api::KindDesc& served) {
  const std::scoped_lock lock(mutex_);
  by_kind_[{served.group, served.kind}] = &served;
}

}  // namespace plimsoll::client
