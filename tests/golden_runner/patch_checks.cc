#include <array>
#include <memory>

#include "api/patch/strategic_merge.h"
#include "base/go_text.h"
#include "codec/json.h"
#include "codec/patch/go_syntax_error.h"
#include "codec/patch/json_patch.h"
#include "codec/patch/merge_patch.h"
#include "golden.h"

namespace plimsoll::golden {
namespace {

using codec::Value;

std::string ErrorJson(std::string_view member, std::string_view message) {
  return "{\"" + std::string(member) + "\":" + GoJsonQuote(message) + "}";
}

std::string ResultJson(const Result<Value>& result) {
  if (!result) return ErrorJson("error", result.error().message);
  return "{\"result\":" + codec::WriteJson(*result) + "}";
}

/// Applies a JSON patch body; `unparsed` is the expected result if it is not JSON.
template <class Apply>
Mismatch Answer(Case& one, const std::string& unparsed, Apply apply) {
  const Value* const patch = one.input.Find("patch");
  const Value* const original = one.input.Find("original");
  if (patch == nullptr || original == nullptr) return "a case needs original and patch";
  const auto parsed = codec::ParseJson(std::string(patch->text()));
  if (!parsed) return DifferJson("answer", one.expect, unparsed);
  return DifferJson("answer", one.expect, apply(*original, (*parsed)->root()));
}

Mismatch CheckJsonPatch(Case& one) {
  const auto decode_error = codec::GoSyntaxError(one.input.Find("patch")->text());
  return Answer(one, ErrorJson("decodeError", decode_error.value_or("")),
                [&](const Value& original, const Value& patch) {
                  const auto result = codec::ApplyJsonPatch(one.document, original, patch);
                  if (!result && result.error().reason == Reason::BadRequest) {
                    return ErrorJson("decodeError", result.error().message);
                  }
                  return ResultJson(result);
                });
}

Mismatch CheckMergePatch(Case& one) {
  return Answer(one, ErrorJson("error", "Invalid JSON Patch"),
                [&](const Value& original, const Value& patch) {
                  return ResultJson(codec::ApplyMergePatch(one.document, original, patch));
                });
}

Mismatch CheckStrategicMerge(Case& one) {
  const Value* const kind = one.input.Find("kind");
  const api::KindDesc* const described = api::FindKind("", "v1", kind->text());
  if (described == nullptr) return "no kind " + std::string(kind->text());
  return Answer(one, ErrorJson("error", "invalid JSON document"),
                [&](const Value& original, const Value& patch) {
                  return ResultJson(
                      api::ApplyStrategicMerge(one.document, original, patch, *described->type));
                });
}

constexpr std::array<Check, 3> kChecks{{
    {"jsonpatch", CheckJsonPatch},
    {"mergepatch", CheckMergePatch},
    {"smp", CheckStrategicMerge},
}};

}  // namespace

std::span<const Check> PatchChecks() { return kChecks; }

}  // namespace plimsoll::golden
