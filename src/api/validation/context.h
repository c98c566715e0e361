#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/feature_gates.h"

namespace plimsoll::api {

/// A fault of an expression.
struct ExpressionFault {
  enum class Kind : std::uint8_t {
    Invalid,    // does not compile, or not to a boolean
    TooCostly,  // may cost more than the limit
    Internal,   // compiles, but a constant part of it always fails
  };
  Kind kind = Kind::Invalid;
  std::string message;  // text for the user; empty for TooCostly
};

/// Interface to the compiler of toleration expressions. Pure and safe for use by many threads.
class ExpressionChecker {
 public:
  virtual ~ExpressionChecker() = default;

  /// Returns nothing if the expression compiles to a boolean over `taint` within the cost limit.
  virtual std::optional<ExpressionFault> Check(std::string_view expression) const = 0;
  /// Returns the estimated maximum cost of an evaluation; 0 if the expression does not compile.
  virtual std::uint64_t CostMax(std::string_view /*expression*/) const { return 0; }
};

/// Decides which namespaces allow admin access: claims there may use devices of other claims.
/// An interface, because only the API server knows the namespaces.
class AdminNamespaces {
 public:
  virtual ~AdminNamespaces() = default;
  virtual bool AllowsAdminAccess(std::string_view namespace_) const = 0;
};

/// Input of validation besides the object.
struct ValidationContext {
  FeatureGates gates;
  /// Null: expressions are not compiled; only checks without a compiler run.
  const ExpressionChecker* expressions = nullptr;
  /// Null: admin access is not checked, because there is no cluster to ask.
  const AdminNamespaces* admin_namespaces = nullptr;
};

}  // namespace plimsoll::api
