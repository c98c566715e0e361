// A profiling timer sends SIGPROF to the thread that runs; its handler walks the frame pointers and
// appends the addresses to a buffer. All code of this project keeps frame pointers. Code of
// libraries that does not keep them ends the walk early, or leaves out a frame.

#include "base/cpu_profile.h"

#include <sys/time.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <span>
#include <thread>
#include <vector>

#include "base/assert.h"
#include "base/limits.h"

namespace plimsoll {
namespace {

using Word = std::uintptr_t;

constexpr int kSamplesPerSecond = 100;
constexpr std::size_t kRecordWordsMax = kCpuProfileFramesMax + 2;
/// Enough for two busy threads during the longest profile; further samples are dropped.
constexpr std::size_t kWordsMax =
    2 * kSamplesPerSecond * std::size_t{kCpuProfileMax.count()} * kRecordWordsMax;
/// Maximum size of a stack, and so the maximum distance between two frames.
constexpr Word kStackMax = 64u << 20;

/// State shared with the signal handler. While a profile is taken, only the handler changes it,
/// and only the counters.
struct Sampling {
  std::atomic<bool> is_taken = false;   // a CpuProfile exists
  std::atomic<bool> is_active = false;  // the handler may write
  std::atomic<int> handlers = 0;        // signal handlers that run now
  std::atomic<std::size_t> words = 0;   // requested so far; may exceed the size of the buffer
  std::atomic<std::uint64_t> samples = 0;
  std::vector<Word> buffer;
};

Sampling& State() {
  // Never destroyed: a signal may arrive while the process exits.
  static Sampling& state = *new Sampling;
  return state;
}

struct Registers {
  Word instruction = 0;
  Word frame = 0;
};

Registers ReadRegisters(const void* context) {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return {static_cast<Word>(machine.gregs[REG_RIP]), static_cast<Word>(machine.gregs[REG_RBP])};
#elif defined(__aarch64__)
  return {static_cast<Word>(machine.pc), static_cast<Word>(machine.regs[29])};
#else
  return {};
#endif
}

/// Reads with a system call, because a frame pointer of library code may point anywhere.
bool ReadFrame(Word at, std::array<Word, 2>& frame) {
  iovec local{frame.data(), sizeof frame};
  iovec remote{reinterpret_cast<void*>(at), sizeof frame};
  return ::process_vm_readv(::getpid(), &local, 1, &remote, 1, 0) ==
         static_cast<ssize_t>(sizeof frame);
}

std::size_t WalkStack(const void* context, std::span<Word> out) {
  const Registers registers = ReadRegisters(context);
  if (registers.instruction == 0) return 0;
  std::size_t count = 0;
  out[count++] = registers.instruction;
  std::array<Word, 2> frame{};  // the caller's frame pointer and return address
  for (Word at = registers.frame; count < out.size(); at = frame[0]) {
    if (at == 0 || at % sizeof(Word) != 0 || !ReadFrame(at, frame) || frame[1] == 0) break;
    out[count++] = frame[1];
    if (frame[0] <= at || frame[0] - at > kStackMax) break;
  }
  return count;
}

void OnSample(int /*signal*/, siginfo_t* /*info*/, void* context) {
  const int saved_errno = errno;
  Sampling& state = State();
  ++state.handlers;
  if (state.is_active) {
    std::array<Word, kRecordWordsMax> record;
    const std::size_t frames = WalkStack(context, std::span(record).subspan(2));
    record[0] = 1;
    record[1] = frames;
    const std::size_t size = frames + 2;
    const std::size_t at = frames == 0 ? kWordsMax : state.words.fetch_add(size);
    if (at + size <= state.buffer.size()) {
      std::memcpy(&state.buffer[at], record.data(), size * sizeof(Word));
      ++state.samples;
    }
  }
  --state.handlers;
  errno = saved_errno;
}

void SetTimer(long microseconds) {
  const itimerval timer{.it_interval = {.tv_sec = 0, .tv_usec = microseconds},
                        .it_value = {.tv_sec = 0, .tv_usec = microseconds}};
  PL_ASSERT(::setitimer(ITIMER_PROF, &timer, nullptr) == 0);
}

void InstallHandler() {
  struct sigaction action{};
  action.sa_sigaction = OnSample;
  action.sa_flags = SA_RESTART | SA_SIGINFO;
  ::sigemptyset(&action.sa_mask);
  // The handler stays installed: a late signal must not end the process.
  PL_ASSERT(::sigaction(SIGPROF, &action, nullptr) == 0);
}

void StopSampling(Sampling& state) {
  if (!state.is_active.exchange(false)) return;
  SetTimer(0);
  while (state.handlers != 0) std::this_thread::yield();
}

void AppendWords(std::string& out, std::span<const Word> words) {
  out.append(reinterpret_cast<const char*>(words.data()), words.size_bytes());
}

}  // namespace

Result<std::unique_ptr<CpuProfile>> CpuProfile::Begin() {
  Sampling& state = State();
  if (state.is_taken.exchange(true)) {
    return Fail(Reason::Conflict, "Could not enable CPU profiling: cpu profiling already in use");
  }
  state.buffer.assign(kWordsMax, 0);
  state.words = 0;
  state.samples = 0;
  InstallHandler();
  state.is_active = true;
  SetTimer(1'000'000 / kSamplesPerSecond);
  return std::unique_ptr<CpuProfile>(new CpuProfile);
}

CpuProfile::~CpuProfile() {
  Sampling& state = State();
  StopSampling(state);
  state.buffer = {};
  state.is_taken = false;
}

std::uint64_t CpuProfile::samples() const { return State().samples; }

std::string CpuProfile::Finish() {
  Sampling& state = State();
  StopSampling(state);
  std::string out;
  AppendWords(out, std::array<Word, 5>{0, 3, 0, Word{1'000'000 / kSamplesPerSecond}, 0});
  // The last record may not have fitted into the buffer. All words after the last whole one are 0.
  std::size_t end = 0;
  const std::span<const Word> words(state.buffer);
  while (end + 2 <= words.size() && words[end] != 0) end += words[end + 1] + 2;
  AppendWords(out, words.first(end));
  AppendWords(out, std::array<Word, 3>{0, 1, 0});
  std::ifstream maps("/proc/self/maps");
  out.append(std::istreambuf_iterator<char>(maps), {});
  return out;
}

}  // namespace plimsoll
