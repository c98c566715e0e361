// Parses label and field selectors. A selector must be the same after it was printed and parsed
// again.

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "api/selector/field_selector.h"
#include "api/selector/selector.h"
#include "base/assert.h"
#include "cost_bound.h"

namespace {

using plimsoll::api::FieldSelector;
using plimsoll::api::Selector;

void CheckLabels(std::string_view text) {
  const auto selector = Selector::Parse(text);
  if (!selector) return;
  const auto again = Selector::Parse(selector->Text());
  PL_ASSERT(again.has_value());
  PL_ASSERT(again->Text() == selector->Text());
  const plimsoll::api::StringMap labels{{"a", "b"}, {"n", "5"}};
  PL_ASSERT(again->Matches(labels) == selector->Matches(labels));
}

void CheckFields(std::string_view text) {
  const auto selector = FieldSelector::Parse(text);
  if (!selector) return;
  const auto again = FieldSelector::Parse(selector->Text());
  PL_ASSERT(again.has_value());
  PL_ASSERT(std::ranges::is_permutation(again->requirements(), selector->requirements()));
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const plimsoll::fuzz::CostBound bound(size);
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  CheckLabels(text);
  CheckFields(text);
  return 0;
}
