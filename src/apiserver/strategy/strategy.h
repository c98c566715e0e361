#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/status/status.h"
#include "apiserver/resource/resource.h"
#include "apiserver/strategy/object_editor.h"
#include "apiserver/strategy/service_addresses.h"
#include "apiserver/table/printers.h"
#include "base/time.h"

namespace plimsoll::apiserver {

/// Input of the prepare functions.
struct StrategyContext {
  Instant now{};
  ServiceAddresses& services;
  bool is_dry_run = false;
  std::vector<std::string>& warnings;
  /// Last until the object is stored or rejected.
  std::vector<Reservation>& reservations;
};

/// Tells when the server increments metadata.generation.
enum class GenerationRule : std::uint8_t {
  None,                 // never set
  OnSpec,               // 1 at creation, incremented when spec changes
  OnSpecOrAnnotations,  // deployments, whose rollback is in annotations
  OnceOnly,             // always 1
};

/// Default propagation policy of a delete.
enum class DependentsRule : std::uint8_t { Background, Orphan, Unsupported };

/// Metadata that a write to `status` may change.
enum class StatusMetaRule : std::uint8_t {
  All,                // all, as in any update
  AllButLabels,       // deployments
  AllButOwners,       // pods: old kubelets corrupt owner references
  ManagedFieldsOnly,  // newer kinds
};

using PrepareCreate = api::Answer<void> (*)(const StrategyContext& context, ObjectEditor object);
using PrepareUpdate = api::Answer<void> (*)(const StrategyContext& context, ObjectEditor object,
                                            const codec::Value& before);
using CanonicalForm = void (*)(Instant now, ObjectEditor object, const codec::Value* before);

/// The code of a kind that only the server needs: how it stores, writes and prints objects. Each
/// kind has one row, in strategies.cc. Validation and selectable fields, which other programs need,
/// are in its row of api/kind_hooks.cc.
struct Strategy {
  api::TypeId type{};             // of the kind
  std::string_view version = {};  // only this version; empty: all versions

  // Storage.
  std::string_view store_prefix = {};  // `minions` of /registry/minions/; empty: the plural

  // Writes.
  GenerationRule generation = GenerationRule::None;
  DependentsRule dependents = DependentsRule::Background;
  StatusMetaRule status_meta = StatusMetaRule::All;
  bool allows_create_on_update = false;
  bool allows_unconditional_update = true;
  bool returns_deleted = false;         // a delete returns the object instead of a Status
  bool deletes_gracefully = false;      // pods
  bool keeps_status_on_create = false;  // nodes, which register with a status
  PrepareCreate prepare_create = nullptr;
  PrepareUpdate prepare_update = nullptr;  // for the object itself
  PrepareUpdate prepare_status = nullptr;  // for its status
  CanonicalForm canonicalize = nullptr;    // for both, see Canonicalize

  // Tables, see table/table.h.
  Printer print = PrintPlain;
  std::string_view print_order = {};  // field by which rows are sorted, as numbers; empty: by name
};

/// Returns the row of the kind, or the default row.
const Strategy& StrategyOf(const api::KindDesc& kind);

/// Resets fields that a create may not set and sets the server's. REQUIRES: metadata has its uid.
api::Answer<void> PrepareForCreate(const Resource& resource, const StrategyContext& context,
                                   ObjectEditor object);
/// Restores the fields that an update of the object or this sub-resource may not change.
api::Answer<void> PrepareForUpdate(const Resource& resource, std::string_view subresource,
                                   const StrategyContext& context, ObjectEditor object,
                                   const codec::Value& before);
/// Completes a valid object just before it is stored. Validation errors do not show these values.
/// `before` is null for a create.
void Canonicalize(const Resource& resource, Instant now, ObjectEditor object,
                  const codec::Value* before);

}  // namespace plimsoll::apiserver
