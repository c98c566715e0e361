#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/feature_gates.h"

namespace plimsoll::api {

/// What is wrong with an expression.
struct ExpressionFault {
  enum class Kind : std::uint8_t {
    Invalid,    // it does not compile, or to no boolean
    TooCostly,  // it may cost more than the limit
    Internal,   // it compiles, and a constant part of it can only fail
  };
  Kind kind = Kind::Invalid;
  std::string message;  // as the user reads it; of TooCostly there is none
};

/// Where the compiler of toleration expressions plugs in. Pure and safe for use by many threads.
class ExpressionChecker {
 public:
  virtual ~ExpressionChecker() = default;

  /// Nothing for an expression that compiles to a boolean over `taint` within the cost limit.
  virtual std::optional<ExpressionFault> Check(std::string_view expression) const = 0;
  /// The highest cost that an evaluation may have, as estimated; 0 for one that does not compile.
  virtual std::uint64_t CostMax(std::string_view /*expression*/) const { return 0; }
};

/// Which namespaces are meant for administrators: claims there may look at devices that others use.
class AdminNamespaces {
 public:
  virtual ~AdminNamespaces() = default;
  virtual bool AllowsAdminAccess(std::string_view namespace_) const = 0;
};

/// What validation depends on beyond the object.
struct ValidationContext {
  FeatureGates gates;
  /// Null: expressions are checked only as far as that needs no compiler.
  const ExpressionChecker* expressions = nullptr;
  /// Null: not asked for, where there is no cluster to ask.
  const AdminNamespaces* admin_namespaces = nullptr;
};

}  // namespace plimsoll::api
