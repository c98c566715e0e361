#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cel/cost.h"
#include "cel/value.h"

/// A library is one source file that ends in a `const Library`: what it declares, costs and does,
/// side by side in tables. An environment lists the libraries it is made of; nothing else knows
/// them.
namespace plimsoll::cel {

struct MacroCall;
class AstBuilder;
class ValidationContext;

/// Does a call. `arguments` begins with the target, if there is one, and holds as many values as
/// the signature has. None is an error, and their kinds are those of the signature: where dyn let
/// others through, the call was answered by `no such overload: split(int, string)` already. Of a
/// list or map only the first element was looked at, so an implementation must expect any kind
/// behind it. What it makes goes into the evaluation's arena. The text or list it returns may be
/// part of an argument.
using Implementation = Value (*)(Evaluation& evaluation, const Value* arguments);

/// A call that was prepared for arguments known when the program was planned, as a regular
/// expression that was compiled once. The other arguments may be of any kind.
struct Prepared {
  Value (*call)(Evaluation& evaluation, const void* state, const Value* arguments) = nullptr;
  const void* state = nullptr;  // in the arena given to Prepare, which lives as long as the program
};

/// Asked once per call in a program. `constants` has nullptr for arguments known only at run time.
/// A Prepared without `call` means that nothing can be prepared; the error makes planning fail.
using Prepare = std::expected<Prepared, std::string> (*)(std::span<const Value* const> constants,
                                                         Arena& arena);

/// One row of a library's table of functions.
struct Function {
  std::string_view id;         // upstream's overload id: `starts_with_string`
  std::string_view name;       // `startsWith`, `optional.of`, `_+_`
  bool is_member = false;      // called on a target, which is the first parameter
  std::string_view signature;  // `string, string -> bool`; types as TypePool::Parse reads them
  Implementation implementation = nullptr;  // nullptr: done by the planner itself
  Prepare prepare = nullptr;
  bool folds = false;  // calls on constants are done when planning, cost nothing, may fail there
  bool unguarded = false;  // gets arguments of any kind and answers for those it does not know
};

/// Static cost of the overloads, or of all overloads of the function, of this name.
struct StaticCostRule {
  std::string_view name;
  StaticCost cost;
};
struct RuntimeCostRule {
  std::string_view name;
  RuntimeCost cost;
};

/// What stands behind a macro. `target` is kNoNode for a global one. Answers the node that replaces
/// the call, kNoNode to leave it a plain call, or reports through the builder and answers the
/// node of that.
using ExpandMacro = NodeId (*)(AstBuilder& builder, const MacroCall& call);

struct Macro {
  std::string_view name;
  std::uint8_t arity = 0;
  bool is_member = false;
  ExpandMacro expand = nullptr;
};

struct MacroCall {
  NodeId call;  // messages about the call as a whole point here
  NodeId target;
  std::span<const NodeId> arguments;
};

/// Looks over a checked expression for what types cannot say and reports through the context.
using Validate = void (*)(ValidationContext& context);

/// Costs are looked up at most four times per overload: first what libraries say of the overload
/// (`overload_costs`), then of the function by name (`function_costs`), then what the standard
/// library says of the overload (`default_costs`); all else costs 1. The first answer wins.
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
  /// Types whose names can stand in expressions: `net.IP`, `optional_type(dyn)`.
  std::span<const std::string_view> types = {};
  /// Types that pass for structures, though without fields and without a name to call them by.
  std::span<const std::string_view> objects = {};
  /// Functions whose literal arguments may mix types where literals otherwise may not.
  std::span<const std::string_view> mixed_literal_functions = {};
};

/// A Function as an environment keeps it: signature read, costs found.
struct Overload {
  const Function* function = nullptr;
  std::uint32_t number = 0;  // among the overloads of the environment
  std::vector<const Type*> parameters;
  const Type* result = nullptr;
  std::vector<const Type*> type_params;  // each once, in the order of first use
  std::vector<StaticCost> static_costs;
  std::vector<RuntimeCost> runtime_costs;

  std::string_view id() const { return function->id; }
  bool is_member() const { return function->is_member; }
};

/// All overloads of one name, in the order of declaration: the order decides which of several
/// overloads binds a free type parameter.
struct FunctionSet {
  std::string_view name;
  std::vector<const Overload*> overloads;
  std::vector<RuntimeCost> runtime_costs;  // when the checker left more than one candidate
};

}  // namespace plimsoll::cel
