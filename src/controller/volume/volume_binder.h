#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "api/storage/storage_class.h"
#include "base/time.h"
#include "controller/controller.h"
#include "controller/volume/claim_index.h"
#include "controller/volume/volume_index.h"

namespace plimsoll::controller {

/// Binds claims to volumes and back, and reclaims volumes whose claim is gone: upstream's
/// persistentvolume-binder. README.md has the idea.
///
/// Whatever may have changed is looked at again from the start, and at most one write is under way
/// for an object. It ends when the server tells of a new version; a failed one is tried again
/// later. Events about a claim or a volume are written when what they say changes.
class VolumeBinder final : public Controller {
 public:
  /// A failed write is tried again after this long, and after twice the time when it fails again.
  static constexpr Duration kRetryMin = std::chrono::seconds(1);
  static constexpr Duration kRetryMax = std::chrono::minutes(1);

  std::string_view name() const override { return "persistentvolume-binder-controller"; }
  std::string_view component() const override { return "persistentvolume-controller"; }
  std::span<const WatchedKind> watched() const override;

  void Observe(const InputEvent& event, Instant now, Actions& out) override;
  void Wake(Instant now, Actions& out) override;
  std::optional<Instant> NextWake() const override;

 private:
  /// A volume (without namespace) or a claim. Volumes come first.
  struct Key {
    bool is_claim = false;
    ClaimKey name;

    friend auto operator<=>(const Key&, const Key&) = default;
  };
  struct Write {
    ActionId id = 0;
    ObjectPtr object;  // the version that it was made from
  };
  struct Retry {
    Duration wait{};
    std::optional<Instant> due;
  };

  static Key VolumeKey(std::string_view name) { return {false, {{}, std::string(name)}}; }
  static Key ClaimKeyed(const ClaimKey& name) { return {true, name}; }

  // What happened (volume_binder.cc).
  void Take(const ObjectChanged& event);
  void TakeVolume(const ObjectPtr& before, const ObjectPtr& now);
  void TakeClaim(const ObjectPtr& before, const ObjectPtr& now);
  void TakeClass(const ObjectPtr& before, const ObjectPtr& now);
  void Finish(const ActionFinished& event, Instant now);
  void EndWrite(const Key& key, const ObjectPtr& object);
  void MarkClaims(const std::vector<ClaimKey>& claims);
  void MarkClaimsOf(const ObjectPtr& volume);
  void CancelRetry(const Key& key);
  void Forget(const Key& key);
  void Run(Actions& out);

  // What is to be done (sync_claim.cc, sync_volume.cc). Each does at most one write.
  void SyncClaim(const ObjectPtr& claim, Actions& out);
  void SyncUnbound(const ObjectPtr& claim, Actions& out);
  void SyncNamed(const ObjectPtr& claim, const ObjectPtr& volume, Actions& out);
  void SyncBound(const ObjectPtr& claim, Actions& out);
  void FindVolume(const ObjectPtr& claim, Actions& out);
  void WaitForVolume(const ObjectPtr& claim, bool is_delayed, Actions& out);
  void AskForVolume(const ObjectPtr& claim, Actions& out);
  bool AssignDefaultClass(const ObjectPtr& claim, Actions& out);
  void Bind(const ObjectPtr& volume, const ObjectPtr& claim, Actions& out);
  void Lose(const ObjectPtr& claim, std::string_view reason, std::string message, Actions& out);
  std::string WaitingText(const ClaimKey& claim, std::string_view& reason) const;

  void SyncVolume(const ObjectPtr& volume, Actions& out);
  void SyncReserved(const ObjectPtr& volume, const ObjectPtr& claim, Actions& out);
  void Reclaim(const ObjectPtr& volume, Actions& out);
  void DeleteVolume(const ObjectPtr& volume, Actions& out);
  void FailVolume(const ObjectPtr& volume, std::string_view reason, const std::string& message,
                  Actions& out);

  bool SetPhase(const ObjectPtr& volume, std::string_view phase, Actions& out);
  bool SetStatus(const ObjectPtr& claim, std::string_view phase, const ObjectPtr& volume,
                 Actions& out);
  /// Nothing when the patch is empty, or another write of the object is under way. Whether it was
  /// or is now.
  bool Patch(const ObjectPtr& object, std::string_view subresource, std::string patch,
             Actions& out);
  void Tell(const ObjectPtr& about, EventType type, std::string_view reason, std::string message,
            Actions& out);
  ActionId Begin(const Key& key, const ObjectPtr& object);
  static Key KeyOfObject(const api::Object& object);

  const api::StorageClass* FindClass(std::string_view name) const;

  VolumeIndex volumes_;
  ClaimIndex claims_;
  std::map<std::string, ObjectPtr, std::less<>> classes_;
  bool is_synced_ = false;
  std::set<Key> dirty_;
  std::map<Key, Write> writes_;  // under way
  std::map<ActionId, Key> keys_of_writes_;
  ActionId next_id_ = 1;
  std::map<Key, Retry> retries_;
  std::set<std::pair<Instant, Key>> due_;
  std::map<Key, std::string> told_;  // the last event about it
};

}  // namespace plimsoll::controller
