// Server-side apply of an arbitrary configuration to an arbitrary stored pod. The managed fields
// that are written must read back as the same. A manager must be able to apply its
// configuration a second time without conflicts.
//
// Input: the stored pod and the configuration as JSON, with a NUL between them.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "api/apply/apply.h"
#include "api/apply/check_config.h"
#include "api/apply/managed_fields.h"
#include "base/assert.h"
#include "codec/json.h"
#include "cost_bound.h"

namespace {

using plimsoll::api::ApplyRequest;
using plimsoll::codec::Document;
using plimsoll::codec::Value;

const plimsoll::api::KindDesc& Pod() { return *plimsoll::api::FindKind("", "v1", "Pod"); }

void CheckOwners(const Value& object) {
  const Value* const metadata = object.Find("metadata");
  const Value* const list = metadata == nullptr ? nullptr : metadata->Find("managedFields");
  Document arena;
  const auto managed = plimsoll::api::ManagedFields::Decode(arena, list);
  PL_ASSERT(managed.has_value());
  if (list == nullptr) return;
  PL_ASSERT(managed->Encode(arena) == *list);
}

void Check(const std::string& stored, const std::string& config) {
  const auto pod = plimsoll::codec::ParseJson(stored);
  const auto wanted = plimsoll::codec::ParseJson(config);
  // The server stores only objects that conform to their type.
  if (!pod || !plimsoll::api::CheckConfig((*pod)->root(), *Pod().type).empty()) return;
  ApplyRequest request{.writer = {.manager = "one", .kind = &Pod()}, .is_forced = true};
  plimsoll::api::UpdateManagedFields(**pod, (*pod)->root(), nullptr, request.writer);
  CheckOwners((*pod)->root());
  if (!wanted) return;
  request.writer.manager = "two";
  Document out;
  const auto first = plimsoll::api::Apply(out, &(*pod)->root(), (*wanted)->root(), request);
  if (!first) return;
  CheckOwners(first->object);
  request.is_forced = false;
  const auto second = plimsoll::api::Apply(out, &first->object, (*wanted)->root(), request);
  PL_ASSERT(second.has_value() && second->conflicts.empty());
  CheckOwners(second->object);
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const plimsoll::fuzz::CostBound bound(size, {.bytes_min = 16u << 20});
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const std::size_t split = text.find('\0');
  if (split == std::string_view::npos) return 0;
  Check(std::string(text.substr(0, split)), std::string(text.substr(split + 1)));
  return 0;
}
