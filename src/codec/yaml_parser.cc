// libyaml turns the text into events; this parser turns events into trees. It recurses for each
// nested value, so the stack is as deep as the nesting, which ParseLimits bounds. An alias copies
// the containers of its anchor's tree and shares their texts. The anchor records the number of
// values, the bytes and the height of its tree: the cost of an alias is known before the copy.
// Bytes are counted as if each text were copied, because a JSON writer writes a shared text once
// per alias.

#include <fmt/format.h>
#include <yaml.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/tree_builder.h"
#include "codec/yaml.h"
#include "codec/yaml_scalar.h"

namespace plimsoll::codec {
namespace {

constexpr std::string_view kTagPrefix = "tag:yaml.org,2002:";

std::string_view View(const yaml_char_t* text) {
  return text == nullptr ? std::string_view() : reinterpret_cast<const char*>(text);
}

std::uint32_t LineOf(const yaml_mark_t& mark) { return static_cast<std::uint32_t>(mark.line) + 1; }

std::unexpected<Error> FailAtLine(std::size_t line, std::string_view what) {
  return Fail(Reason::BadRequest, fmt::format("yaml: line {}: {}", line, what));
}

/// One libyaml event; owns its memory.
class Event {
 public:
  Event() = default;
  ~Event() { yaml_event_delete(&event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  yaml_event_t* fill() {
    yaml_event_delete(&event_);
    return &event_;
  }
  yaml_event_type_t type() const { return event_.type; }
  std::uint32_t line() const { return LineOf(event_.start_mark); }
  std::uint32_t offset() const { return static_cast<std::uint32_t>(event_.start_mark.index); }

  /// Anchor of a scalar, sequence, mapping or alias; empty if there is none.
  std::string_view anchor() const {
    switch (event_.type) {
      case YAML_SCALAR_EVENT:
        return View(event_.data.scalar.anchor);
      case YAML_SEQUENCE_START_EVENT:
        return View(event_.data.sequence_start.anchor);
      case YAML_MAPPING_START_EVENT:
        return View(event_.data.mapping_start.anchor);
      case YAML_ALIAS_EVENT:
        return View(event_.data.alias.anchor);
      default:
        return {};
    }
  }
  std::string_view tag() const { return View(event_.data.scalar.tag); }
  std::string_view text() const {
    return {reinterpret_cast<const char*>(event_.data.scalar.value), event_.data.scalar.length};
  }
  bool is_plain() const { return event_.data.scalar.plain_implicit != 0; }
  bool is_merge_key() const {
    return type() == YAML_SCALAR_EVENT && text() == "<<" &&
           (is_plain() || tag() == "tag:yaml.org,2002:merge");
  }
  bool is_empty_scalar() const {
    return type() == YAML_SCALAR_EVENT && text().empty() && is_plain() && anchor().empty();
  }

 private:
  yaml_event_t event_{};
};

/// libyaml's parser. The text must outlive it.
class EventSource {
 public:
  explicit EventSource(std::string_view text) : text_(text) {
    PL_ASSERT(yaml_parser_initialize(&parser_) != 0);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()),
                                 text.size());
  }
  ~EventSource() { yaml_parser_delete(&parser_); }
  EventSource(const EventSource&) = delete;
  EventSource& operator=(const EventSource&) = delete;

  Status Next(Event& event) {
    if (yaml_parser_parse(&parser_, event.fill()) != 0) return {};
    const std::string_view problem =
        parser_.problem == nullptr ? "unknown problem parsing YAML content" : parser_.problem;
    // libyaml detects invalid bytes before it sets marks.
    const std::size_t line = parser_.error == YAML_READER_ERROR
                                 ? 1 + static_cast<std::size_t>(std::ranges::count(
                                           text_.substr(0, parser_.problem_offset), '\n'))
                                 : LineOf(parser_.problem_mark);
    return FailAtLine(line, problem);
  }

 private:
  std::string_view text_;
  yaml_parser_t parser_{};
};

/// Returns the name of a type in goyaml's messages.
std::string_view ShortTag(YamlScalar::Type type) {
  switch (type) {
    case YamlScalar::Type::Null:
      return "!!null";
    case YamlScalar::Type::Bool:
      return "!!bool";
    case YamlScalar::Type::Int:
    case YamlScalar::Type::Uint:
      return "!!int";
    case YamlScalar::Type::Float:
      return "!!float";
    case YamlScalar::Type::Timestamp:
      return "!!timestamp";
    case YamlScalar::Type::String:
      return "!!str";
  }
  return {};
}

// Quotes, colon and comma of a key or a value in JSON.
constexpr std::size_t kPunctuationBytes = 4;

struct Anchor {
  bool is_open = true;  // its value is still being parsed
  Value value;
  std::size_t values = 0;
  std::size_t bytes = 0;  // approximate size of the expanded tree as JSON
  std::size_t height = 0;
};

/// Parses the documents of one stream.
class StreamParser {
 public:
  StreamParser(std::string_view text, const ParseLimits& limits) : source_(text), limits_(limits) {}

  Result<std::vector<std::unique_ptr<Document>>> Parse() {
    std::vector<std::unique_ptr<Document>> documents;
    while (true) {
      PL_TRY(source_.Next(event_));
      if (event_.type() == YAML_STREAM_END_EVENT) return documents;
      if (event_.type() != YAML_DOCUMENT_START_EVENT) continue;
      PL_TRY(source_.Next(event_));
      if (event_.is_empty_scalar()) continue;
      documents.push_back(PL_TRY(ParseDocument()));
    }
  }

 private:
  /// Parses one section. `event_` is the first event of its root.
  Result<std::unique_ptr<Document>> ParseDocument() {
    auto document = std::make_unique<Document>();
    TreeBuilder builder(*document);
    document_ = document.get();
    builder_ = &builder;
    anchors_.clear();
    document->root() = PL_TRY(ParseNode());
    builder.Finish();
    return document;
  }

  /// Parses the value that begins with `event_`.
  Result<Value> ParseNode() {
    if (event_.type() == YAML_ALIAS_EVENT) return Expand();
    const std::string name(event_.anchor());
    if (!name.empty()) anchors_[name] = {};
    const std::size_t values_before = values_;
    const std::size_t bytes_before = bytes_;
    PL_TRY(Count(1));
    CountBytes(event_.type() == YAML_SCALAR_EVENT ? event_.text().size() : 0);
    // Measure the height of this value alone: nested containers raise height_ from 0.
    const std::size_t height_outside = std::exchange(height_, 0);

    const Value value = event_.type() == YAML_SCALAR_EVENT          ? PL_TRY(ScalarValue())
                        : event_.type() == YAML_MAPPING_START_EVENT ? PL_TRY(ParseMapping())
                                                                    : PL_TRY(ParseSequence());
    // Unless a nested value has redefined the anchor.
    if (!name.empty() && anchors_[name].is_open) {
      anchors_[name] = {false, value, values_ - values_before, bytes_ - bytes_before, height_};
    }
    height_ = std::max(height_outside, height_);
    return value;
  }

  Status Count(std::size_t values) {
    values_ += values;
    if (values_ <= limits_.values_max) return {};
    return FailAtLine(event_.line(), fmt::format("more than {} values", limits_.values_max));
  }

  void CountBytes(std::size_t text_bytes) { bytes_ += text_bytes + kPunctuationBytes; }

  /// Counts the bytes that an alias adds to the tree. The source limits all other bytes.
  Status CountAliased(std::size_t bytes) {
    bytes_ += bytes;
    aliased_bytes_ += bytes;
    if (aliased_bytes_ <= limits_.bytes_max) return {};
    return FailAtLine(
        event_.line(),
        fmt::format("document contains excessive aliasing: more than {} bytes", limits_.bytes_max));
  }

  Status Open(Value::Kind kind) {
    PL_TRY(CheckDepth(1));
    builder_->Open(kind, event_.line());
    return {};
  }
  Status CheckDepth(std::size_t levels) {
    if (builder_->depth() + levels <= limits_.depth_max) return {};
    return FailAtLine(event_.line(),
                      fmt::format("nested deeper than {} levels", limits_.depth_max));
  }

  Value Close() {
    ++height_;
    return builder_->Close();
  }

  Result<Value> ParseSequence() {
    PL_TRY(Open(Value::Kind::Array));
    while (true) {
      PL_TRY(source_.Next(event_));
      if (event_.type() == YAML_SEQUENCE_END_EVENT) return Close();
      builder_->Item();
      builder_->Fill(PL_TRY(ParseNode()));
    }
  }

  Result<Value> ParseMapping() {
    PL_TRY(Open(Value::Kind::Object));
    while (true) {
      PL_TRY(source_.Next(event_));
      if (event_.type() == YAML_MAPPING_END_EVENT) return Close();
      if (event_.is_merge_key()) {
        PL_TRY(ParseMerge());
        continue;
      }
      const std::uint32_t offset = event_.offset();
      builder_->Key(PL_TRY(ParseKey()), offset);
      PL_TRY(source_.Next(event_));
      builder_->Fill(PL_TRY(ParseNode()));
    }
  }

  /// Parses `<<: {…}`, `<<: *anchor` or `<<: [*first, *second]`, as if the members were written
  /// here. Earlier mappings win over later ones, so they are added from the last to the first.
  Status ParseMerge() {
    builder_->Item();
    PL_TRY(source_.Next(event_));
    const std::uint32_t line = event_.line();
    const Value merged = PL_TRY(ParseNode());
    builder_->Drop();
    if (merged.is_object()) {
      Merge(merged);
      return {};
    }
    const auto mappings = merged.items();
    if (!merged.is_array() || !std::ranges::all_of(mappings, &Value::is_object)) {
      return FailAtLine(line, "map merge requires map or sequence of maps as the value");
    }
    for (std::size_t left = mappings.size(); left > 0; --left) Merge(mappings[left - 1]);
    return {};
  }

  void Merge(const Value& mapping) {
    for (const Member& member : mapping.members()) {
      builder_->Key(member.key, TreeBuilder::kMerged);
      builder_->Fill(member.value);
    }
  }

  Result<std::string_view> ParseKey() {
    const std::uint32_t line = event_.line();
    Value key;
    if (event_.type() == YAML_SCALAR_EVENT) {
      key = PL_TRY(ScalarValue(true));
      const std::size_t bytes = event_.text().size() + kPunctuationBytes;
      bytes_ += bytes;
      if (!event_.anchor().empty()) {
        anchors_[std::string(event_.anchor())] = {false, key, 1, bytes, 0};
      }
    } else if (event_.type() == YAML_ALIAS_EVENT) {
      const Anchor* const anchor = PL_TRY(FindAnchor());
      PL_TRY(CountAliased(anchor->bytes));
      key = anchor->value;
    } else {
      return FailAtLine(line, "invalid map key");
    }
    switch (key.kind()) {
      case Value::Kind::String:
        return key.text();
      case Value::Kind::Bool:
        return key.AsBool() ? "true" : "false";
      case Value::Kind::Int:
        return document_->CopyText(std::to_string(key.AsInt()));
      case Value::Kind::Number:
        return document_->CopyText(
            GoKeyFloat(std::strtod(std::string(key.text()).c_str(), nullptr)));
      case Value::Kind::Null:
        return FailAtLine(line, "unsupported map key: null");
      case Value::Kind::Array:
      case Value::Kind::Object:
        break;
    }
    return FailAtLine(line, "invalid map key");
  }

  Result<Value> ScalarValue(bool is_key = false) {
    Value value;
    if (event_.tag().empty() && !event_.is_plain()) {
      value = document_->NewString(event_.text());
    } else {
      const YamlScalar scalar = PL_TRY(Resolve());
      value = PL_TRY(ResolvedValue(scalar, is_key));
    }
    value.set_line(event_.line());
    return value;
  }

  /// Resolves the text under its tag. Unknown tags make it a String.
  Result<YamlScalar> Resolve() {
    const std::string_view tag = event_.tag();
    if (tag.empty()) return ResolveYamlScalar(event_.text());
    if (!tag.starts_with(kTagPrefix)) return YamlScalar{};
    const std::string wanted = "!!" + std::string(tag.substr(kTagPrefix.size()));
    if (wanted == "!!binary") return FailAtLine(event_.line(), "!!binary is not supported");
    constexpr std::string_view kResolved[] = {"!!bool", "!!int", "!!float", "!!null",
                                              "!!timestamp"};
    if (std::ranges::find(kResolved, wanted) == std::end(kResolved)) return YamlScalar{};

    const YamlScalar scalar = ResolveYamlScalar(event_.text());
    const std::string_view found = ShortTag(scalar.type);
    if (found == wanted) return scalar;
    if (wanted == "!!float" && scalar.type == YamlScalar::Type::Int) {
      return YamlScalar{.type = YamlScalar::Type::Float,
                        .real = static_cast<double>(scalar.integer)};
    }
    return FailAtLine(event_.line(),
                      fmt::format("cannot decode {} `{}` as a {}", found, event_.text(), wanted));
  }

  Result<Value> ResolvedValue(const YamlScalar& scalar, bool is_key) {
    switch (scalar.type) {
      case YamlScalar::Type::Null:
        return Value::Null();
      case YamlScalar::Type::Bool:
        return Value::Bool(scalar.boolean);
      case YamlScalar::Type::Int:
        return Value::Int(scalar.integer);
      case YamlScalar::Type::Uint:
        return Value::Number(document_->CopyText(std::to_string(scalar.natural)));
      case YamlScalar::Type::Float:
        return FloatValue(scalar.real, is_key);
      case YamlScalar::Type::Timestamp:
      case YamlScalar::Type::String:
        break;
    }
    return document_->NewString(event_.text());
  }

  /// Converts through Go's float64 and its JSON: 1.0 becomes the whole number 1.
  Result<Value> FloatValue(double value, bool is_key) {
    if (is_key) return document_->NewString(GoKeyFloat(value));
    if (!std::isfinite(value)) {
      const std::string_view name = std::isnan(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
      return FailAtLine(event_.line(), fmt::format("json: unsupported value: {}", name));
    }
    const std::string text = GoJsonFloat(value);
    const YamlScalar whole = ResolveYamlScalar(text);
    if (whole.type == YamlScalar::Type::Int && text != "-0") return Value::Int(whole.integer);
    return Value::Number(document_->CopyText(text));
  }

  Result<const Anchor*> FindAnchor() const {
    const std::string name(event_.anchor());
    const auto found = anchors_.find(name);
    if (found == anchors_.end()) {
      return FailAtLine(event_.line(), fmt::format("unknown anchor '{}' referenced", name));
    }
    if (found->second.is_open) {
      return FailAtLine(event_.line(), fmt::format("anchor '{}' value contains itself", name));
    }
    return &found->second;
  }

  Result<Value> Expand() {
    const Anchor* const anchor = PL_TRY(FindAnchor());
    if (values_ + anchor->values > limits_.values_max) {
      return FailAtLine(event_.line(),
                        fmt::format("document contains excessive aliasing: more than {} values",
                                    limits_.values_max));
    }
    PL_TRY(CountAliased(anchor->bytes));
    PL_TRY(CheckDepth(anchor->height));
    values_ += anchor->values;
    height_ = std::max(height_, anchor->height);
    Value value = Copy(anchor->value);
    value.set_line(event_.line());
    return value;
  }

  /// Copies containers, but shares texts: they never change, and many aliases may use a long one.
  Value Copy(const Value& value) {
    Value copy = value;
    if (value.is_array()) {
      copy = document_->NewArray(value.items().size());
      for (const Value& item : value.items()) document_->Append(copy, Copy(item));
    } else if (value.is_object()) {
      copy = document_->NewObject(value.members().size());
      for (const Member& member : value.members()) {
        document_->AppendMember(copy, {member.key, Copy(member.value)});
      }
    }
    copy.set_line(value.line());
    return copy;
  }

  EventSource source_;
  const ParseLimits& limits_;
  Event event_;
  Document* document_ = nullptr;
  TreeBuilder* builder_ = nullptr;
  std::map<std::string, Anchor, std::less<>> anchors_;
  std::size_t values_ = 0;
  std::size_t bytes_ = 0;          // bytes of the tree so far, with expanded aliases
  std::size_t aliased_bytes_ = 0;  // the part of bytes_ that aliases added
  std::size_t height_ = 0;         // levels of containers below the node being parsed
};

}  // namespace

Result<std::vector<std::unique_ptr<Document>>> ParseYaml(std::string_view text,
                                                         const ParseLimits& limits) {
  if (text.size() > limits.bytes_max || text.size() > UINT32_MAX) {
    return Fail(Reason::RequestEntityTooLarge,
                fmt::format("Request entity too large: limit is {}", limits.bytes_max));
  }
  return StreamParser(text, limits).Parse();
}

}  // namespace plimsoll::codec
