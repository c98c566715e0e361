#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "api/field_error.h"
#include "base/time.h"
#include "codec/value.h"

/// Checks that the kinds about evictions share.
namespace plimsoll::api {

struct DurationRange {
  Duration min;
  Duration max;
};

struct IntRange {
  std::int64_t min;
  std::int64_t max;
};

/// Checks a duration as Go writes it, such as `1m30s`.
void CheckDuration(std::string_view text, const DurationRange& range, const FieldPath& at,
                   FieldErrors& errors);

/// Reports Invalid `must be between 1 and 100, inclusive`.
void CheckRange(std::int64_t value, const IntRange& range, const FieldPath& at,
                FieldErrors& errors);

/// Reports TooMany.
void CheckCountMax(std::size_t count, std::size_t count_max, const FieldPath& at,
                   FieldErrors& errors);

/// Checks `status.conditions`: at most 100 valid conditions. A null status has none.
void CheckConditions(const codec::Value* status, FieldErrors& errors);

/// Checks the name of a requester or responder: a label key with a domain, such as `acme.io/foo`.
/// Returns false if it reports an error.
bool CheckDomainKey(std::string_view key, const FieldPath& at, FieldErrors& errors);

/// Returns true if the domain of the key is k8s.io or kubernetes.io, or below one of them.
bool HasReservedDomain(std::string_view key);

}  // namespace plimsoll::api
