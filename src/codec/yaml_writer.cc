// goyaml.v2 is a port of libyaml's emitter, so the same events give the same styles, indentation
// and folding. This file makes the decisions that goyaml makes before the emitter: the order of
// keys, which texts need quotes, and which are written as blocks.

#include <yaml.h>

#include <algorithm>
#include <list>
#include <string>
#include <string_view>

#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "codec/yaml.h"
#include "codec/yaml_key_order.h"
#include "codec/yaml_scalar.h"

namespace plimsoll::codec {
namespace {

/// Returns true for what YAML 1.1 reads as base 60, such as `12:30`. The form is
/// `[sign]digits(:0-59)+[.digits]` with `_` among the digits. goyaml quotes it for such readers.
bool IsBase60(std::string_view text) {
  const auto skip_digits = [&] {
    while (!text.empty() && (IsDigit(text.front()) || text.front() == '_')) text.remove_prefix(1);
  };
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  if (text.empty() || !IsDigit(text.front())) return false;
  skip_digits();
  if (!text.starts_with(':')) return false;
  while (text.starts_with(':')) {
    text.remove_prefix(1);
    if (text.empty() || !IsDigit(text.front())) return false;
    const bool has_two = text.size() > 1 && IsDigit(text[1]);
    if (has_two && text.front() > '5') return false;
    text.remove_prefix(has_two ? 2 : 1);
  }
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    skip_digits();
  }
  return text.empty();
}

yaml_scalar_style_t StyleOf(std::string_view text) {
  if (text.contains('\n')) return YAML_LITERAL_SCALAR_STYLE;
  const bool reads_as_text = ResolveYamlScalar(text).type == YamlScalar::Type::String;
  return reads_as_text && !IsBase60(text) ? YAML_PLAIN_SCALAR_STYLE
                                          : YAML_DOUBLE_QUOTED_SCALAR_STYLE;
}

/// Feeds a tree to libyaml's emitter. Its calls fail only for events out of order or texts that are
/// not UTF-8; both would be bugs in this file.
class YamlWriter {
 public:
  YamlWriter() {
    PL_ASSERT(yaml_emitter_initialize(&emitter_) != 0);
    yaml_emitter_set_output(&emitter_, &YamlWriter::Append, &out_);
    yaml_emitter_set_unicode(&emitter_, 1);
  }
  ~YamlWriter() { yaml_emitter_delete(&emitter_); }
  YamlWriter(const YamlWriter&) = delete;
  YamlWriter& operator=(const YamlWriter&) = delete;

  std::string Write(const Value& root) {
    Emit(yaml_stream_start_event_initialize(&event_, YAML_UTF8_ENCODING));
    Emit(yaml_document_start_event_initialize(&event_, nullptr, nullptr, nullptr, 1));
    WriteValue(root);
    Emit(yaml_document_end_event_initialize(&event_, 1));
    // Do not end the stream: after an open-ended block that would add a `...`.
    PL_ASSERT(yaml_emitter_flush(&emitter_) != 0);
    return std::move(out_);
  }

 private:
  static int Append(void* out, unsigned char* bytes, std::size_t size) {
    static_cast<std::string*>(out)->append(reinterpret_cast<const char*>(bytes), size);
    return 1;
  }

  void Emit(int is_initialized) {
    PL_ASSERT(is_initialized != 0);
    PL_ASSERT(yaml_emitter_emit(&emitter_, &event_) != 0);
  }

  void WriteValue(const Value& value) {
    switch (value.kind()) {
      case Value::Kind::Null:
        WriteScalar("null", YAML_PLAIN_SCALAR_STYLE);
        break;
      case Value::Kind::Bool:
        WriteScalar(value.AsBool() ? "true" : "false", YAML_PLAIN_SCALAR_STYLE);
        break;
      case Value::Kind::Int:
        WriteScalar(std::to_string(value.AsInt()), YAML_PLAIN_SCALAR_STYLE);
        break;
      case Value::Kind::Number:
        // Without a fraction, YAML would read an integer, which has no negative zero.
        WriteScalar(value.text() == "-0" ? "-0.0" : value.text(), YAML_PLAIN_SCALAR_STYLE);
        break;
      case Value::Kind::String:
        WriteText(value.text());
        break;
      case Value::Kind::Array:
        Emit(yaml_sequence_start_event_initialize(&event_, nullptr, nullptr, 1,
                                                  YAML_BLOCK_SEQUENCE_STYLE));
        for (const Value& item : value.items()) WriteValue(item);
        Emit(yaml_sequence_end_event_initialize(&event_));
        break;
      case Value::Kind::Object:
        WriteObject(value);
        break;
    }
  }

  void WriteObject(const Value& object) {
    // goyaml's order has cycles (1a, 2, 10), which a merge sort tolerates. Sort by text first, so
    // that the result does not depend on the order of the members.
    std::list<const Member*> order;
    for (const Member& member : object.members()) order.push_back(&member);
    order.sort([](const Member* a, const Member* b) { return a->key < b->key; });
    order.sort([](const Member* a, const Member* b) { return YamlKeyBefore(a->key, b->key); });

    Emit(yaml_mapping_start_event_initialize(&event_, nullptr, nullptr, 1,
                                             YAML_BLOCK_MAPPING_STYLE));
    for (const Member* member : order) {
      WriteKey(member->key);
      WriteValue(member->value);
    }
    Emit(yaml_mapping_end_event_initialize(&event_));
  }

  void WriteKey(std::string_view key) {
    // Without quotes, `<<` would merge its value into the mapping.
    if (key == "<<") return WriteScalar(key, YAML_DOUBLE_QUOTED_SCALAR_STYLE);
    WriteText(key);
  }

  void WriteText(std::string_view text) {
    const std::string valid = ToValidUtf8(text);
    WriteScalar(valid, StyleOf(valid));
  }

  void WriteScalar(std::string_view text, yaml_scalar_style_t style) {
    // libyaml copies the text, although it takes a pointer to non-const.
    auto* const bytes = reinterpret_cast<yaml_char_t*>(const_cast<char*>(text.data()));
    Emit(yaml_scalar_event_initialize(&event_, nullptr, nullptr, bytes,
                                      static_cast<int>(text.size()), 1, 1, style));
  }

  yaml_emitter_t emitter_{};
  yaml_event_t event_{};
  std::string out_;
};

}  // namespace

std::string WriteYaml(const Value& value) { return YamlWriter().Write(value); }

}  // namespace plimsoll::codec
