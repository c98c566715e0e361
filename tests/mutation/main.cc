// mutation_test SHARD SHARDS REQUESTS: sends this many mutated requests of all kinds to an API
// server in this process. Each answer must be well-formed JSON with a status below 500, unless
// upstream returns 500 too. The server must serve all kinds at the end. The same arguments send the
// same requests.

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "apiserver/server/instance_for_test.h"
#include "codec/json.h"
#include "codec/yaml.h"
#include "mutation/mutator.h"
#include "mutation/upstream_errors.h"

#if defined(__SANITIZE_ADDRESS__)
// Makes the sanitizers' errors reach the handler below.
extern "C" const char* __asan_default_options() { return "abort_on_error=1"; }
extern "C" const char* __ubsan_default_options() { return "abort_on_error=1"; }
#endif

namespace plimsoll::mutation {
namespace {

// Number of requests per object. After them, it may be in any state.
constexpr std::size_t kTurnsPerObject = 25;
constexpr std::size_t kShownBytesMax = 4000;

std::string last_request;  // for OnAbort

void Write(std::string_view text) {
  if (write(STDERR_FILENO, text.data(), text.size()) < 0) _exit(1);
}

/// Prints the request that crashed the process.
extern "C" void OnAbort(int signal_number) {
  signal(signal_number, SIG_DFL);
  Write("\nthe server died of this request:\n");
  Write(last_request);
  Write("\n");
  raise(signal_number);
}

std::string Describe(const Request& request) {
  return fmt::format("{} {}{} {}\n{}", request.method, request.target,
                     request.is_from_node ? " (node)" : "", request.content_type,
                     request.body.substr(0, kShownBytesMax));
}

class Run {
 public:
  Run(std::size_t shard, std::size_t shards) : random_(1000 + shard) {
    std::size_t row = 0;
    for (const apiserver::Resource& resource : server_.instance().resources().all()) {
      if (row++ % shards == shard) mutators_.emplace_back(resource);
    }
    node_ = server_.Connect({"system:node:a", {"system:nodes", "system:authenticated"}});
    if (mutators_.empty()) {
      fmt::print("no resource is left for this shard\n");
      std::exit(1);
    }
  }

  /// Returns the number of failed requests.
  std::size_t Send(std::size_t requests) {
    turns_.resize(mutators_.size());
    for (std::size_t i = 0; i < requests; ++i) {
      const std::size_t row = i % mutators_.size();
      Take(mutators_[row], turns_[row]++);
    }
    for (const Mutator& mutator : mutators_) CheckServes(mutator);
    return failures_;
  }

  void Report() const {
    for (const auto& [status, count] : counts_) fmt::print("{}: {}\n", status, count);
  }

 private:
  void Take(const Mutator& mutator, std::size_t turn) {
    const std::string name = fmt::format("m{}", turn / kTurnsPerObject);
    const bool is_stored = mutator.resource().is_stored();
    if (is_stored && turn % kTurnsPerObject == 0) {
      const int status = Serve(mutator.Create(name));
      if (status != 201) Fail(fmt::format("the sample was not accepted: {}", status));
    }
    const Request request = mutator.Next(random_, turn, name);
    const int status = Serve(request);
    const bool has_changed = status == 200 || status == 201;
    if (is_stored && has_changed && random_.Chance(0.2)) CheckServes(mutator);
    if (status == 201 && is_stored) {
      Serve({.method = "DELETE",
             .target = fmt::format("{}/{}-new?gracePeriodSeconds=0", mutator.collection(), name)});
    }
    if (is_stored && request.method == "DELETE") Serve(mutator.Create(name));
    if (is_stored && turn % kTurnsPerObject == kTurnsPerObject - 1) {
      Serve({.method = "DELETE",
             .target = fmt::format("{}/{}?gracePeriodSeconds=0", mutator.collection(), name)});
    }
  }

  /// Lists the kind in all forms, including the table that kubectl prints.
  void CheckServes(const Mutator& mutator) {
    if (!mutator.resource().is_stored()) return;
    static constexpr std::array<std::string_view, 5> kForms = {
        "application/json", "application/json;as=Table;v=v1;g=meta.k8s.io",
        "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io", "application/yaml",
        "application/yaml;as=Table;v=v1;g=meta.k8s.io"};
    const std::string_view form = kForms[random_.Below(kForms.size())];
    const std::string target = mutator.collection() + "?limit=50" +
                               (random_.Chance(0.5) ? "&includeObject=Object" : "") +
                               (random_.Chance(0.5) ? "&pretty=true" : "");
    last_request = fmt::format("GET {} {}", target, form);
    const auto response = server_.Send("GET", target, {}, {{"Accept", std::string(form)}});
    if (response.status != 200) Fail(fmt::format("a list was answered by {}", response.status));
    const codec::ParseLimits limits{
        .bytes_max = 64u << 20, .depth_max = 400, .values_max = 16u << 20};
    const bool is_good = form.starts_with("application/yaml")
                             ? codec::ParseYaml(response.body, limits).has_value()
                             : codec::ParseJson(response.body, limits).has_value();
    if (!is_good) Fail("the list cannot be read: " + response.body.substr(0, kShownBytesMax));
  }

  int Serve(const Request& request) {
    last_request = Describe(request);
    net::Headers headers;
    if (!request.content_type.empty()) headers.Add("Content-Type", request.content_type);
    const net::ClientResponse response =
        request.is_from_node
            ? apiserver::LocalServer::SendAs(*node_, request.method, request.target, request.body,
                                             std::move(headers))
            : server_.Send(request.method, request.target, request.body, std::move(headers));
    ++counts_[response.status];
    if (response.status < 200 || response.status > 599) Fail("no HTTP status");
    if (response.status >= 500 && !IsUpstreams500(response.body)) {
      Fail(fmt::format("{} {}", response.status, response.body.substr(0, kShownBytesMax)));
    }
    CheckBody(response.body);
    return response.status;
  }

  void CheckBody(const std::string& body) {
    const auto parsed =
        codec::ParseJson(body, {.bytes_max = 64u << 20, .depth_max = 400, .values_max = 16u << 20});
    if (!parsed) Fail("the answer is no JSON: " + body.substr(0, kShownBytesMax));
  }

  void Fail(std::string_view why) {
    // The first failures are enough.
    if (failures_++ < 20) fmt::print(stderr, "FAILED: {}\n{}\n\n", why, last_request);
  }

  apiserver::LocalServer server_;
  std::unique_ptr<net::Transport> node_;
  Random random_;
  std::vector<Mutator> mutators_;
  std::vector<std::size_t> turns_;
  std::map<int, std::size_t> counts_;
  std::size_t failures_ = 0;
};

}  // namespace
}  // namespace plimsoll::mutation

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "usage: mutation_test SHARD SHARDS REQUESTS\n");
    return 2;
  }
  signal(SIGABRT, plimsoll::mutation::OnAbort);
  plimsoll::mutation::Run run(std::strtoul(argv[1], nullptr, 10),
                              std::strtoul(argv[2], nullptr, 10));
  const std::size_t failures = run.Send(std::strtoul(argv[3], nullptr, 10));
  run.Report();
  if (failures > 0) fmt::print("{} requests failed\n", failures);
  return failures == 0 ? 0 : 1;
}
