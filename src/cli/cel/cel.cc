#include "cli/cel/cel.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <istream>
#include <ostream>
#include <utility>

#include "api/expression/toleration_expression.h"
#include "api/validation/tolerations.h"
#include "cel/cache.h"
#include "cel/kubernetes.h"
#include "cel/render.h"
#include "cli/cel/cel_input.h"
#include "cli/cel/expression_parts.h"
#include "cli/flags/choice.h"
#include "cli/output/display_width.h"
#include "cli/output/failure.h"
#include "cli/output/styled_text.h"
#include "cli/output/table.h"
#include "cli/output/tree_output.h"

namespace plimsoll::cli {
namespace {

using cel::Compilation;

/// Returns the expressions of the call, with `-` replaced by those from standard input.
std::vector<std::string> ReadExpressions(const CelOptions& options, Context& context) {
  std::vector<std::string> all;
  for (const std::string& expression : options.expressions) {
    if (expression != "-") {
      all.push_back(expression);
      continue;
    }
    for (std::string line; std::getline(context.in, line);) {
      if (!line.empty()) all.push_back(line);
    }
  }
  return all;
}

const std::shared_ptr<const cel::Environment>& EnvironmentOf(const std::string& name) {
  return name == "device" ? cel::DeviceEnvironment(cel::DeviceMode::New)
                          : cel::TolerationEnvironment();
}

/// Returns why the API server would reject the expression; empty if it would accept it.
std::string RefusalOf(const std::string& expression, const Compilation& compiled) {
  if (expression.size() > api::kExpressionBytesMax) {
    return "too long, may not be more than " + std::to_string(api::kExpressionBytesMax) + " bytes";
  }
  const auto fault = api::FaultOf(compiled);
  if (!fault) return {};
  const bool is_costly = fault->kind == api::ExpressionFault::Kind::TooCostly;
  return is_costly ? "too complex, exceeds cost limit" : fault->message;
}

std::string CostText(std::uint64_t cost) {
  return cost == cel::kUnbounded ? "unbounded" : std::to_string(cost);
}

std::string CostText(const cel::CostRange& cost) {
  if (cost.min == cost.max) return CostText(cost.min);
  return CostText(cost.min) + " to " + CostText(cost.max);
}

/// Not every unsigned 64-bit number fits into an Int of the tree.
codec::Value CostTree(std::uint64_t cost, codec::Document& document) {
  if (cost <= INT64_MAX) return codec::Value::Int(static_cast<std::int64_t>(cost));
  return codec::Value::Number(document.CopyText(std::to_string(cost)));
}

codec::Value CheckTree(const std::string& expression, const Compilation& compiled,
                       codec::Document& document) {
  codec::Value tree = document.NewObject();
  document.Set(tree, "expression", document.NewString(expression));
  if (compiled.type != nullptr) {
    document.Set(tree, "type", document.NewString(cel::OutputText(compiled.type)));
    codec::Value cost = document.NewObject();
    document.Set(cost, "min", CostTree(compiled.cost.min, document));
    document.Set(cost, "max", CostTree(compiled.cost.max, document));
    document.Set(tree, "staticCost", cost);
  }
  if (const std::string refusal = RefusalOf(expression, compiled); !refusal.empty()) {
    document.Set(tree, "error", document.NewString(refusal));
  }
  return tree;
}

/// A caret below an expression shows where the error is, so these lines are not folded.
Look UnfoldedLook(const Context& context) {
  Look look = context.out_look;
  look.columns = 0;
  return look;
}

void PrintCheck(const std::string& expression, const Compilation& compiled, Context& context) {
  StyledText text;
  if (compiled.type != nullptr) {
    text.Add(fmt::format("{}, static cost {}\n", cel::OutputText(compiled.type),
                         CostText(compiled.cost)));
  }
  if (const std::string refusal = RefusalOf(expression, compiled); !refusal.empty()) {
    text.Add("error", Style::Bad).Add(fmt::format(": {}\n", refusal));
  }
  Write(text, UnfoldedLook(context), context.out);
}

Result<CelInputs> ReadInputs(const CelOptions& options, Context& context) {
  if (!options.taints.empty() && !options.devices.empty()) {
    return FailAt(Reason::Invalid, "--device", "cannot be used together with --taint");
  }
  CelInputs inputs;
  for (const std::string& taint : options.taints) PL_TRY(AddTaint(taint, inputs));
  for (const std::string& path : options.devices) PL_TRY(AddDevices(path, context, inputs));
  if (inputs.list.empty()) {
    return Fail(Reason::Invalid, "nothing to evaluate over: give --taint or --device");
  }
  return inputs;
}

struct Row {
  std::string input;
  std::string value;  // empty on error
  std::string error;
  std::uint64_t cost = 0;
  std::vector<ExplainedPart> parts;
};

std::vector<Row> EvaluateAll(const Compilation& compiled,
                             const std::shared_ptr<const cel::Environment>& environment,
                             const CelInputs& inputs, bool explains) {
  cel::Evaluation evaluation;
  std::vector<Row> rows;
  for (const CelInput& input : inputs.list) {
    const cel::Outcome outcome = evaluation.Evaluate(*compiled.program, {&input.variable, 1});
    Row row{.input = input.name, .cost = outcome.cost};
    if (outcome.value.is_error()) {
      row.error = outcome.value.error().Text();
    } else {
      row.value = cel::Render(outcome.value);
    }
    if (explains) row.parts = ExplainParts(compiled, environment, input.variable);
    rows.push_back(std::move(row));
  }
  return rows;
}

Cell ResultCell(const Row& row) {
  if (!row.error.empty()) return {"error: " + row.error, Style::Bad};
  if (row.value == "true") return {row.value, Style::Good};
  return {row.value, row.value == "false" ? Style::Bad : Style::Plain};
}

void PrintRows(const std::vector<Row>& rows, Context& context) {
  std::vector<std::vector<Cell>> cells;
  for (const Row& row : rows) {
    cells.push_back({row.input, CostText(row.cost), ResultCell(row)});
  }
  PrintTable({"INPUT", "COST", "RESULT"}, cells, context.out_look, context.out);
}

void PrintParts(const Row& row, Context& context) {
  StyledText text;
  text.Add(row.input, Style::Heading).Add(":\n");
  for (const ExplainedPart& part : row.parts) {
    const bool is_error = part.value.starts_with("error: ");
    text.Add(fmt::format("{}{} → ", std::string(2 * part.depth + 2, ' '), part.text));
    text.Add(part.value, is_error ? Style::Bad : Style::Plain).Add("\n");
  }
  Write(text, context.out_look, context.out);
}

codec::Value PartsTree(const std::vector<ExplainedPart>& parts, codec::Document& document) {
  codec::Value list = document.NewArray(parts.size());
  for (const ExplainedPart& part : parts) {
    codec::Value tree = document.NewObject();
    document.Set(tree, "depth", codec::Value::Int(static_cast<std::int64_t>(part.depth)));
    document.Set(tree, "expression", document.NewString(part.text));
    document.Set(tree, "value", document.NewString(part.value));
    document.Append(list, tree);
  }
  return list;
}

codec::Value RowsTree(const std::vector<Row>& rows, codec::Document& document) {
  codec::Value list = document.NewArray(rows.size());
  for (const Row& row : rows) {
    codec::Value tree = document.NewObject();
    document.Set(tree, "input", document.NewString(row.input));
    if (row.error.empty()) {
      document.Set(tree, "value", document.NewString(row.value));
    } else {
      document.Set(tree, "error", document.NewString(row.error));
    }
    document.Set(tree, "cost", CostTree(row.cost, document));
    if (!row.parts.empty()) document.Set(tree, "parts", PartsTree(row.parts, document));
    document.Append(list, tree);
  }
  return list;
}

void AddExpressions(CLI::App& command, CelOptions& options) {
  command
      .add_option("expressions", options.expressions,
                  "CEL expressions, or - to read them from standard input, one per line")
      ->required()
      ->type_name("EXPR|-");
}

/// Prints the tree, unless the format is for people.
void WriteResults(const codec::Value& tree, const CelOptions& options, Context& context) {
  if (IsTree(options.output)) WriteTree(tree, options.output, context.out);
}

}  // namespace

void AddCelCheckFlags(CLI::App& command, CelOptions& options) {
  AddExpressions(command, options);
  RequireOneOf(command.add_option("--env", options.environment,
                                  "Variables of the expressions: `taint` of tolerations, or "
                                  "`device` of device selectors"),
               {"toleration", "device"});
  AddOutputFlag(command, options.output,
                {OutputFormat::Text, OutputFormat::Json, OutputFormat::Yaml});
}

void AddCelEvalFlags(CLI::App& command, CelOptions& options) {
  AddExpressions(command, options);
  command.add_option("--taint", options.taints, "Taint for which the expressions are evaluated")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE:EFFECT");
  command
      .add_option("--device", options.devices,
                  "ResourceSlices with devices for which the expressions are evaluated")
      ->allow_extra_args(false)
      ->type_name("FILE|DIR|-");
  AddOutputFlag(command, options.output,
                {OutputFormat::Text, OutputFormat::Json, OutputFormat::Yaml});
  command.add_flag("--explain", options.explain, "Show the value of each part of an expression");
}

int RunCelCheck(const CelOptions& options, Context& context) {
  const std::vector<std::string> expressions = ReadExpressions(options, context);
  codec::Document document;
  document.root() = document.NewArray();
  bool refused = false;
  for (const std::string& expression : expressions) {
    const Compilation compiled =
        cel::CompileProgram(expression, EnvironmentOf(options.environment));
    refused |= !RefusalOf(expression, compiled).empty();
    if (IsTree(options.output)) {
      document.Append(document.root(), CheckTree(expression, compiled, document));
      continue;
    }
    if (expressions.size() > 1) context.out << Printable(expression) << ": ";
    PrintCheck(expression, compiled, context);
  }
  WriteResults(document.root(), options, context);
  return refused ? kExitFindings : kExitOk;
}

int RunCelEval(const CelOptions& options, Context& context) {
  const Result<CelInputs> inputs = ReadInputs(options, context);
  if (!inputs) return ReportFailure(inputs.error(), context);
  const auto& environment = EnvironmentOf(options.devices.empty() ? "toleration" : "device");
  const std::vector<std::string> expressions = ReadExpressions(options, context);
  codec::Document document;
  document.root() = document.NewArray();
  bool failed = false;
  for (const std::string& expression : expressions) {
    const Compilation compiled = cel::CompileProgram(expression, environment);
    const bool is_done = compiled.stage == Compilation::Stage::Done;
    failed |= !is_done;
    const std::vector<Row> rows =
        is_done ? EvaluateAll(compiled, environment, *inputs, options.explain) : std::vector<Row>();
    failed |= std::ranges::any_of(rows, [](const Row& row) { return !row.error.empty(); });
    if (IsTree(options.output)) {
      codec::Value tree = CheckTree(expression, compiled, document);
      if (is_done) document.Set(tree, "results", RowsTree(rows, document));
      document.Append(document.root(), tree);
      continue;
    }
    if (expressions.size() > 1) context.out << Printable(expression) << ":\n";
    if (!is_done) {
      PrintCheck(expression, compiled, context);
      continue;
    }
    PrintRows(rows, context);
    if (!options.explain) continue;
    for (const Row& row : rows) PrintParts(row, context);
  }
  WriteResults(document.root(), options, context);
  return failed ? kExitFindings : kExitOk;
}

}  // namespace plimsoll::cli
