// Matches a toleration with a taint in three ways: with the plain matcher, the diagnosis and the
// compiled table. The table gets one taint at a time, and a set of taints. All must agree.
//
// Input: a byte of feature gates, then lines: toleration key, operator, value, effect; taint key,
// value, effect.

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "cost_bound.h"
#include "match/diagnosis.h"
#include "match/index/taint_table.h"
#include "match/toleration.h"

namespace {

using plimsoll::match::Rules;

void Check(const plimsoll::api::Toleration& toleration, const plimsoll::api::Taint& taint,
           const Rules& rules) {
  const bool want = plimsoll::match::Tolerates(toleration, taint, rules);
  const auto attempt = plimsoll::match::Examine(0, toleration, taint, rules);
  PL_ASSERT((attempt.fault == plimsoll::match::TolerationFault::None) == want);

  plimsoll::match::TaintTable table(rules);
  const auto id = table.Acquire(taint);
  const auto compiled = table.Compile(toleration);
  std::array<std::uint8_t, 1> marked{};
  if (compiled) table.MarkTolerated(*compiled, marked);
  PL_ASSERT((compiled && table.Tolerates(*compiled, id)) == want);
  PL_ASSERT((marked[0] != 0) == want);
  if (compiled) table.Release(*compiled);
  table.Release(id);

  const plimsoll::match::TaintDiagnosis diagnosis{&taint, true, attempt};
  PL_ASSERT(!ToText(diagnosis).empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const plimsoll::fuzz::CostBound bound(size);
  const Rules rules{.comparison = (data[0] & 1) != 0, .semver = (data[0] & 2) != 0};
  std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  std::array<std::string_view, 7> lines;
  for (std::string_view& line : lines) {
    line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
  }
  Check({.key = lines[0], .op = lines[1], .value = lines[2], .effect = lines[3]},
        {lines[4], lines[5], lines[6], ""}, rules);
  // With the same key on both sides the matchers come to compare the values more often.
  Check({.key = lines[0], .op = lines[1], .value = lines[2]}, {lines[0], lines[5], lines[6], ""},
        rules);
  return 0;
}
