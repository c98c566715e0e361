#include "cel/cache.h"

#include <utility>

namespace plimsoll::cel {

std::size_t Compilation::bytes() const {
  return sizeof(Compilation) + error.capacity() + (ast == nullptr ? 0 : ast->bytes()) +
         (program == nullptr ? 0 : program->bytes());
}

Compilation CompileProgram(std::string_view text,
                           const std::shared_ptr<const Environment>& environment) {
  Compilation made;
  const auto compiled = environment->Compile(text);
  if (!compiled) {
    made.error = compiled.error().Text();
    return made;
  }
  made.ast = compiled->ast;
  made.type = compiled->type;
  made.cost = environment->EstimateCost(*compiled->ast);
  auto program = Program::Plan(*compiled, environment);
  if (!program) {
    made.stage = Compilation::Stage::Plan;
    made.error = program.error();
    return made;
  }
  made.stage = Compilation::Stage::Done;
  made.program = *std::move(program);
  return made;
}

}  // namespace plimsoll::cel
