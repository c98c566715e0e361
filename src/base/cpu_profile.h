#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "base/limits.h"
#include "base/result.h"

namespace plimsoll {

/// Samples where the threads of this process spend CPU time: 100 samples per second of CPU time,
/// from construction until `Finish`. At most one exists at a time.
class CpuProfile {
 public:
  /// Starts sampling. Conflict: another profile is being taken.
  static Result<std::unique_ptr<CpuProfile>> Begin();
  /// Stops sampling, unless `Finish` already has.
  ~CpuProfile();
  CpuProfile(const CpuProfile&) = delete;
  CpuProfile& operator=(const CpuProfile&) = delete;

  /// Stops sampling. Returns the profile in the binary format of gperftools, which `pprof` reads.
  /// It ends with the memory mappings of the process.
  std::string Finish();

  std::uint64_t samples() const;

 private:
  CpuProfile() = default;
};

}  // namespace plimsoll
