#pragma once

#include <memory>
#include <string>

#include "api/defaults/defaults.h"
#include "api/object.h"
#include "codec/json.h"

namespace plimsoll::api {

/// Test case: a manifest, and the expected value of a part of it after defaulting.
struct DefaultsCase {
  std::string name;
  std::string json;
  std::string path;  // path of the part; empty: the whole object
  std::string want;  // JSON
};

/// Defaulted pod template without content.
inline const std::string kEmptyTemplate =
    R"({"spec":{"dnsPolicy":"ClusterFirst","restartPolicy":"Always","schedulerName":)"
    R"("default-scheduler","terminationGracePeriodSeconds":30,"securityContext":{}}})";

/// Returns the manifest of a pod with this spec, or with this container.
inline std::string PodWith(const std::string& spec) {
  return R"({"apiVersion":"v1","kind":"Pod","spec":)" + spec + "}";
}
inline std::string PodWithContainer(const std::string& container) {
  return PodWith(R"({"containers":[)" + container + "]}");
}

/// Returns a description of the failure; empty if none. Also checks that defaulting is idempotent.
inline std::string DefaultsFault(const DefaultsCase& test) {
  auto parsed = codec::ParseJson(test.json);
  const auto want = codec::ParseJson(test.want);
  if (!parsed || !want) return "no JSON";
  const std::shared_ptr<codec::Document> document = *std::move(parsed);
  const auto decoded = DecodeObject(document, {.field_validation = FieldValidation::Strict});
  if (!decoded) return decoded.error().message;
  const codec::Value* got = FindPath(document->root(), test.path);
  if (*got != (*want)->root()) return "got " + codec::WriteJson(*got);

  const std::string once = codec::WriteJson(document->root());
  ApplyDefaults(*document, document->root(), *decoded->object->kind().type);
  const std::string twice = codec::WriteJson(document->root());
  return once == twice ? "" : "set again: " + twice;
}

}  // namespace plimsoll::api
