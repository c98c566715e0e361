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

/// A write that asks for leave.
struct AdmissionAttributes {
  Operation operation = Operation::Create;
  const Resource* resource = nullptr;
  std::string_view subresource;
  std::string_view namespace_;  // of the object; for a namespace itself its name
  std::string_view name;        // empty while generateName has not been resolved
  /// The object that was sent, or is to become: it conforms to `kind` and has its defaults. Null on
  /// delete. What changes it must keep the numbers of fields, see strategy/place.h.
  codec::Document* document = nullptr;
  const api::KindDesc* kind = nullptr;  // of the document; another than the resource's for bindings
  const api::Object* before = nullptr;  // as it is stored; null on create, never on delete
  const User* user = nullptr;
  bool is_dry_run = false;
  std::vector<std::string>* warnings = nullptr;  // never null
  AuditRecord* audit = nullptr;  // takes annotations; null: the write is not audited
};

/// A gate that every write passes, under upstream's name. Safe for use by many threads.
class Admission {
 public:
  virtual ~Admission() = default;
  virtual std::string_view Name() const = 0;
  /// Before the kind's own preparations. May change the document.
  virtual api::Answer<void> Admit(AdmissionAttributes& attributes) = 0;
  /// After validation, of what is about to be stored. Must not change it.
  virtual api::Answer<void> Validate(const AdmissionAttributes&) { return {}; }
};

}  // namespace plimsoll::apiserver
