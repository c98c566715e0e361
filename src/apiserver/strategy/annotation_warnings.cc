#include "apiserver/strategy/annotation_warnings.h"

#include <fmt/format.h>

#include <string_view>

#include "api/meta/own_annotation.h"
#include "apiserver/strategy/object_editor.h"

namespace plimsoll::apiserver {
namespace {

using codec::Value;

void Warn(const Value* annotations, const Value* before, std::string_view at,
          std::vector<std::string>& warnings) {
  if (annotations == nullptr) return;
  for (const codec::Member& member : annotations->members()) {
    const std::string advice = api::DeprecationOf(member.key);
    if (advice.empty()) continue;
    if (before != nullptr && before->Find(member.key) != nullptr) continue;
    warnings.push_back(fmt::format("{}[{}]: {}", at, member.key, advice));
  }
}

}  // namespace

void WarnAboutAnnotations(const Value& tree, const Value* before,
                          std::vector<std::string>& warnings) {
  Warn(FindAt(tree, "metadata", "annotations"),
       before == nullptr ? nullptr : FindAt(*before, "metadata", "annotations"),
       "metadata.annotations", warnings);
  Warn(FindAt(tree, "spec", "template", "metadata", "annotations"),
       before == nullptr ? nullptr : FindAt(*before, "spec", "template", "metadata", "annotations"),
       "spec.template.metadata.annotations", warnings);
}

}  // namespace plimsoll::apiserver
