#pragma once

#include <iosfwd>
#include <string>

#include "api/object.h"
#include "cli/flags/output_flag.h"
#include "codec/document.h"

namespace plimsoll::cli {

/// Writes a tree for programs. Control characters in texts are escaped, so that they cannot control
/// a terminal. REQUIRES: the format is Json or Yaml.
void WriteTree(const codec::Value& tree, OutputFormat format, std::ostream& out);

/// Returns the object's name as `kubectl -o name` prints it: pod/web, deployment.apps/web.
std::string ResourceName(const api::Object& object);

}  // namespace plimsoll::cli
