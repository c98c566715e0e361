#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"

namespace plimsoll {

/// Longest CPU profile that can be taken; the buffer for its samples is reserved at the start.
inline constexpr std::chrono::seconds kCpuProfileMax(300);

/// Samples where the threads of this process spend CPU time, 100 times in each second of it, from
/// construction until `Finish`. At most one lives at a time.
class CpuProfile {
 public:
  /// Conflict while another one is being taken.
  static Result<std::unique_ptr<CpuProfile>> Begin();
  /// Ends the sampling, if `Finish` has not.
  ~CpuProfile();
  CpuProfile(const CpuProfile&) = delete;
  CpuProfile& operator=(const CpuProfile&) = delete;

  /// Ends the sampling. Returns the profile in the binary format of gperftools, with the mappings
  /// of the process at its end, as `pprof` reads it.
  std::string Finish();

  std::uint64_t samples() const;

 private:
  CpuProfile() = default;
};

}  // namespace plimsoll
