#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace plimsoll::codec {

/// Meaning of an unquoted YAML scalar in goyaml.v2: YAML 1.1's words for booleans, integers in four
/// bases, `_` between digits, no base 60.
struct YamlScalar {
  enum class Type : std::uint8_t { Null, Bool, Int, Uint, Float, Timestamp, String };

  Type type = Type::String;
  bool boolean = false;
  std::int64_t integer = 0;
  std::uint64_t natural = 0;  // for Uint, which does not fit an Int
  double real = 0;            // for Float; may be infinite or NaN
};

YamlScalar ResolveYamlScalar(std::string_view text);

/// Formats a finite number as Go's encoding/json writes a float64: shortest digits, with an
/// exponent below 1e-6 and from 1e21.
std::string GoJsonFloat(double value);

/// Formats a number as key of a YAML mapping: strconv.FormatFloat(value, 'g', -1, 32).
std::string GoKeyFloat(double value);

}  // namespace plimsoll::codec
