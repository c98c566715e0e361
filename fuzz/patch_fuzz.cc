// Applies JSON, merge and strategic merge patches. Both inputs must be unchanged afterwards, and
// the result must not refer to them.
//
// Input: a byte that chooses the type of patch, then the original and the patch as JSON, with a NUL
// between them.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "api/patch/strategic_merge.h"
#include "base/assert.h"
#include "codec/json.h"
#include "codec/patch/go_syntax_error.h"
#include "codec/patch/json_patch.h"
#include "codec/patch/merge_patch.h"
#include "cost_bound.h"

namespace {

using plimsoll::Result;
using plimsoll::codec::Document;
using plimsoll::codec::Value;

Result<Value> Apply(std::uint8_t selector, Document& out, const Value& original,
                    const Value& patch) {
  switch (selector % 4) {
    case 0:
      return plimsoll::codec::ApplyJsonPatch(out, original, patch);
    case 1:
      return plimsoll::codec::ApplyMergePatch(out, original, patch);
    default: {
      const auto* const kind =
          plimsoll::api::FindKind("", "v1", selector % 4 == 2 ? "Pod" : "Node");
      return plimsoll::api::ApplyStrategicMerge(out, original, patch, *kind->type);
    }
  }
}

void Check(std::uint8_t selector, const std::string& original, const std::string& patch) {
  auto from = plimsoll::codec::ParseJson(original);
  auto change = plimsoll::codec::ParseJson(patch);
  // Go's parser accepts everything that ours accepts.
  if (from) PL_ASSERT(!plimsoll::codec::GoSyntaxError(original));
  if (!from || !change) return;
  const std::string from_text = plimsoll::codec::WriteJson((*from)->root());
  const std::string change_text = plimsoll::codec::WriteJson((*change)->root());
  Document out;
  const Result<Value> result = Apply(selector, out, (*from)->root(), (*change)->root());
  PL_ASSERT(plimsoll::codec::WriteJson((*from)->root()) == from_text);
  PL_ASSERT(plimsoll::codec::WriteJson((*change)->root()) == change_text);
  if (!result) {
    PL_ASSERT(!result.error().message.empty());
    return;
  }
  from->reset();
  change->reset();
  PL_ASSERT(!plimsoll::codec::WriteJson(*result).empty());
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const plimsoll::fuzz::CostBound bound(size);
  const std::string_view text(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  const std::size_t split = text.find('\0');
  if (split == std::string_view::npos) return 0;
  Check(bytes[0], std::string(text.substr(0, split)), std::string(text.substr(split + 1)));
  return 0;
}
