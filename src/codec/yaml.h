#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "codec/document.h"

namespace plimsoll::codec {

/// Parses a YAML stream into one document per `---` section; empty sections are left out. Scalars
/// mean what they mean to sigs.k8s.io/yaml (YAML 1.1 booleans, `~`, decimal and prefixed integers,
/// floats), keys become texts, `<<` merges. Aliases are expanded within `values_max` and
/// `bytes_max`. BadRequest with the line at fault.
Result<std::vector<std::unique_ptr<Document>>> ParseYaml(std::string_view text,
                                                         const ParseLimits& limits = {});

/// One document as `kubectl -o yaml` prints it: keys in order of their text, two blanks, sequences
/// not indented below their key, quotes only where the text would read as something else.
std::string WriteYaml(const Value& value);

}  // namespace plimsoll::codec
