#include "base/heap_profile.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <fstream>
#include <iterator>
#include <mutex>

// Defined by jemalloc; null if another allocator is linked.
extern "C" [[gnu::weak]] int mallctl(const char* name, void* old_value, std::size_t* old_size,
                                     void* new_value, std::size_t new_size);

namespace plimsoll {
namespace {

constexpr std::string_view kDumpHead = "heap_v2/";
constexpr std::string_view kMappings = "\nMAPPED_LIBRARIES:\n";

bool IsSampling() {
  bool is_on = false;
  std::size_t size = sizeof is_on;
  return mallctl != nullptr && mallctl("opt.prof", &is_on, &size, nullptr, 0) == 0 && is_on;
}

/// Returns the numbers of a line like `  t*: 13: 6688 [0: 0]`, or nothing if it has no `t*: `.
std::string_view TotalsOf(std::string_view line) {
  constexpr std::string_view kTotals = "t*: ";
  const std::size_t at = line.find(kTotals);
  return at == std::string_view::npos ? std::string_view() : line.substr(at + kTotals.size());
}

std::string_view TakeLine(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

}  // namespace

std::string ConvertHeapDump(std::string_view dump) {
  std::string_view head = TakeLine(dump);
  if (head.starts_with(kDumpHead)) head.remove_prefix(kDumpHead.size());
  const std::size_t mappings = std::min(dump.find(kMappings), dump.size());
  std::string_view records = dump.substr(0, mappings);
  std::string out;
  std::string_view stack;  // stack of the current record, such as ` 0x1 0x2`
  while (!records.empty()) {
    const std::string_view line = TakeLine(records);
    if (line.starts_with('@')) {
      stack = line.substr(1);
    } else if (const std::string_view totals = TotalsOf(line); !totals.empty()) {
      // The first totals are those of the whole heap.
      out += stack.empty() ? fmt::format("heap profile: {} @ heap_v2/{}\n", totals, head)
                           : fmt::format("{} @{}\n", totals, stack);
    }
  }
  out += dump.substr(mappings);
  return out;
}

Result<std::string> TakeHeapProfile() {
  if (!IsSampling()) {
    return Fail(Reason::ServiceUnavailable,
                "this process has no heap profile: its memory allocator takes no samples");
  }
  static std::mutex mutex;  // one dump at a time
  const std::lock_guard lock(mutex);
  const int file = ::memfd_create("heap-profile", MFD_CLOEXEC);
  if (file < 0)
    return Fail(Reason::InternalError, "cannot create a file in memory for the heap profile");
  const std::string path = fmt::format("/proc/self/fd/{}", file);
  const char* path_text = path.c_str();
  const int error = mallctl("prof.dump", nullptr, nullptr, &path_text, sizeof path_text);
  std::string dump;
  if (error == 0) {
    std::ifstream stream(path, std::ios::binary);
    dump.assign(std::istreambuf_iterator<char>(stream), {});
  }
  ::close(file);
  if (error != 0) {
    return Fail(
        Reason::InternalError,
        fmt::format("the memory allocator could not write the heap profile: error {}", error));
  }
  return ConvertHeapDump(dump);
}

}  // namespace plimsoll
