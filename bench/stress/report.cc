#include "report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/assert.h"

namespace plimsoll::bench {
namespace {

constexpr double kDifferenceAim = 0.05;
constexpr double kGrowthAim = 0.01;  // of the memory, per minute

std::string_view Met(bool is_met) { return is_met ? "met" : "MISSED"; }

/// Returns the rounds without the first fifth, which is the warm-up.
std::vector<Round> Steady(const std::vector<Round>& rounds) {
  return {rounds.begin() + static_cast<std::ptrdiff_t>(rounds.size() / 5), rounds.end()};
}

std::vector<double> Figures(const std::vector<Round>& rounds, double Round::* figure) {
  std::vector<double> figures;
  for (const Round& round : rounds) figures.push_back(round.*figure);
  return figures;
}

/// A figure that is compared between two adjacent rounds.
struct Compared {
  std::string_view name;
  std::string_view unit;
  double Round::* figure;
  bool is_more_better = false;
};

/// Returns the median of the relative loss of a mixed round against its plain neighbour.
double LossOf(const std::vector<double>& mixed, const std::vector<double>& plain,
              bool is_more_better) {
  std::vector<double> losses;
  for (std::size_t i = 0; i < std::min(mixed.size(), plain.size()); ++i) {
    losses.push_back(is_more_better ? 1 - mixed[i] / plain[i] : mixed[i] / plain[i] - 1);
  }
  return MedianOf(std::move(losses));
}

bool ReportCompared(const Compared& compared, const std::vector<Round>& mixed,
                    const std::vector<Round>& plain) {
  const std::vector<double> ours = Figures(mixed, compared.figure);
  const std::vector<double> theirs = Figures(plain, compared.figure);
  const double loss = LossOf(ours, theirs, compared.is_more_better);
  const bool is_met = loss <= kDifferenceAim;
  fmt::print(
      "  {:<20} mixed {:.1f} {}, plain {:.1f} {}: {:.1f} % {} (at most {:.0f} % worse)  {}\n",
      compared.name, MedianOf(ours), compared.unit, MedianOf(theirs), compared.unit,
      std::abs(loss) * 100, loss > 0 ? "worse" : "better", kDifferenceAim * 100, Met(is_met));
  return is_met;
}

bool ReportErrors(std::string_view name, std::uint64_t errors) {
  fmt::print("  {:<20} {} {} (none)  {}\n", "errors", name, errors, Met(errors == 0));
  return errors == 0;
}

/// Uses the second half of the rounds, when caches are full and expiry is in balance.
bool ReportGrowth(std::string_view name, const std::vector<Round>& rounds) {
  std::vector<double> minutes;
  std::vector<double> bytes;
  for (std::size_t i = rounds.size() / 2; i < rounds.size(); ++i) {
    minutes.push_back(rounds[i].at_seconds / 60);
    bytes.push_back(static_cast<double>(rounds[i].resident_bytes));
  }
  const double middle = MedianOf(bytes);
  const double growth = SlopeOf(minutes, bytes) / middle;
  fmt::print("  {:<20} {} {:.0f} MiB, {:+.2f} % a minute (at most {:+.0f} %)  {}\n", "memory", name,
             middle / (1 << 20), growth * 100, kGrowthAim * 100, Met(growth <= kGrowthAim));
  return growth <= kGrowthAim;
}

}  // namespace

double MedianOf(std::vector<double> values) {
  PL_ASSERT(!values.empty());
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::ranges::nth_element(values, middle);
  return *middle;
}

double SlopeOf(const std::vector<double>& at, const std::vector<double>& values) {
  PL_ASSERT(at.size() == values.size());
  const auto count = static_cast<double>(at.size());
  double at_sum = 0;
  double value_sum = 0;
  for (std::size_t i = 0; i < at.size(); ++i) {
    at_sum += at[i];
    value_sum += values[i];
  }
  double above = 0;
  double below = 0;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const double offset = at[i] - at_sum / count;
    above += offset * (values[i] - value_sum / count);
    below += offset * offset;
  }
  return below == 0 ? 0 : above / below;
}

bool Report(const StressRun& run) {
  const std::vector<Round> mixed = Steady(run.mixed);
  const std::vector<Round> plain = Steady(run.plain);
  fmt::print("{} nodes, {} pods: {} rounds of {} pods each, {} of them counted\n", run.size.nodes,
             run.size.pods, run.mixed.size(), run.size.churn(), mixed.size());
  bool are_met = ReportErrors("mixed", run.mixed_errors);
  are_met &= ReportErrors("plain", run.plain_errors);
  const Compared kCompared[] = {
      {"throughput", "pods/s", &Round::pods_per_second, true},
      {"latency p50", "ms", &Round::latency_p50_ms},
      {"latency p99", "ms", &Round::latency_p99_ms},
      {"processor time", "µs/pod", &Round::processor_us},
  };
  for (const Compared& compared : kCompared) are_met &= ReportCompared(compared, mixed, plain);
  are_met &= ReportGrowth("mixed", run.mixed);
  are_met &= ReportGrowth("plain", run.plain);
  return are_met;
}

}  // namespace plimsoll::bench
