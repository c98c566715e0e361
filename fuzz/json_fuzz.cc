// Parses JSON. A document must be the same tree after it was written as compact JSON, as indented
// JSON and as YAML. A parse that leaves out members must return the same tree without them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/assert.h"
#include "codec/json.h"
#include "codec/yaml.h"
#include "cost_bound.h"

namespace {

using plimsoll::codec::Document;
using plimsoll::codec::Member;
using plimsoll::codec::Value;

/// Changes numbers to those that YAML reads, which go through a double. Returns false when a double
/// cannot hold one of them.
bool ReadNumbersAsYaml(Document& document, Value& value) {
  if (value.kind() == Value::Kind::Number) {
    const auto parsed = plimsoll::codec::ParseYaml(plimsoll::codec::WriteYaml(value));
    PL_ASSERT(parsed.has_value());
    const Value& number = parsed->front()->root();
    if (!number.is_number()) return false;
    value = document.Clone(number);
  }
  for (Value& item : value.items()) {
    if (!ReadNumbersAsYaml(document, item)) return false;
  }
  for (Member& member : value.members()) {
    if (!ReadNumbersAsYaml(document, member.value)) return false;
  }
  return true;
}

void CheckYaml(Document& document) {
  Value& root = document.root();
  const auto parsed = plimsoll::codec::ParseYaml(plimsoll::codec::WriteYaml(root));
  PL_ASSERT(parsed.has_value() && parsed->size() == 1);
  if (ReadNumbersAsYaml(document, root)) PL_ASSERT(parsed->front()->root() == root);
}

/// Parses without the objects and arrays at `a.b`, and compares with the whole tree.
void CheckSkipped(const std::string& text, const Value& root) {
  constexpr std::array<std::string_view, 2> kPath{"a", "b"};
  const std::array<plimsoll::codec::KeyPath, 1> skipped{kPath};
  const auto parsed = plimsoll::codec::ParseJson(text, {}, skipped);
  PL_ASSERT(parsed.has_value());
  const Value& rest = (*parsed)->root();
  PL_ASSERT(rest.members().size() == root.members().size());
  for (std::size_t i = 0; i < root.members().size(); ++i) {
    const Member& whole = root.members()[i];
    const Member& part = rest.members()[i];
    PL_ASSERT(part.key == whole.key);
    if (whole.key != "a" || !whole.value.is_object()) {
      PL_ASSERT(part.value == whole.value);
      continue;
    }
    std::size_t at = 0;
    for (const Member& inner : whole.value.members()) {
      const bool is_kept =
          inner.key != "b" || (!inner.value.is_object() && !inner.value.is_array());
      if (!is_kept) continue;
      PL_ASSERT(at < part.value.members().size());
      PL_ASSERT(part.value.members()[at].key == inner.key);
      PL_ASSERT(part.value.members()[at++].value == inner.value);
    }
    PL_ASSERT(at == part.value.members().size());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const plimsoll::fuzz::CostBound bound(size);
  const std::string given(reinterpret_cast<const char*>(bytes), size);
  auto parsed = plimsoll::codec::ParseJson(given);
  if (!parsed.has_value()) return 0;
  Document& document = **parsed;
  const std::string compact = plimsoll::codec::WriteJson(document.root());
  for (const std::string& text : {compact, plimsoll::codec::WriteJsonPretty(document.root())}) {
    const auto again = plimsoll::codec::ParseJson(text);
    PL_ASSERT(again.has_value());
    PL_ASSERT((*again)->root() == document.root());
    PL_ASSERT((*again)->duplicates().empty());
    PL_ASSERT(plimsoll::codec::WriteJson((*again)->root()) == compact);
  }
  CheckSkipped(compact, document.root());
  CheckYaml(document);
  return 0;
}
