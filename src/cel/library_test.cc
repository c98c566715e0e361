// A library defined only in this test: a type, functions, a macro and costs, listed by an
// environment. The engine supports it like the built-in libraries.

#include "cel/library.h"

#include <gtest/gtest.h>

#include <array>
#include <charconv>
#include <string>

#include "cel/builder.h"
#include "cel/environment.h"
#include "cel/library/libraries.h"
#include "cel/library/opaque_value.h"
#include "cel/program.h"
#include "cel/render.h"

namespace plimsoll::cel {
namespace {

/// `example.Share`: a percentage.
class ShareValue final : public OpaqueValue {
 public:
  explicit ShareValue(std::int64_t percent) : percent_(percent) {}
  std::int64_t percent() const { return percent_; }

  const Type* type() const override {
    static const OpaqueType type("example.Share");
    return type.get();
  }
  Value Equals(Evaluation&, const Value& other) const override {
    const ShareValue* const share = Find<ShareValue>(other);
    return Value::Bool(share != nullptr && share->percent_ == percent_);
  }
  std::string Text() const override { return std::to_string(percent_) + "%"; }
  std::string_view maker() const override { return "share"; }

 private:
  std::int64_t percent_;
};

std::optional<Value> Read(const Value* arguments, Arena& arena) {
  std::int64_t percent = 0;
  const std::string_view text = arguments[0].text();
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), percent);
  const std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  if (error != std::errc{} || rest != "%") return std::nullopt;
  return MakeOpaque<ShareValue>(arena, percent);
}

std::string Explain(const Value* arguments) {
  return "no share: " + std::string(arguments[0].text());
}

using ShareCall = ParsedCall<Read, Explain>;

Value Of(Evaluation&, const Value* arguments) {
  return Value::Int(arguments[1].as_int() * As<ShareValue>(arguments[0]).percent() / 100);
}

/// halved(x) → x / 2
NodeId Halved(AstBuilder& builder, const MacroCall& call) {
  return builder.Call("_/_", std::array{call.arguments[0], builder.Literal(Value::Int(2))});
}

std::uint64_t CostOfShare(std::span<const Value> arguments, Value) {
  return arguments[0].is(ValueKind::String) ? arguments[0].text().size() : 1;
}

std::optional<CallEstimate> StaticCostOfShare(CostContext& context, const CostCall& call) {
  return CallEstimate{.cost = context.SizeOf(call.arguments[0])};
}

constexpr auto kFunctions = std::to_array<Function>({
    {.id = "string_to_share",
     .name = "share",
     .signature = "string -> example.Share",
     .implementation = ShareCall::Call,
     .prepare = ShareCall::PrepareCall},
    {.id = "share_of_int",
     .name = "of",
     .is_member = true,
     .signature = "example.Share, int -> int",
     .implementation = Of},
});
constexpr auto kMacros = std::to_array<Macro>({{"halved", 1, false, Halved}});
constexpr auto kStaticCosts = std::to_array<StaticCostRule>({{"share", StaticCostOfShare}});
constexpr auto kRuntimeCosts = std::to_array<RuntimeCostRule>({{"share", CostOfShare}});
constexpr auto kTypes = std::to_array<std::string_view>({"example.Share"});

const Library kSharesLibrary{.name = "shares",
                             .functions = kFunctions,
                             .macros = kMacros,
                             .function_costs = kStaticCosts,
                             .function_runtime_costs = kRuntimeCosts,
                             .types = kTypes};

/// `type, min to max: value @cost`
std::string Answer(std::string_view expression) {
  static const auto environment =
      *Environment::Make({.libraries = {&kStandardOperatorsLibrary, &kStandardConversionsLibrary,
                                        &kStandardTextLibrary, &kSharesLibrary},
                          .variables = {{.name = "text", .type = "string", .size = {.max = 10}}}});
  const auto compiled = environment->Compile(expression);
  if (!compiled) return compiled.error().list[0].message;
  const CostRange cost = environment->EstimateCost(*compiled->ast);
  const auto program = Program::Plan(*compiled, environment);
  if (!program) return "plan: " + program.error();
  Evaluation evaluation;
  const Value text = Value::String("25%");
  const Outcome outcome = evaluation.Evaluate(**program, {&text, 1});
  return OutputText(compiled->type) + ", " + std::to_string(cost.min) + " to " +
         std::to_string(cost.max) + ": " + Render(outcome.value) + " @" +
         std::to_string(outcome.cost);
}

TEST(LibraryTest, IsWholeInOneFile) {
  const std::pair<std::string_view, std::string_view> kCases[] = {
      {"share('50%')", "example.Share, 3 to 3: share(\"50%\") @3"},
      {"share(text).of(200)", "int, 2 to 12: 50 @5"},
      {"share(text) == share('25%')", "bool, 5 to 1844674407370955278: true @8"},
      {"type(share(text)) == example.Share", "bool, 4 to 1844674407370955277: true @6"},
      {"share('half')", "example.Share, 4 to 4: no share: half @4"},
      {"share(1)", "found no matching overload for 'share' applied to '(int)'"},
      {"share(dyn(1))", "example.Share, 2 to 2: no such overload: share(int) @1"},
      {"halved(share(text).of(200))", "int, 3 to 13: 25 @6"},
  };
  for (const auto& [expression, answer] : kCases) EXPECT_EQ(Answer(expression), answer);
}

}  // namespace
}  // namespace plimsoll::cel
