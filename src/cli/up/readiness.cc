#include "cli/up/readiness.h"

#include <fmt/format.h>

#include <functional>
#include <set>
#include <string_view>

#include "agent/node_status.h"
#include "api/schema/schema.h"
#include "base/assert.h"

namespace plimsoll::cli {
namespace {

constexpr Duration kRetryDelay = std::chrono::milliseconds(100);

/// Removes the nodes that are Ready from a set, and ends the watch when that is empty.
class ReadyNodes final : public client::WatchSink {
 public:
  ReadyNodes(const std::vector<std::string>& names, const OnProgress& on_progress)
      : total_(names.size()), on_progress_(on_progress), missing_(names.begin(), names.end()) {
    Report();
  }

  bool OnEvent(api::WatchEvent event) override {
    if (event.object != nullptr && event.type != api::WatchEvent::Type::Deleted &&
        agent::IsTrue(agent::ReadConditions(*event.object), "Ready")) {
      if (const auto found = missing_.find(event.object->metadata().name);
          found != missing_.end()) {
        missing_.erase(found);
        Report();
      }
    }
    return !missing_.empty();
  }

  std::size_t missing() const { return missing_.size(); }

 private:
  void Report() const {
    if (on_progress_) on_progress_(total_ - missing_.size(), total_);
  }

  const std::size_t total_;
  const OnProgress& on_progress_;
  std::set<std::string, std::less<>> missing_;
};

bool IsServerReady(net::Transport& transport, const client::StopSignal& stop) {
  net::Request request;
  request.method = "GET";
  request.target = "/readyz";
  const auto answer =
      transport.Fetch(std::move(request), std::chrono::seconds(30), stop.canceller());
  return answer && answer->status == 200;
}

}  // namespace

Status AwaitReady(const ReadinessParts& parts, Duration time,
                  const std::shared_ptr<client::StopSignal>& stop, const OnProgress& on_progress) {
  Clock& clock = parts.client.clock();
  clock.At(clock.Now() + time, [stop] { stop->Stop(); });
  bool is_server_ready = false;
  while (!is_server_ready && !stop->is_stopped()) {
    is_server_ready = IsServerReady(parts.transport, *stop);
    if (!is_server_ready) stop->WaitUntil(clock, clock.Now() + kRetryDelay);
  }
  if (!is_server_ready) return Fail(Reason::Timeout, "the API server is not ready: see /readyz");

  const api::KindDesc* const kind = api::FindKind("", "v1", "Node");
  PL_ASSERT(kind != nullptr);
  ReadyNodes nodes(parts.nodes, on_progress);
  while (nodes.missing() > 0 && !stop->is_stopped()) {
    const auto watched =
        parts.client.Watch({*kind}, {.send_initial_events = true}, nodes, {.stop = stop});
    if (!watched) stop->WaitUntil(clock, clock.Now() + kRetryDelay);
  }
  if (nodes.missing() == 0) return {};
  return Fail(Reason::Timeout,
              fmt::format("{} of {} nodes are not Ready", nodes.missing(), parts.nodes.size()));
}

}  // namespace plimsoll::cli
