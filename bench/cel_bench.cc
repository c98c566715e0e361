// Measures expressions over a taint: time of one evaluation with cost tracking, number of
// allocations, and time of compilation.

#include <benchmark/benchmark.h>

#include <array>

#include "base/allocation_meter.h"
#include "cel/kubernetes.h"
#include "cel/program.h"

namespace plimsoll::cel {
namespace {

struct Subject {
  const char* name;
  const char* expression;
  const char* key;
  const char* value;
};

constexpr std::array kSubjects{
    Subject{"prefix", "taint.key.startsWith('env.example.com/')", "env.example.com/dev", ""},
    Subject{"regex", "taint.key.matches('^zone-a[12]-rack-[0-9]+$')", "zone-a1-rack-03", ""},
    Subject{"semver",
            "taint.key == 'node.example.com/kernel-version' && "
            "semver(taint.value, true).isGreaterThan(semver('5.15.0'))",
            "node.example.com/kernel-version", "6.1.0"},
    Subject{"compound",
            "taint.key == 'gpu.example.com' && taint.value == 'a100' || "
            "taint.key.startsWith('zone-a') && taint.effect == 'NoSchedule' || "
            "taint.key.endsWith('/dev')",
            "env.example.com/dev", ""},
    Subject{"in20",
            "taint.value in ['v1', 'v2', 'v3', 'v4', 'v5', 'v6', 'v7', 'v8', 'v9', 'v10', 'v11', "
            "'v12', 'v13', 'v14', 'v15', 'v16', 'v17', 'v18', 'v19', 'v20']",
            "gpu", "v20"},
    Subject{"exists10",
            "['a.example.com/', 'b.example.com/', 'c.example.com/', 'd.example.com/', "
            "'e.example.com/', 'f.example.com/', 'g.example.com/', 'h.example.com/', "
            "'i.example.com/', 'env.example.com/'].exists(p, taint.key.startsWith(p))",
            "env.example.com/dev", ""},
};

void Evaluate(benchmark::State& state, const Subject& subject) {
  const auto& environment = TolerationEnvironment();
  const auto compiled = environment->Compile(subject.expression);
  const auto program = *Program::Plan(*compiled, environment);
  const std::array<Value, 3> fields{Value::String(subject.key), Value::String(subject.value),
                                    Value::String("NoSchedule")};
  const ObjectValue object(&kTaintType, fields.data());
  const Value taint = Value::Object(&object);
  Evaluation evaluation;
  Outcome outcome = evaluation.Evaluate(*program, {&taint, 1});
  if (!outcome.value.is_true()) state.SkipWithError("the expression does not hold");
  const std::uint64_t before = AllocatedBytes();
  for (auto _ : state) {
    outcome = evaluation.Evaluate(*program, {&taint, 1});
    benchmark::DoNotOptimize(outcome);
  }
  const auto made = static_cast<double>(AllocatedBytes() - before);
  state.counters["allocated_bytes"] = made / static_cast<double>(state.iterations());
  state.counters["cost"] = static_cast<double>(outcome.cost);
}

void Compile(benchmark::State& state, const Subject& subject) {
  const auto& environment = TolerationEnvironment();
  for (auto _ : state) {
    const auto compiled = environment->Compile(subject.expression);
    benchmark::DoNotOptimize(environment->EstimateCost(*compiled->ast));
    benchmark::DoNotOptimize(Program::Plan(*compiled, environment));
  }
}

}  // namespace
}  // namespace plimsoll::cel

int main(int count, char** arguments) {
  using namespace plimsoll::cel;
  for (const Subject& subject : kSubjects) {
    const std::string name = subject.name;
    benchmark::RegisterBenchmark(("evaluate/" + name).c_str(), Evaluate, subject);
    benchmark::RegisterBenchmark(("compile/" + name).c_str(), Compile, subject)
        ->Unit(benchmark::kMicrosecond);
  }
  benchmark::Initialize(&count, arguments);
  benchmark::RunSpecifiedBenchmarks();
}
