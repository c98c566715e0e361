#include "codec/clone_bytes.h"

namespace plimsoll::codec {

std::size_t CloneBytes(const Value& tree) {
  std::size_t bytes = alignof(Value);
  if (tree.is_string() || tree.kind() == Value::Kind::Number) bytes += tree.text().size();
  for (const Value& item : tree.items()) bytes += sizeof(Value) + CloneBytes(item);
  for (const Member& member : tree.members()) {
    bytes += sizeof(Member) + member.key.size() + CloneBytes(member.value);
  }
  return bytes;
}

}  // namespace plimsoll::codec
