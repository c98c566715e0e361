#include "api/schema/kind_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "api/schema/field_hash.h"
#include "base/text/trim.h"
#include "codec/json.h"

namespace plimsoll::api {

/// Everything that the descriptions point to. Deques never move their elements.
struct KindTable::Parts {
  std::string description;        // most texts are views of it
  std::deque<std::string> texts;  // the others
  std::deque<TypeDesc> types;
  std::deque<Shape> shapes;
  std::deque<std::vector<FieldDesc>> fields;
  std::deque<std::vector<std::uint8_t>> slots;
  std::deque<std::vector<codec::FieldId>> defaulted;
  std::deque<std::vector<std::string_view>> lists;
  std::deque<std::vector<SubresourceDesc>> subresources;
  std::deque<std::vector<ColumnDesc>> columns;
  std::vector<KindDesc> kinds;
};

namespace {

using Words = std::vector<std::string_view>;

constexpr std::size_t kNestingMax = 16;  // lists and maps within each other

struct Scalar {
  std::string_view word;
  ShapeKind kind;
  std::string_view go_name;
};
constexpr std::array kScalars = {
    Scalar{"string", ShapeKind::String, "string"},
    Scalar{"int32", ShapeKind::Int32, "int32"},
    Scalar{"int64", ShapeKind::Int64, "int64"},
    Scalar{"bool", ShapeKind::Bool, "bool"},
    Scalar{"bytes", ShapeKind::Bytes, "[]uint8"},
    Scalar{"quantity", ShapeKind::Quantity, "resource.Quantity"},
    Scalar{"time", ShapeKind::Time, "v1.Time"},
    Scalar{"microtime", ShapeKind::MicroTime, "v1.MicroTime"},
    Scalar{"int-or-string", ShapeKind::IntOrString, "intstr.IntOrString"},
    Scalar{"any", ShapeKind::Any, "runtime.RawExtension"},
};

/// Splits at blanks; a quoted word may contain blanks.
Words SplitWords(std::string_view text) {
  Words words;
  for (text = TrimSpaces(text); !text.empty(); text = TrimSpaces(text)) {
    std::size_t end = text.find(' ');
    if (text.front() == '"') {
      const std::size_t quote = text.find('"', 1);
      const bool ends_word =
          quote != std::string_view::npos && (quote + 1 == text.size() || text[quote + 1] == ' ');
      if (ends_word) end = quote + 1;
    }
    words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end, text.size()));
  }
  return words;
}

Words SplitAt(std::string_view text, char separator) {
  Words parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string_view Unquoted(std::string_view word) {
  if (word.starts_with('"')) word.remove_prefix(1);
  if (word.ends_with('"')) word.remove_suffix(1);
  return word;
}

std::optional<ListType> ParseListType(std::string_view text) {
  if (text == "atomic") return ListType::Atomic;
  if (text == "set") return ListType::Set;
  if (text == "map") return ListType::Map;
  return std::nullopt;
}

std::optional<MapType> ParseMapType(std::string_view text) {
  if (text == "atomic") return MapType::Atomic;
  if (text == "granular") return MapType::Granular;
  return std::nullopt;
}

/// Returns the index of the bracket that closes the one at `opening`, or npos.
std::size_t ClosingBracket(std::string_view text, std::size_t opening) {
  std::size_t depth = 0;
  for (std::size_t at = opening; at < text.size(); ++at) {
    if (text[at] == '[') ++depth;
    if (text[at] == ']' && --depth == 0) return at;
  }
  return std::string_view::npos;
}

/// A word `key=value`.
struct Attribute {
  explicit Attribute(std::string_view word) : key(word.substr(0, word.find('='))) {
    if (key.size() < word.size()) value = word.substr(key.size() + 1);
  }

  std::string_view key;
  std::string_view value;
};

}  // namespace

/// Reads a description in two steps: lines first, then the types that fields and kinds name.
class KindTable::Parser {
 public:
  explicit Parser(Parts& parts) : parts_(parts) {}

  Status Run() {
    for (const std::string_view line : SplitAt(parts_.description, '\n')) {
      ++line_;
      PL_TRY(ReadLine(line));
    }
    for (TypeDraft& draft : types_) PL_TRY(Resolve(draft));
    MarkDefaults();
    for (const KindDraft& draft : kinds_) PL_TRY(AddKind(draft));
    return {};
  }

 private:
  struct FieldDraft {
    FieldDesc field;
    std::string_view type;
    std::size_t line = 0;
  };
  struct TypeDraft {
    std::string_view name;
    TypeDesc* type = nullptr;
    std::vector<FieldDraft> fields;
  };
  struct KindDraft {
    KindDesc kind;
    std::string_view type;
    std::vector<SubresourceDesc> subresources;
    std::vector<ColumnDesc> columns;
    std::size_t line = 0;
  };

  std::unexpected<Error> Mistake(std::string text) const {
    return Fail(Reason::BadRequest, "line " + std::to_string(line_) + ": " + std::move(text));
  }

  std::string_view StoreText(std::string text) {
    return parts_.texts.emplace_back(std::move(text));
  }
  std::span<const std::string_view> KeepList(Words words) {
    return parts_.lists.emplace_back(std::move(words));
  }

  Status ReadLine(std::string_view line) {
    const std::size_t dashes = line.find(" -- ");
    const std::string_view doc =
        dashes == std::string_view::npos ? std::string_view() : TrimSpaces(line.substr(dashes + 4));
    const Words words = SplitWords(line.substr(0, dashes));
    if (words.empty() || words[0].starts_with('#')) return {};
    if (!line.starts_with(' ')) return ReadTopLine(words, doc);
    if (in_kind_) return ReadKindLine(kinds_.back(), words);
    if (in_type_) return ReadField(types_.back(), words, doc);
    return Mistake("belongs to no kind and no type");
  }

  Status ReadTopLine(const Words& words, std::string_view doc) {
    in_kind_ = in_type_ = false;
    if (words.size() < 2) return Mistake("nothing after '" + std::string(words[0]) + "'");
    const std::string_view value = Unquoted(words[1]);
    if (words[0] == "package") {
      package_ = value;
    } else if (words[0] == "group") {
      group_ = value;
    } else if (words[0] == "version") {
      version_ = value;
    } else if (words[0] == "go") {
      go_ = value;
    } else if (words[0] == "kind") {
      return OpenKind(value);
    } else if (words[0] == "type") {
      return OpenType(words, doc);
    } else {
      return Mistake("unknown word '" + std::string(words[0]) + "'");
    }
    return {};
  }

  Status OpenKind(std::string_view name) {
    const auto is_same = [&](const KindDraft& other) { return other.kind.kind == name; };
    if (std::ranges::any_of(kinds_, is_same)) {
      return Mistake("kind " + std::string(name) + " is described twice");
    }
    in_kind_ = true;
    KindDraft& draft = kinds_.emplace_back();
    draft.kind = {.group = group_, .version = version_, .kind = name};
    draft.type = name;
    draft.line = line_;
    return {};
  }

  Status OpenType(const Words& words, std::string_view doc) {
    if (FindDraft(words[1]) != nullptr) {
      return Mistake("type " + std::string(words[1]) + " is described twice");
    }
    in_type_ = true;
    TypeDesc& type = parts_.types.emplace_back();
    type.id = kRuntimeType;
    type.name = StoreText(std::string(package_).append(".").append(words[1]));
    type.go_name = StoreText(std::string(go_).append(".").append(words[1]));
    type.doc = doc;
    types_.push_back({.name = words[1], .type = &type, .fields = {}});
    for (const std::string_view word : std::span(words).subspan(2)) {
      const auto [key, value] = Attribute(word);
      if (key == "mapType" && ParseMapType(value)) {
        type.map_type = *ParseMapType(value);
      } else if (key == "unions" && codec::ParseJson(std::string(value))) {
        type.unions_json = value;
      } else {
        return Mistake("unknown or wrong attribute '" + std::string(word) + "'");
      }
    }
    return {};
  }

  Status ReadKindLine(KindDraft& draft, const Words& words) {
    const std::string_view head = words[0];
    const std::span<const std::string_view> rest = std::span(words).subspan(1);
    const auto has = [&](std::size_t count) { return rest.size() >= count; };
    KindDesc& kind = draft.kind;
    if (head == "type" && has(1)) {
      draft.type = rest[0];
    } else if (head == "list" && has(1)) {
      kind.list_kind = rest[0];
    } else if (head == "lists" && has(1)) {
      kind.item_kind = rest[0];
    } else if (head == "resource" && has(3) && (rest[2] == "Namespaced" || rest[2] == "Cluster")) {
      kind.plural = rest[0];
      kind.singular = rest[1];
      kind.is_namespaced = rest[2] == "Namespaced";
    } else if (head == "short") {
      kind.short_names = KeepList({rest.begin(), rest.end()});
    } else if (head == "categories") {
      kind.categories = KeepList({rest.begin(), rest.end()});
    } else if (head == "verbs") {
      kind.verbs = KeepList({rest.begin(), rest.end()});
    } else if (head == "subresource" && has(2)) {
      AddSubresource(draft, rest);
    } else if (head == "column" && has(2)) {
      return AddColumn(draft, rest);
    } else {
      return Mistake("unknown or wrong line '" + std::string(head) + "'");
    }
    return {};
  }

  void AddSubresource(KindDraft& draft, std::span<const std::string_view> words) {
    const Words path = SplitAt(words[1], '/');
    const bool is_full = path.size() == 3;  // group/version/Kind
    draft.subresources.push_back({.name = words[0],
                                  .group = is_full ? path[0] : group_,
                                  .version = is_full ? path[1] : version_,
                                  .kind = path.back(),
                                  .verbs = KeepList({words.begin() + 2, words.end()})});
  }

  Status AddColumn(KindDraft& draft, std::span<const std::string_view> words) {
    ColumnDesc column{.name = Unquoted(words[0]), .type = words[1]};
    for (const std::string_view word : words.subspan(2)) {
      const auto [key, value] = Attribute(word);
      if (key == "format") {
        column.format = value;
      } else if (key == "value") {
        column.value = value;
      } else if (key == "priority") {
        std::from_chars(value.data(), value.data() + value.size(), column.priority);
      } else {
        return Mistake("unknown attribute '" + std::string(word) + "'");
      }
    }
    draft.columns.push_back(column);
    return {};
  }

  Status ReadField(TypeDraft& draft, const Words& words, std::string_view doc) {
    if (words.size() < 2) return Mistake("a field needs a type");
    const bool is_known = std::ranges::any_of(
        draft.fields, [&](const FieldDraft& other) { return other.field.name == words[0]; });
    if (is_known) return Mistake("field " + std::string(words[0]) + " is described twice");
    FieldDesc field{.name = words[0], .doc = doc};
    for (const std::string_view word : std::span(words).subspan(2)) {
      if (!ReadAttribute(field, word)) {
        return Mistake("unknown or wrong attribute '" + std::string(word) + "'");
      }
    }
    draft.fields.push_back({field, words[1], line_});
    return {};
  }

  bool ReadAttribute(FieldDesc& field, std::string_view word) {
    if (word == "required") return field.required = true;
    const auto [key, value] = Attribute(word);
    if (key == "default" || key == "set" || key == "fill") {
      (key == "default" ? field.default_json : field.set_json) = value;
      field.fills_zero = field.fills_zero || key == "fill";
      return codec::ParseJson(std::string(value)).has_value();
    }
    if (key == "enum") {
      field.enum_values = KeepList(SplitAt(value, '|'));
    } else if (key == "listMapKeys") {
      field.list_map_keys = KeepList(SplitAt(value, ','));
    } else if (key == "patchStrategy") {
      field.patch_strategies = KeepList(SplitAt(value, ','));
    } else if (key == "mergeKey") {
      field.merge_key = value;
    } else if (key == "listType" && ParseListType(value)) {
      field.list_type = *ParseListType(value);
    } else if (key == "mapType" && ParseMapType(value)) {
      field.map_type = *ParseMapType(value);
    } else {
      return false;
    }
    return true;
  }

  const TypeDraft* FindDraft(std::string_view name) const {
    const auto found = std::ranges::find(types_, name, &TypeDraft::name);
    return found == types_.end() ? nullptr : &*found;
  }

  const TypeDesc* FindTypeByWord(std::string_view word) const {
    if (const TypeDraft* own = FindDraft(word)) return own->type;
    return FindTypeOfPackage(word);
  }

  Status Resolve(TypeDraft& draft) {
    std::vector<FieldDesc>& fields = parts_.fields.emplace_back();
    std::vector<codec::FieldId>& defaulted = parts_.defaulted.emplace_back();
    for (FieldDraft& one : draft.fields) {
      line_ = one.line;
      one.field.shape = PL_TRY(MakeShape(one.type, 0));
      if (!one.field.set_json.empty()) {
        defaulted.push_back(static_cast<codec::FieldId>(fields.size()));
      }
      fields.push_back(one.field);
    }
    draft.type->fields = fields;
    draft.type->defaulted = defaulted;
    AddFieldHash(*draft.type, parts_.slots.emplace_back());
    return {};
  }

  Result<const Shape*> MakeShape(std::string_view text, std::size_t nesting) {
    if (nesting > kNestingMax) return Mistake("too many lists and maps within each other");
    Shape shape;
    if (text.starts_with("[]")) {
      shape.kind = ShapeKind::List;
      shape.element = PL_TRY(MakeShape(text.substr(2), nesting + 1));
      shape.go_name = StoreText("[]" + std::string(shape.element->go_name));
    } else if (text.starts_with("map[")) {
      const std::size_t end = ClosingBracket(text, 3);
      if (end == text.npos) return Mistake("no ] in '" + std::string(text) + "'");
      shape.kind = ShapeKind::Map;
      shape.element = PL_TRY(MakeShape(text.substr(4, end - 4), nesting + 1));
      const std::string_view named = text.substr(end + 1);
      shape.go_name = named.starts_with(':')
                          ? named.substr(1)
                          : StoreText("map[string]" + std::string(shape.element->go_name));
      shape.is_resource_list = shape.go_name == "v1.ResourceList";
    } else {
      shape = PL_TRY(MakePlainShape(text));
    }
    return &parts_.shapes.emplace_back(shape);
  }

  /// Returns the shape of a scalar or of a described type.
  Result<Shape> MakePlainShape(std::string_view text) {
    const std::size_t colon = text.find(':');
    const std::string_view word = text.substr(0, colon);
    const auto scalar = std::ranges::find(kScalars, word, &Scalar::word);
    if (scalar != kScalars.end()) {
      Shape shape{.kind = scalar->kind, .go_name = scalar->go_name};
      if (colon == text.npos) return shape;
      const std::string_view named = text.substr(colon + 1);
      shape.go_name =
          named.contains('.') ? named : StoreText(std::string(go_).append(".").append(named));
      return shape;
    }
    const TypeDesc* type = FindTypeByWord(word);
    if (type == nullptr) return Mistake("no type '" + std::string(word) + "' is described");
    return Shape{.kind = ShapeKind::Struct, .type = type, .go_name = type->go_name};
  }

  static bool ReachesDefaults(const FieldDesc& field) {
    if (!field.set_json.empty() || field.shape->is_resource_list) return true;
    const Shape* shape = field.shape;
    while (shape->element != nullptr) shape = shape->element;
    return shape->type != nullptr && shape->type->reaches_defaults;
  }

  /// Marks the types in or below which a field has a default. Types may contain each other, so this
  /// repeats until no mark is new.
  void MarkDefaults() {
    bool has_new = true;
    while (has_new) {
      has_new = false;
      for (TypeDesc& type : parts_.types) {
        if (type.reaches_defaults || std::ranges::none_of(type.fields, ReachesDefaults)) continue;
        type.reaches_defaults = has_new = true;
      }
    }
  }

  Status AddKind(const KindDraft& draft) {
    line_ = draft.line;
    KindDesc kind = draft.kind;
    kind.type = FindTypeByWord(draft.type);
    if (kind.type == nullptr)
      return Mistake("no type '" + std::string(draft.type) + "' is described");
    kind.subresources = parts_.subresources.emplace_back(draft.subresources);
    kind.columns = parts_.columns.emplace_back(draft.columns);
    parts_.kinds.push_back(kind);
    if (kind.list_kind.empty()) return {};
    // The type of the list is in the package of the kind's type.
    const std::string home(draft.type.substr(0, draft.type.rfind('.') + 1));
    KindDesc list{.group = kind.group, .version = kind.version, .kind = kind.list_kind};
    list.type = FindTypeByWord(home + std::string(kind.list_kind));
    list.item_kind = kind.kind;
    if (list.type == nullptr) {
      return Mistake("no type '" + std::string(kind.list_kind) + "' is described");
    }
    parts_.kinds.push_back(list);
    return {};
  }

  Parts& parts_;
  std::size_t line_ = 0;
  std::string_view package_;
  std::string_view group_;
  std::string_view version_;
  std::string_view go_;
  bool in_kind_ = false;
  bool in_type_ = false;
  std::vector<KindDraft> kinds_;
  std::vector<TypeDraft> types_;
};

Result<KindTable> KindTable::Parse(std::string description) {
  auto parts = std::make_unique<Parts>();
  parts->description = std::move(description);
  PL_TRY(Parser(*parts).Run());
  return KindTable(std::move(parts));
}

KindTable::KindTable(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
KindTable::KindTable(KindTable&&) noexcept = default;
KindTable& KindTable::operator=(KindTable&&) noexcept = default;
KindTable::~KindTable() = default;

std::span<const KindDesc> KindTable::kinds() const { return parts_->kinds; }

const KindDesc* KindTable::FindKind(std::string_view group, std::string_view version,
                                    std::string_view kind) const {
  const auto found = std::ranges::find_if(parts_->kinds, [&](const KindDesc& one) {
    return one.kind == kind && one.group == group && one.version == version;
  });
  return found == parts_->kinds.end() ? nullptr : &*found;
}

const TypeDesc* KindTable::FindType(std::string_view name) const {
  const auto found = std::ranges::find(parts_->types, name, &TypeDesc::name);
  return found == parts_->types.end() ? nullptr : &*found;
}

}  // namespace plimsoll::api
