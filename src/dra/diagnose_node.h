#pragma once

#include "dra/device_diagnosis.h"
#include "dra/search.h"

namespace plimsoll::dra {

/// Checks each request of the claims against each of the node's devices, as if no other request
/// existed.
Diagnosis DiagnoseNode(const SearchInput& input);

}  // namespace plimsoll::dra
