// Measures stores: durable changes of 2 KB per second, one by one and concurrent. Also the time to
// open and read the store of a large cluster. Uses the disk of TMPDIR, whose fsync takes most of
// the time.

#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <fstream>
#include <iterator>
#include <memory>
#include <mutex>
#include <string>

#include "base/assert.h"
#include "base/real_clock.h"
#include "store/memory_store.h"
#include "store/rocks_store.h"
#include "store/temporary_directory_for_test.h"

namespace plimsoll::store {
namespace {

constexpr std::int64_t kRecords = 155'000;  // 150,000 pods and 5,000 nodes
constexpr std::size_t kValueBytes = 2'048;

/// Returns a pod's JSON cut to size, with a unique end.
Bytes Value(std::int64_t number) {
  static const std::string pod = [] {
    std::ifstream file(PLIMSOLL_BENCH_DATA "/pod.json");
    std::string text{std::istreambuf_iterator<char>(file), {}};
    PL_ASSERT(!text.empty());
    while (text.size() < kValueBytes) text += text;
    return text.substr(0, kValueBytes);
  }();
  std::string text = pod;
  const std::string name = std::to_string(static_cast<std::uint64_t>(number) * 0x9E3779B97F4A7C15U);
  return MakeBytes(std::move(text.replace(text.size() - name.size(), name.size(), name)));
}

std::string Key(std::int64_t number) {
  return "/registry/pods/default/pod-" + std::to_string(number);
}

/// A store that many benchmark threads share, with its dependencies.
class Bed {
 public:
  enum class Kind : std::uint8_t { Memory, Rocks };
  explicit Bed(Kind kind) : kind_(kind) { Open(); }

  void Open() {
    if (kind_ == Kind::Memory) {
      store_ = std::make_unique<MemoryStore>(clock_);
      return;
    }
    auto opened = OpenRocksStore({.directory = directory_.path()}, clock_, logger_, nullptr);
    PL_ASSERT(opened.has_value());
    store_ = std::move(*opened);
  }
  void Close() { store_.reset(); }
  Store& store() { return *store_; }

  /// Commits all values, with a limited number in flight, and waits.
  void CommitMany(std::int64_t from, std::int64_t count, std::int64_t in_flight_max) {
    std::mutex mutex;
    std::condition_variable changed;
    std::int64_t in_flight = 0;
    for (std::int64_t i = from; i < from + count; ++i) {
      {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return in_flight < in_flight_max; });
        ++in_flight;
      }
      store_->Commit({Key(i), Value(i), kNoRevision}, [&](const Result<Revision>& result) {
        PL_ASSERT(result.has_value());
        const std::lock_guard lock(mutex);
        --in_flight;
        changed.notify_one();
      });
    }
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return in_flight == 0; });
  }

 private:
  const Kind kind_;
  TemporaryDirectory directory_{TemporaryDirectory::OnDisk()};
  RealClock clock_;
  StderrSink sink_;
  Logger logger_{clock_, sink_, {.verbosity = -1}};
  std::unique_ptr<Store> store_;
};

/// Counts changes. With a sink, stores must read previous values.
class CountingSink final : public ChangeSink {
 public:
  void OnChanges(std::span<const Change> changes) override { seen += changes.size(); }
  void OnEnd(const Error& /*error*/) override {}
  std::size_t seen = 0;
};

std::unique_ptr<Bed>
    bed;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): shared by threads
std::atomic<std::int64_t> next =
    0;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): likewise

template <Bed::Kind kind>
void Begin(const benchmark::State& /*state*/) {
  bed = std::make_unique<Bed>(kind);
  next = 0;
}
void End(const benchmark::State& /*state*/) { bed.reset(); }

/// Baseline of the disk: appends 2 KB to a file and calls fsync.
void BM_RawSync(benchmark::State& state) {
  const TemporaryDirectory directory(TemporaryDirectory::OnDisk());
  const int file = open((directory.path() + "/raw").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  PL_ASSERT(file >= 0);
  const Bytes value = Value(1);
  for (auto _ : state) {
    PL_ASSERT(write(file, value->data(), value->size()) == static_cast<ssize_t>(value->size()));
    PL_ASSERT(fdatasync(file) == 0);
  }
  close(file);
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_RawSync)->UseRealTime();

/// Every thread creates one key after the other, like clients with one request each.
void BM_Create(benchmark::State& state) {
  for (auto _ : state) {
    const std::int64_t number = next++;
    const auto result = bed->store().CommitAndWait({Key(number), Value(number), kNoRevision});
    PL_ASSERT(result.has_value());
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_Create)
    ->Name("BM_Create/memory")
    ->Setup(Begin<Bed::Kind::Memory>)
    ->Teardown(End)
    ->Threads(1)
    ->Threads(64)
    ->UseRealTime();
BENCHMARK(BM_Create)
    ->Name("BM_Create/rocks")
    ->Setup(Begin<Bed::Kind::Rocks>)
    ->Teardown(End)
    ->Threads(1)
    ->Threads(64)
    ->UseRealTime();

/// Same from one thread with many commits in flight, like an event loop.
void BM_CreateInFlight(benchmark::State& state) {
  constexpr std::int64_t kRound = 5'000;
  for (auto _ : state) bed->CommitMany(next.fetch_add(kRound), kRound, state.range(0));
  state.SetItemsProcessed(state.iterations() * kRound);
}
BENCHMARK(BM_CreateInFlight)
    ->Name("BM_CreateInFlight/rocks")
    ->Setup(Begin<Bed::Kind::Rocks>)
    ->Teardown(End)
    ->Arg(1)
    ->Arg(64)
    ->Arg(256)
    ->UseRealTime();

/// Updates one of 10,000 keys under a watch, which must read the previous value.
void BM_UpdateWatched(benchmark::State& state) {
  constexpr std::int64_t kKeys = 10'000;
  bed->CommitMany(0, kKeys, 256);
  const Range all = bed->store().List({.prefix = "/"}).value();
  std::vector<Revision> revisions;
  for (const Record& record : all.records) revisions.push_back(record.revision);
  CountingSink sink;
  const auto watch = bed->store().WatchFrom("/", bed->store().latest(), sink).value();
  constexpr std::int64_t kInFlight = 64;
  std::int64_t number = 0;
  for (auto _ : state) {
    std::mutex mutex;
    std::condition_variable changed;
    std::int64_t left = kInFlight;
    for (std::int64_t i = 0; i < kInFlight; ++i, ++number) {
      const auto at = static_cast<std::size_t>(number % kKeys);
      bed->store().Commit({all.records[at].key, Value(number), revisions[at]},
                          [&, at](const Result<Revision>& result) {
                            PL_ASSERT(result.has_value());
                            const std::lock_guard lock(mutex);
                            revisions[at] = *result;
                            if (--left == 0) changed.notify_one();
                          });
    }
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return left == 0; });
  }
  state.SetItemsProcessed(state.iterations() * kInFlight);
}
BENCHMARK(BM_UpdateWatched)
    ->Name("BM_UpdateWatched/rocks")
    ->Setup(Begin<Bed::Kind::Rocks>)
    ->Teardown(End)
    ->UseRealTime();

double ResidentMegabytes() {
  std::ifstream file("/proc/self/statm");
  std::int64_t size = 0;
  std::int64_t resident = 0;
  file >> size >> resident;
  return static_cast<double>(resident * sysconf(_SC_PAGESIZE)) / 1e6;
}

/// Opens a store and lists everything, like the start of an API server. `memory` is the memory of
/// the open store without the list.
void BM_OpenAndList(benchmark::State& state) {
  bed->CommitMany(0, kRecords, 256);
  bed->Close();
  double before = 0;
  double after = 0;
  for (auto _ : state) {
    state.PauseTiming();
    bed->Close();
    malloc_trim(0);
    before = ResidentMegabytes();
    state.ResumeTiming();
    bed->Open();
    Range range = bed->store().List({.prefix = "/"}).value();
    PL_ASSERT(range.records.size() == static_cast<std::size_t>(kRecords));
    state.PauseTiming();
    range = {};
    malloc_trim(0);
    after = ResidentMegabytes();
    state.ResumeTiming();
  }
  state.counters["memory_MB"] = after - before;
  state.SetBytesProcessed(state.iterations() * kRecords * static_cast<std::int64_t>(kValueBytes));
}
BENCHMARK(BM_OpenAndList)
    ->Name("BM_OpenAndList/rocks")
    ->Setup(Begin<Bed::Kind::Rocks>)
    ->Teardown(End)
    ->Iterations(3)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace plimsoll::store

BENCHMARK_MAIN();
