#include "runner/device_template.h"

#include <fmt/format.h>

#include <charconv>
#include <memory>
#include <utility>

#include "api/meta/own_annotation.h"
#include "api/object.h"
#include "base/go_duration.h"
#include "codec/json.h"
#include "codec/yaml.h"
#include "runner/limits.h"
#include "runner/node_template.h"

namespace plimsoll::runner {
namespace {

using codec::Document;
using codec::Value;

// Names of annotations behind `plimsoll.io/`.
constexpr std::string_view kDevices = "devices";
constexpr std::string_view kBindingDelay = "binding-delay";
constexpr std::string_view kBindingFailure = "binding-failure";

struct Decoded {
  std::shared_ptr<Document> document;
  std::shared_ptr<const api::Object> object;

  const api::ResourceSlice& view() const { return *object->As<api::ResourceSlice>(); }
};

Result<Decoded> DecodeSlice(std::string_view text, std::int64_t number, std::int64_t device) {
  const std::string filled = PL_TRY(FillIn(text, number, device));
  std::vector<std::unique_ptr<Document>> documents = PL_TRY(codec::ParseYaml(filled));
  if (documents.size() != 1) return Fail(Reason::Invalid, "must be one ResourceSlice");
  Decoded slice{std::move(documents.front()), nullptr};
  Value* const spec = slice.document->root().Find("spec");
  if (spec == nullptr || !spec->is_object()) {
    return Fail(Reason::Invalid,
                "the documents after the template's Node must be ResourceSlices with a spec");
  }
  slice.object =
      PL_TRY(api::DecodeObject(slice.document, {.field_validation = api::FieldValidation::Strict,
                                                .apply_defaults = false}))
          .object;
  if (slice.object->As<api::ResourceSlice>() == nullptr) {
    return Fail(Reason::Invalid,
                fmt::format("the documents after the template's Node must be ResourceSlices, "
                            "got a {}",
                            slice.object->kind().kind));
  }
  return slice;
}

Result<std::int64_t> CountOf(const api::ObjectMeta& metadata) {
  const std::optional<std::string_view> text =
      api::FindOwnAnnotation(metadata.annotations, kDevices);
  if (!text) return 1;
  std::int64_t count = 0;
  const char* const end = text->data() + text->size();
  const auto [stop, error] = std::from_chars(text->data(), end, count);
  if (error != std::errc{} || stop != end || count < 1 || count > kDevicesPerSliceMax) {
    return Fail(Reason::Invalid,
                fmt::format("{}{}: want a number from 1 to {}, got \"{}\"",
                            api::kOwnAnnotationPrefix, kDevices, kDevicesPerSliceMax, *text));
  }
  return count;
}

/// Appends the items of a further device, except those that are the same for all devices.
void AppendOthers(Document& document, Value& spec, const Value& first, const Value& other,
                  std::string_view list) {
  const Value* const of_first = first.Find(list);
  const Value* const of_other = other.Find(list);
  if (of_first == nullptr || of_other == nullptr) return;
  Value* const all = spec.Find(list);
  for (std::size_t i = 0; i < of_other->items().size(); ++i) {
    const Value& item = of_other->items()[i];
    if (i < of_first->items().size() && of_first->items()[i] == item) continue;
    document.Append(*all, document.Clone(item));
  }
}

Result<Duration> DelayOf(const api::ObjectMeta& metadata) {
  const std::optional<std::string_view> text =
      api::FindOwnAnnotation(metadata.annotations, kBindingDelay);
  if (!text) return Duration{};
  const std::optional<Duration> delay = ParseGoDuration(*text);
  if (delay && *delay >= Duration::zero()) return *delay;
  return Fail(Reason::Invalid, fmt::format("{}{}: want a duration such as 2s, got \"{}\"",
                                           api::kOwnAnnotationPrefix, kBindingDelay, *text));
}

}  // namespace

std::vector<std::string_view> SplitDocuments(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  std::size_t line = 0;
  bool has_content = false;
  const auto take = [&](std::size_t end) {
    if (std::exchange(has_content, false)) parts.push_back(text.substr(begin, end - begin));
  };
  while (line < text.size()) {
    const std::size_t end = std::min(text.find('\n', line), text.size());
    const std::string_view its = text.substr(line, end - line);
    const std::size_t next = std::min(end + 1, text.size());
    if (its == "---" || its.starts_with("--- ") || its == "---\r") {
      take(line);
      begin = next;
    } else {
      const std::size_t first = its.find_first_not_of(" \t\r");
      has_content |= first != std::string_view::npos && its[first] != '#';
    }
    line = next;
  }
  take(text.size());
  return parts;
}

Result<agent::HostedSlice> MakeSlice(std::string_view text, std::int64_t number,
                                     std::string_view node) {
  const Decoded first = PL_TRY(DecodeSlice(text, number, 0));
  const api::ResourceSlice& view = first.view();
  agent::HostedSlice slice;
  slice.driver = view.driver;
  slice.pool = view.pool.name.empty() ? node : view.pool.name;
  if (slice.driver.empty()) {
    return Fail(Reason::Invalid,
                "spec.driver: a ResourceSlice of the template must name its driver");
  }
  slice.binding_delay = PL_TRY(DelayOf(view.metadata));
  slice.binding_fails =
      api::FindOwnAnnotation(view.metadata.annotations, kBindingFailure) == "true";
  const std::int64_t count = PL_TRY(CountOf(view.metadata));

  Document document;
  const Value& spec_of_first = *first.document->root().Find("spec");
  Value spec = document.Clone(spec_of_first);
  for (std::int64_t device = 1; device < count; ++device) {
    const Decoded other = PL_TRY(DecodeSlice(text, number, device));
    for (const std::string_view list : {"devices", "taints"}) {
      AppendOthers(document, spec, spec_of_first, *other.document->root().Find("spec"), list);
    }
  }
  slice.is_of_taints = spec.Find("taints") != nullptr;
  document.Remove(spec, "driver");
  document.Remove(spec, "pool");
  if (!view.nodes.node_name && !view.nodes.node_selector && !view.nodes.all_nodes &&
      !view.per_device_node_selection) {
    document.Set(spec, "nodeName", Value::String(node));
  }
  slice.spec = codec::WriteJson(spec);
  return slice;
}

}  // namespace plimsoll::runner
