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

/// A part of what expressions are told of a device.
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
  std::size_t domain_length = 0;  // in it

  std::string_view domain() const { return std::string_view(qualified).substr(0, domain_length); }
  std::string_view id() const { return std::string_view(qualified).substr(domain_length + 1); }
  auto operator<=>(const FactName&) const = default;
};

/// The facts that an expression's answer depends on, sorted: those that it names outright, as
/// `device.attributes["domain"].id` does. Everything, and that alone, when it looks at the device
/// in any other way.
std::vector<FactName> FactsReadBy(const cel::Ast& ast);

/// An attribute that must be this text: `device.attributes["domain"].id == "text"`.
struct RequiredText {
  FactName attribute;
  std::string text;
};

/// Without which the expression is not true: those among its terms, which `&&` connects.
std::vector<RequiredText> TextsRequiredBy(const cel::Ast& ast);

/// What an attribute's value is: equal bytes, equal answers of every expression that reads nothing
/// else.
std::string ValueBytes(const cel::AttributeValue& value);

/// Which of the sorted names of a device's attributes, or of its capacities, stands for the fact.
std::optional<std::size_t> PlaceOf(const FactName& fact, std::span<const std::string> names,
                                   std::string_view driver);

/// The same device without the facts that none of the names stands for, but with its driver.
cel::DeviceFacts OnlyFacts(const std::vector<FactName>& names, const cel::DeviceFacts& facts);

/// Whether any expression can be evaluated over it: each attribute has a value, and a version is
/// one.
bool CanBeEvaluated(const cel::DeviceFacts& facts);

}  // namespace plimsoll::dra
