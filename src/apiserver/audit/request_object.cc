#include "apiserver/audit/request_object.h"

#include "apiserver/strategy/object_editor.h"
#include "codec/json.h"
#include "codec/yaml.h"

namespace plimsoll::apiserver {
namespace {

using codec::Value;

std::unique_ptr<codec::Document> ParseText(std::string_view text, bool is_yaml) {
  if (!is_yaml) {
    auto parsed = codec::ParseJson(std::string(text));
    return parsed ? *std::move(parsed) : nullptr;
  }
  auto parsed = codec::ParseYaml(text);
  return parsed && !parsed->empty() ? std::move(parsed->front()) : nullptr;
}

void RemoveFromObject(codec::Document& document, Value& object) {
  if (Value* const metadata = object.Find("metadata"); metadata && metadata->is_object()) {
    document.Remove(*metadata, "managedFields");
  }
}

}  // namespace

void RemoveManagedFields(codec::Document& document, Value& object) {
  RemoveFromObject(document, object);
  if (Value* const items = object.Find("items")) {
    for (Value& item : items->items()) RemoveFromObject(document, item);
  }
  if (Value* const rows = object.Find("rows")) {
    for (Value& row : rows->items()) {
      if (Value* const shown = row.Find("object")) RemoveFromObject(document, *shown);
    }
  }
}

void AuditRequestObject(const ApiRequest& request, const Value& object) {
  if (request.audit == nullptr || request.audit->rule.level == AuditLevel::None) return;
  AuditRecord& record = *request.audit;
  record.object_namespace = TextAt(object, "metadata", "namespace");
  record.object_name = TextAt(object, "metadata", "name");
  record.object_uid = TextAt(object, "metadata", "uid");
  record.object_resource_version = TextAt(object, "metadata", "resourceVersion");
  if (record.rule.level < AuditLevel::Request) return;
  if (!record.rule.omits_managed_fields) {
    record.request_object = codec::WriteJson(object);
    return;
  }
  codec::Document copy;
  copy.root() = copy.Clone(object);
  RemoveManagedFields(copy, copy.root());
  record.request_object = codec::WriteJson(copy.root());
}

void AuditRequestPatch(const ApiRequest& request) {
  if (request.audit == nullptr || request.audit->rule.level < AuditLevel::Request) return;
  const bool is_yaml = request.http.headers.Find("Content-Type").contains("yaml");
  const auto document = ParseText(request.http.body, is_yaml);
  if (document == nullptr) return;
  if (request.audit->rule.omits_managed_fields) RemoveManagedFields(*document, document->root());
  request.audit->request_object = codec::WriteJson(document->root());
}

}  // namespace plimsoll::apiserver
