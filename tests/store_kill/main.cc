// Repeatedly kills a process that writes to a store, and checks the store. Every acknowledged write
// must be complete, revisions may only grow, and counters must have every increment. Watches must
// deliver every change once and in order.
//
//   ROUNDS=300 SEED=7 store_kill    SEED repeats the choices, but not the thread scheduling

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "base/assert.h"
#include "base/real_clock.h"
#include "store/rocks_store.h"
#include "store/temporary_directory_for_test.h"
#include "store_kill/referee.h"

namespace plimsoll::store_kill {
namespace {

constexpr int kReportDescriptor = 3;

/// A process that runs RunVictim.
class Victim {
 public:
  Victim(const char* program, const std::string& directory, std::uint64_t seed,
         std::int64_t round) {
    std::array<int, 2> ends{};
    PL_ASSERT(pipe2(ends.data(), O_CLOEXEC) == 0);
    const std::string seed_text = std::to_string(seed);
    const std::string round_text = std::to_string(round);
    process_ = fork();
    PL_ASSERT(process_ >= 0);
    if (process_ == 0) {
      // Duplicated first: dup2 onto itself would keep the close-on-exec flag.
      const int writing = fcntl(ends[1], F_DUPFD, kReportDescriptor + 1);
      dup2(writing, kReportDescriptor);
      close(writing);
      execl(program, program, "victim", directory.c_str(), seed_text.c_str(), round_text.c_str(),
            nullptr);
      _exit(127);
    }
    close(ends[1]);
    reading_ = ends[0];
  }

  /// Reads reports until the time is over or the victim closes the pipe.
  void Hear(Referee& referee, RealClock& clock, Duration time) {
    const Instant end = clock.Now() + time;
    for (Instant now = clock.Now(); now < end; now = clock.Now()) {
      pollfd waiting{reading_, POLLIN, 0};
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - now).count();
      if (poll(&waiting, 1, static_cast<int>(left)) <= 0) continue;
      if (!HearSome(referee)) return;
    }
  }
  void Kill(Referee& referee) {
    kill(process_, SIGKILL);
    while (HearSome(referee)) {
    }
    PL_ASSERT(text_.empty());
    close(reading_);
    int status = 0;
    PL_ASSERT(waitpid(process_, &status, 0) == process_);
    if (!WIFSIGNALED(status)) referee.Hear({.kind = Report::Kind::Violated});
  }

 private:
  bool HearSome(Referee& referee) {
    std::array<char, 16'384> some{};
    const ssize_t got = read(reading_, some.data(), some.size());
    if (got <= 0) return false;
    text_.append(some.data(), static_cast<std::size_t>(got));
    std::size_t at = 0;
    for (; text_.size() - at >= sizeof(Report); at += sizeof(Report)) {
      Report report;
      std::memcpy(&report, text_.data() + at, sizeof report);
      referee.Hear(report);
    }
    text_.erase(0, at);
    return true;
  }

  pid_t process_ = 0;
  int reading_ = -1;
  std::string text_;
};

std::int64_t FromEnvironment(const char* name, std::int64_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoll(text);
}

/// Returns the lifetime of a victim. Some are killed while they open the store.
Duration Life(Random& random) {
  return std::chrono::milliseconds(random.Chance(0.2) ? random.Between(0, 25)
                                                      : random.Between(25, 120));
}

int RunRounds(const char* program) {
  RealClock clock;
  MemorySink sink;
  Logger logger(clock, sink);
  const std::int64_t rounds = FromEnvironment("ROUNDS", 300);
  const auto seed =
      static_cast<std::uint64_t>(FromEnvironment("SEED", clock.Now().time_since_epoch().count()));
  fmt::print("store_kill: {} rounds, SEED={}\n", rounds, seed);
  Random random(seed);
  const store::TemporaryDirectory temporary;
  const std::string directory = temporary.path() + "/store";
  Referee referee;
  for (std::int64_t round = 1; round <= rounds; ++round) {
    Victim victim(program, directory, random.Next(), round);
    victim.Hear(referee, clock, Life(random));
    victim.Kill(referee);
    const auto store = store::OpenRocksStore({.directory = directory}, clock, logger, nullptr);
    if (store.has_value()) {
      referee.Judge(**store, random);
    } else {
      fmt::print("store_kill: {}\n", store.error().Text());
    }
    for (const std::string& fault : referee.faults()) {
      fmt::print("store_kill: round {}: {}\n", round, fault);
    }
    if (!store.has_value() || !referee.faults().empty()) {
      fmt::print("store_kill: FAILED with SEED={} ROUNDS={}\n{}", seed, round, sink.text());
      return 1;
    }
  }
  fmt::print("store_kill: {} kills, {} changes, {} of them acknowledged, nothing lost\n", rounds,
             referee.changes(), referee.acknowledged());
  return referee.acknowledged() > 0 ? 0 : 1;
}

}  // namespace
}  // namespace plimsoll::store_kill

int main(int count, char** arguments) {
  if (count == 5 && std::string_view(arguments[1]) == "victim") {
    return plimsoll::store_kill::RunVictim(arguments[2], std::strtoull(arguments[3], nullptr, 10),
                                           std::atoll(arguments[4]),
                                           plimsoll::store_kill::kReportDescriptor);
  }
  return plimsoll::store_kill::RunRounds("/proc/self/exe");
}
