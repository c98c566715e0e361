// Compares codec/json.h with Boost.JSON: parse the pod of bench/data/pod.json, and write it.
// `json_compare bench/data/pod.json`

#include <algorithm>
#include <array>
#include <boost/json/src.hpp>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>

#include "codec/json.h"

namespace plimsoll::adr {
namespace {

constexpr int kRounds = 9;
constexpr int kCount = 5'000;

template <class Call>
double NanosecondsPer(const Call& call) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < kCount; ++i) call();
  const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
  return time.count() / kCount;
}

template <class Ours, class Theirs>
void Compare(const char* name, const Ours& ours, const Theirs& theirs) {
  std::array<std::array<double, kRounds>, 2> times{};
  for (std::size_t round = 0; round < kRounds; ++round) {
    times[0][round] = NanosecondsPer(ours);
    times[1][round] = NanosecondsPer(theirs);
  }
  for (auto& one : times) std::ranges::sort(one);
  const double median = times[0][kRounds / 2];
  std::printf("%-8s plimsoll %.0f ns [%.0f-%.0f], boost %.0f ns [%.0f-%.0f], %.2f of plimsoll\n",
              name, median, times[0].front(), times[0].back(), times[1][kRounds / 2],
              times[1].front(), times[1].back(), times[1][kRounds / 2] / median);
}

void ShowNumber(const std::string& text) {
  const auto document = codec::ParseJson(text);
  const std::string ours = document ? codec::WriteJson((*document)->root()) : "refused";
  boost::system::error_code error;
  const boost::json::value value = boost::json::parse(text, error);
  const std::string theirs = error ? "refused" : boost::json::serialize(value);
  std::printf("%-26s plimsoll %s, boost %s\n", text.c_str(), ours.c_str(), theirs.c_str());
}

}  // namespace
}  // namespace plimsoll::adr

int main(int argc, char** argv) {
  using namespace plimsoll;
  if (argc < 2) return 2;
  std::ifstream file(argv[1]);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::printf("%zu bytes\n", text.size());
  adr::Compare(
      "parse", [&] { static_cast<void>(codec::ParseJson(text)); },
      [&] {
        boost::json::monotonic_resource memory;  // an arena, as our Document has
        static_cast<void>(boost::json::parse(text, &memory));
      });
  const auto document = *codec::ParseJson(text);
  const boost::json::value value = boost::json::parse(text);
  adr::Compare(
      "write", [&] { static_cast<void>(codec::WriteJson(document->root())); },
      [&] { static_cast<void>(boost::json::serialize(value)); });
  for (const char* const number : {"[1.0]", "[1.50]", "[12345678901234567890123]", "[1e2]",
                                   "{\"a\":1,\"b\":2,\"a\":3}", "[\"<a>\"]"}) {
    adr::ShowNumber(number);
  }
}
