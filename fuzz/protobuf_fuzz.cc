// Decodes protobuf bodies. A message that decodes and conforms to its type must be the same after
// it was encoded and decoded again.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "api/protobuf/decode_protobuf.h"
#include "api/protobuf/encode_for_test.h"
#include "api/schema/conform.h"
#include "base/assert.h"
#include "cost_bound.h"

namespace {

namespace api = plimsoll::api;

const api::KindDesc* KindOf(const api::ProtobufEnvelope& envelope) {
  const std::string_view version = envelope.api_version;
  const std::size_t slash = version.find('/');
  if (slash == std::string_view::npos) return api::FindKind("", version, envelope.kind);
  return api::FindKind(version.substr(0, slash), version.substr(slash + 1), envelope.kind);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const plimsoll::fuzz::CostBound bound(size);
  const std::string_view body(reinterpret_cast<const char*>(bytes), size);
  const auto envelope = api::ReadProtobufEnvelope(body);
  if (!envelope) return 0;
  const api::KindDesc* kind = KindOf(*envelope);
  const api::TypeDesc& type =
      kind != nullptr ? *kind->type : *api::FindType("io.k8s.api.core.v1.Pod");
  const auto decoded = api::DecodeProtobuf(*envelope, type);
  if (!decoded) return 0;
  auto& root = (*decoded)->root();
  std::vector<api::StrictFinding> findings;
  if (!api::Conform(**decoded, root, type, api::FieldValidation::Strict, findings)) return 0;

  const std::string sent = api::EncodeMessage(type, root);
  const auto again = api::DecodeProtobuf({envelope->api_version, envelope->kind, sent}, type,
                                         {.bytes_max = sent.size()});
  PL_ASSERT(again.has_value());
  PL_ASSERT(api::Conform(**again, (*again)->root(), type, api::FieldValidation::Strict, findings)
                .has_value());
  PL_ASSERT((*again)->root() == root);
  return 0;
}
