#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/object.h"
#include "base/bitmap.h"
#include "dra/device_verdicts.h"
#include "dra/limits.h"

namespace plimsoll::dra {

/// Maximum number of devices in one claim.
inline constexpr std::int64_t kResultsMax = 32;

/// The `exactly` of a request, or one entry of its `firstAvailable`.
struct AlternativePlan {
  const api::DeviceRequestDetails* details = nullptr;
  std::string_view name;                            // name in errors: of the request or subrequest
  std::string full_name;                            // name in results: `request` or `request/sub`
  std::shared_ptr<const api::Object> device_class;  // null: no such DeviceClass
  std::shared_ptr<Selection> selection;
  std::shared_ptr<TolerationList> tolerations;
  bool is_all = false;
  std::size_t index = 0;                   // among all alternatives of the set
  std::vector<std::uint16_t> constraints;  // indexes of the claim's constraints that apply
  /// Error text to follow `claim ns/name, request name`, or "" if the request is valid.
  std::string fault;

  bool is_admin() const { return details->admin_access; }
};

struct RequestPlan {
  std::vector<AlternativePlan> alternatives;
  bool is_list = false;  // firstAvailable
};

/// A constraint: all values of an attribute must be equal, or all must differ.
struct ConstraintPlan {
  bool is_match = false;
  std::string_view attribute;
  std::size_t index = 0;  // among all constraints of the set
};

struct ClaimPlan {
  std::vector<RequestPlan> requests;
  std::vector<ConstraintPlan> constraints;
  std::string fault;  // error text to follow `claim ns/name`, if any
};

/// Cached answers by node. Answers not in `known` must be computed (again).
struct NodeAnswers {
  Bitmap known;
  Bitmap possible;
  Bitmap failed;                       // the search ended in an error
  Bitmap fatal;                        // the error is not specific to the node
  std::vector<std::int32_t> scores;    // by node; only if has_lists
  std::vector<Instant> good_until;     // by node: when a toleration it relies on expires
  Instant first_end = Instant::max();  // minimum of good_until
  std::vector<std::uint32_t> overdue;  // nodes that timed out, cached for one attempt
  std::uint64_t attempt = 0;           // attempt in which they timed out
  std::size_t position = 0;            // in the allocator's journal
};

struct CompiledClaims {
  std::vector<std::shared_ptr<const api::Object>> keeps;  // claims that the views point to
  std::vector<ClaimPlan> claims;
  std::size_t alternatives = 0;  // number of alternatives of all requests
  std::size_t constraints = 0;   // number of constraints of all claims
  bool has_lists = false;
  /// The search must prepare first: there are faults, or requests for all devices.
  bool needs_preparation = false;
  std::uint64_t classes_version = 0;
  NodeAnswers answers;
};

/// Compiles sets of claims, and shares sets, selections and tolerations that are equal.
class ClaimCompiler {
 public:
  /// Sets a DeviceClass; null removes it. Returns false if nothing changed.
  bool SetClass(std::string_view name, std::shared_ptr<const api::Object> device_class);

  /// Returns the shared compiled form of claims with these specs.
  std::shared_ptr<CompiledClaims> Compile(
      const std::vector<std::shared_ptr<const api::Object>>& claims);
  /// Updates the set after a change of DeviceClasses.
  void Refresh(CompiledClaims& compiled);

  void ForgetSelections(std::span<const DeviceId> devices);
  void ForgetTolerations(std::span<const DeviceId> devices);

 private:
  using Classes = std::map<std::string, std::shared_ptr<const api::Object>, std::less<>>;

  void Resolve(AlternativePlan& plan);
  std::shared_ptr<Selection> SelectionOf(const api::DeviceClass& device_class,
                                         const api::DeviceRequestDetails& details);
  std::shared_ptr<TolerationList> TolerationsOf(const api::DeviceRequestDetails& details,
                                                const std::shared_ptr<const api::Object>& claim);
  void DropIdle();

  Classes classes_;
  std::uint64_t classes_version_ = 1;
  std::map<std::string, std::shared_ptr<CompiledClaims>, std::less<>> sets_;  // by their specs
  std::size_t sweep_at_ = kIdleSetsMax;
  std::map<std::string, std::weak_ptr<Selection>, std::less<>> selections_;
  std::map<std::string, std::weak_ptr<TolerationList>, std::less<>> tolerations_;
};

}  // namespace plimsoll::dra
