#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/schema/find_path.h"
#include "api/schema/schema.h"
#include "base/result.h"
#include "codec/document.h"

namespace plimsoll::api {

/// What to do about fields that the type does not have and keys that stand twice: nothing, tell, or
/// refuse. The names are the values of the query parameter.
enum class FieldValidation : std::uint8_t { Ignore, Warn, Strict };

/// Something that strict decoding refuses.
struct StrictFinding {
  enum class Kind : std::uint8_t { UnknownField, DuplicateField };
  Kind kind = Kind::UnknownField;
  std::string path;        // spec.containers[0].imag
  std::uint32_t line = 0;  // 0 when unknown

  /// `unknown field "spec.containers[0].imag"`, as a warning says it.
  std::string Text() const;
};

/// Holds a tree against a type: gives every member its field's number, and checks kinds of
/// values, ranges of numbers, and the syntax of quantities, times and base64.
///
/// What Go's decoder would lose is taken out of the tree: members with a null, and members that the
/// type does not have. A null in a list or as a map's value becomes the zero of its type, and a
/// quantity that was written as a number a text. All else stays as written.
///
/// BadRequest with upstream's message: for a value of the wrong kind
/// `json: cannot unmarshal string into Go struct field PodSpec.spec.priority of type int32`; for
/// unknown and duplicate fields under Strict, one `strict decoding error: …` that names them all.
/// The error's field is the full path, `spec.containers[0].ports`, with which FindPath finds the
/// line: what an error speaks of is still in the tree.
///
/// `findings`, unless the mode is Ignore, gets what was unknown or duplicate, also upon failure.
/// `base` is the path of `value` in the document where that is not its root: `items[3]`.
Status Conform(codec::Document& document, codec::Value& value, TypeId type, FieldValidation mode,
               std::vector<StrictFinding>& findings, std::string_view base = {});

}  // namespace plimsoll::api
