// Measures the cost of managed fields of a typical pod. Creates it, updates it as another manager,
// changes its status, and applies one field.

#include <benchmark/benchmark.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "api/apply/apply.h"
#include "base/assert.h"
#include "codec/json.h"

namespace plimsoll::api {
namespace {

std::unique_ptr<codec::Document> Pod() {
  std::ifstream file(PLIMSOLL_BENCH_DATA "/pod.json");
  auto parsed = codec::ParseJson(std::string{std::istreambuf_iterator<char>(file), {}});
  PL_ASSERT(parsed.has_value());
  return *std::move(parsed);
}

FieldWriter Writer(std::string_view manager, std::string_view subresource = {}) {
  return {.manager = manager,
          .kind = FindKind("", "v1", "Pod"),
          .subresource = subresource,
          .now = Instant{std::chrono::seconds(1'700'000'000)}};
}

/// Returns a pod as it is stored, with two field managers.
std::unique_ptr<codec::Document> LivePod() {
  auto pod = Pod();
  UpdateManagedFields(*pod, pod->root(), nullptr, Writer("kubectl-create"));
  pod->Set(*pod->root().Find("metadata"), "uid", codec::Value::String("u"));
  auto placed = std::make_unique<codec::Document>();
  placed->root() = placed->Clone(pod->root());
  placed->Set(*placed->root().Find("spec"), "nodeName", codec::Value::String("n1"));
  UpdateManagedFields(*placed, placed->root(), &pod->root(), Writer("kube-scheduler"));
  return placed;
}

void Run(benchmark::State& state, const codec::Value& source, const codec::Value* live,
         const FieldWriter& writer) {
  for (auto _ : state) {
    state.PauseTiming();
    codec::Document document(1u << 14);
    document.root() = document.Clone(source);
    state.ResumeTiming();
    UpdateManagedFields(document, document.root(), live, writer);
    benchmark::DoNotOptimize(document.root());
  }
}

void BM_Create(benchmark::State& state) {
  const auto pod = Pod();
  state.SetLabel(std::to_string(codec::WriteJson(pod->root()).size()) + " bytes");
  Run(state, pod->root(), nullptr, Writer("kubectl-create"));
}
BENCHMARK(BM_Create);

void BM_Update(benchmark::State& state) {
  const auto live = LivePod();
  codec::Document changed;
  changed.root() = changed.Clone(live->root());
  changed.Set(*changed.root().Find("metadata")->Find("labels"), "x", codec::Value::String("y"));
  Run(state, changed.root(), &live->root(), Writer("labeller"));
}
BENCHMARK(BM_Update);

void BM_Status(benchmark::State& state) {
  const auto live = LivePod();
  codec::Document changed;
  changed.root() = changed.Clone(live->root());
  codec::Value status = changed.NewObject();
  changed.Set(status, "phase", codec::Value::String("Running"));
  changed.Set(changed.root(), "status", status);
  Run(state, changed.root(), &live->root(), Writer("kubelet", "status"));
}
BENCHMARK(BM_Status);

void BM_Apply(benchmark::State& state) {
  const auto live = LivePod();
  const auto config = codec::ParseJson(
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"labels":{"applied":"yes"}}})");
  for (auto _ : state) {
    codec::Document out(1u << 14);
    const auto result = Apply(out, &live->root(), (*config)->root(), {.writer = Writer("applier")});
    PL_ASSERT(result.has_value() && result->conflicts.empty());
    benchmark::DoNotOptimize(result->object);
  }
}
BENCHMARK(BM_Apply);

}  // namespace
}  // namespace plimsoll::api

BENCHMARK_MAIN();
