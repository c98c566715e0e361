#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "bench/adr/http_library.h"

namespace {

std::size_t allocations = 0;
std::size_t allocated_bytes = 0;

}  // namespace

void* operator new(std::size_t size) {
  ++allocations;
  allocated_bytes += size;
  if (void* const memory = std::malloc(size)) return memory;
  std::abort();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace plimsoll::adr {
namespace {

constexpr int kRounds = 9;
constexpr std::size_t kCount = 50'000;

const std::string kHeaders =
    "Host: 127.0.0.1:6443\r\nUser-Agent: kubectl/v1.31.0 (linux/amd64) kubernetes/9edcffc\r\n"
    "Accept: application/json;as=Table;v=v1;g=meta.k8s.io,application/json\r\n"
    "Accept-Encoding: gzip\r\nKubectl-Command: kubectl get\r\n"
    "Kubectl-Session: 1c8b2c53-5bd3-4a3e-9c5b-5d43f0a1f9b5\r\n";
const std::string kGet = "GET /api/v1/namespaces/default/pods?limit=500 HTTP/1.1\r\n" + kHeaders;
const std::string kBody = std::string(2000, '{');
const std::string kPost = "POST /api/v1/namespaces/default/pods HTTP/1.1\r\n" + kHeaders +
                          "Content-Type: application/json\r\n";

std::string Chunked(std::size_t chunk, std::size_t count) {
  std::array<char, 20> size{};
  std::snprintf(size.data(), size.size(), "%zx\r\n", chunk);
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += size.data() + std::string(chunk, '{') + "\r\n";
  return text + "0\r\n\r\n";
}

struct Row {
  const char* name;
  std::function<std::size_t(HttpLibrary&)> run;
};

void Compare(const Row& row) {
  const std::array<HttpLibrary*, 2> libraries{&PlimsollHttp(), &BeastHttp()};
  std::array<std::array<double, kRounds>, 2> times{};
  std::array<std::pair<std::size_t, std::size_t>, 2> memory{};
  std::array<std::size_t, 2> answers{};
  for (std::size_t round = 0; round < kRounds; ++round) {
    for (std::size_t i = 0; i < libraries.size(); ++i) {
      allocations = allocated_bytes = 0;
      const auto start = std::chrono::steady_clock::now();
      for (std::size_t k = 0; k < kCount; ++k) answers[i] = row.run(*libraries[i]);
      const std::chrono::duration<double, std::nano> time =
          std::chrono::steady_clock::now() - start;
      times[i][round] = time.count() / kCount;
      memory[i] = {allocations / kCount, allocated_bytes / kCount};
    }
  }
  for (auto& one : times) std::ranges::sort(one);
  for (std::size_t i = 0; i < libraries.size(); ++i) {
    std::printf("%-30s %-9s %7.0f ns [%.0f-%.0f] %.2f of plimsoll; %zu allocations, %zu bytes%s\n",
                row.name, libraries[i]->name(), times[i][kRounds / 2], times[i].front(),
                times[i].back(), times[i][kRounds / 2] / times[0][kRounds / 2], memory[i].first,
                memory[i].second, answers[i] == answers[0] ? "" : "; ANSWERS DIFFER");
  }
}

/// Requests that our parser refuses, because another reader could see another end or meaning.
void CompareStrictness() {
  const std::string get = "GET / HTTP/1.1\r\nHost: x";
  const std::vector<std::pair<const char*, std::string>> requests{
      {"two blanks in the first line", "GET  / HTTP/1.1\r\nHost: x"},
      {"HTTP/1.1 without Host", "GET / HTTP/1.1\r\nA: b"},
      {"two Host headers", get + "\r\nHost: y"},
      {"invalid Host", "GET / HTTP/1.1\r\nHost: a/b"},
      {"blank before the colon", get + "\r\nA : b"},
      {"folded line", get + "\r\nA: b\r\n c"},
      {"carriage return in a value", get + "\r\nA: b\rc"},
      {"length and encoding", get + "\r\nContent-Length: 0\r\nTransfer-Encoding: chunked"},
      {"encoding and length", get + "\r\nTransfer-Encoding: chunked\r\nContent-Length: 0"},
      {"the same length twice", get + "\r\nContent-Length: 0\r\nContent-Length: 0"},
      {"list of equal lengths", get + "\r\nContent-Length: 0, 0"},
      {"length with a sign", get + "\r\nContent-Length: +0"},
      {"encoding twice", get + "\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked"},
      {"encoding that is not chunked", get + "\r\nTransfer-Encoding: gzip"},
      {"encoding in HTTP/1.0", "GET / HTTP/1.0\r\nTransfer-Encoding: chunked"},
      {"unknown expectation", get + "\r\nExpect: wonders"},
      {"HTTP/2.0", "PRI * HTTP/2.0\r\nHost: x"},
  };
  for (const auto& [name, text] : requests) {
    // The empty chunk ends the body of those that are read as chunked.
    const auto answer = [&](HttpLibrary& library) {
      return library.Parse(text + "\r\n\r\n") == HttpLibrary::kRefused &&
                     library.Parse(text + "\r\n\r\n0\r\n\r\n") == HttpLibrary::kRefused
                 ? "refuses"
                 : "accepts";
    };
    std::printf("%-30s plimsoll %s, beast %s\n", name, answer(PlimsollHttp()), answer(BeastHttp()));
  }
}

}  // namespace
}  // namespace plimsoll::adr

int main() {
  using namespace plimsoll::adr;
  const std::string get = kGet + "\r\n";
  const std::string post =
      kPost + "Content-Length: " + std::to_string(kBody.size()) + "\r\n\r\n" + kBody;
  const std::string chunked = kPost + "Transfer-Encoding: chunked\r\n\r\n" + Chunked(500, 4);
  std::string out;
  Compare({"GET, whole", [&](HttpLibrary& library) { return library.Parse(get); }});
  Compare({"GET, in pieces of 100 bytes",
           [&](HttpLibrary& library) { return library.ParsePieces(get, 100); }});
  Compare({"POST 2000 bytes, whole", [&](HttpLibrary& library) { return library.Parse(post); }});
  Compare(
      {"POST 4 chunks of 500 bytes", [&](HttpLibrary& library) { return library.Parse(chunked); }});
  Compare({"response with 2000 bytes", [&](HttpLibrary& library) {
             out.clear();
             library.Respond(kBody, out);
             return out.size();
           }});
  CompareStrictness();
}
