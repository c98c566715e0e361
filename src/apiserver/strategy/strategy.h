#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/status/status.h"
#include "apiserver/resource/resource.h"
#include "apiserver/strategy/place.h"
#include "apiserver/strategy/service_addresses.h"
#include "base/time.h"

namespace plimsoll::apiserver {

/// What a kind's preparations may use.
struct StrategyContext {
  Instant now{};
  ServiceAddresses& services;
  bool is_dry_run = false;
  std::vector<std::string>& warnings;
  /// What is set aside until the object is stored, or was refused.
  std::vector<std::shared_ptr<const void>>& held;
};

/// When the server counts metadata.generation up.
enum class GenerationRule : std::uint8_t {
  None,                 // it never sets one
  OnSpec,               // 1 at creation, one more whenever spec changes
  OnSpecOrAnnotations,  // deployments, whose rollback lives in annotations
  OnceOnly,             // 1 for ever
};

/// What becomes of dependents when a delete does not say.
enum class DependentsRule : std::uint8_t { Background, Orphan, Unsupported };

/// What a write to `status` may change besides it.
enum class StatusMetaRule : std::uint8_t {
  All,                // metadata like any update
  AllButLabels,       // deployments
  AllButOwners,       // pods: old kubelets garble owner references
  ManagedFieldsOnly,  // the newer kinds
};

using PrepareCreate = api::Answer<void> (*)(const StrategyContext& context, Place object);
using PrepareUpdate = api::Answer<void> (*)(const StrategyContext& context, Place object,
                                            const codec::Value& before);
using CanonicalForm = void (*)(Instant now, Place object, const codec::Value* before);

/// How the server treats a kind: what it sets, resets and allows. One row per resource, in
/// strategy.cc.
struct Strategy {
  std::string_view group;
  std::string_view plural;
  std::string_view version = {};  // the row holds for this one alone; empty: for all
  GenerationRule generation = GenerationRule::None;
  DependentsRule dependents = DependentsRule::Background;
  StatusMetaRule status_meta = StatusMetaRule::All;
  bool allows_create_on_update = false;
  bool allows_unconditional_update = true;
  bool returns_deleted = false;         // a delete answers with the object, not with a Status
  bool deletes_gracefully = false;      // pods
  bool keeps_status_on_create = false;  // nodes, which register with one
  PrepareCreate prepare_create = nullptr;
  PrepareUpdate prepare_update = nullptr;  // of the object itself
  PrepareUpdate prepare_status = nullptr;  // of its status
  CanonicalForm canonicalize = nullptr;    // of either, see Canonicalize
};

/// The resource's row, or one that says what most kinds do.
const Strategy& StrategyOf(const Resource& resource);

/// Resets what a create may not set and fills in what the server sets; metadata has its uid.
api::Answer<void> PrepareForCreate(const Resource& resource, const StrategyContext& context,
                                   Place object);
/// Takes over from `before` what an update of the object, or of that sub-resource, may not change.
api::Answer<void> PrepareForUpdate(const Resource& resource, std::string_view subresource,
                                   const StrategyContext& context, Place object,
                                   const codec::Value& before);
/// Completes an object that was found valid, just before it is stored: what is filled in here does
/// not show in the words of a refusal. `before` is null on create.
void Canonicalize(const Resource& resource, Instant now, Place object, const codec::Value* before);

}  // namespace plimsoll::apiserver
