#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "base/log.h"
#include "store/etcd/key_map.h"
#include "store/etcd/rpc.h"
#include "store/etcd/subscription.h"
#include "store/store.h"

namespace plimsoll::store::etcd {

/// All watches of the store, over one link to etcd. After the link breaks, a new one continues each
/// watch after its last change, so no change is lost or repeated. Only for the loop's thread.
class Watches final : public WatchListener {
 public:
  /// Called with every revision that a watch has reported.
  using Saw = std::function<void(Revision)>;
  /// Called with etcd's compacted revision when etcd reports one.
  using Compacted = std::function<void(Revision)>;

  Watches(Rpc& rpc, const KeyMap& keys, Logger& logger, Saw saw, Compacted compacted);
  ~Watches() override;

  void Add(std::shared_ptr<Subscription> subscription);
  /// Removes a closed subscription.
  void Remove(const std::shared_ptr<Subscription>& subscription);
  void End(const Error& error);

  /// Runs the task once every watch of the key has reported this revision.
  void WhenSeen(std::string key, Revision revision, std::move_only_function<void()> task);

  void OnReply(WatchReply reply) override;
  void OnBroken(const Fault& fault) override;

 private:
  struct Waiting {
    std::string key;
    std::move_only_function<void()> task;
  };

  void Open();
  void Create(const std::shared_ptr<Subscription>& subscription);
  void Drop(const std::shared_ptr<Subscription>& subscription);
  void Deliver(Subscription& subscription, const std::vector<KeyEvent>& events);
  void SeenUpTo(const std::shared_ptr<Subscription>& subscription, Revision revision);
  /// Takes the revisions of a reply in fragments that are whole, so that no more than a fragment
  /// and a revision are kept.
  void ApplyWhole(const std::shared_ptr<Subscription>& subscription);
  /// Tells of the events, of which `seen` is the last revision.
  void Apply(const std::shared_ptr<Subscription>& subscription, const std::vector<KeyEvent>& events,
             Revision seen);
  Change ChangeOf(const KeyEvent& event) const;
  bool IsAwaited(const std::string& key, Revision revision) const;
  /// Runs the waiting tasks of all revisions up to this one.
  void RunSeen(Revision revision);

  Rpc& rpc_;
  const KeyMap& keys_;
  Logger& logger_;
  Saw saw_;
  Compacted compacted_;
  std::unique_ptr<WatchLink> link_;
  int failures_ = 0;  // consecutive failures of the link
  bool is_ended_ = false;
  std::int64_t last_id_ = 0;
  std::map<std::int64_t, std::shared_ptr<Subscription>> by_id_;
  std::multimap<Revision, Waiting> waiting_;
};

}  // namespace plimsoll::store::etcd
