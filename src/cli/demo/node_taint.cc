#include "cli/demo/node_taint.h"

#include <utility>

#include "base/assert.h"
#include "codec/build.h"
#include "codec/json.h"
#include "codec/value_at.h"

namespace plimsoll::cli {
namespace {

using codec::Value;

constexpr int kTriesMax = 5;

const api::KindDesc& NodeKind() {
  const api::KindDesc* const kind = api::FindKind("", "v1", "Node");
  PL_ASSERT(kind != nullptr);
  return *kind;
}

/// Returns a merge patch that fails if the node has changed since it was read. A taint keeps its
/// place in the list.
std::string PatchFor(const api::Object& node, std::string_view key, std::string_view effect,
                     const std::optional<std::string>& value) {
  codec::Document document;
  Value taints = document.NewArray();
  auto append_wanted = [&, is_done = false]() mutable {
    if (value && !std::exchange(is_done, true)) {
      document.Append(taints, codec::ObjectOf(document, {{"key", Value::String(key)},
                                                         {"value", Value::String(*value)},
                                                         {"effect", Value::String(effect)}}));
    }
  };
  const Value* const spec = node.tree().Find("spec");
  const Value* const before = spec == nullptr ? nullptr : spec->Find("taints");
  if (before != nullptr) {
    for (const Value& taint : before->items()) {
      if (TextAt(taint, "key") == key && TextAt(taint, "effect") == effect) {
        append_wanted();
      } else {
        document.Append(taints, document.Clone(taint));
      }
    }
  }
  append_wanted();
  const Value version = Value::String(node.metadata().resource_version);
  return codec::WriteJson(codec::ObjectOf(
      document, {{"metadata", codec::ObjectOf(document, {{"resourceVersion", version}})},
                 {"spec", codec::ObjectOf(document, {{"taints", taints}})}}));
}

}  // namespace

const api::Taint* FindTaint(const api::Object& node, std::string_view key,
                            std::string_view effect) {
  for (const api::Taint& taint : node.As<api::Node>()->spec.taints) {
    if (taint.key == key && (effect.empty() || taint.effect == effect)) return &taint;
  }
  return nullptr;
}

Result<std::shared_ptr<const api::Object>> SetTaint(
    const client::Client& client, const std::string& node, std::string_view key,
    std::string_view effect, const std::optional<std::string>& value,
    const std::shared_ptr<client::StopSignal>& stop) {
  const client::Resource resource{NodeKind(), {}, node};
  for (int tries = 1;; ++tries) {
    const auto found = client.Get(resource, {}, {.stop = stop});
    if (!found) return std::unexpected(api::ToError(found.error()));
    auto changed = client.Patch(
        resource, PatchFor(**found, key, effect, value),
        {.type = client::PatchType::Merge, .field_manager = "plimsoll-demo"}, {.stop = stop});
    if (changed) return *std::move(changed);
    // Heartbeats change the node, too.
    if (changed.error().code != 409 || tries == kTriesMax) {
      return std::unexpected(api::ToError(changed.error()));
    }
  }
}

}  // namespace plimsoll::cli
