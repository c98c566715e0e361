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

namespace plimsoll::cel {

/// How large a variable, a field or an element can be, for static costs. The sizes of what lies
/// inside are found by path: fields by name, elements of a list or values of a map by `elements`.
struct DeclaredSize {
  std::string_view name;  // of the field
  std::uint64_t max = 0;
  std::vector<DeclaredSize> fields;
  std::vector<DeclaredSize> elements;  // one or none
  std::vector<DeclaredSize> keys;      // one or none
  bool names_are_elements = false;     // `m.x` is as large as any element of m
};

struct ObjectField {
  std::string_view name;
  std::string_view type;  // as TypePool::Parse reads it
};

/// A structure that the host declares. It must outlive the environment.
struct ObjectType {
  std::string_view name;  // `kubernetes.Taint`
  std::vector<ObjectField> fields;
};

struct Variable {
  std::string_view name;
  std::string_view type;  // as TypePool::Parse reads it, or the name of an object type
  DeclaredSize size;
};

/// What an environment consists of.
struct EnvironmentOptions {
  std::string_view container;  // names are first looked for inside it: `a.b` finds `a.b.x` for `x`
  std::vector<const Library*> libraries;
  std::vector<const ObjectType*> objects;
  std::vector<Variable> variables;
  /// Elements of a list literal, keys and values of a map literal must have one type.
  bool homogeneous_literals = true;
  /// Refuse constant arguments of duration(), timestamp() and matches() that can only fail.
  bool literal_validators = true;
  /// has() itself costs nothing; only its operand does.
  bool has_is_free = true;
};

/// One fault of an expression.
struct Issue {
  std::uint32_t offset = 0;  // in code points, kNoOffset: nowhere
  std::string message;
};

/// Where an issue is: line from 1, column from 0 in code points; line -1 and column -1 for nowhere.
struct Location {
  std::int64_t line = -1;
  std::int64_t column = -1;
};

/// The faults that kept an expression from compiling, sorted by place.
struct Issues {
  enum class Stage : std::uint8_t { Parse, Check };
  Stage stage = Stage::Parse;
  std::vector<Issue> list;
  std::size_t unreported = 0;  // beyond kIssuesMax
  std::shared_ptr<const std::string> source;

  Location LocationOf(const Issue& issue) const;
  /// `ERROR: <input>:1:7: message`, with the line of the source and a caret below it.
  std::string Text(const Issue& issue) const;
  /// All of them, and how many more there were.
  std::string Text() const;
};
inline constexpr std::size_t kIssuesMax = 100;

/// An expression that passed the checker, or was resolved without it.
struct Compiled {
  std::shared_ptr<const Ast> ast;
  const Type* type = nullptr;  // of the result
};

/// What expressions can refer to. Immutable once made and safe to share; making one takes much
/// longer than compiling with it.
class Environment {
 public:
  /// Invalid: a signature that cannot be read, a type or overload declared twice.
  static Result<std::shared_ptr<const Environment>> Make(EnvironmentOptions options);
  ~Environment();

  /// Parses, checks and validates.
  std::expected<Compiled, Issues> Compile(std::string_view text) const;
  /// Only parses, and leaves it to run time what names and calls stand for: of an expression that
  /// no type fits, the parts that are never reached do no harm. Its type is dyn, and its static
  /// cost is not known.
  std::expected<Compiled, Issues> CompileUnchecked(std::string_view text) const;
  /// The static cost of a checked expression of this environment.
  CostRange EstimateCost(const Ast& ast) const;

  // For the parser, the checker and the planner.
  const EnvironmentOptions& options() const { return options_; }
  const FunctionSet* FindFunction(std::string_view name) const;
  const Macro* FindMacro(std::string_view name, std::size_t arity, bool is_member) const;
  /// Whether macros of this name exist with any number of arguments.
  std::span<const Validate> validators() const { return validators_; }
  /// The place among options().variables, and the type.
  struct VariableEntry {
    std::uint32_t index;
    const Type* type;
  };
  const VariableEntry* FindVariable(std::string_view name) const;
  /// The type that a name in an expression stands for.
  const Type* FindTypeName(std::string_view name) const;
  const ObjectType* FindObject(std::string_view name) const;
  /// nullptr: the object has no such field.
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
