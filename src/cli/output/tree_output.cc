#include "cli/output/tree_output.h"

#include <fmt/format.h>

#include <ostream>

#include "base/assert.h"
#include "base/text/ascii.h"
#include "codec/json.h"
#include "codec/yaml.h"

namespace plimsoll::cli {
namespace {

/// Escapes DEL and the control characters U+0080 to U+009F, which JSON permits in texts. Other
/// control characters are escaped already.
std::string WithoutControls(std::string json) {
  std::string out;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const auto byte = static_cast<unsigned char>(json[i]);
    const auto next = static_cast<unsigned char>(i + 1 < json.size() ? json[i + 1] : '\0');
    if (byte == 0x7f) {
      out += "\\u007f";
    } else if (byte == 0xc2 && next >= 0x80 && next <= 0x9f) {
      out += fmt::format("\\u00{:02x}", next);
      ++i;
    } else {
      out += json[i];
    }
  }
  return out;
}

}  // namespace

void WriteTree(const codec::Value& tree, OutputFormat format, std::ostream& out) {
  PL_ASSERT(format == OutputFormat::Json || format == OutputFormat::Yaml);
  if (format == OutputFormat::Json) {
    out << WithoutControls(codec::WriteJsonPretty(tree)) << '\n';
  } else {
    out << codec::WriteYaml(tree);
  }
}

std::string ResourceName(const api::Object& object) {
  std::string name;
  for (const char c : object.kind().kind) {
    name += IsUpper(c) ? static_cast<char>(c - 'A' + 'a') : c;
  }
  if (!object.kind().group.empty()) name.append(".").append(object.kind().group);
  const api::ObjectMeta& metadata = object.metadata();
  name.append("/").append(metadata.name.empty() ? metadata.generate_name : metadata.name);
  return name;
}

}  // namespace plimsoll::cli
