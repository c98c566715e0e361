#include "runner/informer_feed.h"

#include <utility>

#include "base/assert.h"

namespace plimsoll::runner {

InformerFeed::InformerFeed(const client::Client& client, std::span<const api::WatchedKind> watched,
                           const InformerFeedOptions& options, Logger& log, Handler handler)
    : handler_(std::move(handler)), waiting_for_(watched.size()) {
  for (const api::WatchedKind& one : watched) {
    const api::KindDesc* const kind = api::FindKind(one.group, one.version, one.kind);
    PL_ASSERT(kind != nullptr);
    client::InformerOptions informer{.kind = *kind};
    informer.field_selector = one.field_selector;
    informer.is_lean = options.keeps_lean_objects;
    informer.transform = options.transform;
    informer.unread.assign(one.unread.begin(), one.unread.end());
    // Stream object by object: a whole list takes several times the memory of the lean objects.
    informer.use_watch_list = options.keeps_lean_objects;
    informer.seed = options.seed + informers_.size();
    informers_.push_back(std::make_unique<client::Informer>(
        client, std::move(informer), log,
        [this](const client::InformerEvent& event) { OnEvent(event); }));
  }
}

void InformerFeed::Start() {
  for (const auto& informer : informers_) informer->Start();
}

void InformerFeed::Stop() {
  for (const auto& informer : informers_) informer->Stop();
}

void InformerFeed::OnEvent(const client::InformerEvent& event) {
  using Type = client::InformerEvent::Type;
  switch (event.type) {
    case Type::Added:
      handler_(api::ObjectChanged{nullptr, event.object});
      break;
    case Type::Modified:
      handler_(api::ObjectChanged{event.before, event.object});
      break;
    case Type::Deleted:
      handler_(api::ObjectChanged{event.object, nullptr});
      break;
    case Type::Synced:
      if (--waiting_for_ == 0) handler_(api::Synced{});
      break;
  }
}

}  // namespace plimsoll::runner
