#include "apiserver/read/scale.h"

#include <fmt/format.h>

#include "apiserver/table/printers.h"
#include "base/go_text.h"
#include "codec/json.h"

namespace plimsoll::apiserver {

std::optional<std::string> ScaleJson(const StoredObject& workload) {
  const auto document =
      codec::ParseJson(*workload.bytes(), {.bytes_max = workload.bytes()->size()});
  if (!document) return std::nullopt;
  const Source source((*document)->root(), {});
  const codec::Value* selector = source.Find("spec.selector");
  // The selector of a ReplicationController is a plain map.
  const bool is_map = workload.resource().kind->kind == "ReplicationController";
  std::string selector_text = is_map ? FormatLabels(selector) : FormatSelector(selector);
  if (selector_text == "<none>") selector_text.clear();

  std::string out = R"({"kind":"Scale","apiVersion":"autoscaling/v1","metadata":{)";
  out += fmt::format(R"("name":{},"namespace":{})", GoJsonQuote(workload.name()),
                     GoJsonQuote(workload.namespace_()));
  for (const std::string_view field : {"uid", "resourceVersion", "creationTimestamp"}) {
    const std::string_view value = source.Text(fmt::format("metadata.{}", field));
    if (!value.empty()) out += fmt::format(R"(,"{}":{})", field, GoJsonQuote(value));
  }
  const std::int64_t wanted = source.Int("spec.replicas");
  out += wanted == 0 ? "},\"spec\":{}" : fmt::format(R"(}},"spec":{{"replicas":{}}})", wanted);
  out += fmt::format(R"(,"status":{{"replicas":{})", source.Int("status.replicas"));
  if (!selector_text.empty()) out += fmt::format(R"(,"selector":{})", GoJsonQuote(selector_text));
  out += "}}";
  return out;
}

}  // namespace plimsoll::apiserver
