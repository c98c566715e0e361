#include "placements.h"

#include <charconv>
#include <chrono>
#include <utility>

#include "watchers.h"

namespace plimsoll::bench {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kTarget =
    "/api/v1/pods?watch=1&timeoutSeconds=86400&fieldSelector=spec.nodeName%21%3D";

}  // namespace

Placements::Placements(const std::string& url, const net::ClientTls& tls)
    : transport_(net::ConnectTo(url, tls).value()), canceller_(transport_->NewCanceller()) {
  reader_ = std::jthread([this] {
    const Status ended =
        transport_->Receive({.method = "GET", .target = std::string(kTarget)}, *this, canceller_);
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
    has_more_.notify_all();
    (void)ended;  // whatever the reason, no more events will arrive
  });
}

Placements::~Placements() {
  canceller_->Cancel();
  reader_.join();
}

bool Placements::OnHead(int status, const net::Headers& /*headers*/) { return status == 200; }

bool Placements::OnPiece(net::Piece piece) {
  rest_ += *piece.text;
  const std::lock_guard lock(mutex_);
  std::size_t begin = 0;
  for (std::size_t end = rest_.find('\n'); end != rest_.npos; end = rest_.find('\n', begin)) {
    OnLine(std::string_view(rest_).substr(begin, end - begin));
    begin = end + 1;
  }
  rest_.erase(0, begin);
  has_more_.notify_all();
  return true;
}

/// A pod that gets bound appears in the watched list as ADDED.
void Placements::OnLine(std::string_view line) {
  constexpr std::string_view kAdded = R"({"type":"ADDED")";
  constexpr std::string_view kMark = R"("sent":"@)";
  if (!line.starts_with(kAdded)) return;
  const std::size_t at = line.find(kMark);
  if (at == line.npos) return;
  std::int64_t sent = 0;
  std::from_chars(line.data() + at + kMark.size(), line.data() + line.size(), sent);
  latencies_.push_back(static_cast<double>(NowNs() - sent) / 1e6);
  ++count_;
}

bool Placements::Await(std::uint64_t count) {
  std::unique_lock lock(mutex_);
  while (count_ < count && !has_ended_) {
    const std::uint64_t before = count_;
    has_more_.wait_for(lock, 60s, [&] { return count_ != before || has_ended_; });
    if (count_ == before) return false;
  }
  return count_ >= count;
}

std::uint64_t Placements::count() {
  const std::lock_guard lock(mutex_);
  return count_;
}

std::vector<double> Placements::TakeLatencies() {
  const std::lock_guard lock(mutex_);
  return std::exchange(latencies_, {});
}

}  // namespace plimsoll::bench
