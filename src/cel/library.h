#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cel/cost.h"
#include "cel/value.h"

/// A library is one source file that defines a `const Library`: tables of its
/// declarations, costs and implementations. An environment lists its libraries;
/// nothing else refers to them.
namespace plimsoll::cel {

struct MacroCall;
class AstBuilder;
class ValidationContext;

/// Executes a call. `arguments` begins with the target, if there is one, and has as
/// many values as the signature. The arguments are never errors and fit the
/// signature; evaluation rejects others with `no such overload: split(int, string)`.
/// For lists and maps, only the first element was checked: implementations must
/// expect any kind in the others. New values go into the evaluation's arena. The
/// result may be part of an argument.
using Implementation = Value (*)(Evaluation& evaluation, const Value* arguments);

/// A call prepared at planning time for its constant arguments, such as a compiled regular
/// expression. The other arguments may be of any kind.
struct Prepared {
  Value (*call)(Evaluation& evaluation, const void* state, const Value* arguments) = nullptr;
  const void* state = nullptr;  // in the arena passed to Prepare; lives as long as the program
};

/// Runs once per call in a program. `constants` has nullptr for arguments known only at run time.
/// Returns a Prepared without `call` if nothing can be prepared. An error makes planning fail.
using Prepare = std::expected<Prepared, std::string> (*)(std::span<const Value* const> constants,
                                                         Arena& arena);

/// One row of a library's table of functions.
struct Function {
  std::string_view id;         // upstream's overload id: `starts_with_string`
  std::string_view name;       // `startsWith`, `optional.of`, `_+_`
  bool is_member = false;      // called on a target, the first parameter
  std::string_view signature;  // `string, string -> bool`; types as TypePool::Parse reads them
  Implementation implementation = nullptr;  // nullptr: the planner implements it
  Prepare prepare = nullptr;
  bool folds = false;  // calls on constants are evaluated at planning, at no cost; they may fail
  bool unguarded = false;  // gets arguments of any kind and returns the error for unsupported ones
};

/// Cost of the overload with this id, or of all overloads of the function with this name.
struct StaticCostRule {
  std::string_view name;
  StaticCost cost;
};
struct RuntimeCostRule {
  std::string_view name;
  RuntimeCost cost;
};

/// Expands a macro. `target` is kNoNode for a global macro. Returns the node that replaces
/// the call, or kNoNode to keep a plain call. After reporting an error through the
/// builder, returns its Fault node.
using ExpandMacro = NodeId (*)(AstBuilder& builder, const MacroCall& call);

struct Macro {
  std::string_view name;
  std::uint8_t arity = 0;
  bool is_member = false;
  ExpandMacro expand = nullptr;
};

struct MacroCall {
  NodeId call;  // position of errors about the whole call
  NodeId target;
  std::span<const NodeId> arguments;
};

/// Checks a checked expression beyond its types and reports issues through the context.
using Validate = void (*)(ValidationContext& context);

/// The first table with an entry decides the cost of an overload. The order is `overload_costs` (by
/// overload id), `function_costs` (by function name), `default_costs` (standard library, by
/// overload id). Without an entry the cost is 1.
struct Library {
  std::string_view name;
  std::span<const Function> functions = {};
  std::span<const Macro> macros = {};
  std::span<const Validate> validators = {};
  std::span<const StaticCostRule> overload_costs = {};
  std::span<const StaticCostRule> function_costs = {};
  std::span<const StaticCostRule> default_costs = {};
  std::span<const RuntimeCostRule> overload_runtime_costs = {};
  std::span<const RuntimeCostRule> function_runtime_costs = {};
  std::span<const RuntimeCostRule> default_runtime_costs = {};
  /// Types whose names expressions can use: `net.IP`, `optional_type(dyn)`.
  std::span<const std::string_view> types = {};
  /// Types that count as structures, but have no fields and no name in expressions.
  std::span<const std::string_view> objects = {};
  /// Functions whose literal arguments may mix types even if homogeneous_literals is set.
  std::span<const std::string_view> mixed_literal_functions = {};
};

/// A Function with its parsed signature and its costs.
struct Overload {
  const Function* function = nullptr;
  std::uint32_t number = 0;  // index among the overloads of the environment
  std::vector<const Type*> parameters;
  const Type* result = nullptr;
  std::vector<const Type*> type_params;  // without duplicates, in order of first use
  std::vector<StaticCost> static_costs;
  std::vector<RuntimeCost> runtime_costs;

  std::string_view id() const { return function->id; }
  bool is_member() const { return function->is_member; }
};

/// All overloads of one name, in declaration order. The order decides which overload
/// binds a free type parameter.
struct FunctionSet {
  std::string_view name;
  std::vector<const Overload*> overloads;
  std::vector<RuntimeCost> runtime_costs;  // used if the checker left several candidates
};

}  // namespace plimsoll::cel
