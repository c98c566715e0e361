#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cel/ast.h"
#include "cel/library.h"
#include "cel/limits.h"

namespace plimsoll::cel {

/// Maximum size of a variable, a field or an element, for static costs. Sizes of nested values are
/// found by path: `fields` by name, `elements` for list elements and map values.
struct DeclaredSize {
  std::string_view name;  // name of the field
  std::uint64_t max = 0;
  std::vector<DeclaredSize> fields;
  std::vector<DeclaredSize> elements;  // one or none
  std::vector<DeclaredSize> keys;      // one or none
  bool names_are_elements = false;     // `m.x` has the size of an element of m
};

struct ObjectField {
  std::string_view name;
  std::string_view type;  // as TypePool::Parse reads it
};

/// A structure declared by the host. It must outlive the environment.
struct ObjectType {
  std::string_view name;  // `kubernetes.Taint`
  std::vector<ObjectField> fields;
};

struct Variable {
  std::string_view name;
  std::string_view type;  // as TypePool::Parse reads it, or the name of an object type
  DeclaredSize size;
};

/// Options of an environment.
struct EnvironmentOptions {
  std::string_view container;  // names are resolved in it first: in `a.b`, `x` finds `a.b.x`
  std::vector<const Library*> libraries;
  std::vector<const ObjectType*> objects;
  std::vector<Variable> variables;
  /// Elements of a list literal, and keys and values of a map literal, must have one type.
  bool homogeneous_literals = true;
  /// Reject constant arguments of duration(), timestamp() and matches() that always fail.
  bool literal_validators = true;
  /// has() itself costs nothing; only its operand does.
  bool has_is_free = true;
};

/// One error in an expression.
struct Issue {
  std::uint32_t offset = 0;  // in code points; kNoOffset: none
  std::string message;
};

/// Position of an issue: line from 1, column from 0 in code points; both -1 if there is none.
struct Location {
  std::int64_t line = -1;
  std::int64_t column = -1;
};

/// Errors that prevented compilation, sorted by position.
struct Issues {
  enum class Stage : std::uint8_t { Parse, Check };
  Stage stage = Stage::Parse;
  std::vector<Issue> list;
  std::size_t unreported = 0;  // number of issues beyond kIssuesMax
  std::shared_ptr<const std::string> source;

  Location LocationOf(const Issue& issue) const;
  /// Returns `ERROR: <input>:1:7: message`, the source line, and a caret below it.
  std::string Text(const Issue& issue) const;
  /// Returns the text of all issues and the number of unreported ones.
  std::string Text() const;
};

/// An expression that was checked, or resolved without checking.
struct Compiled {
  std::shared_ptr<const Ast> ast;
  const Type* type = nullptr;  // type of the result
};

/// Libraries, types and variables that expressions can use. Immutable and safe to share. Creating
/// one takes much longer than compiling an expression.
class Environment {
 public:
  /// Invalid for a malformed signature, or a type or overload that is declared twice.
  static Result<std::shared_ptr<const Environment>> Make(EnvironmentOptions options);
  ~Environment();

  /// Parses, checks and validates.
  std::expected<Compiled, Issues> Compile(std::string_view text) const;
  /// Parses only; names and calls are resolved at run time. Parts with type
  /// errors do no harm if they are never evaluated. The type is dyn, and
  /// the static cost is unknown.
  std::expected<Compiled, Issues> CompileUnchecked(std::string_view text) const;
  /// Returns the static cost of an expression that this environment checked.
  CostRange EstimateCost(const Ast& ast) const;

  // For the parser, the checker and the planner.
  const EnvironmentOptions& options() const { return options_; }
  const FunctionSet* FindFunction(std::string_view name) const;
  const Macro* FindMacro(std::string_view name, std::size_t arity, bool is_member) const;
  /// Returns the validators of all libraries.
  std::span<const Validate> validators() const { return validators_; }
  /// Index in options().variables, and the type.
  struct VariableEntry {
    std::uint32_t index;
    const Type* type;
  };
  const VariableEntry* FindVariable(std::string_view name) const;
  /// Returns the type that a name in an expression denotes.
  const Type* FindTypeName(std::string_view name) const;
  const ObjectType* FindObject(std::string_view name) const;
  /// Returns nullptr if the object has no such field.
  const Type* FindField(const ObjectType& object, std::string_view name) const;
  std::size_t overload_count() const;
  const std::shared_ptr<const TypePool>& types() const { return types_; }

 private:
  struct Tables;
  std::expected<std::shared_ptr<Ast>, Issues> ParseText(std::string_view text) const;
  explicit Environment(EnvironmentOptions options);

  EnvironmentOptions options_;
  std::shared_ptr<const TypePool> types_;
  std::unique_ptr<Tables> tables_;
  std::vector<Validate> validators_;
};

}  // namespace plimsoll::cel
