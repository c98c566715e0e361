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

/// Handling of unknown and duplicate fields: ignore them, warn, or reject the object. The names are
/// the values of the query parameter fieldValidation.
enum class FieldValidation : std::uint8_t { Ignore, Warn, Strict };

/// An unknown or duplicate field, which strict decoding rejects.
struct StrictFinding {
  enum class Kind : std::uint8_t { UnknownField, DuplicateField };
  Kind kind = Kind::UnknownField;
  std::string path;        // spec.containers[0].imag
  std::uint32_t line = 0;  // 0 when unknown

  /// Returns the text of the warning: `unknown field "spec.containers[0].imag"`.
  std::string Text() const;
};

/// Checks a tree against a type and sets the field number of every member. Checks value types,
/// ranges of numbers, and the syntax of quantities, times and base64.
///
/// Removes members that Go's decoder drops: nulls and unknown fields. A null in a list or as a map
/// value becomes the zero of its type; a quantity written as a number becomes a text. Everything
/// else stays as written.
///
/// BadRequest with upstream's message. Wrong type: `json: cannot unmarshal string into Go struct
/// field PodSpec.spec.priority of type int32`. Unknown and duplicate fields under Strict: one
/// `strict decoding error: …` that names them all. The error's field is the full path,
/// `spec.containers[0].ports`. FindPath finds its line, because the offending value stays in the
/// tree.
///
/// Unless the mode is Ignore, adds unknown and duplicate fields to `findings`, also on failure.
/// `base` is the path of `value` in the document, such as `items[3]`; empty for the root.
Status Conform(codec::Document& document, codec::Value& value, const TypeDesc& type,
               FieldValidation mode, std::vector<StrictFinding>& findings,
               std::string_view base = {});

}  // namespace plimsoll::api
