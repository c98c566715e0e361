#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/bitmap.h"
#include "dra/search.h"

namespace plimsoll::dra {

/// Spares a search what cannot succeed, without changing which solution is the first:
///  - devices between which nothing that is asked makes a difference are of one class: where one of
///    them has been of no use, its likes are not tried in the same place;
///  - a request that failed once fails again when as much is taken of each class;
///  - what the requests still want is held against what is left: each by itself, all of them as a
///    matching of requests with devices, and with the values that constraints leave.
/// Reads the search that it belongs to.
class Pruning {
 public:
  explicit Pruning(Search& search);
  ~Pruning();
  Pruning(const Pruning&) = delete;
  Pruning& operator=(const Pruning&) = delete;

  enum class Failure : std::uint8_t { Failed, TooMany };
  /// Whether the request, the next to be served, has failed in a state like this one.
  std::optional<Failure> FindFailure(std::size_t claim, std::size_t request) const;
  void NoteFailure(std::size_t claim, std::size_t request, Failure failure);

  /// Whether one of the devices, tried in this place before, was such a device.
  bool IsLikeOneOf(std::uint32_t device, const std::vector<std::uint32_t>& tried) const;

  /// Whether what is left can surely not serve what is still to come.
  bool IsHopeless(const Position& at) const;

 private:
  static constexpr std::size_t kFailuresMax = std::size_t{1} << 16;
  static constexpr std::uint32_t kNoValue = 0xffff'ffff;

  /// A constraint's values over the node's devices, numbered.
  struct Values {
    std::vector<std::uint32_t> of;  // by device; kNoValue: it has none
    std::vector<Bitmap> devices;    // by value
  };
  /// One that is tried out: as if the constraint had that value already.
  struct Assumption {
    std::size_t constraint = SIZE_MAX;
    std::uint32_t value = 0;
  };
  /// A request that is still to be served, with what it may be given.
  struct Demand {
    std::int64_t count = 0;
    Bitmap devices;
    bool is_admin = false;
    std::size_t claim = 0;
    std::size_t request = 0;
  };
  using Demands = std::vector<Demand>;
  struct Failures;

  void NumberValues(const ConstraintPlan& constraint);
  void JudgeDevices(std::size_t claim, const AlternativePlan& plan);
  bool IsEligible(const Position& at, const AlternativePlan& plan, std::uint32_t device);
  std::string SignatureOf(std::uint32_t device);
  std::string KeyOf(std::size_t claim, std::size_t request) const;

  Bitmap Available(std::size_t claim, const AlternativePlan& plan, const Assumption& assumed) const;
  void ApplyConstraint(const ConstraintPlan& constraint, const Assumption& assumed,
                       Bitmap& devices) const;
  bool AddDemand(std::size_t claim, std::size_t request, const Assumption& assumed,
                 Demands& out) const;
  std::optional<Demands> DemandsFrom(const Position& at, const Assumption& assumed) const;
  bool CanServe(const Demands& demands) const;
  bool CanMatch(const Position& at, const ConstraintPlan& constraint) const;
  bool CanDiffer(const Demands& demands, const ConstraintPlan& constraint, std::size_t claim) const;

  Search& search_;
  std::size_t devices_;
  bool may_fault_ = false;  // an error may wait in what would be passed over
  bool has_admin_ = false;
  std::vector<Bitmap> eligible_;  // by alternative: devices that nothing but the search can deny it
  std::vector<Bitmap> all_;       // by alternative
  std::vector<Values> values_;    // by constraint
  std::vector<std::uint32_t> class_of_;              // by device
  std::vector<std::vector<std::uint32_t>> classes_;  // their devices
  Bitmap shareable_;
  std::unique_ptr<Failures> failures_;
};

}  // namespace plimsoll::dra
