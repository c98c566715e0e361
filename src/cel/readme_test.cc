// The example of README.md, to ensure that it compiles and works.

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "cel/environment.h"
#include "cel/library/libraries.h"
#include "cel/program.h"
#include "cel/render.h"

namespace {

using namespace plimsoll;

// A host structure, as expressions see it.
const cel::ObjectType kRequestType{
    .name = "example.Request",
    .fields = {{.name = "path", .type = "string"}, {.name = "size", .type = "int"}}};

std::string Decide(std::string_view expression, std::string_view path, std::int64_t size) {
  // Once per process: the libraries and variables that expressions may use.
  static const auto environment = *cel::Environment::Make(
      {.libraries = {&cel::kStandardOperatorsLibrary, &cel::kStandardConversionsLibrary,
                     &cel::kStandardTextLibrary, &cel::kStringsLibrary},
       .objects = {&kRequestType},
       .variables = {{.name = "request",
                      .type = "example.Request",
                      .size = {.fields = {{.name = "path", .max = 1024}}}}}});

  // Once per expression. Programs are immutable and shared by all threads.
  const auto compiled = environment->Compile(expression);
  if (!compiled) return compiled.error().Text();
  const cel::CostRange cost = environment->EstimateCost(*compiled->ast);
  if (cost.max > 1'000'000) return "too expensive";
  const auto program = cel::Program::Plan(*compiled, environment);
  if (!program) return program.error();

  // Once per evaluation. An Evaluation belongs to one thread and is reused.
  thread_local cel::Evaluation evaluation;
  const std::array fields{cel::Value::String(path), cel::Value::Int(size)};
  const cel::ObjectValue request(&kRequestType, fields.data());
  const cel::Value variable = cel::Value::Object(&request);
  const cel::Outcome outcome = evaluation.Evaluate(**program, {&variable, 1});
  return cel::Render(outcome.value) + " for " + std::to_string(outcome.cost);
}

TEST(ReadmeTest, TheExampleDoesWhatItSays) {
  EXPECT_EQ(Decide("request.path.startsWith('/api/') && request.size < 1024", "/api/v1", 10),
            "true for 6");
  EXPECT_EQ(Decide("request.path.split('/')[1]", "/api/v1", 10), "\"api\" for 6");
  EXPECT_EQ(Decide("1 / request.size == 0", "/", 0), "division by zero for 4");
  EXPECT_TRUE(Decide("request.sise < 1024", "/", 0)
                  .starts_with("ERROR: <input>:1:8: undefined field 'sise'"));
}

}  // namespace
