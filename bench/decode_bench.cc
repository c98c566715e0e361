// Measures the stages in which the API server reads the body of a typical pod: parse, check against
// the schema, set defaults, decode. Each benchmark adds one stage.

#include <benchmark/benchmark.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "api/decode/decode.h"
#include "api/defaults/defaults.h"
#include "api/expression/toleration_expression.h"
#include "api/object.h"
#include "api/schema/conform.h"
#include "api/schema/fields.h"
#include "api/validation/object.h"
#include "base/assert.h"
#include "codec/json.h"

namespace plimsoll::api {
namespace {

const TypeDesc& kPod = Describe(fields::core_v1::Pod::kTypeId);

std::string PodText() {
  std::ifstream file(PLIMSOLL_BENCH_DATA "/pod.json");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  PL_ASSERT(!text.empty());
  return text;
}

std::unique_ptr<codec::Document> Parsed(const std::string& text) {
  auto parsed = codec::ParseJson(text);
  PL_ASSERT(parsed.has_value());
  return *std::move(parsed);
}

void ConformPod(codec::Document& document) {
  std::vector<StrictFinding> findings;
  const Status status = Conform(document, document.root(), kPod, FieldValidation::Strict, findings);
  PL_ASSERT(status.has_value());
}

void BM_Parse(benchmark::State& state) {
  const std::string text = PodText();
  for (auto _ : state) benchmark::DoNotOptimize(Parsed(text));
}
BENCHMARK(BM_Parse);

void BM_ParseConform(benchmark::State& state) {
  const std::string text = PodText();
  for (auto _ : state) {
    const auto document = Parsed(text);
    ConformPod(*document);
    benchmark::DoNotOptimize(document->root());
  }
}
BENCHMARK(BM_ParseConform);

void BM_ParseConformDefault(benchmark::State& state) {
  const std::string text = PodText();
  for (auto _ : state) {
    const auto document = Parsed(text);
    ConformPod(*document);
    ApplyDefaults(*document, document->root(), kPod);
    benchmark::DoNotOptimize(document->root());
  }
}
BENCHMARK(BM_ParseConformDefault);

void BM_DecodeObject(benchmark::State& state) {
  const std::string text = PodText();
  for (auto _ : state) {
    const std::shared_ptr<codec::Document> document = Parsed(text);
    const auto decoded = DecodeObject(document, {.field_validation = FieldValidation::Strict});
    PL_ASSERT(decoded.has_value());
    benchmark::DoNotOptimize(decoded->object);
  }
}
BENCHMARK(BM_DecodeObject);

/// All stages before the server stores a manifest.
void BM_DecodeAndValidate(benchmark::State& state) {
  const std::string text = PodText();
  const TolerationExpressions expressions;
  const ValidationContext context{.gates = {}, .expressions = &expressions};
  for (auto _ : state) {
    const std::shared_ptr<codec::Document> document = Parsed(text);
    const auto decoded = DecodeObject(document, {.field_validation = FieldValidation::Strict});
    PL_ASSERT(decoded.has_value());
    const FieldErrors errors = ValidateCreate(*decoded->object, context);
    PL_ASSERT(errors.empty());
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_DecodeAndValidate);

/// Conform alone, on a tree whose numbers are already converted; the work is the same.
void BM_ConformAgain(benchmark::State& state) {
  const auto document = Parsed(PodText());
  for (auto _ : state) ConformPod(*document);
}
BENCHMARK(BM_ConformAgain);

/// Decode alone.
void BM_DecodeAgain(benchmark::State& state) {
  const auto document = Parsed(PodText());
  ConformPod(*document);
  ApplyDefaults(*document, document->root(), kPod);
  for (auto _ : state) {
    Pod pod;
    Decode(document->root(), pod);
    benchmark::DoNotOptimize(pod);
  }
}
BENCHMARK(BM_DecodeAgain);

}  // namespace
}  // namespace plimsoll::api

BENCHMARK_MAIN();
