// Estimates the static cost in one traversal of the checked expression. Every node gets a cost;
// many also get a size, the sizes of their elements, and the declared size of their path
// (`device.attributes`). Costs of calls depend on these. cel/README.md has the order of lookup.

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text/utf8.h"
#include "cel/cost.h"
#include "cel/environment.h"

namespace plimsoll::cel {
namespace {

/// Sizes of the entries of a list or map.
struct EntrySize {
  TypeKind container = TypeKind::List;
  CostRange key;
  CostRange value;
};

/// Returns nothing unless both are known.
std::optional<EntrySize> UnionOf(const std::optional<EntrySize>& a,
                                 const std::optional<EntrySize>& b) {
  if (!a || !b) return std::nullopt;
  return EntrySize{a->container, a->key.Union(b->key), a->value.Union(b->value)};
}

/// Sizes found for one node.
struct Knowledge {
  std::optional<CostRange> size;
  std::optional<EntrySize> entries;
  const DeclaredSize* declared = nullptr;
};

const DeclaredSize* FirstOf(const std::vector<DeclaredSize>& sizes) {
  return sizes.empty() ? nullptr : &sizes.front();
}
const DeclaredSize* ElementsOf(const DeclaredSize* size) {
  return size == nullptr ? nullptr : FirstOf(size->elements);
}
const DeclaredSize* KeysOf(const DeclaredSize* size) {
  return size == nullptr ? nullptr : FirstOf(size->keys);
}
const DeclaredSize* FieldOf(const DeclaredSize* size, std::string_view name) {
  if (size == nullptr) return nullptr;
  for (const DeclaredSize& field : size->fields) {
    if (field.name == name) return &field;
  }
  return size->names_are_elements ? FirstOf(size->elements) : nullptr;
}

bool IsScalar(const Type* type) {
  switch (type->kind()) {
    case TypeKind::Bool:
    case TypeKind::Double:
    case TypeKind::Duration:
    case TypeKind::Int:
    case TypeKind::Timestamp:
    case TypeKind::Uint:
      return true;
    default:
      return type->is_optional() && !type->parameters().empty() && IsScalar(type->parameter(0));
  }
}

CostRange NothingYet() { return {kUnbounded, 0}; }

class Estimator final : public CostContext {
 public:
  Estimator(const Environment& environment, const Ast& ast)
      : environment_(environment), ast_(ast), known_(ast.nodes.size()) {}

  CostRange Run() { return CostOf(ast_.root); }

  std::optional<CostRange> FindSize(NodeId node) override;
  std::optional<CostRange> FindElementSize(NodeId node) override {
    const DeclaredSize* const elements = ElementsOf(known_[node].declared);
    if (elements == nullptr) return std::nullopt;
    return CostRange{0, elements->max};
  }
  const Type* TypeOf(NodeId node) const override { return ast_.types[node]; }
  const Value* LiteralOf(NodeId id) const override {
    const Node& node = ast_.nodes[id];
    return node.kind == NodeKind::Literal ? &ast_.literal(node) : nullptr;
  }
  const Node& NodeOf(NodeId node) const override { return ast_.nodes[node]; }

 private:
  struct Local {
    std::string_view name;
    Knowledge known;
  };

  CostRange CostOf(NodeId id);
  CostRange CostOfIdent(NodeId id);
  CostRange CostOfSelect(NodeId id);
  CostRange CostOfDyn(NodeId id);
  CostRange CostOfCall(NodeId id);
  CostRange CostOfList(NodeId id);
  CostRange CostOfMap(NodeId id);
  CostRange CostOfStruct(NodeId id);
  CostRange CostOfBind(NodeId id);
  CostRange CostOfLoop(NodeId id);

  CallEstimate EstimateOverload(NodeId id, const Overload& overload, const CostCall& call,
                                std::span<const CostRange> argument_costs);
  CallEstimate EstimateConditional(NodeId id, std::span<const CostRange> costs);
  CallEstimate EstimateConcatenation(NodeId id, const CostCall& call, bool is_list);
  void FollowIndex(NodeId id, std::string_view overload, std::optional<CostRange>& size);

  bool IsBind(const Comprehension& fold) const;
  void PushVariable(std::string_view name, NodeId value);
  void PushIterators(const Comprehension& fold);
  const Knowledge* FindLocal(std::string_view name) const;
  std::optional<CostRange> LiteralSize(NodeId id) const;
  std::optional<EntrySize> EntriesOf(NodeId id) const;
  void CopySizes(NodeId to, NodeId from);

  const Environment& environment_;
  const Ast& ast_;
  std::vector<Knowledge> known_;
  std::vector<Local> locals_;
};

const Knowledge* Estimator::FindLocal(std::string_view name) const {
  for (auto local = locals_.rbegin(); local != locals_.rend(); ++local) {
    if (local->name == name) return &local->known;
  }
  return nullptr;
}

std::optional<CostRange> Estimator::LiteralSize(NodeId id) const {
  const Node& node = ast_.nodes[id];
  if (node.kind == NodeKind::List || node.kind == NodeKind::Map) {
    return CostRange::Fixed(node.count);
  }
  if (node.kind != NodeKind::Literal) return std::nullopt;
  const Value& literal = ast_.literal(node);
  if (literal.is(ValueKind::String)) return CostRange::Fixed(CountRunes(literal.text()));
  if (literal.is(ValueKind::Bytes)) return CostRange::Fixed(literal.text().size());
  return CostRange::Fixed(1);
}

std::optional<CostRange> Estimator::FindSize(NodeId id) {
  Knowledge& known = known_[id];
  if (known.size) return known.size;
  if (const auto literal = LiteralSize(id)) return literal;
  if (known.declared != nullptr) return known.size = CostRange{0, known.declared->max};
  if (IsScalar(ast_.types[id])) return CostRange::Fixed(1);
  if (ast_.nodes[id].kind == NodeKind::Ident) {
    if (const Knowledge* const local = FindLocal(ast_.nodes[id].name)) return local->size;
  }
  return std::nullopt;
}

std::optional<EntrySize> Estimator::EntriesOf(NodeId id) const {
  if (known_[id].entries) return known_[id].entries;
  if (ast_.nodes[id].kind == NodeKind::Ident) {
    if (const Knowledge* const local = FindLocal(ast_.nodes[id].name)) return local->entries;
  }
  return std::nullopt;
}

void Estimator::CopySizes(NodeId to, NodeId from) {
  if (const auto size = FindSize(from)) known_[to].size = size;
  if (const auto entries = EntriesOf(from)) known_[to].entries = entries;
}

CostRange Estimator::CostOf(NodeId id) {
  switch (ast_.nodes[id].kind) {
    case NodeKind::Ident:
      return CostOfIdent(id);
    case NodeKind::Select:
      return CostOfSelect(id);
    case NodeKind::Call:
      return ast_.nodes[id].name == "dyn" ? CostOfDyn(id) : CostOfCall(id);
    case NodeKind::List:
      return CostOfList(id);
    case NodeKind::Map:
      return CostOfMap(id);
    case NodeKind::Struct:
      return CostOfStruct(id);
    case NodeKind::Comprehension:
      return IsBind(ast_.comprehension(ast_.nodes[id])) ? CostOfBind(id) : CostOfLoop(id);
    case NodeKind::Literal:
    case NodeKind::Fault:
      break;
  }
  return {};
}

CostRange Estimator::CostOfIdent(NodeId id) {
  const std::string_view name = ast_.nodes[id].name;
  if (const Knowledge* const local = FindLocal(name)) {
    known_[id].declared = local->declared;
  } else if (ast_.references[id].kind == Reference::Kind::Variable) {
    known_[id].declared = &environment_.options().variables[ast_.references[id].index].size;
  }
  return CostRange::Fixed(1);
}

CostRange Estimator::CostOfSelect(NodeId id) {
  const Node& node = ast_.nodes[id];
  CostRange cost = CostOf(node.operand);
  if (node.is_test) {
    return environment_.options().has_is_free ? cost : cost.Add(CostRange::Fixed(1));
  }
  const TypeKind kind = ast_.types[node.operand]->kind();
  if (kind == TypeKind::Map || kind == TypeKind::Object) cost = cost.Add(CostRange::Fixed(1));
  known_[id].declared = FieldOf(known_[node.operand].declared, node.name);
  return cost;
}

/// dyn() only changes the static type: the sizes stay the same.
CostRange Estimator::CostOfDyn(NodeId id) {
  const NodeId argument = ast_.arguments(ast_.nodes[id])[0];
  const CostRange cost = CostOf(argument);
  CopySizes(id, argument);
  return cost.Add(CostRange::Fixed(1));
}

CostRange Estimator::CostOfCall(NodeId id) {
  const Node& node = ast_.nodes[id];
  const auto arguments = ast_.arguments(node);
  std::vector<CostRange> costs;
  costs.reserve(arguments.size());
  CostCall call{.function = node.name, .target = node.operand, .arguments = arguments};
  for (const NodeId argument : arguments) {
    costs.push_back(CostOf(argument));
    call.argument_costs = call.argument_costs.Add(costs.back());
  }
  const auto overloads = ast_.overloads_of(id);
  if (overloads.empty()) return {};
  const CostRange target_cost = node.operand == kNoNode ? CostRange() : CostOf(node.operand);
  CostRange cost = NothingYet();
  std::optional<CostRange> size;
  for (const Overload* overload : overloads) {
    call.overload = overload->id();
    const CallEstimate estimate = EstimateOverload(id, *overload, call, costs);
    cost = cost.Union(estimate.cost);
    if (estimate.result_size) {
      size = size ? size->Union(*estimate.result_size) : *estimate.result_size;
    }
    FollowIndex(id, overload->id(), size);
    if (!size) size = FindSize(id);
  }
  if (size) known_[id].size = size;
  return target_cost.Add(cost);
}

/// Gives the result of an index the size of its container's elements.
void Estimator::FollowIndex(NodeId id, std::string_view overload, std::optional<CostRange>& size) {
  if (overload != "index_list" && overload != "index_map") return;
  const NodeId container = ast_.arguments(ast_.nodes[id])[0];
  const auto entries = EntriesOf(container);
  size = entries ? std::optional(entries->value) : std::nullopt;
  known_[id].declared = ElementsOf(known_[container].declared);
}

CallEstimate Estimator::EstimateOverload(NodeId id, const Overload& overload, const CostCall& call,
                                         std::span<const CostRange> argument_costs) {
  // These evaluate their arguments conditionally and have no cost of their own.
  if (call.overload == "logical_and" || call.overload == "logical_or") {
    return {.cost = {argument_costs[0].min, argument_costs[0].Add(argument_costs[1]).max}};
  }
  if (call.overload == "conditional") return EstimateConditional(id, argument_costs);
  for (const StaticCost cost : overload.static_costs) {
    if (auto estimate = cost(*this, call)) {
      estimate->cost = estimate->cost.Add(call.argument_costs);
      return *estimate;
    }
  }
  if (call.overload == "add_string" || call.overload == "add_bytes" ||
      call.overload == "add_list") {
    return EstimateConcatenation(id, call, call.overload == "add_list");
  }
  return {.cost = CostRange::Fixed(1).Add(call.argument_costs)};
}

CallEstimate Estimator::EstimateConditional(NodeId id, std::span<const CostRange> costs) {
  const auto arguments = ast_.arguments(ast_.nodes[id]);
  const CostRange size = SizeOf(arguments[1]).Union(SizeOf(arguments[2]));
  if (const auto entries = UnionOf(EntriesOf(arguments[1]), EntriesOf(arguments[2]))) {
    known_[id].entries = entries;
  }
  return {.cost = costs[0].Add(costs[1].Union(costs[2])), .result_size = size};
}

CallEstimate Estimator::EstimateConcatenation(NodeId id, const CostCall& call, bool is_list) {
  const CostRange size = SizeOf(call.arguments[0]).Add(SizeOf(call.arguments[1]));
  if (const auto entries = UnionOf(EntriesOf(call.arguments[1]), EntriesOf(call.arguments[0]))) {
    known_[id].entries = entries;
  }
  const CostRange cost = is_list ? CostRange::Fixed(1) : size.Scale(kTextCost);
  return {.cost = cost.Add(call.argument_costs), .result_size = size};
}

CostRange Estimator::CostOfList(NodeId id) {
  const Node& node = ast_.nodes[id];
  CostRange cost = CostRange::Fixed(kListCost);
  CostRange element = node.count == 0 ? CostRange() : NothingYet();
  for (const NodeId one : ast_.arguments(node)) {
    cost = cost.Add(CostOf(one));
    element = element.Union(SizeOf(one));
  }
  known_[id].entries = EntrySize{TypeKind::List, CostRange::Fixed(1), element};
  return cost;
}

CostRange Estimator::CostOfMap(NodeId id) {
  const Node& node = ast_.nodes[id];
  CostRange cost = CostRange::Fixed(kMapCost);
  CostRange key = node.count == 0 ? CostRange() : NothingYet();
  CostRange value = key;
  for (const Entry& entry : ast_.entries_of(node)) {
    cost = cost.Add(CostOf(entry.key)).Add(CostOf(entry.value));
    key = key.Union(SizeOf(entry.key));
    value = value.Union(SizeOf(entry.value));
  }
  known_[id].entries = EntrySize{TypeKind::Map, key, value};
  return cost;
}

CostRange Estimator::CostOfStruct(NodeId id) {
  CostRange cost = CostRange::Fixed(kStructCost);
  for (const Entry& entry : ast_.entries_of(ast_.nodes[id])) cost = cost.Add(CostOf(entry.value));
  return cost;
}

/// Recognizes the result of macros::Let: an empty comprehension that names a value.
bool Estimator::IsBind(const Comprehension& fold) const {
  const Node& range = ast_.nodes[fold.range];
  const Value* const condition = LiteralOf(fold.condition);
  return range.kind == NodeKind::List && range.count == 0 && condition != nullptr &&
         condition->is_false() && fold.accu != kAccumulator;
}

void Estimator::PushVariable(std::string_view name, NodeId value) {
  locals_.push_back({name, {FindSize(value), EntriesOf(value), known_[value].declared}});
}

void Estimator::PushIterators(const Comprehension& fold) {
  const auto entries = EntriesOf(fold.range);
  const DeclaredSize* const declared = known_[fold.range].declared;
  const TypeKind container = entries ? entries->container : ast_.types[fold.range]->kind();
  const bool is_list = container == TypeKind::List;
  Knowledge key{.declared = is_list ? nullptr : KeysOf(declared)};
  Knowledge value{.declared = ElementsOf(declared)};
  if (entries) {
    key.size = entries->key;
    value.size = entries->value;
  }
  if (fold.iter2.empty()) {
    locals_.push_back({fold.iter, is_list ? value : key});
    return;
  }
  locals_.push_back({fold.iter, key});
  locals_.push_back({fold.iter2, value});
}

CostRange Estimator::CostOfBind(NodeId id) {
  const Comprehension& fold = ast_.comprehension(ast_.nodes[id]);
  CostRange cost = CostOf(fold.range).Add(CostOf(fold.init));
  PushVariable(fold.accu, fold.init);
  cost = cost.Add(CostOf(fold.result));
  CopySizes(id, fold.result);
  locals_.pop_back();
  return cost;
}

CostRange Estimator::CostOfLoop(NodeId id) {
  const Comprehension& fold = ast_.comprehension(ast_.nodes[id]);
  CostRange cost = CostOf(fold.range).Add(CostOf(fold.init));
  const std::size_t outside = locals_.size();
  PushVariable(fold.accu, fold.init);
  PushIterators(fold);
  const CostRange once = CostOf(fold.condition).Add(CostOf(fold.step));
  const auto step_entries = EntriesOf(fold.step);
  locals_.resize(outside + 1);
  cost = cost.Add(CostOf(fold.result));
  locals_.resize(outside);
  const CostRange count = SizeOf(fold.range);
  const NodeKind init = ast_.nodes[fold.init].kind;
  if (init == NodeKind::Literal) {
    known_[id].size = FindSize(fold.init);
  } else if (init == NodeKind::List || init == NodeKind::Map) {
    known_[id].size = count;
    if (step_entries) known_[id].entries = step_entries;
  }
  return cost.Add(count.Multiply(once));
}

}  // namespace

CostRange Environment::EstimateCost(const Ast& ast) const { return Estimator(*this, ast).Run(); }

}  // namespace plimsoll::cel
