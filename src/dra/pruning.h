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

/// Skips hopeless parts of a search, without changing which solution is found first:
///  - Devices that no request can tell apart form a class. Where one of them has failed, the
///    others of its class are not tried in the same place.
///  - A request that failed once fails again when as much is taken of each class.
///  - The open requests are compared with the devices left: each request by itself, all of them
///    as a bipartite matching. The values that constraints permit are compared, too.
/// Reads the search that it belongs to.
class Pruning {
 public:
  explicit Pruning(Search& search);
  ~Pruning();
  Pruning(const Pruning&) = delete;
  Pruning& operator=(const Pruning&) = delete;

  enum class Failure : std::uint8_t { Failed, TooMany };
  /// Returns how the next request to serve has failed in an equivalent state, if it has.
  std::optional<Failure> FindFailure(std::size_t claim, std::size_t request) const;
  void NoteFailure(std::size_t claim, std::size_t request, Failure failure);

  /// Returns true if the device is equivalent to one that was tried in this place before.
  bool IsLikeOneOf(std::uint32_t device, const std::vector<std::uint32_t>& tried) const;

  /// Returns true if the devices left certainly cannot satisfy the open requests.
  bool IsHopeless(const Position& at) const;

 private:
  static constexpr std::uint32_t kNoValue = 0xffff'ffff;

  /// Values of a constraint's attribute over the node's devices, numbered.
  struct Values {
    std::vector<std::uint32_t> of;  // by device; kNoValue: it has none
    std::vector<Bitmap> devices;    // by value
  };
  /// A hypothesis: the constraint has this value already.
  struct Assumption {
    std::size_t constraint = SIZE_MAX;
    std::uint32_t value = 0;
  };
  /// An open request, and the devices it may get.
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
  bool may_fault_ = false;  // skipping parts of the search might hide an error
  bool has_admin_ = false;
  std::vector<Bitmap> eligible_;  // by alternative: devices excluded by nothing but the search
  std::vector<Bitmap> all_;       // by alternative
  std::vector<Values> values_;    // by constraint
  std::vector<std::uint32_t> class_of_;              // by device
  std::vector<std::vector<std::uint32_t>> classes_;  // devices of each class
  Bitmap shareable_;
  std::unique_ptr<Failures> failures_;
};

}  // namespace plimsoll::dra
