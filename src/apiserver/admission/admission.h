#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/object.h"
#include "api/status/status.h"
#include "apiserver/audit/audit_record.h"
#include "apiserver/request/user.h"
#include "apiserver/resource/resource.h"
#include "codec/document.h"

namespace plimsoll::apiserver {

enum class Operation : std::uint8_t { Create, Update, Delete, Connect };

/// Attributes of a write for admission.
struct AdmissionAttributes {
  Operation operation = Operation::Create;
  const Resource* resource = nullptr;
  std::string_view subresource;
  std::string_view namespace_;  // of the object; for a namespace its own name
  std::string_view name;        // empty before generateName is resolved
  /// The object that was sent, or is about to be stored. It conforms to `kind` and has its
  /// defaults. Null for a delete. Changes must keep the field numbers, see
  /// strategy/object_editor.h.
  codec::Document* document = nullptr;
  const api::KindDesc* kind = nullptr;  // of the document; differs from the resource's for bindings
  const api::Object* before = nullptr;  // stored object; null for a create, never for a delete
  const User* user = nullptr;
  bool is_dry_run = false;
  std::vector<std::string>* warnings = nullptr;  // never null
  AuditRecord* audit = nullptr;                  // takes annotations; null: not audited
};

/// An admission plugin, under upstream's name. Safe for use by many threads.
class Admission {
 public:
  virtual ~Admission() = default;
  virtual std::string_view Name() const = 0;
  /// Mutating phase, before the strategy of the kind. May change the document.
  virtual api::Answer<void> Admit(AdmissionAttributes& attributes) = 0;
  /// Validating phase, after validation. Must not change the object, which is about to be stored.
  virtual api::Answer<void> Validate(const AdmissionAttributes&) { return {}; }
};

}  // namespace plimsoll::apiserver
