// Sends whole write requests for every kind to an API server. They pass body, conform, defaults,
// patch or apply, admission, validation, store, and the answer is a Table. The server must answer
// each with JSON, and with a status of 500 or more only where upstream does.
//
// Input: a byte that chooses the resource, a byte that chooses the request, then the rest. For an
// even choice the rest is the seed of the mutation test's generator; for an odd choice it is the
// body.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/server/instance_for_test.h"
#include "base/assert.h"
#include "codec/json.h"
#include "cost_bound.h"
#include "mutation/mutator.h"
#include "mutation/upstream_errors.h"

namespace {

using plimsoll::apiserver::LocalServer;
using plimsoll::mutation::Mutator;
using plimsoll::mutation::Request;

constexpr std::string_view kName = "m";

class Fuzzed {
 public:
  Fuzzed() {
    for (const auto& resource : server_.instance().resources().all())
      mutators_.emplace_back(resource);
  }

  void Run(std::uint8_t row, std::uint8_t choice, std::string_view rest) {
    const Mutator& mutator = mutators_[row % mutators_.size()];
    if (mutator.resource().is_stored()) Send(mutator.Create(kName));
    Send(choice % 2 == 0 ? Generated(mutator, rest) : Raw(mutator, choice / 2, rest));
    if (!mutator.resource().is_stored()) return;
    const auto table = server_.Send("GET", mutator.collection(), {},
                                    {{"Accept", "application/json;as=Table;v=v1;g=meta.k8s.io"}});
    PL_ASSERT(table.status == 200);
    for (const std::string_view name : {"m", "m-new"}) {
      Send({.method = "DELETE",
            .target = mutator.collection() + "/" + std::string(name) + "?gracePeriodSeconds=0"});
    }
  }

 private:
  static Request Generated(const Mutator& mutator, std::string_view rest) {
    std::uint64_t seed = 0;
    for (const char byte : rest.substr(0, 8)) seed = seed << 8 | static_cast<unsigned char>(byte);
    plimsoll::Random random(seed);
    return mutator.Next(random, static_cast<std::size_t>(seed % 100'003), kName);
  }

  static Request Raw(const Mutator& mutator, unsigned choice, std::string_view rest) {
    static constexpr std::array<std::string_view, 3> kTypes = {
        "application/json", "application/yaml", "application/vnd.kubernetes.protobuf"};
    static constexpr std::array<std::string_view, 4> kPatches = {
        "application/json-patch+json", "application/merge-patch+json",
        "application/strategic-merge-patch+json", "application/apply-patch+yaml"};
    Request request{.body = std::string(rest)};
    const bool is_status = choice % 3 == 0 && mutator.resource().Serves("status");
    const std::string object =
        mutator.collection() + "/" + std::string(kName) + (is_status ? "/status" : "");
    choice /= 3;
    const unsigned way = choice % 10;
    if (way < 3 || mutator.resource().is_review) {
      request.method = "POST";
      request.target = mutator.collection();
      request.content_type = kTypes[way % 3];
    } else if (way < 6) {
      request.method = "PUT";
      request.target = object;
      request.content_type = kTypes[way % 3];
    } else {
      request.method = "PATCH";
      request.target = object + (way == 9 ? "?fieldManager=m&force=true" : "");
      request.content_type = kPatches[way - 6];
    }
    return request;
  }

  void Send(const Request& request) {
    plimsoll::net::Headers headers;
    if (!request.content_type.empty()) headers.Add("Content-Type", request.content_type);
    const plimsoll::fuzz::CostBound bound(request.body.size(),
                                          {.bytes_min = 64u << 20, .milliseconds_min = 3000});
    const auto response = server_.Send(request.method, request.target, request.body, headers);
    PL_ASSERT(response.status >= 200 && response.status < 600);
    PL_ASSERT(response.status < 500 || plimsoll::mutation::IsUpstreams500(response.body));
    PL_ASSERT(plimsoll::codec::ParseJson(response.body, {.bytes_max = 64u << 20}).has_value());
  }

  LocalServer server_;
  std::vector<Mutator> mutators_;
};

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size < 2) return 0;
  // Never destroyed: threads of the server must not outlive what they use when the process exits.
  static auto& fuzzed = *new Fuzzed;
  fuzzed.Run(bytes[0], bytes[1], {reinterpret_cast<const char*>(bytes) + 2, size - 2});
  return 0;
}
