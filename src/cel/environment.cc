#include "cel/environment.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <deque>
#include <string>
#include <utility>

#include "base/text/utf8.h"
#include "cel/check/checker.h"
#include "cel/check/resolver.h"
#include "cel/check/validators.h"
#include "cel/check/well_known.h"
#include "cel/syntax/issue_list.h"
#include "cel/syntax/parser.h"
#include "cel/validation.h"

namespace plimsoll::cel {
namespace {

struct TextHash {
  std::size_t operator()(std::string_view text) const {
    // Names are short, so hashing every byte is cheap.
    std::size_t hash = text.size();
    for (const char letter : text) hash = hash * 31 + static_cast<unsigned char>(letter);
    return hash;
  }
};

template <class T>
using ByName = boost::unordered_flat_map<std::string_view, T, TextHash>;

template <class T>
const T* FindIn(const ByName<T>& table, std::string_view name) {
  const auto found = table.find(name);
  return found == table.end() ? nullptr : &found->second;
}

struct ObjectEntry {
  const ObjectType* object = nullptr;
  std::vector<const Type*> fields;
};

void CollectParams(const Type* type, std::vector<const Type*>& out) {
  if (type->is(TypeKind::Param)) {
    if (std::ranges::find(out, type) == out.end()) out.push_back(type);
    return;
  }
  for (const Type* one : type->parameters()) CollectParams(one, out);
}

/// Removes and returns the text before the next comma outside parentheses.
std::string_view TakeType(std::string_view& rest) {
  int depth = 0;
  std::size_t end = 0;
  for (; end < rest.size() && (depth > 0 || rest[end] != ','); ++end) {
    depth += rest[end] == '(' ? 1 : rest[end] == ')' ? -1 : 0;
  }
  const std::string_view taken = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return taken;
}

/// Parses `string, list(A) -> bool`.
Status ReadSignature(TypePool& pool, Overload& overload) {
  const std::string_view signature = overload.function->signature;
  const std::size_t arrow = signature.find("->");
  if (arrow == std::string_view::npos) {
    return Fail(Reason::Invalid, std::string(overload.id()) + ": a signature needs '->'");
  }
  std::string_view rest = signature.substr(0, arrow);
  while (rest.find_first_not_of(' ') != std::string_view::npos) {
    overload.parameters.push_back(PL_TRY(pool.Parse(TakeType(rest))));
  }
  overload.result = PL_TRY(pool.Parse(signature.substr(arrow + 2)));
  for (const Type* one : overload.parameters) CollectParams(one, overload.type_params);
  CollectParams(overload.result, overload.type_params);
  return {};
}

template <class Rule>
using Costs = ByName<std::vector<decltype(Rule::cost)>>;

template <class Rule>
void AddRules(Costs<Rule>& table, std::span<const Rule> rules) {
  for (const Rule& rule : rules) table[rule.name].push_back(rule.cost);
}

/// Cost rules of all libraries, by priority.
template <class Rule>
struct CostTables {
  Costs<Rule> by_overload;
  Costs<Rule> by_function;
  Costs<Rule> by_default;

  auto Find(std::string_view overload, std::string_view function) const {
    std::vector<decltype(Rule::cost)> found;
    for (const auto* tier : {FindIn(by_overload, overload), FindIn(by_function, function),
                             FindIn(by_default, overload)}) {
      if (tier != nullptr) found.insert(found.end(), tier->begin(), tier->end());
    }
    return found;
  }
};

}  // namespace

struct Environment::Tables {
  std::deque<Overload> overloads;
  ByName<FunctionSet> functions;
  ByName<std::vector<Macro>> macros;
  ByName<VariableEntry> variables;
  ByName<const Type*> type_names;
  ByName<ObjectEntry> objects;

  CostTables<StaticCostRule> static_costs;
  CostTables<RuntimeCostRule> runtime_costs;

  Status AddTypes(const EnvironmentOptions& options, TypePool& pool);
  Status AddLibrary(const Library& library, TypePool& pool);
  void FindCosts();
};

Status Environment::Tables::AddTypes(const EnvironmentOptions& options, TypePool& pool) {
  for (const Type* type :
       {types::kBool, types::kBytes, types::kDouble, types::kDuration, types::kInt, types::kNull,
        types::kString, types::kTimestamp, types::kType, types::kUint}) {
    type_names.emplace(type->name(), type);
  }
  for (const WellKnownType& known : WellKnownTypes()) {
    type_names.emplace(known.name, PL_TRY(pool.Parse(known.type)));
  }
  // Upstream's short names; unlike the long ones they denote no type at run time.
  type_names.emplace("duration", types::kDuration);
  type_names.emplace("timestamp", types::kTimestamp);
  type_names.emplace("list", pool.List(types::kDyn));
  type_names.emplace("map", pool.Map(types::kDyn, types::kDyn));
  for (const Library* library : options.libraries) {
    for (const std::string_view name : library->objects) pool.Object(name);
  }
  for (const ObjectType* object : options.objects) {
    type_names.emplace(object->name, pool.Object(object->name));
  }
  for (const ObjectType* object : options.objects) {
    ObjectEntry entry{.object = object};
    for (const ObjectField& field : object->fields) {
      entry.fields.push_back(PL_TRY(pool.Parse(field.type)));
    }
    if (!objects.emplace(object->name, std::move(entry)).second) {
      return Fail(Reason::Invalid, "object " + std::string(object->name) + " is declared twice");
    }
  }
  for (std::uint32_t i = 0; i < options.variables.size(); ++i) {
    const Variable& variable = options.variables[i];
    const Type* const type = PL_TRY(pool.Parse(variable.type));
    if (!variables.emplace(variable.name, VariableEntry{i, type}).second) {
      return Fail(Reason::Invalid, "variable " + std::string(variable.name) + " is declared twice");
    }
  }
  return {};
}

Status Environment::Tables::AddLibrary(const Library& library, TypePool& pool) {
  for (const std::string_view text : library.types) {
    const Type* const type = PL_TRY(pool.Parse(text));
    type_names.emplace(type->name(), type);
  }
  for (const Function& function : library.functions) {
    Overload& overload = overloads.emplace_back();
    overload.function = &function;
    overload.number = static_cast<std::uint32_t>(overloads.size() - 1);
    PL_TRY(ReadSignature(pool, overload));
    FunctionSet& set = functions[function.name];
    set.name = function.name;
    for (const Overload* other : set.overloads) {
      if (other->id() == function.id) {
        return Fail(Reason::Invalid, "overload " + std::string(function.id) + " is declared twice");
      }
    }
    set.overloads.push_back(&overload);
  }
  for (const Macro& macro : library.macros) macros[macro.name].push_back(macro);
  AddRules(static_costs.by_overload, library.overload_costs);
  AddRules(static_costs.by_function, library.function_costs);
  AddRules(static_costs.by_default, library.default_costs);
  AddRules(runtime_costs.by_overload, library.overload_runtime_costs);
  AddRules(runtime_costs.by_function, library.function_runtime_costs);
  AddRules(runtime_costs.by_default, library.default_runtime_costs);
  return {};
}

void Environment::Tables::FindCosts() {
  for (Overload& overload : overloads) {
    overload.static_costs = static_costs.Find(overload.id(), overload.function->name);
    overload.runtime_costs = runtime_costs.Find(overload.id(), overload.function->name);
  }
  for (auto& [name, set] : functions) set.runtime_costs = runtime_costs.Find({}, name);
}

Environment::Environment(EnvironmentOptions options)
    : options_(std::move(options)), tables_(std::make_unique<Tables>()) {}

Environment::~Environment() = default;

Result<std::shared_ptr<const Environment>> Environment::Make(EnvironmentOptions options) {
  const std::shared_ptr<Environment> made(new Environment(std::move(options)));
  auto pool = std::make_shared<TypePool>();
  Tables& tables = *made->tables_;
  PL_TRY(tables.AddTypes(made->options_, *pool));
  for (const Library* library : made->options_.libraries) {
    PL_TRY(tables.AddLibrary(*library, *pool));
    made->validators_.insert(made->validators_.end(), library->validators.begin(),
                             library->validators.end());
  }
  tables.FindCosts();
  made->types_ = std::move(pool);
  return std::shared_ptr<const Environment>(made);
}

std::expected<std::shared_ptr<Ast>, Issues> Environment::ParseText(std::string_view text) const {
  auto ast = std::make_shared<Ast>();
  ast->source = std::make_shared<const std::string>(ToValidUtf8(text));
  ast->pool = std::make_unique<TypePool>(types_);
  IssueList issues;
  Parse(*this, *ast, issues);
  if (!issues.empty()) return std::unexpected(issues.Finish(Issues::Stage::Parse, ast->source));
  return ast;
}

std::expected<Compiled, Issues> Environment::CompileUnchecked(std::string_view text) const {
  auto ast = ParseText(text);
  if (!ast) return std::unexpected(std::move(ast.error()));
  Resolve(*this, **ast);
  (*ast)->Shrink();
  return Compiled{.ast = *std::move(ast), .type = types::kDyn};
}

std::expected<Compiled, Issues> Environment::Compile(std::string_view text) const {
  auto parsed = ParseText(text);
  if (!parsed) return std::unexpected(std::move(parsed.error()));
  const std::shared_ptr<Ast> ast = *std::move(parsed);
  IssueList issues;
  Check(*this, *ast, issues);
  if (issues.empty()) RunValidators(*this, *ast, issues);
  if (!issues.empty()) return std::unexpected(issues.Finish(Issues::Stage::Check, ast->source));
  ast->Shrink();
  const Type* const type = ast->types[ast->root];
  return Compiled{.ast = ast, .type = type};
}

const FunctionSet* Environment::FindFunction(std::string_view name) const {
  return FindIn(tables_->functions, name);
}

const Macro* Environment::FindMacro(std::string_view name, std::size_t arity,
                                    bool is_member) const {
  const auto* const macros = FindIn(tables_->macros, name);
  if (macros == nullptr) return nullptr;
  const auto found = std::ranges::find_if(*macros, [&](const Macro& macro) {
    return macro.arity == arity && macro.is_member == is_member;
  });
  return found == macros->end() ? nullptr : &*found;
}

const Environment::VariableEntry* Environment::FindVariable(std::string_view name) const {
  return FindIn(tables_->variables, name);
}

const Type* Environment::FindTypeName(std::string_view name) const {
  const auto* const found = FindIn(tables_->type_names, name);
  return found == nullptr ? nullptr : *found;
}

const ObjectType* Environment::FindObject(std::string_view name) const {
  const auto* const found = FindIn(tables_->objects, name);
  return found == nullptr ? nullptr : found->object;
}

const Type* Environment::FindField(const ObjectType& object, std::string_view name) const {
  const auto* const found = FindIn(tables_->objects, object.name);
  if (found == nullptr) return nullptr;
  const auto field = std::ranges::find(object.fields, name, &ObjectField::name);
  if (field == object.fields.end()) return nullptr;
  return found->fields[static_cast<std::size_t>(field - object.fields.begin())];
}

std::size_t Environment::overload_count() const { return tables_->overloads.size(); }

}  // namespace plimsoll::cel
