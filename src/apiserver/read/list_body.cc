#include "apiserver/read/list_body.h"

#include <fmt/format.h>

#include <utility>

#include "api/schema/api_version.h"
#include "api/watch_event.h"
#include "apiserver/read/served_object.h"
#include "apiserver/request/in_process.h"
#include "apiserver/table/table.h"
#include "base/assert.h"
#include "codec/json.h"
#include "codec/yaml.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::size_t kPartBytes = 64u << 10;
// Smaller bodies are sent in one piece, with Content-Length.
constexpr std::size_t kWholeBytesMax = 64u << 10;

std::string MetadataJson(const ListHead& head) {
  std::string out = fmt::format(R"({{"resourceVersion":"{}")", store::Number(head.revision));
  if (!head.continue_token.empty()) out += fmt::format(R"(,"continue":"{}")", head.continue_token);
  if (head.remaining) out += fmt::format(R"(,"remainingItemCount":{})", *head.remaining);
  out += '}';
  return out;
}

void ReplaceAll(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

/// Returns the list for an in-process client, which takes objects instead of text. Fails with
/// InternalError if one cannot be decoded: a client that gets text fails then, too.
api::Answer<api::ObjectList> DecodeAll(const Resource& resource, const ListHead& head,
                                       const std::vector<ObjectPtr>& objects) {
  api::ObjectList list{.resource_version = fmt::format("{}", store::Number(head.revision)),
                       .continue_token = head.continue_token,
                       .objects = {}};
  list.objects.reserve(objects.size());
  for (const ObjectPtr& object : objects) {
    list.objects.push_back(PL_TRY(AsServed(resource, object)->Decode()));
  }
  return list;
}

bool IsLarge(const std::vector<ObjectPtr>& objects) {
  std::size_t bytes = 0;
  for (const ObjectPtr& object : objects) {
    bytes += object->bytes()->size();
    if (bytes > kWholeBytesMax) return true;
  }
  return false;
}

/// Body of a list in the negotiated format. Formats the items one by one while it is sent.
class ListBody final : public net::BodySource {
 public:
  /// The objects are of the stored kind.
  ListBody(const Resource& resource, const Negotiated& wanted, const ListHead& head,
           std::vector<ObjectPtr> objects, Instant now);

  bool Read(std::string& out) override;

 private:
  /// Text before, between and after the items.
  struct Layout {
    std::string head;
    std::string before_first;
    std::string between;
    std::string after_last;
    std::string tail;
    std::string line_indent;  // indent of further lines of an item; empty: one line
  };

  std::string EnvelopeJson(const ListHead& head) const;
  Layout MakeLayout(const std::string& envelope) const;
  void AppendItem(const ObjectPtr& object, std::string& out) const;
  void AppendJson(const ObjectPtr& object, std::string& out) const;

  const Resource& resource_;
  const Negotiated wanted_;
  const std::vector<ObjectPtr> objects_;
  const Instant now_;
  Layout layout_;
  std::size_t next_ = 0;
};

}  // namespace

ListBody::ListBody(const Resource& resource, const Negotiated& wanted, const ListHead& head,
                   std::vector<ObjectPtr> objects, Instant now)
    : resource_(resource), wanted_(wanted), objects_(std::move(objects)), now_(now) {
  layout_ = MakeLayout(EnvelopeJson(head));
}

std::string ListBody::EnvelopeJson(const ListHead& head) const {
  switch (wanted_.view) {
    case Negotiated::View::Table:
      return fmt::format(
          R"({{"kind":"Table","apiVersion":"meta.k8s.io/{}","metadata":{},{},"rows":[]}})",
          wanted_.view_version, MetadataJson(head), ColumnDefinitionsJson(resource_));
    case Negotiated::View::PartialMetadata:
      return fmt::format(R"({{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/{}",)"
                         R"("metadata":{},"items":[]}})",
                         wanted_.view_version, MetadataJson(head));
    case Negotiated::View::Object:
      break;
  }
  return fmt::format(R"({{"kind":"{}","apiVersion":"{}","metadata":{},"items":[]}})",
                     resource_.kind->list_kind, ApiVersionOf(*resource_.kind), MetadataJson(head));
}

ListBody::Layout ListBody::MakeLayout(const std::string& envelope) const {
  const bool has_rows = wanted_.view == Negotiated::View::Table;
  std::string text = envelope;
  std::string empty_list = has_rows ? R"("rows":[])" : R"("items":[])";
  Layout layout;
  layout.between = ",";
  if (wanted_.is_yaml || wanted_.is_pretty) {
    const auto document = codec::ParseJson(envelope);
    PL_ASSERT(document.has_value());
    const codec::Value& root = (*document)->root();
    if (wanted_.is_yaml) {
      text = codec::WriteYaml(root);
      empty_list = has_rows ? "rows: []" : "items: []";
      layout = {.before_first = "\n- ", .between = "\n- ", .line_indent = "  "};
    } else {
      text = codec::WriteJsonPretty(root) + "\n";
      empty_list = has_rows ? R"("rows": [])" : R"("items": [])";
      layout = {.before_first = "\n        ",
                .between = ",\n        ",
                .after_last = "\n    ",
                .line_indent = "        "};
    }
  }
  // `rfind`: the list is last in the text. Only a column name could contain these bytes before it,
  // and none does.
  const std::size_t at = text.rfind(empty_list);
  PL_ASSERT(at != std::string::npos);
  const std::size_t inside = at + empty_list.size() - 1;
  layout.head = text.substr(0, inside);
  layout.tail = text.substr(inside);
  if (wanted_.is_yaml && !objects_.empty()) {
    layout.head.resize(layout.head.size() - 2);  // ` [`
    layout.tail.erase(0, 1);                     // `]`
  }
  return layout;
}

void ListBody::AppendJson(const ObjectPtr& object, std::string& out) const {
  switch (wanted_.view) {
    case Negotiated::View::Table:
      AppendTableRow(resource_, *AsServed(resource_, object), wanted_.include, now_, out);
      return;
    case Negotiated::View::PartialMetadata:
      AppendPartialMetadata(*object, wanted_.view_version, out);
      return;
    case Negotiated::View::Object:
      out += *AsServed(resource_, object)->bytes();
      return;
  }
}

void ListBody::AppendItem(const ObjectPtr& object, std::string& out) const {
  if (layout_.line_indent.empty()) return AppendJson(object, out);
  std::string json;
  AppendJson(object, json);
  // A table row is deeper than its object, which may have the maximum depth of a body.
  const codec::ParseLimits limits{
      .bytes_max = json.size(), .depth_max = 300, .values_max = json.size()};
  const auto document = codec::ParseJson(std::move(json), limits);
  PL_ASSERT(document.has_value());
  const codec::Value& root = (*document)->root();
  std::string text = wanted_.is_yaml ? codec::WriteYaml(root) : codec::WriteJsonPretty(root);
  if (text.ends_with('\n')) text.pop_back();
  ReplaceAll(text, "\n", "\n" + layout_.line_indent);
  out += text;
}

bool ListBody::Read(std::string& out) {
  const std::size_t begin = out.size();
  if (next_ == 0) {
    out += layout_.head;
    if (!objects_.empty()) out += layout_.before_first;
  }
  while (next_ < objects_.size() && out.size() - begin < kPartBytes) {
    if (next_ > 0) out += layout_.between;
    AppendItem(objects_[next_], out);
    ++next_;
  }
  if (next_ < objects_.size()) return true;
  if (!objects_.empty()) out += layout_.after_last;
  out += layout_.tail;
  return false;
}

api::Answer<net::Response> RespondList(const ApiRequest& request, const Negotiated& wanted,
                                       const ListHead& head, std::vector<ObjectPtr> objects,
                                       Instant now) {
  // Only the headers of RespondJson are used; the body is formatted item by item.
  net::Response response = RespondJson(request, {}, 200, "");
  if (wanted.is_yaml) {
    response.headers.Remove("Content-Type");
    response.headers.Add("Content-Type", "application/yaml");
  }
  if (IsInProcess(request) && wanted.view == Negotiated::View::Object) {
    response.payload = MakePayload(PL_TRY(DecodeAll(*request.resource, head, objects)));
    return response;
  }
  if (wanted.view == Negotiated::View::Table) OrderRows(*request.resource, objects);
  const bool is_large = IsLarge(objects);
  auto body = std::make_unique<ListBody>(*request.resource, wanted, head, std::move(objects), now);
  if (is_large) {
    response.body = nullptr;
    response.source = std::move(body);
    return response;
  }
  std::string text;
  while (body->Read(text)) {
  }
  response.body = MakeBytes(std::move(text));
  return response;
}

}  // namespace plimsoll::apiserver
