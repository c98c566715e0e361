#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "api/object.h"
#include "base/assert.h"
#include "codec/yaml.h"
#include "scheduler/cluster/pod_class.h"

/// For tests: builds objects from YAML, in flow style where that is shorter.
namespace plimsoll::scheduler {

/// Aborts if the text does not decode. Defaults are not applied.
inline ObjectPtr FromYaml(std::string_view text) {
  auto documents = codec::ParseYaml(text);
  PL_ASSERT(documents.has_value() && documents->size() == 1);
  std::shared_ptr<codec::Document> document = std::move(documents->front());
  auto decoded = api::DecodeObject(document, {.apply_defaults = false});
  if (!decoded) std::fprintf(stderr, "%s\n", decoded.error().Text().c_str());
  PL_ASSERT(decoded.has_value());
  return decoded->object;
}

/// `Named("Pod", "default", "p", "spec: {nodeName: n}")`; derives the uid from the name.
inline ObjectPtr Named(std::string_view kind, std::string_view namespace_, std::string_view name,
                       std::string_view rest, std::string_view metadata = {},
                       std::string_view version = "v1") {
  std::string text;
  text.append("apiVersion: ").append(version).append("\nkind: ").append(kind);
  text.append("\nmetadata: {name: '").append(name).append("'");
  if (!namespace_.empty()) text.append(", namespace: ").append(namespace_);
  text.append(", uid: uid-").append(namespace_).append("-").append(name);
  if (!metadata.empty()) text.append(", ").append(metadata);
  text.append("}\n").append(rest).append("\n");
  return FromYaml(text);
}

inline ObjectPtr PodFromYaml(std::string_view name, std::string_view spec,
                             std::string_view metadata = {}, std::string_view status = "{}") {
  return Named("Pod", "default", name,
               "spec: " + std::string(spec) + "\nstatus: " + std::string(status), metadata);
}

inline ObjectPtr NodeFromYaml(std::string_view name, std::string_view status = "{}",
                              std::string_view spec = "{}", std::string_view metadata = {}) {
  return Named("Node", "", name, "spec: " + std::string(spec) + "\nstatus: " + std::string(status),
               metadata);
}

}  // namespace plimsoll::scheduler
