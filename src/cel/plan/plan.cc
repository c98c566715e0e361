#include "cel/plan/emitter.h"
#include "cel/plan/folding.h"

namespace plimsoll::cel {

std::expected<std::shared_ptr<const Program>, std::string> Program::Plan(
    const Compiled& compiled, std::shared_ptr<const Environment> environment) {
  auto code = std::make_shared<Code>();
  code->ast = compiled.ast;
  code->environment = std::move(environment);
  const auto folding = Fold(*code->ast, code->memory);
  if (!folding.has_value()) return std::unexpected(folding.error());
  Emitter(*code->ast, *code->environment, *folding, *code).EmitProgram();
  code->Shrink();
  return code;
}

}  // namespace plimsoll::cel
