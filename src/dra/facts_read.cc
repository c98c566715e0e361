#include "dra/facts_read.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "base/semver.h"

namespace plimsoll::dra {
namespace {

using Kind = FactName::Kind;

class Reader {
 public:
  explicit Reader(const cel::Ast& ast) : ast_(ast) {}

  std::vector<FactName> Read() {
    Visit(ast_.root);
    const FactName everything;
    if (std::ranges::find(names_, everything) != names_.end()) return {everything};
    std::ranges::sort(names_);
    const auto repeated = std::ranges::unique(names_);
    names_.erase(repeated.begin(), repeated.end());
    return std::move(names_);
  }

  void CollectRequired(cel::NodeId id, std::vector<RequiredText>& required) const {
    const cel::Node& node = ast_.node(id);
    if (node.kind != cel::NodeKind::Call) return;
    const std::span<const cel::NodeId> sides = ast_.arguments(node);
    if (node.name == "_&&_") {
      for (const cel::NodeId side : sides) CollectRequired(side, required);
    }
    if (node.name != "_==_") return;
    for (const std::size_t i : {0u, 1u}) {
      std::optional<FactName> name = NameOf(sides[i]);
      const std::optional<std::string_view> text = TextOf(sides[1 - i]);
      const bool is_reading = !ast_.node(sides[i]).is_test;
      if (name && name->kind == Kind::Attribute && is_reading && text) {
        required.push_back({std::move(*name), std::string(*text)});
      }
    }
  }

 private:
  void Visit(cel::NodeId id) {
    if (std::optional<FactName> name = NameOf(id)) {
      names_.push_back(std::move(*name));
      return;
    }
    cel::ForEachChild(ast_, id, [this](cel::NodeId child) { Visit(child); });
  }

  /// Returns the fact that this node itself reads, as opposed to facts read by its children.
  std::optional<FactName> NameOf(cel::NodeId id) const {
    if (IsDevice(id)) return FactName{};
    if (const auto field = FieldOfDevice(id)) {
      if (*field == "driver") return FactName{.kind = Kind::Driver};
      if (*field == "allowMultipleAllocations") {
        return FactName{.kind = Kind::AllowMultipleAllocations};
      }
      return std::nullopt;
    }
    const std::optional<Step> last = StepOf(id);
    if (!last) return std::nullopt;
    const std::optional<Step> domain = StepOf(last->of);
    if (!domain || ast_.node(last->of).is_test) return std::nullopt;
    const auto field = FieldOfDevice(domain->of);
    if (!field) return std::nullopt;
    if (*field == "attributes") return Named(Kind::Attribute, domain->key, last->key);
    if (*field == "capacity") return Named(Kind::Capacity, domain->key, last->key);
    return std::nullopt;
  }

  static FactName Named(Kind kind, std::string_view domain, std::string_view id) {
    std::string qualified(domain);
    qualified.append(1, '/').append(id);
    return {kind, std::move(qualified), domain.size()};
  }

  bool IsDevice(cel::NodeId id) const {
    return ast_.node(id).kind == cel::NodeKind::Ident &&
           ast_.references[id].kind == cel::Reference::Kind::Variable;
  }

  std::optional<std::string_view> FieldOfDevice(cel::NodeId id) const {
    const cel::Node& node = ast_.node(id);
    if (node.kind != cel::NodeKind::Select || node.is_test || !IsDevice(node.operand)) {
      return std::nullopt;
    }
    return node.name;
  }

  /// A step of the form `of.key`, `has(of.key)` or `of["key"]`.
  struct Step {
    cel::NodeId of;
    std::string_view key;
  };
  std::optional<Step> StepOf(cel::NodeId id) const {
    const cel::Node& node = ast_.node(id);
    if (node.kind == cel::NodeKind::Select) return Step{node.operand, node.name};
    if (node.kind != cel::NodeKind::Call || node.name != "_[_]") return std::nullopt;
    const std::span<const cel::NodeId> sides = ast_.arguments(node);
    const std::optional<std::string_view> key = TextOf(sides[1]);
    if (!key) return std::nullopt;
    return Step{sides[0], *key};
  }

  std::optional<std::string_view> TextOf(cel::NodeId id) const {
    const cel::Node& node = ast_.node(id);
    if (node.kind != cel::NodeKind::Literal) return std::nullopt;
    const cel::Value& literal = ast_.literal(node);
    if (literal.kind() != cel::ValueKind::String) return std::nullopt;
    return literal.text();
  }

  const cel::Ast& ast_;
  std::vector<FactName> names_;
};

/// Encodes a value without its kind. Numbers and lengths have a fixed size, and texts of a list are
/// preceded by their length. So different values of a kind have different bytes.
struct AppendBytes {
  std::string& out;

  void operator()(std::monostate) const {}
  void operator()(std::int64_t value) const {
    const auto bytes = std::bit_cast<std::array<char, sizeof value>>(value);
    out.append(bytes.data(), bytes.size());
  }
  void operator()(bool value) const { out += value ? '\1' : '\0'; }
  void operator()(std::string_view text) const { out += text; }
  void operator()(cel::VersionText version) const { out += version.text; }
  void operator()(const std::vector<std::string_view>& texts) const {
    for (const std::string_view text : texts) AppendCounted(text);
  }
  void operator()(const std::vector<cel::VersionText>& versions) const {
    for (const cel::VersionText version : versions) AppendCounted(version.text);
  }
  template <class Number>
  void operator()(const std::vector<Number>& numbers) const {
    for (const Number number : numbers) (*this)(number);
  }

 private:
  void AppendCounted(std::string_view text) const {
    (*this)(static_cast<std::int64_t>(text.size()));
    out += text;
  }
};

/// Finds an entry by domain and id, in entries sorted by name: the qualified name, or the bare id
/// if the domain is the driver's. If both exist, the later one counts.
template <class Entries, class NameOf>
std::optional<std::size_t> FindNamed(const Entries& entries, NameOf name_of, const FactName& name,
                                     std::string_view driver) {
  std::optional<std::size_t> place;
  const auto find = [&](std::string_view wanted) {
    const auto found = std::ranges::lower_bound(entries, wanted, {}, name_of);
    if (found == entries.end() || name_of(*found) != wanted) return;
    const auto at = static_cast<std::size_t>(found - entries.begin());
    place = std::max(place, std::optional(at));
  };
  find(name.qualified);
  if (name.domain() == driver) find(name.id());
  return place;
}

template <class Entry>
void CopyNamed(const std::vector<Entry>& entries, const FactName& name, std::string_view driver,
               std::vector<Entry>& copies) {
  const auto name_of = [](const Entry& entry) { return entry.name; };
  if (const auto place = FindNamed(entries, name_of, name, driver)) {
    copies.push_back(entries[*place]);
  }
}

}  // namespace

std::vector<FactName> FactsReadBy(const cel::Ast& ast) { return Reader(ast).Read(); }

std::vector<RequiredText> TextsRequiredBy(const cel::Ast& ast) {
  std::vector<RequiredText> required;
  Reader(ast).CollectRequired(ast.root, required);
  return required;
}

std::string ValueBytes(const cel::AttributeValue& value) {
  std::string bytes(1, static_cast<char>(value.index()));
  std::visit(AppendBytes{bytes}, value);
  return bytes;
}

std::optional<std::size_t> PlaceOf(const FactName& fact, std::span<const std::string> names,
                                   std::string_view driver) {
  return FindNamed(names, [](std::string_view name) { return name; }, fact, driver);
}

cel::DeviceFacts OnlyFacts(const std::vector<FactName>& names, const cel::DeviceFacts& facts) {
  cel::DeviceFacts only;
  only.driver = facts.driver;
  only.allow_multiple_allocations = facts.allow_multiple_allocations;
  for (const FactName& name : names) {
    if (name.kind == Kind::Everything) return facts;
    if (name.kind == Kind::Attribute) {
      CopyNamed(facts.attributes, name, facts.driver, only.attributes);
    }
    if (name.kind == Kind::Capacity) {
      CopyNamed(facts.capacity, name, facts.driver, only.capacity);
    }
  }
  return only;
}

bool CanBeEvaluated(const cel::DeviceFacts& facts) {
  const auto is_version = [](cel::VersionText version) {
    return ReadSemver(version.text).has_value();
  };
  return std::ranges::all_of(facts.attributes, [&](const cel::DeviceAttribute& attribute) {
    if (std::holds_alternative<std::monostate>(attribute.value)) return false;
    if (const auto* version = std::get_if<cel::VersionText>(&attribute.value)) {
      return is_version(*version);
    }
    const auto* const versions = std::get_if<std::vector<cel::VersionText>>(&attribute.value);
    return versions == nullptr || std::ranges::all_of(*versions, is_version);
  });
}

}  // namespace plimsoll::dra
