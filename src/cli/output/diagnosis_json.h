#pragma once

#include "codec/document.h"
#include "match/diagnosis.h"

namespace plimsoll::cli {

/// Returns the diagnosis as a tree for `-o json` and `-o yaml`.
codec::Value DiagnosisTree(const match::Diagnosis& diagnosis, codec::Document& document);

}  // namespace plimsoll::cli
