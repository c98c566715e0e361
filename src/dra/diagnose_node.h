#pragma once

#include "dra/device_diagnosis.h"
#include "dra/search.h"

namespace plimsoll::dra {

/// Holds each request of the claims against each of the node's devices, as if it were the first to
/// be served.
Diagnosis DiagnoseNode(const SearchInput& input);

}  // namespace plimsoll::dra
