// Whatever parses as JSON is written back to the same tree, in either form, and as YAML.

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/assert.h"
#include "codec/json.h"
#include "codec/yaml.h"

namespace {

using plimsoll::codec::Document;
using plimsoll::codec::Member;
using plimsoll::codec::Value;

/// The tree as YAML reads it: numbers go through a double. False when one is beyond it.
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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  auto parsed = plimsoll::codec::ParseJson(std::string(reinterpret_cast<const char*>(bytes), size));
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
  CheckYaml(document);
  return 0;
}
