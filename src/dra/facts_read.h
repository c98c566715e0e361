#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cel/ast.h"
#include "cel/device_facts.h"

namespace plimsoll::dra {

/// Name of a part of a device that expressions can read.
struct FactName {
  enum class Kind : std::uint8_t {
    Driver,
    AllowMultipleAllocations,
    Attribute,
    Capacity,
    Everything,
  };
  Kind kind = Kind::Everything;
  std::string qualified;          // `domain/id` of an attribute or capacity
  std::size_t domain_length = 0;  // length of the domain in `qualified`

  std::string_view domain() const { return std::string_view(qualified).substr(0, domain_length); }
  std::string_view id() const { return std::string_view(qualified).substr(domain_length + 1); }
  auto operator<=>(const FactName&) const = default;
};

/// Returns the facts that an expression's result depends on, sorted: those that it names directly,
/// such as `device.attributes["domain"].id`. Returns only Everything if it reads the device in any
/// other way.
std::vector<FactName> FactsReadBy(const cel::Ast& ast);

/// An attribute that must equal a text: `device.attributes["domain"].id == "text"`.
struct RequiredText {
  FactName attribute;
  std::string text;
};

/// Returns the equalities without which the expression is not true: operands of its top-level `&&`.
std::vector<RequiredText> TextsRequiredBy(const cel::Ast& ast);

/// Encodes an attribute's value. Equal bytes mean equal results of every expression that reads
/// nothing else.
std::string ValueBytes(const cel::AttributeValue& value);

/// Finds the fact in the sorted names of a device's attributes, or of its capacities.
std::optional<std::size_t> PlaceOf(const FactName& fact, std::span<const std::string> names,
                                   std::string_view driver);

/// Returns the device's driver and only the facts with these names.
cel::DeviceFacts OnlyFacts(const std::vector<FactName>& names, const cel::DeviceFacts& facts);

/// Returns true if expressions can be evaluated over the device: every attribute has a value, and
/// every version is valid.
bool CanBeEvaluated(const cel::DeviceFacts& facts);

}  // namespace plimsoll::dra
