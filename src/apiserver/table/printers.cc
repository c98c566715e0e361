#include "apiserver/table/printers.h"

#include <algorithm>

#include "api/selector/selector.h"
#include "apiserver/table/age.h"
#include "base/go_text.h"
#include "codec/value_at.h"

namespace plimsoll::apiserver {
namespace {

api::StringMap ReadMap(const codec::Value* value) {
  std::vector<api::StringMap::Entry> entries;
  if (value != nullptr) {
    for (const codec::Member& member : value->members()) {
      if (member.value.is_string()) entries.emplace_back(member.key, member.value.text());
    }
  }
  return api::StringMap(std::move(entries));
}

}  // namespace

void Cells::Next() {
  if (!is_first_) out_ += ',';
  is_first_ = false;
}

void Cells::Text(std::string_view text) {
  Next();
  out_ += GoJsonQuote(text);
}

void Cells::Int(std::int64_t value) {
  Next();
  out_ += std::to_string(value);
}

void Cells::Bool(bool value) {
  Next();
  out_ += value ? "true" : "false";
}

const codec::Value* Source::Find(std::string_view path) const {
  const codec::Value* at = &tree_;
  while (at != nullptr && !path.empty()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    at = at->Find(path.substr(0, dot));
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  return at;
}

std::string_view Source::Text(std::string_view path) const { return TextOrEmpty(Find(path)); }

std::string_view Source::Text(std::string_view path, std::string_view otherwise) const {
  const std::string_view text = Text(path);
  return text.empty() ? Text(otherwise) : text;
}

std::int64_t Source::Int(std::string_view path, std::int64_t missing) const {
  const codec::Value* value = Find(path);
  return value != nullptr && value->is_int() ? value->AsInt() : missing;
}

bool Source::Bool(std::string_view path, bool missing) const {
  const codec::Value* value = Find(path);
  return value != nullptr && value->is_bool() ? value->AsBool() : missing;
}

std::span<const codec::Value> Source::Items(std::string_view path) const {
  const codec::Value* value = Find(path);
  return value == nullptr ? std::span<const codec::Value>() : value->items();
}

std::size_t Source::Size(std::string_view path) const {
  const codec::Value* value = Find(path);
  return value == nullptr ? 0 : value->items().size() + value->members().size();
}

std::string Source::Age(std::string_view path) const { return AgeText(Text(path), now_); }

std::string_view Source::Condition(std::string_view type) const {
  for (const codec::Value& condition : Items("status.conditions")) {
    if (In(condition).Text("type") == type) return In(condition).Text("status");
  }
  return "";
}

void PrintPlain(const Source& object, Cells& cells) {
  cells.Text(object.Name());
  const auto created = ParseTime(object.Text("metadata.creationTimestamp"));
  // Go's zero time, as upstream prints it.
  cells.Text(created ? FormatTime(*created) : "0001-01-01T00:00:00Z");
}

void PrintNameAndAge(const Source& object, Cells& cells) {
  cells.Text(object.Name());
  cells.Text(object.Age());
}

std::string Join(const std::vector<std::string>& texts, std::string_view between) {
  std::string out;
  for (const std::string& text : texts) {
    if (&text != &texts.front()) out += between;
    out += text;
  }
  return out;
}

std::string FormatLabels(const codec::Value* labels) {
  std::string out;
  for (const auto& [key, value] : ReadMap(labels)) {
    if (!out.empty()) out += ',';
    out += key;
    out += '=';
    out += value;
  }
  return out.empty() ? "<none>" : out;
}

std::string FormatSelector(const codec::Value* selector) {
  if (selector == nullptr) return "<none>";
  const Source source(*selector, {});
  api::LabelSelector read;
  read.match_labels = ReadMap(source.Find("matchLabels"));
  for (const codec::Value& item : source.Items("matchExpressions")) {
    const Source expression = source.In(item);
    api::LabelSelectorRequirement requirement;
    requirement.key = expression.Text("key");
    requirement.op = expression.Text("operator");
    for (const codec::Value& value : expression.Items("values")) {
      if (value.is_string()) requirement.values.push_back(value.text());
    }
    read.match_expressions.push_back(std::move(requirement));
  }
  return api::FormatLabelSelector(&read);
}

}  // namespace plimsoll::apiserver
