#include "apiserver/table/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "apiserver/cache/json_scan.h"
#include "apiserver/strategy/strategy.h"
#include "base/assert.h"
#include "base/go_text.h"
#include "codec/json.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::array<api::ColumnDesc, 2> kPlainColumns = {
    api::ColumnDesc{"Name", "string", "name", 0, ""},
    api::ColumnDesc{"Created At", "date", "", 0, ""},
};

std::span<const api::ColumnDesc> ColumnsOf(const Resource& resource) {
  if (resource.kind->columns.empty()) return kPlainColumns;
  return resource.kind->columns;
}

/// Returns the text of `metadata` in the stored bytes.
std::string_view MetadataOf(const StoredObject& object) {
  JsonScan scan(*object.bytes());
  JsonScan::RawText key;
  if (!scan.Enter()) return "{}";
  while (scan.NextKey(key)) {
    if (key.raw == "metadata") return scan.SkipRaw();
    scan.Skip();
  }
  return "{}";
}

}  // namespace

std::string ColumnDefinitionsJson(const Resource& resource) {
  std::string out = "\"columnDefinitions\":[";
  for (const api::ColumnDesc& column : ColumnsOf(resource)) {
    if (out.back() != '[') out += ',';
    out += fmt::format(R"({{"name":{},"type":{},"format":{},"description":"","priority":{}}})",
                       GoJsonQuote(column.name), GoJsonQuote(column.type),
                       GoJsonQuote(column.format), column.priority);
  }
  out += ']';
  return out;
}

void OrderRows(const Resource& resource, std::vector<ObjectPtr>& objects) {
  const std::string_view field = StrategyOf(*resource.kind).print_order;
  if (field.empty()) return;
  std::vector<std::pair<std::int64_t, ObjectPtr>> rows;
  rows.reserve(objects.size());
  for (ObjectPtr& object : objects) {
    const auto decoded = object->Decode();
    const std::int64_t value = !decoded ? 0 : Source((*decoded)->tree(), {}).Int(field);
    rows.emplace_back(value, std::move(object));
  }
  // Stable: the objects are already sorted by name.
  std::ranges::stable_sort(rows, {}, &std::pair<std::int64_t, ObjectPtr>::first);
  for (std::size_t i = 0; i < rows.size(); ++i) objects[i] = std::move(rows[i].second);
}

void AppendTableRow(const Resource& resource, const StoredObject& object,
                    Negotiated::Include include, Instant now, std::string& out) {
  out += "{\"cells\":[";
  const auto document = codec::ParseJson(*object.bytes(), {.bytes_max = object.bytes()->size()});
  const codec::Value nothing;
  const codec::Value& tree = document ? (*document)->root() : nothing;
  Cells cells(out);
  StrategyOf(*resource.kind).print(Source(tree, now), cells);
  out += "],\"object\":";
  switch (include) {
    case Negotiated::Include::None:
      out += "null";
      break;
    case Negotiated::Include::Metadata:
      AppendPartialMetadata(object, "v1", out);
      break;
    case Negotiated::Include::Object:
      out += *object.bytes();
      break;
  }
  out += '}';
}

void AppendPartialMetadata(const StoredObject& object, std::string_view version, std::string& out) {
  out += R"({"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/)";
  out += version;
  out += "\",\"metadata\":";
  out += MetadataOf(object);
  out += '}';
}

}  // namespace plimsoll::apiserver
