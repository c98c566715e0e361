#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace plimsoll::codec {

/// What an unquoted YAML scalar means to goyaml.v2: YAML 1.1's words for booleans, integers in four
/// bases, `_` between digits, no base 60.
struct YamlScalar {
  enum class Type : std::uint8_t { Null, Bool, Int, Uint, Float, Timestamp, String };

  Type type = Type::String;
  bool boolean = false;
  std::int64_t integer = 0;
  std::uint64_t natural = 0;  // of a Uint, which is beyond an Int
  double real = 0;            // of a Float, infinities and NaN included
};

YamlScalar ResolveYamlScalar(std::string_view text);

/// A finite number as Go's encoding/json writes a float64: shortest digits, an exponent below 1e-6
/// and from 1e21.
std::string GoJsonFloat(double value);

/// A number as it becomes a key of a YAML mapping: strconv.FormatFloat(value, 'g', -1, 32).
std::string GoKeyFloat(double value);

}  // namespace plimsoll::codec
