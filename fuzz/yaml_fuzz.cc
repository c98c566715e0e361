// Parses YAML. A document must be the same tree after it was written as YAML and as JSON.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "codec/json.h"
#include "codec/yaml.h"
#include "cost_bound.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const plimsoll::fuzz::CostBound bound(size);
  // Small limits, so that a few aliases reach them.
  const plimsoll::codec::ParseLimits limits{
      .bytes_max = 1u << 16, .depth_max = 50, .values_max = 5000};
  const auto documents =
      plimsoll::codec::ParseYaml({reinterpret_cast<const char*>(bytes), size}, limits);
  if (!documents.has_value()) return 0;
  for (const auto& document : *documents) {
    const auto& root = document->root();
    const auto json = plimsoll::codec::ParseJson(plimsoll::codec::WriteJson(root));
    PL_ASSERT(json.has_value() && (*json)->root() == root);
    const std::string text = plimsoll::codec::WriteYaml(root);
    const auto yaml = plimsoll::codec::ParseYaml(text);
    PL_ASSERT(yaml.has_value() && yaml->size() == 1 && yaml->front()->root() == root);
    PL_ASSERT(plimsoll::codec::WriteYaml(yaml->front()->root()) == text);
  }
  return 0;
}
