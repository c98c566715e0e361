#include "apiserver/read/watch_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "apiserver/limits.h"
#include "apiserver/request/in_process.h"

namespace plimsoll::apiserver {
namespace {

constexpr Duration kBookmarkPeriod = std::chrono::minutes(1);
constexpr std::size_t kBurstBytes = 256u << 10;

}  // namespace

WatchSession::WatchSession(std::shared_ptr<OpenWatches> watches, const ApiRequest& request,
                           ListOptions options, const Negotiated& wanted,
                           std::shared_ptr<net::Stream> stream)
    : watches_(std::move(watches)),
      resource_(*request.resource),
      options_(std::move(options)),
      frames_(resource_, wanted, IsInProcess(request)),
      counters_(watches_->metrics_.Of(resource_)),
      stream_(std::move(stream)),
      feed_(ChooseFeed(request, wanted)) {}

WatchSession::~WatchSession() {
  if (WatchFeed* const feed = active_feed_) feed->RemoveMember(*this);
}

std::shared_ptr<WatchFeed> WatchSession::ChooseFeed(const ApiRequest& request,
                                                    const Negotiated& wanted) const {
  const Selection& selection = options_.selection;
  // Watches of one object or of one node have few equals; a Table's first row differs per watch.
  const bool is_own = std::ranges::any_of(selection.fields.requirements(),
                                          [](const auto& field) { return field.is_equal; });
  if (is_own || IsInProcess(request) || wanted.view == Negotiated::View::Table) {
    return nullptr;
  }
  const std::string labels = selection.labels.Text();
  return watches_->FeedOf(
      resource_, fmt::format("{}\n{} {} {} {}{}{}", frames_.form(), selection.namespace_.size(),
                             labels.size(), selection.labels.is_selectable(), selection.namespace_,
                             labels, selection.fields.Text()));
}

void WatchSession::Start(Duration timeout) {
  stream_->OnClose([weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->CloseLater();
  });
  Clock& clock = watches_->clock_;
  clock.At(clock.Now() + timeout, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->TimeOut();
  });
  if (Status subscribed = Subscribe(); !subscribed) {
    Send(WatchFrames::Failure(api::FromError(subscribed.error())));
    return End();
  }
  Pump();
  if (options_.allow_bookmarks) SendBookmarkEvery(kBookmarkPeriod);
}

Status WatchSession::Subscribe() {
  Cache& cache = watches_->cache_;
  const bool resumes = options_.freshness.kind == Freshness::Kind::NotOlderThan;
  has_initial_ = options_.send_initial_events.value_or(!resumes);
  std::unique_ptr<Watcher> watcher;
  if (has_initial_) {
    watcher = cache.SubscribeNow(resource_, options_.selection, *this, initial_);
  } else {
    const store::Revision after = resumes ? options_.freshness.revision : cache.revision();
    watcher = PL_TRY(cache.Subscribe(resource_, options_.selection, after, *this));
  }
  const std::scoped_lock lock(mutex_);
  watcher_ = std::move(watcher);
  return {};
}

bool WatchSession::Send(net::Piece piece) {
  if (WatchFeed* const feed = active_feed_) feed->FlushFor(*this);
  counters_.CountSent(piece.size());
  has_sent_ = true;
  return Write(std::move(piece));
}

bool WatchSession::OnBatch(const net::Piece& piece) { return !is_closed_ && Write(piece); }

bool WatchSession::Write(net::Piece piece) {
  if (stream_->Write(std::move(piece))) return true;
  if (!is_closed_) counters_.terminated.Add();
  CloseLater();
  return false;
}

void WatchSession::OnEvent(const std::shared_ptr<const CacheEvent>& event) {
  if (is_closed_) return;
  if (WatchFeed* const feed = active_feed_) return Feed(*feed, event);
  {
    const std::scoped_lock lock(mutex_);
    if (!is_live_ && waiting_.size() < kWaitingEventsMax) return waiting_.push_back(event);
    if (!is_live_) {
      counters_.terminated.Add();
      return End();
    }
  }
  const auto [type, object] =
      WatchFrames::MeaningOf(*event, options_.selection, event->forms.departed);
  if (object == nullptr) return;
  if (feed_ == nullptr || feed_->Knows(event->revision)) {
    Send(frames_.Shared(*event, type, *object, !has_sent_, watches_->clock_.Now()));
  }
  if (feed_ == nullptr || is_closed_) return;
  feed_->Join(*this);
  active_feed_ = feed_.get();
  Feed(*feed_, event);
}

void WatchSession::Feed(WatchFeed& feed, const std::shared_ptr<const CacheEvent>& event) {
  // The first member adds the event for all.
  if (feed.Knows(event->revision)) return;
  const auto [type, object] =
      WatchFrames::MeaningOf(*event, options_.selection, event->forms.departed);
  if (object == nullptr) return feed.Skip(event->revision);
  feed.Add(event->revision,
           frames_.Shared(*event, type, *object, /*is_first=*/false, watches_->clock_.Now()));
}

void WatchSession::Pump() {
  while (!is_closed_) {
    if (!PumpObjects() && !PumpEvents()) return;
    // OnWritable may call back at once or later on another thread; only one of the two continues.
    enum : int { Asked, Given, Parked };
    const auto state = std::make_shared<std::atomic<int>>(Asked);
    stream_->OnWritable([weak = weak_from_this(), state] {
      if (state->exchange(Given) != Parked) return;
      if (const auto self = weak.lock()) self->Pump();
    });
    int expected = Asked;
    if (state->compare_exchange_strong(expected, Parked)) return;
  }
}

bool WatchSession::PumpObjects() {
  if (!has_initial_) return false;
  std::size_t sent = 0;
  while (initial_next_ < initial_.objects.size()) {
    if (sent > kBurstBytes) return true;
    const ObjectPtr object = std::move(initial_.objects[initial_next_++]);
    net::Piece piece =
        frames_.Object(WatchFrames::Type::Added, object, !has_sent_, watches_->clock_.Now());
    sent += piece.size();
    if (!Send(std::move(piece))) return false;
  }
  has_initial_ = false;
  if (options_.send_initial_events.value_or(false) && options_.allow_bookmarks) {
    Send(frames_.Bookmark(initial_.revision, /*ends_initial_events=*/true));
  }
  initial_ = {};
  return false;
}

bool WatchSession::PumpEvents() {
  const std::scoped_lock lock(mutex_);
  std::size_t sent = 0;
  while (!waiting_.empty()) {
    if (is_closed_) return false;
    if (sent > kBurstBytes) return true;
    const std::shared_ptr<const CacheEvent> event = std::move(waiting_.front());
    waiting_.pop_front();
    // Only the cache's thread may use the shared forms of the event.
    ObjectPtr departed;
    const auto [type, object] = WatchFrames::MeaningOf(*event, options_.selection, departed);
    if (object == nullptr) continue;
    net::Piece piece = frames_.Object(type, *object, !has_sent_, watches_->clock_.Now());
    sent += piece.size();
    if (!Send(std::move(piece))) return false;
  }
  is_live_ = true;
  return false;
}

void WatchSession::SendBookmark() {
  Watcher* watcher = nullptr;
  {
    const std::scoped_lock lock(mutex_);
    watcher = watcher_.get();
  }
  // Only this thread, the clock's, destroys it.
  if (is_closed_ || watcher == nullptr) return;
  watcher->BetweenEvents([this](store::Revision revision) {
    const std::scoped_lock lock(mutex_);
    if (is_live_ && !is_closed_) {
      Send(frames_.Bookmark(revision, /*ends_initial_events=*/false));
    }
  });
}

void WatchSession::SendBookmarkEvery(Duration period) {
  Clock& clock = watches_->clock_;
  clock.At(clock.Now() + period, [weak = weak_from_this(), period] {
    const auto self = weak.lock();
    if (!self || self->is_closed_) return;
    self->SendBookmark();
    self->SendBookmarkEvery(period);
  });
}

void WatchSession::TimeOut() {
  if (options_.allow_bookmarks) SendBookmark();
  End();
}

void WatchSession::OnReset() {
  if (is_closed_) return;
  Send(WatchFrames::Failure(
      api::Expired("too old resource version: the server has reloaded its watch cache")));
  End();
}

void WatchSession::End() {
  if (is_closed_) return;
  if (WatchFeed* const feed = active_feed_) feed->FlushFor(*this);
  stream_->End();
  CloseLater();
}

void WatchSession::CloseLater() {
  if (is_closed_.exchange(true)) return;
  Clock& clock = watches_->clock_;
  clock.At(clock.Now(), [self = shared_from_this()] {
    std::unique_ptr<Watcher> ended;
    {
      const std::scoped_lock lock(self->mutex_);
      ended = std::move(self->watcher_);
    }
    ended.reset();
    self->watches_->Forget(self);
  });
}

}  // namespace plimsoll::apiserver
