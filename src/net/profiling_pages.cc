#include "net/profiling_pages.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "base/cpu_profile.h"
#include "base/heap_profile.h"

namespace plimsoll::net {
namespace {

constexpr std::string_view kRoot = "/debug/pprof";
constexpr std::chrono::seconds kDefaultTime(30);
constexpr std::string_view kBinary = "application/octet-stream";
constexpr std::string_view kText = "text/plain; charset=utf-8";
constexpr std::string_view kIndex =
    "/debug/pprof/\n\n"
    "profile?seconds=30  CPU profile\n"
    "heap                memory in use\n"
    "cmdline             command line of the process\n\n"
    "go tool pprof https://ADDRESS/debug/pprof/profile, or save a page and open the file.\n";

Response Page(int status, std::string_view type, std::string body) {
  Response response;
  response.status = status;
  response.headers.Add("Content-Type", std::string(type));
  response.headers.Add("X-Content-Type-Options", "nosniff");
  response.body = MakeBytes(std::move(body));
  return response;
}

Response Download(std::string_view name, std::string body) {
  Response response = Page(200, kBinary, std::move(body));
  response.headers.Add("Content-Disposition", "attachment; filename=\"" + std::string(name) + "\"");
  return response;
}

Response Failure(const Error& error) {
  const int status = error.reason == Reason::ServiceUnavailable ? 503 : 500;
  return Page(status, kText, error.message + "\n");
}

std::optional<std::chrono::seconds> ReadTime(std::string_view text) {
  if (text.empty()) return kDefaultTime;
  int seconds = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, seconds);
  const std::chrono::seconds time(seconds);
  if (error != std::errc{} || stop != end || seconds <= 0 || time > kCpuProfileMax) {
    return std::nullopt;
  }
  return time;
}

Response ProfileHeap() {
  Result<std::string> profile = TakeHeapProfile();
  return profile ? Download("heap", *std::move(profile)) : Failure(profile.error());
}

std::string CommandLine() {
  std::ifstream file("/proc/self/cmdline");
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

ProfilingPages::~ProfilingPages() {
  {
    const std::lock_guard lock(mutex_);
    is_closing_ = true;
  }
  ended_.notify_all();
  if (thread_.joinable()) thread_.join();
}

bool ProfilingPages::Owns(std::string_view path) {
  return path == kRoot || (path.starts_with(kRoot) && path[kRoot.size()] == '/');
}

void ProfilingPages::Serve(const Request& request, const Target& target,
                           std::shared_ptr<Exchange> exchange) {
  if (request.method != "GET" && request.method != "HEAD") {
    return exchange->Respond(Page(405, kText, "only GET is allowed here\n"));
  }
  const std::string_view page = std::string_view(target.path).substr(kRoot.size());
  if (page.empty() || page == "/") return exchange->Respond(Page(200, kText, std::string(kIndex)));
  if (page == "/cmdline") return exchange->Respond(Page(200, kText, CommandLine()));
  if (page == "/heap") return RunProfile(ProfileHeap, exchange);
  if (page != "/profile") return exchange->Respond(Page(404, kText, "Unknown profile\n"));
  const std::optional<std::chrono::seconds> time = ReadTime(target.Query("seconds"));
  if (!time) {
    return exchange->Respond(Page(
        400, kText,
        "seconds: a number from 1 to " + std::to_string(kCpuProfileMax.count()) + " is needed\n"));
  }
  RunProfile([this, time = *time] { return ProfileCpu(time); }, exchange);
}

void ProfilingPages::RunProfile(std::function<Response()> take,
                                const std::shared_ptr<Exchange>& exchange) {
  {
    const std::lock_guard lock(mutex_);
    if (!is_busy_ && !is_closing_) {
      is_busy_ = true;
      if (thread_.joinable()) thread_.join();  // it has finished
      thread_ = std::thread([this, take = std::move(take), exchange] {
        exchange->Respond(take());
        const std::lock_guard ending(mutex_);
        is_busy_ = false;
      });
      return;
    }
  }
  exchange->Respond(
      Page(500, kText, "Could not enable profiling: another profile is being taken\n"));
}

Response ProfilingPages::ProfileCpu(std::chrono::seconds time) {
  Result<std::unique_ptr<CpuProfile>> profile = CpuProfile::Begin();
  if (!profile) return Failure(profile.error());
  std::unique_lock lock(mutex_);
  ended_.wait_for(lock, time, [this] { return is_closing_; });
  lock.unlock();
  return Download("profile", (*profile)->Finish());
}

}  // namespace plimsoll::net
