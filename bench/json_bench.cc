// Measures reading and writing the JSON of a typical pod, and YAML for comparison. Bytes per second
// refer to the JSON text.

#include <benchmark/benchmark.h>

#include <fstream>
#include <iterator>
#include <string>

#include "base/assert.h"
#include "codec/json.h"
#include "codec/yaml.h"

namespace plimsoll::codec {
namespace {

std::string PodText() {
  std::ifstream file(PLIMSOLL_BENCH_DATA "/pod.json");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  PL_ASSERT(!text.empty());
  return text;
}

std::unique_ptr<Document> Parsed(std::string text) {
  auto parsed = ParseJson(std::move(text));
  PL_ASSERT(parsed.has_value());
  return std::move(*parsed);
}

void CountBytes(benchmark::State& state, std::size_t bytes) {
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
}

void BM_ParsePod(benchmark::State& state) {
  const std::string text = PodText();
  for (auto _ : state) benchmark::DoNotOptimize(Parsed(text));
  CountBytes(state, text.size());
}
BENCHMARK(BM_ParsePod);

void BM_ParseIndentedPod(benchmark::State& state) {
  const std::string text = WriteJsonPretty(Parsed(PodText())->root());
  for (auto _ : state) benchmark::DoNotOptimize(Parsed(text));
  CountBytes(state, text.size());
}
BENCHMARK(BM_ParseIndentedPod);

void BM_WritePod(benchmark::State& state) {
  const auto document = Parsed(PodText());
  std::string out;
  for (auto _ : state) {
    out.clear();
    AppendJson(document->root(), out);
    benchmark::DoNotOptimize(out);
  }
  CountBytes(state, out.size());
}
BENCHMARK(BM_WritePod);

void BM_ParsePodOfYaml(benchmark::State& state) {
  const std::string text = WriteYaml(Parsed(PodText())->root());
  for (auto _ : state) benchmark::DoNotOptimize(ParseYaml(text));
  CountBytes(state, text.size());
}
BENCHMARK(BM_ParsePodOfYaml);

/// An object with many keys of equal length and equal ends: no cheap test tells them apart.
void BM_ParseManyKeys(benchmark::State& state) {
  std::string text = "{";
  for (int key = 100000; key < 200000; ++key) text += "\"k" + std::to_string(key) + "k\":0,";
  text += "\"last\":0}";
  for (auto _ : state) benchmark::DoNotOptimize(Parsed(text));
  CountBytes(state, text.size());
}
BENCHMARK(BM_ParseManyKeys)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace plimsoll::codec

BENCHMARK_MAIN();
