#include "apiserver/write/versions.h"

#include "apiserver/resource/conversion.h"
#include "codec/json.h"

namespace plimsoll::apiserver {
namespace {

/// Assigns the field numbers of the new type to the members.
api::Answer<void> Renumber(codec::Document& document, const api::KindDesc& kind) {
  std::vector<api::StrictFinding> findings;
  const Status conformed =
      api::Conform(document, document.root(), *kind.type, api::FieldValidation::Ignore, findings);
  if (!conformed) return std::unexpected(api::InternalError(conformed.error().message));
  return {};
}

}  // namespace

WriteTarget StoredTarget(const Writer& writer, const WriteTarget& served) {
  WriteTarget target = served;
  target.served = served.resource;
  target.resource = &writer.Stored(*served.resource);
  return target;
}

api::Answer<Draft> ToStoredDraft(const Resource& served, Draft draft) {
  if (served.kind == served.stored) return draft;
  draft->root() = ToStored(served, draft->root(), *draft);
  PL_TRY(Renumber(*draft, *served.stored));
  return draft;
}

api::Answer<ServedObject> ToServedObject(const Resource& served, const api::Object* stored) {
  if (stored == nullptr || served.kind == served.stored) {
    return ServedObject{.converted = nullptr, .object = stored};
  }
  auto document = std::make_shared<codec::Document>();
  document->root() = ToServed(served, document->Clone(stored->tree()), *document);
  PL_TRY(Renumber(*document, *served.kind));
  auto converted = std::make_shared<const api::Object>(document, document->root(), *served.kind);
  const api::Object* const object = converted.get();
  return ServedObject{.converted = std::move(converted), .object = object};
}

api::Answer<std::string> ToServedJson(const Resource& served, std::string json) {
  if (served.kind == served.stored) return json;
  const std::size_t bytes = json.size();
  const auto parsed = codec::ParseJson(std::move(json), {.bytes_max = bytes});
  if (!parsed) return std::unexpected(api::InternalError(parsed.error().message));
  codec::Document document;
  return codec::WriteJson(ToServed(served, (*parsed)->root(), document));
}

}  // namespace plimsoll::apiserver
