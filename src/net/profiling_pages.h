#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>

#include "net/http.h"

namespace plimsoll::net {

/// The pages below /debug/pprof/: `profile?seconds=N` (CPU, 30 s by default, 300 at most), `heap`,
/// `cmdline`, and a list of these. The owner authorizes the requests. Profiles are taken on a
/// separate thread, one at a time.
class ProfilingPages {
 public:
  ProfilingPages() = default;
  /// Ends a running profile early.
  ~ProfilingPages();
  ProfilingPages(const ProfilingPages&) = delete;
  ProfilingPages& operator=(const ProfilingPages&) = delete;

  /// Returns true if this class serves the path.
  static bool Owns(std::string_view path);
  /// Answers now or later. Never blocks.
  void Serve(const Request& request, const Target& target, std::shared_ptr<Exchange> exchange);

 private:
  /// Answers with the result of `take`, unless another profile is being taken.
  void RunProfile(std::function<Response()> take, const std::shared_ptr<Exchange>& exchange);
  Response ProfileCpu(std::chrono::seconds time);

  std::mutex mutex_;
  std::condition_variable ended_;
  bool is_closing_ = false;
  bool is_busy_ = false;
  std::thread thread_;  // thread of the last profile
};

}  // namespace plimsoll::net
