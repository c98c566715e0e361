#include "api/extension/annotation.h"

#include <utility>

#include "api/extension/extension.h"
#include "api/schema/conform.h"
#include "codec/json.h"

namespace plimsoll::api {
namespace {

using codec::Document;
using codec::Value;

// Holds the faults of an object. No server accepts an annotation with this name.
constexpr std::string_view kFaultAnnotation = "plimsoll.io/!fault";
// The limit for all annotations of an object together.
constexpr codec::ParseLimits kLimits{
    .bytes_max = 256u << 10, .depth_max = 32, .values_max = 65'536};

}  // namespace

void Annotation::Refuse(std::string_view place, std::string_view why) {
  std::string fault = "metadata.annotations[";
  fault.append(name).append("]").append(place).append(": ").append(why);
  faults.push_back(std::move(fault));
}

void Annotation::Refuse(const FieldErrors& errors) {
  for (const FieldError& error : errors.list()) faults.push_back(error.Text());
}

Annotation ReadAnnotation(const Object& object, std::string_view name) {
  Annotation out{.name = name, .document = nullptr, .faults = {}};
  const auto text = object.metadata().annotations.Find(name);
  if (!text) return out;
  auto parsed = codec::ParseJson(std::string(*text), kLimits);
  if (parsed) {
    out.document = *std::move(parsed);
  } else {
    out.Refuse({}, parsed.error().message);
  }
  return out;
}

Annotation ReadListAnnotation(const Object& object, std::string_view name, TypeId item) {
  Annotation out = ReadAnnotation(object, name);
  if (out.document == nullptr) return out;
  Value& root = out.document->root();
  if (!root.is_array()) {
    out.Refuse({}, "must be a list of tolerations");
    return out;
  }
  for (std::size_t i = 0; i < root.items().size(); ++i) {
    ConformAnnotation(out, root.items()[i], item, "[" + std::to_string(i) + "]");
  }
  return out;
}

bool ConformAnnotation(Annotation& annotation, Value& value, TypeId type, std::string_view place) {
  if (!value.is_object()) {
    annotation.Refuse(place, "must be an object");
    return false;
  }
  std::vector<StrictFinding> findings;
  const Status status = Conform(*annotation.document, value, Describe(type),
                                FieldValidation::Strict, findings, place);
  if (!status) annotation.Refuse(place, status.error().message);
  return status.has_value();
}

Value& MemberOf(Document& document, Value& object, std::string_view key, bool is_list) {
  Value* const found = object.Find(key);
  const bool is_there = found != nullptr && (is_list ? found->is_array() : found->is_object());
  if (is_there) return *found;
  return document.Set(object, key, is_list ? document.NewArray() : document.NewObject());
}

void AppendItems(Document& document, Value& list, const Value* items) {
  if (items == nullptr) return;
  for (const Value& item : items->items()) document.Append(list, document.Clone(item));
}

std::shared_ptr<const Object> Unreadable(const Object& object,
                                         const std::vector<std::string>& faults) {
  std::string text;
  for (const std::string& fault : faults) {
    if (!text.empty()) text += ", ";
    text += fault;
  }
  if (faults.size() > 1) text = "[" + text + "]";
  auto document = std::make_shared<Document>();
  Value& root = document->root();
  root = document->Clone(object.tree());
  // The object has annotations, or it would have no faults.
  Value& annotations = *root.Find("metadata")->Find("annotations");
  document->Set(annotations, kFaultAnnotation, document->NewString(text));
  return std::make_shared<const Object>(std::move(document), root, object.kind());
}

std::string_view FaultOf(const Object& object) {
  return object.metadata().annotations.Find(kFaultAnnotation).value_or(std::string_view());
}

}  // namespace plimsoll::api
