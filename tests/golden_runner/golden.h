#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "codec/document.h"

namespace plimsoll::golden {

/// One case of a golden file. The case owns the document, so checks may change it.
struct Case {
  std::string_view id;
  codec::Document& document;
  codec::Value& input;
  const codec::Value& expect;
};

/// Nothing if the result equals upstream's, else the difference.
using Mismatch = std::optional<std::string>;

/// How the cases of one kind of file are checked. `skip` implements decisions that deviate from
/// upstream. It returns the number of the decision (`D13`) or "".
struct Check {
  std::string_view kind;
  Mismatch (*run)(Case& one);
  std::string_view (*skip)(const Case& one) = nullptr;
};

std::span<const Check> BaseChecks();              // semver, quantity
std::span<const Check> SelectorChecks();          // labelselector, fieldselector
std::span<const Check> ValidationChecks();        // validate_*, allowed_pod_updates
std::span<const Check> DeviceValidationChecks();  // validate_dra
std::span<const Check> PodSecurityChecks();       // pod_security
std::span<const Check> MatchChecks();             // toleration_match, nodeaffinity_match
std::span<const Check> PatchChecks();             // jsonpatch, mergepatch, smp
std::span<const Check> ScheduleChecks();          // schedule, schedule_dra, preemption
std::span<const Check> EvictionChecks();          // taint_eviction
std::span<const Check> DeviceAllocationChecks();  // dra_allocate
std::span<const Check> DeviceEvictionChecks();    // device_taint_eviction

/// Files of another form: a `format`, a common header, and cases that contain both input and
/// upstream's result.
struct FormatCheck {
  std::string_view format;
  Mismatch (*run)(const codec::Value& header, const codec::Value& one);
};
std::span<const FormatCheck> CelChecks();  // cel-k8s-eval, cel-k8s-dra

/// Returns a field of an object; "" or 0 if it is missing or of another type.
std::string_view TextAt(const codec::Value& object, std::string_view key);
std::int64_t IntAt(const codec::Value& object, std::string_view key);

/// Returns `want X, got Y` if the two differ.
Mismatch Differ(std::string_view what, std::string_view want, std::string_view got);
/// Compares JSON trees; `got` is JSON text.
Mismatch DifferJson(std::string_view what, const codec::Value& want, const std::string& got);

}  // namespace plimsoll::golden
