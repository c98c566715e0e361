#pragma once

#include <string>
#include <utility>
#include <vector>

#include "dra/slice_tracker.h"

/// Facts of devices as texts, for people and for programs.
namespace plimsoll::cli {

/// Returns the node of a device, `*` for every node, or "" for a selection of nodes.
std::string NodeOfDevice(const dra::TrackedDevice& device);

/// Returns `driver`, or `rule/NAME`.
std::string TaintSourceText(const dra::DeviceTaintSource& taint);

/// Names and values, as published.
using DeviceFactTexts = std::vector<std::pair<std::string, std::string>>;
DeviceFactTexts AttributesOf(const api::Device& device);
DeviceFactTexts CapacityOf(const api::Device& device);

}  // namespace plimsoll::cli
