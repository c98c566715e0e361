#include "cli/cel/expression_parts.h"

#include <utility>

#include "cel/program.h"
#include "cel/render.h"
#include "cel/unparse.h"

namespace plimsoll::cli {
namespace {

class Explainer {
 public:
  Explainer(const cel::Ast& ast, const std::shared_ptr<const cel::Environment>& environment,
            const cel::Value& variable)
      : ast_(ast), environment_(environment), variable_(variable) {}

  void Visit(cel::NodeId id, std::size_t depth) {
    const cel::Node& node = ast_.node(id);
    // The only variable is the input, which the user knows.
    if (node.kind == cel::NodeKind::Literal || node.kind == cel::NodeKind::Ident) return;
    if (Add(id, depth)) ++depth;
    if (node.kind == cel::NodeKind::Comprehension) {
      Visit(ast_.comprehension(node).range, depth);
      return;
    }
    cel::ForEachChild(ast_, id, [&](cel::NodeId child) { Visit(child, depth); });
  }

  std::vector<ExplainedPart> TakeParts() { return std::move(parts_); }

 private:
  /// Compiles the part from its own text. A part that is no expression by itself has no value to
  /// show, such as a namespace name or a macro without text.
  bool Add(cel::NodeId id, std::size_t depth) {
    std::string text = cel::Unparse(ast_, id);
    const cel::Compilation compiled = cel::CompileProgram(text, environment_);
    if (compiled.stage != cel::Compilation::Stage::Done) return false;
    const cel::Outcome outcome = evaluation_.Evaluate(*compiled.program, {&variable_, 1});
    const std::string mark = outcome.value.is_error() ? "error: " : "";
    parts_.push_back({depth, std::move(text), mark + cel::Render(outcome.value)});
    return true;
  }

  const cel::Ast& ast_;
  const std::shared_ptr<const cel::Environment>& environment_;
  const cel::Value& variable_;
  cel::Evaluation evaluation_;
  std::vector<ExplainedPart> parts_;
};

}  // namespace

std::vector<ExplainedPart> ExplainParts(const cel::Compilation& compiled,
                                        const std::shared_ptr<const cel::Environment>& environment,
                                        const cel::Value& variable) {
  Explainer explainer(*compiled.ast, environment, variable);
  explainer.Visit(compiled.ast->root, 0);
  return explainer.TakeParts();
}

}  // namespace plimsoll::cli
