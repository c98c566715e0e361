// Compares load with numeric, version and CEL tolerations with the same load with Equal and Exists
// only. Runs two control planes (`plimsoll up`, each with its own disk) with churn of pods and
// taints, in turns, for --minutes at each size. `stress [--minutes=M] [--sizes=NODESxPODS,…]
// [--pods=mixed|numeric] [--plimsoll=PROGRAM] [--strict]`
//
// No request and no attempt may fail, and memory may not grow. Throughput and latency may be at
// most 5 % worse. --strict: a missed target is a failure.

#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "program.h"
#include "report.h"
#include "watchers.h"

namespace plimsoll::bench {
namespace {

struct Settings {
  std::string program;
  double minutes = 10;
  Flavour flavour = Flavour::Mixed;  // pods that are compared with the plain ones
  std::vector<StressSize> sizes = {{1000, 10'000}, {5000, 50'000}};
};

StressRun RunSize(const Settings& settings, const StressSize& size) {
  Contender mixed(settings.program, size, settings.flavour);
  Contender plain(settings.program, size, Flavour::Plain);
  mixed.Fill();
  plain.Fill();
  StressRun run{.size = size};
  const double end = static_cast<double>(NowNs()) / 1e9 + settings.minutes * 60;
  for (std::size_t i = 0; i < 5 || static_cast<double>(NowNs()) / 1e9 < end; ++i) {
    // Alternates the order, because the machine's state differs after each run.
    if (i % 2 == 0) run.mixed.push_back(mixed.Churn());
    run.plain.push_back(plain.Churn());
    if (i % 2 != 0) run.mixed.push_back(mixed.Churn());
  }
  run.mixed_errors = mixed.errors();
  run.plain_errors = plain.errors();
  return run;
}

template <class Number>
bool Read(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && number > 0;
}

bool ReadSizes(std::string_view text, std::vector<StressSize>& sizes) {
  sizes.clear();
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(','));
    const std::size_t cross = one.find('x');
    StressSize& size = sizes.emplace_back();
    if (cross == one.npos || !Read(one.substr(0, cross), size.nodes) ||
        !Read(one.substr(cross + 1), size.pods)) {
      return false;
    }
    text.remove_prefix(std::min(one.size() + 1, text.size()));
  }
  return !sizes.empty();
}

bool ReadSettings(int count, char** arguments, Settings& settings) {
  for (int i = 1; i < count; ++i) {
    const std::string_view word = arguments[i];
    const std::string_view name = word.substr(0, word.find('='));
    const std::string_view value = word.substr(std::min(name.size() + 1, word.size()));
    bool is_read = word == "--strict";
    if (name == "--minutes") is_read = Read(value, settings.minutes);
    if (name == "--sizes") is_read = ReadSizes(value, settings.sizes);
    if (name == "--pods") {
      is_read = value == "mixed" || value == "numeric";
      settings.flavour = value == "numeric" ? Flavour::Numeric : Flavour::Mixed;
    }
    if (name == "--plimsoll") {
      settings.program = value;
      is_read = !value.empty();
    }
    if (is_read) continue;
    fmt::print(stderr,
               "{}: want --minutes=M, --sizes=NODESxPODS,…, --pods=mixed|numeric, "
               "--plimsoll=PROGRAM or --strict\n",
               word);
    return false;
  }
  return true;
}

}  // namespace
}  // namespace plimsoll::bench

int main(int count, char** arguments) {
  using namespace plimsoll::bench;
  Settings settings;
  settings.program = PlimsollBeside();
  if (!ReadSettings(count, arguments, settings)) return 2;
  bool are_met = true;
  for (const StressSize& size : settings.sizes) {
    are_met &= Report(RunSize(settings, size));
    std::fflush(stdout);
  }
  return !are_met && ReadFlags(count, arguments).is_strict ? 1 : 0;
}
