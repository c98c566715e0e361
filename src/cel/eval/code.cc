#include "cel/eval/code.h"

#include <algorithm>

namespace plimsoll::cel {
namespace {

/// Memory of a prepared call outside the arena: a compiled regular expression.
constexpr std::size_t kPreparedBytes = 8 << 10;

}  // namespace

void Code::Shrink() {
  instructions.shrink_to_fit();
  constants.shrink_to_fit();
  calls.shrink_to_fit();
}

std::size_t Code::bytes() const {
  const auto is_prepared = [](const PlannedCall& call) { return call.prepared.call != nullptr; };
  const auto prepared = static_cast<std::size_t>(std::ranges::count_if(calls, is_prepared));
  return sizeof(Code) + instructions.capacity() * sizeof(Instruction) +
         constants.capacity() * sizeof(Value) + calls.capacity() * sizeof(PlannedCall) +
         sets.capacity() * sizeof(void*) + optionals.size() * sizeof(std::vector<bool>) +
         memory.arena().bytes_held() + prepared * kPreparedBytes;
}

}  // namespace plimsoll::cel
