#include "api/core/volume_source.h"

#include "codec/value.h"

namespace plimsoll::api {
namespace {

const codec::Value* Find(const codec::Value* source, std::string_view field) {
  const codec::Value* value = source == nullptr ? nullptr : source->Find(field);
  return value == nullptr || value->is_null() ? nullptr : value;
}

}  // namespace

const codec::Value* FindSource(const PersistentVolumeSpec& spec, std::string_view kind) {
  return Find(spec.source, kind);
}

std::string_view SourceText(const codec::Value* source, std::string_view field) {
  const codec::Value* value = Find(source, field);
  return value == nullptr ? std::string_view() : value->text();
}

bool SourceFlag(const codec::Value* source, std::string_view field) {
  const codec::Value* value = Find(source, field);
  return value != nullptr && value->AsBool();
}

std::vector<std::string_view> SourceTexts(const codec::Value* source, std::string_view field) {
  std::vector<std::string_view> texts;
  const codec::Value* value = Find(source, field);
  if (value == nullptr) return texts;
  for (const codec::Value& item : value->items()) texts.push_back(item.text());
  return texts;
}

}  // namespace plimsoll::api
