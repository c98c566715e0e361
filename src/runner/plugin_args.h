#pragma once

#include <string_view>

#include "codec/document.h"
#include "codec/strict_fields.h"
#include "scheduler/plugins/args.h"

namespace plimsoll::runner {

using codec::StrictFields;

/// Reads the `args` of one entry of pluginConfig. The results keep the document if they
/// refer to its texts.
void ReadPluginArgs(std::string_view plugin, StrictFields& args,
                    const std::shared_ptr<codec::Document>& document, scheduler::PluginArgs& out);

}  // namespace plimsoll::runner
