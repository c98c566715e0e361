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
/// persistentvolume-binder. See README.md.
///
/// Every sync starts from the stored objects, and at most one write is in flight for an object. A
/// write ends with the watch event of a new version; a failed one is retried with back-off. An
/// event about an object is recorded only if it differs from the last one.
class VolumeBinder final : public Controller {
 public:
  /// Back-off of failed writes. It doubles with every further failure.
  static constexpr Duration kRetryMin = std::chrono::seconds(1);

  std::string_view name() const override { return "persistentvolume-binder-controller"; }
  std::string_view component() const override { return "persistentvolume-controller"; }
  std::span<const WatchedKind> watched() const override;

  void Observe(const CoreInput& event, const Turn& turn) override;
  void Wake(const Turn& turn) override;
  std::optional<Instant> NextWake() const override;

 private:
  /// Key of a volume (without namespace) or a claim. Volumes sort first.
  struct Key {
    bool is_claim = false;
    ClaimKey name;

    friend auto operator<=>(const Key&, const Key&) = default;
  };
  struct Write {
    ActionId id = 0;
    ObjectPtr object;  // version from which the patch was made
  };
  struct Retry {
    Duration wait{};
    std::optional<Instant> due;
  };

  static Key VolumeKey(std::string_view name) { return {false, {{}, std::string(name)}}; }
  static Key ClaimKeyed(const ClaimKey& name) { return {true, name}; }

  // Event handlers (volume_binder.cc).
  void OnChange(const ObjectChanged& event);
  void OnVolumeChange(const ObjectPtr& before, const ObjectPtr& now);
  void OnClaimChange(const ObjectPtr& before, const ObjectPtr& now);
  void OnClassChange(const ObjectPtr& before, const ObjectPtr& now);
  void Finish(const ActionFinished& event, Instant now);
  void EndWrite(const Key& key, const ObjectPtr& object);
  void MarkClaims(const std::vector<ClaimKey>& claims);
  void MarkClaimsOf(const ObjectPtr& volume);
  void CancelRetry(const Key& key);
  void Forget(const Key& key);
  void Run(const Turn& turn);

  // Sync (sync_claim.cc, sync_volume.cc). Each sends at most one write per object.
  void SyncClaim(const ObjectPtr& claim, const Turn& turn);
  void SyncUnbound(const ObjectPtr& claim, const Turn& turn);
  void SyncNamed(const ObjectPtr& claim, const ObjectPtr& volume, const Turn& turn);
  void SyncBound(const ObjectPtr& claim, const Turn& turn);
  void FindVolume(const ObjectPtr& claim, const Turn& turn);
  void WaitForVolume(const ObjectPtr& claim, bool is_delayed, const Turn& turn);
  void AskForVolume(const ObjectPtr& claim, const Turn& turn);
  bool AssignDefaultClass(const ObjectPtr& claim, const Turn& turn);
  void Bind(const ObjectPtr& volume, const ObjectPtr& claim, const Turn& turn);
  void Lose(const ObjectPtr& claim, std::string_view reason, std::string message, const Turn& turn);
  std::string WaitingText(const ClaimKey& claim, std::string_view& reason) const;

  void SyncVolume(const ObjectPtr& volume, const Turn& turn);
  void SyncReserved(const ObjectPtr& volume, const ObjectPtr& claim, const Turn& turn);
  void Reclaim(const ObjectPtr& volume, const Turn& turn);
  void DeleteVolume(const ObjectPtr& volume, const Turn& turn);
  void FailVolume(const ObjectPtr& volume, std::string_view reason, const std::string& message,
                  const Turn& turn);

  bool SetPhase(const ObjectPtr& volume, std::string_view phase, const Turn& turn);
  bool SetStatus(const ObjectPtr& claim, std::string_view phase, const ObjectPtr& volume,
                 const Turn& turn);
  /// Sends the patch, unless it is empty or a write of the object is in flight. Returns true if a
  /// write of the object is in flight now.
  bool Patch(const ObjectPtr& object, std::string_view subresource, std::string patch,
             const Turn& turn);
  void Record(const ObjectPtr& about, EventType type, std::string_view reason, std::string message,
              const Turn& turn);
  ActionId Begin(const Key& key, const ObjectPtr& object);
  static Key KeyOfObject(const api::Object& object);

  const api::StorageClass* FindClass(std::string_view name) const;

  VolumeIndex volumes_;
  ClaimIndex claims_;
  std::map<std::string, ObjectPtr, std::less<>> classes_;
  bool is_synced_ = false;
  std::set<Key> dirty_;
  std::map<Key, Write> writes_;  // in flight
  std::map<ActionId, Key> keys_of_writes_;
  ActionId next_id_ = 1;
  std::map<Key, Retry> retries_;
  std::set<std::pair<Instant, Key>> due_;
  std::map<Key, std::string> told_;  // last event recorded about each object
};

}  // namespace plimsoll::controller
