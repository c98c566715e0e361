#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "api/schema/schema.h"
#include "base/result.h"

namespace plimsoll::api {

/// Kinds that are described at run time, such as custom resources. The description has the format
/// of the files in schema/kinds, without views and hooks; see src/api/README.md. Types of built-in
/// packages are known: `meta_v1.ObjectMeta`.
///
/// Code that takes a KindDesc or a TypeDesc treats these kinds like built-in ones. Objects of them
/// have no view but UntypedObject.
///
/// Owns the kinds and all that they point to, so the table must outlive every object of them.
/// Immutable, and safe for use by many threads.
class KindTable {
 public:
  /// BadRequest with the line of the first mistake: `line 7: no type 'Wheel' is described`.
  static Result<KindTable> Parse(std::string description);

  KindTable(KindTable&&) noexcept;
  KindTable& operator=(KindTable&&) noexcept;
  ~KindTable();

  /// All kinds, including the list kinds.
  std::span<const KindDesc> kinds() const;
  /// Returns null if there is no such kind.
  const KindDesc* FindKind(std::string_view group, std::string_view version,
                           std::string_view kind) const;
  /// Finds a type by its full name, `com.example.v1.Widget`.
  const TypeDesc* FindType(std::string_view name) const;

 private:
  struct Parts;
  class Parser;

  explicit KindTable(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace plimsoll::api
