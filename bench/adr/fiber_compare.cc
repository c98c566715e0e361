#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "bench/adr/fiber_library.h"

namespace plimsoll::adr {

double ResidentBytes() {
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  long pages = 0;
  long resident = 0;
  if (file == nullptr || std::fscanf(file, "%ld %ld", &pages, &resident) != 2) return 0;
  std::fclose(file);
  return static_cast<double>(resident * sysconf(_SC_PAGESIZE));
}

namespace {

constexpr int kRounds = 9;

struct Row {
  const char* name;
  std::size_t count;
  std::function<bool(FiberLibrary&, std::size_t)> run;
};

double NanosecondsPer(const Row& row, FiberLibrary& library) {
  const auto start = std::chrono::steady_clock::now();
  if (!row.run(library, row.count)) return 0;
  const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
  return time.count() / static_cast<double>(row.count);
}

/// Runs the libraries in turn, and prints the median and the spread of each.
void Compare(const Row& row, const std::vector<FiberLibrary*>& libraries) {
  std::vector<std::array<double, kRounds>> times(libraries.size());
  for (std::size_t round = 0; round < kRounds; ++round) {
    for (std::size_t i = 0; i < libraries.size(); ++i) {
      times[i][round] = NanosecondsPer(row, *libraries[i]);
    }
  }
  for (std::array<double, kRounds>& one : times) std::ranges::sort(one);
  for (std::size_t i = 0; i < libraries.size(); ++i) {
    if (times[i][0] == 0) continue;
    std::printf("%-34s %-22s %9.0f ns  [%.0f-%.0f]  %.2f of plimsoll\n", row.name,
                libraries[i]->name(), times[i][kRounds / 2], times[i].front(), times[i].back(),
                times[i][kRounds / 2] / times[0][kRounds / 2]);
  }
  std::fflush(stdout);
}

}  // namespace
}  // namespace plimsoll::adr

int main() {
  using namespace plimsoll::adr;
  const std::vector<FiberLibrary*> libraries{&PlimsollFibers(), &BoostFibers(),
                                             &BoostFibersInEpoll()};
  for (FiberLibrary* library : libraries) {
    std::printf("%-34s %-22s %9.0f bytes\n", "memory of a suspended fiber", library->name(),
                library->BytesPerFiber(2000));
  }
  const auto always = [](auto method) {
    return [method](FiberLibrary& library, std::size_t count) {
      (library.*method)(count);
      return true;
    };
  };
  const auto across = [](std::size_t fibers) {
    return [fibers](FiberLibrary& library, std::size_t count) {
      library.WakeAcross(fibers, count);
      return true;
    };
  };
  for (const Row& row : std::vector<Row>{
           {"create with a new stack", 20'000, always(&FiberLibrary::CreateFresh)},
           {"start a task on a reused stack", 200'000, always(&FiberLibrary::CreatePooled)},
           {"suspend and resume", 2'000'000, always(&FiberLibrary::SwitchBare)},
           {"wake a fiber of the same thread", 1'000'000, always(&FiberLibrary::SwitchByEvent)},
           {"wake 1 fiber of another thread", 20'000, across(1)},
           {"wake 32 fibers of another thread", 320'000, across(32)},
           {"wake a fiber by a socket", 100'000, &FiberLibrary::SwitchBySocket},
       }) {
    Compare(row, libraries);
  }
}
