#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "codec/document.h"

namespace plimsoll::codec {

/// Parses a YAML stream into one document per `---` section; skips empty sections. Scalars are
/// resolved as in sigs.k8s.io/yaml (YAML 1.1 booleans, `~`, decimal and prefixed integers, floats).
/// Keys become texts, and `<<` merges. Aliases are expanded within `values_max` and `bytes_max`.
/// BadRequest: names the line.
Result<std::vector<std::unique_ptr<Document>>> ParseYaml(std::string_view text,
                                                         const ParseLimits& limits = {});

/// Writes one document as `kubectl -o yaml` does. Keys are sorted; two blanks indent, but not
/// sequences below their key. Quotes only if the text would be read as something else.
std::string WriteYaml(const Value& value);

}  // namespace plimsoll::codec
