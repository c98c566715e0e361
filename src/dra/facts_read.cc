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

  /// What the node reads of the device, when it is such a reading and not merely contains one.
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

  /// `of.key`, has(of.key) or `of["key"]`.
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

/// Numbers and lengths have a fixed size and texts their length in front, so that no two different
/// sequences of facts have the same bytes.
class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}

  void Number(std::uint64_t value) {
    const auto bytes = std::bit_cast<std::array<char, sizeof value>>(value);
    out_.append(bytes.data(), bytes.size());
  }
  void operator()(std::monostate) {}
  void operator()(std::int64_t value) { Number(static_cast<std::uint64_t>(value)); }
  void operator()(bool value) { out_ += value ? '\1' : '\0'; }
  void operator()(std::string_view text) {
    Number(text.size());
    out_ += text;
  }
  void operator()(cel::VersionText version) { (*this)(version.text); }
  template <class T>
  void operator()(const std::vector<T>& items) {
    Number(items.size());
    for (const T item : items) (*this)(item);
  }

  void Attribute(const cel::DeviceAttribute& attribute) {
    (*this)(attribute.name);
    AttributeValue(attribute.value);
  }
  void AttributeValue(const cel::AttributeValue& value) {
    out_ += static_cast<char>(value.index());
    std::visit(*this, value);
  }
  void Capacity(const cel::DeviceCapacity& capacity) {
    (*this)(capacity.name);
    (*this)(capacity.value.Canonical());
  }
  void Everything(const cel::DeviceFacts& facts) {
    (*this)(facts.driver);
    (*this)(facts.allow_multiple_allocations);
    Number(facts.attributes.size());
    for (const auto& attribute : facts.attributes) Attribute(attribute);
    for (const auto& capacity : facts.capacity) Capacity(capacity);
  }

 private:
  std::string& out_;
};

/// Calls `visit` with the entries that the domain and id can mean: the qualified one, and the bare
/// one of the driver's own domain.
template <class Entry, class Visit>
void VisitNamed(const std::vector<Entry>& entries, const FactName& name, std::string_view driver,
                Visit visit) {
  const auto find = [&](std::string_view wanted) {
    const auto found = std::ranges::lower_bound(entries, wanted, {}, &Entry::name);
    if (found != entries.end() && found->name == wanted) visit(*found);
  };
  // In the order of the names, as `entries` are: where both are there, the later one counts.
  const bool is_own = name.domain() == driver;
  const bool is_bare_first = name.id() < name.qualified;
  if (is_own && is_bare_first) find(name.id());
  find(name.qualified);
  if (is_own && !is_bare_first) find(name.id());
}

}  // namespace

std::vector<FactName> FactsReadBy(const cel::Ast& ast) { return Reader(ast).Read(); }

std::vector<RequiredText> TextsRequiredBy(const cel::Ast& ast) {
  std::vector<RequiredText> required;
  Reader(ast).CollectRequired(ast.root, required);
  return required;
}

bool IsText(std::string_view fact_bytes, std::string_view text) {
  // Where both a qualified and a bare attribute are there, the last one counts.
  constexpr std::size_t kHeaderBytes = 1 + sizeof(std::uint64_t);
  if (fact_bytes.size() < kHeaderBytes + text.size() || !fact_bytes.ends_with(text)) return false;
  std::string end;
  Writer(end).AttributeValue(text);
  return fact_bytes.ends_with(end);
}

std::string FactBytes(const FactName& name, const cel::DeviceFacts& facts) {
  std::string bytes;
  Writer writer(bytes);
  switch (name.kind) {
    case Kind::Driver:
      writer(facts.driver);
      break;
    case Kind::AllowMultipleAllocations:
      writer(facts.allow_multiple_allocations);
      break;
    case Kind::Attribute:
      VisitNamed(facts.attributes, name, facts.driver,
                 [&](const cel::DeviceAttribute& attribute) { writer.Attribute(attribute); });
      break;
    case Kind::Capacity:
      VisitNamed(facts.capacity, name, facts.driver,
                 [&](const cel::DeviceCapacity& capacity) { writer.Capacity(capacity); });
      break;
    case Kind::Everything:
      writer.Everything(facts);
      break;
  }
  return bytes;
}

cel::DeviceFacts OnlyFacts(const std::vector<FactName>& names, const cel::DeviceFacts& facts) {
  cel::DeviceFacts only;
  only.driver = facts.driver;
  only.allow_multiple_allocations = facts.allow_multiple_allocations;
  for (const FactName& name : names) {
    if (name.kind == Kind::Everything) return facts;
    if (name.kind == Kind::Attribute) {
      VisitNamed(facts.attributes, name, facts.driver,
                 [&](const cel::DeviceAttribute& found) { only.attributes.push_back(found); });
    }
    if (name.kind == Kind::Capacity) {
      VisitNamed(facts.capacity, name, facts.driver,
                 [&](const cel::DeviceCapacity& found) { only.capacity.push_back(found); });
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
