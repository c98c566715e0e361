#pragma once

#include <memory>
#include <string>
#include <vector>

#include "api/apply/apply.h"
#include "base/assert.h"
#include "codec/json.h"

/// Test helpers for applies and updates: objects as JSON texts, and a fixed clock.
namespace plimsoll::api {

class ApplyForTest {
 public:
  static constexpr Instant kNow{std::chrono::seconds(1'700'000'000)};
  static constexpr std::string_view kNowText = "2023-11-14T22:13:20Z";

  const codec::Value& Parse(const std::string& json) {
    auto parsed = codec::ParseJson(json);
    PL_ASSERT(parsed.has_value());
    documents_.push_back(*std::move(parsed));
    return documents_.back()->root();
  }

  static FieldWriter Writer(std::string_view manager, std::string_view kind = "Pod",
                            std::string_view subresource = {}) {
    const bool is_core = kind == "Pod" || kind == "ConfigMap" || kind == "Node";
    return {.manager = manager,
            .kind = FindKind(is_core ? "" : "apps", "v1", kind),
            .subresource = subresource,
            .now = kNow};
  }

  /// Returns the object after a create or an update, as JSON.
  std::string Update(const std::string& live, const std::string& object,
                     const FieldWriter& writer) {
    auto document = *codec::ParseJson(object);
    const codec::Value* const before = live.empty() ? nullptr : &Parse(live);
    UpdateManagedFields(*document, document->root(), before, writer);
    return codec::WriteJson(document->root());
  }

  /// Returns one line per entry: `manager operation [subresource] time fieldsV1`.
  std::string Owners(const std::string& object) {
    const codec::Value& root = Parse(object);
    const codec::Value* const list = root.Find("metadata")->Find("managedFields");
    std::string text;
    if (list == nullptr) return text;
    for (const codec::Value& entry : list->items()) {
      for (const std::string_view key : {"manager", "operation", "subresource", "time"}) {
        if (const codec::Value* const value = entry.Find(key)) {
          text += key == "time" && value->text() == kNowText ? "now" : value->text();
          text += ' ';
        }
      }
      text += codec::WriteJson(*entry.Find("fieldsV1")) + "\n";
    }
    return text;
  }

  Result<ApplyResult> TryApply(const std::string& live, const std::string& config,
                               const FieldWriter& writer, bool is_forced = false) {
    const codec::Value* const before = live.empty() ? nullptr : &Parse(live);
    return api::Apply(out_, before, Parse(config), {.writer = writer, .is_forced = is_forced});
  }

  /// Returns the object after an apply as JSON, or the error or conflict message.
  std::string Apply(const std::string& live, const std::string& config, const FieldWriter& writer,
                    bool is_forced = false) {
    const auto result = TryApply(live, config, writer, is_forced);
    if (!result) return result.error().message;
    if (!result->conflicts.empty()) return result->conflict_message;
    return codec::WriteJson(result->object);
  }

 private:
  codec::Document out_;
  std::vector<std::unique_ptr<codec::Document>> documents_;
};

}  // namespace plimsoll::api
