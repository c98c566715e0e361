#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/validation/context.h"
#include "base/result.h"
#include "cel/arena.h"
#include "cel/cache.h"
#include "cel/value.h"
#include "codec/value.h"

/// CEL expressions over a node, as NodeTaintRules have them.
namespace plimsoll::api {

inline constexpr std::size_t kNodeExpressionBytesMax = 10 * 1024;

/// A node as expressions see it: `metadata` (name, uid, labels, annotations, creationTimestamp),
/// `spec` and `status` without the images. The node must outlive it. Use it for one thread.
class NodeInput {
 public:
  explicit NodeInput(const codec::Value& node);
  const cel::Value& value() const { return value_; }

 private:
  cel::Arena arena_;
  cel::Value value_;
};

/// A compiled expression. Immutable and safe to share.
class NodeExpression {
 public:
  /// Kind of the result. Bool selects a node. Text is the value of a taint: an int, a string, or
  /// none (null or an empty optional) for no taint.
  enum class Gives : std::uint8_t { Bool, Text };

  /// Compiles the text and checks its type and its estimated cost.
  static std::expected<NodeExpression, ExpressionFault> Compile(std::string_view text, Gives gives);

  /// Evaluates an expression that gives Bool, and adds the cost. Invalid if it fails at run time.
  Result<bool> Matches(const NodeInput& node, std::uint64_t& cost) const;
  /// Evaluates an expression that gives Text. Returns nullopt for none.
  Result<std::optional<std::string>> TextOf(const NodeInput& node, std::uint64_t& cost) const;

 private:
  explicit NodeExpression(std::shared_ptr<const cel::Compilation> compiled)
      : compiled_(std::move(compiled)) {}

  std::shared_ptr<const cel::Compilation> compiled_;
};

}  // namespace plimsoll::api
