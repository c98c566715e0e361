#include "runner/informer_feed.h"

#include <utility>

namespace plimsoll::runner {

InformerFeed::InformerFeed(const client::Client& client, const std::vector<WatchedObjects>& watched,
                           std::uint64_t seed, Logger& log, Tell tell)
    : tell_(std::move(tell)), waiting_for_(watched.size()) {
  for (const WatchedObjects& one : watched) {
    client::InformerOptions options{.kind = *one.kind};
    options.field_selector = one.field_selector;
    options.is_lean = one.is_lean;
    options.transform = one.transform;
    options.unread = one.unread;
    // Stream object by object: a whole list takes several times the memory of the lean objects.
    options.use_watch_list = one.is_lean;
    options.seed = seed + informers_.size();
    informers_.push_back(std::make_unique<client::Informer>(
        client, std::move(options), log,
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
      tell_(api::ObjectChanged{nullptr, event.object});
      break;
    case Type::Modified:
      tell_(api::ObjectChanged{event.before, event.object});
      break;
    case Type::Deleted:
      tell_(api::ObjectChanged{event.object, nullptr});
      break;
    case Type::Synced:
      if (--waiting_for_ == 0) tell_(api::Synced{});
      break;
  }
}

}  // namespace plimsoll::runner
