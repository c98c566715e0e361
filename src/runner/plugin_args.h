#pragma once

#include <string_view>

#include "codec/document.h"
#include "codec/strict_fields.h"
#include "scheduler/plugins/args.h"

namespace plimsoll::runner {

using codec::StrictFields;

/// Reads the `args` of one entry of pluginConfig. The results refer to texts in the document.
void ReadPluginArgs(std::string_view plugin, StrictFields& args, codec::Document& document,
                    scheduler::PluginArgs& out);

}  // namespace plimsoll::runner
