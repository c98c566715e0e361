// Validates objects of every kind: on creation, as an update and as a status update of another
// object. Prints each as a Table row and as partial metadata, which must be JSON.
//
// Input: a byte that chooses the resource, then one or two objects as JSON, with a NUL between
// them.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/defaults/defaults.h"
#include "api/expression/toleration_expression.h"
#include "api/object.h"
#include "api/validation/object.h"
#include "apiserver/resource/stored_bytes.h"
#include "apiserver/table/table.h"
#include "base/assert.h"
#include "codec/json.h"
#include "cost_bound.h"

namespace {

namespace api = plimsoll::api;
namespace apiserver = plimsoll::apiserver;
namespace codec = plimsoll::codec;

std::shared_ptr<const api::Object> Read(std::string_view text, const api::KindDesc& kind) {
  auto parsed = codec::ParseJson(std::string(text));
  if (!parsed || !(*parsed)->root().is_object()) return nullptr;
  const std::shared_ptr<codec::Document> document = *std::move(parsed);
  std::vector<api::StrictFinding> findings;
  const auto conformed =
      api::Conform(*document, document->root(), *kind.type, api::FieldValidation::Ignore, findings);
  if (!conformed) return nullptr;
  api::ApplyDefaults(*document, document->root(), *kind.type);
  return std::make_shared<const api::Object>(document, document->root(), kind);
}

void CheckErrors(const api::FieldErrors& errors) {
  if (!errors.empty()) PL_ASSERT(!errors.Text().empty());
}

void CheckRow(const apiserver::Resource& resource, const api::Object& object) {
  const auto stored = apiserver::StoredObject::Make(
      resource, apiserver::EncodeForStore(object.tree()), plimsoll::store::Revision{1});
  if (!stored) return;
  std::string row;
  apiserver::AppendTableRow(resource, **stored, apiserver::Negotiated::Include::Object,
                            plimsoll::Instant{}, row);
  PL_ASSERT(codec::ParseJson(row, {.bytes_max = 64u << 20}).has_value());
  std::string metadata;
  apiserver::AppendPartialMetadata(**stored, "v1", metadata);
  PL_ASSERT(codec::ParseJson(metadata, {.bytes_max = 64u << 20}).has_value());
}

void Check(const apiserver::Resource& resource, std::string_view first, std::string_view second) {
  static const api::TolerationExpressions kExpressions;
  const api::ValidationContext context{.gates = {}, .expressions = &kExpressions};
  const auto before = Read(first, *resource.kind);
  if (before == nullptr) return;
  CheckErrors(api::ValidateCreate(*before, context));
  if (resource.is_stored()) CheckRow(resource, *before);
  const auto now = Read(second, *resource.kind);
  if (now == nullptr) return;
  CheckErrors(api::ValidateUpdate(*now, *before, context));
  CheckErrors(api::ValidateStatusUpdate(*now, *before, context));
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  static const apiserver::ResourceTable kResources;
  const apiserver::Resource& resource = kResources.all()[bytes[0] % kResources.all().size()];
  const std::string_view text(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  const std::size_t split = std::min(text.find('\0'), text.size());
  const plimsoll::fuzz::CostBound bound(size, {.bytes_min = 64u << 20});
  Check(resource, text.substr(0, split), split == text.size() ? "" : text.substr(split + 1));
  return 0;
}
