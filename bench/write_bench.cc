// Measures the server's cost of a write without HTTP and disk. Creates, updates, patches and
// deletes a typical pod with an in-memory store and the watch cache.

#include <benchmark/benchmark.h>

#include <fstream>
#include <iterator>
#include <string>

#include "apiserver/write/writer_for_test.h"

namespace plimsoll::apiserver {
namespace {

std::string PodText() {
  std::ifstream file(PLIMSOLL_BENCH_DATA "/pod.json");
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Returns the sample pod with another name.
std::string PodNamed(std::string_view name) {
  auto document = *codec::ParseJson(PodText());
  codec::Value& metadata = *document->root().Find("metadata");
  for (const std::string_view field : {"resourceVersion", "uid", "namespace", "managedFields"}) {
    document->Remove(metadata, field);
  }
  document->Set(metadata, "name", document->NewString(name));
  return codec::WriteJson(document->root());
}

void BM_Create(benchmark::State& state) {
  WriterFixture server;
  const std::string body = PodNamed("NAME");
  const std::size_t at = body.find("NAME");
  state.SetLabel(std::to_string(body.size()) + " bytes");
  int count = 0;
  for (auto _ : state) {
    std::string named = body;
    named.replace(at, 4, "p" + std::to_string(count++));
    const net::Response made = server.Answer("POST", kPods, std::move(named), {});
    PL_ASSERT(made.status == 201);
  }
}
BENCHMARK(BM_Create);

void BM_Update(benchmark::State& state) {
  WriterFixture server;
  const std::string body = PodNamed("p");
  PL_ASSERT(server.Answer("POST", kPods, body, {}).status == 201);
  int count = 0;
  for (auto _ : state) {
    std::string changed = body;
    changed.replace(changed.find("\"name\":\"p\""), 10,
                    "\"name\":\"p\",\"annotations\":{\"n\":\"" + std::to_string(count++) + "\"}");
    PL_ASSERT(server.Answer("PUT", PodTarget("p"), std::move(changed), {}).status == 200);
  }
}
BENCHMARK(BM_Update);

void BM_PatchStatus(benchmark::State& state) {
  WriterFixture server;
  PL_ASSERT(server.Answer("POST", kPods, PodNamed("p"), {}).status == 201);
  int count = 0;
  for (auto _ : state) {
    const net::Response patched =
        server.Answer("PATCH", PodTarget("p") + "/status",
                      R"({"status":{"message":")" + std::to_string(count++) + "\"}}",
                      {{"Content-Type", "application/strategic-merge-patch+json"}});
    PL_ASSERT(patched.status == 200);
  }
}
BENCHMARK(BM_PatchStatus);

}  // namespace
}  // namespace plimsoll::apiserver

BENCHMARK_MAIN();
