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

namespace plimsoll::dra {

/// Devices that one claim can have.
inline constexpr std::int64_t kResultsMax = 32;

/// `exactly` of a request, or one of its `firstAvailable`.
struct AlternativePlan {
  const api::DeviceRequestDetails* details = nullptr;
  std::string_view name;  // as errors say it: the request's, or the sub-request's
  std::string full_name;  // as results say it: `request`, or `request/sub`
  std::shared_ptr<const api::Object> device_class;  // null: there is none of that name
  std::shared_ptr<Selection> selection;
  std::shared_ptr<TolerationList> tolerations;
  bool is_all = false;
  std::size_t index = 0;                   // among all of the set
  std::vector<std::uint16_t> constraints;  // those of the claim that speak of its devices
  /// Why it cannot be asked for at all, as it goes on behind `claim ns/name, request name`.
  std::string fault;

  bool is_admin() const { return details->admin_access; }
};

struct RequestPlan {
  std::vector<AlternativePlan> alternatives;
  bool is_list = false;  // firstAvailable
};

/// Equal values, or all different ones, of an attribute.
struct ConstraintPlan {
  bool is_match = false;
  std::string_view attribute;
  std::size_t index = 0;  // among all of the set
};

struct ClaimPlan {
  std::vector<RequestPlan> requests;
  std::vector<ConstraintPlan> constraints;
  std::string fault;  // of its constraints, as it goes on behind `claim ns/name`
};

/// What is known of nodes: `known` says of which. Renewed when a node or what it has changes.
struct NodeAnswers {
  Bitmap known;
  Bitmap possible;
  Bitmap failed;                       // ended in an error
  Bitmap fatal;                        // … that is not of that node alone
  std::vector<std::int32_t> scores;    // by node, where some request is a list
  std::vector<Instant> good_until;     // by node, where the time of some toleration ends
  Instant first_end = Instant::max();  // the least of them
  std::vector<std::uint32_t> overdue;  // nodes whose search took too long, known for the attempt
  std::uint64_t attempt = 0;           // in which they did
  std::size_t position = 0;            // in the allocator's journal
};

struct CompiledClaims {
  /// More could not be searched in a bounded stack. Of requests the API permits no more.
  static constexpr std::size_t kClaimsMax = 64;
  static constexpr std::size_t kRequestsMax = 32;

  std::vector<std::shared_ptr<const api::Object>> keeps;  // claims that the views point to
  std::vector<ClaimPlan> claims;
  std::size_t alternatives = 0;  // of all requests
  std::size_t constraints = 0;   // of all claims
  bool has_lists = false;
  /// Something has to be looked at before the search: faults, or requests for all devices.
  bool needs_preparation = false;
  std::uint64_t classes_version = 0;
  NodeAnswers answers;
};

/// The selections and tolerations of all requests, and the sets of claims that have been compiled.
class ClaimCompiler {
 public:
  /// Sets that no pod has at the moment are kept for those to come, up to this number.
  static constexpr std::size_t kIdleSetsMax = 256;

  /// A DeviceClass, or null when it is gone. False when nothing has changed by it.
  bool SetClass(std::string_view name, std::shared_ptr<const api::Object> device_class);

  /// The one for all claims with these specs. A set of which a class has changed is another one.
  std::shared_ptr<CompiledClaims> Compile(
      const std::vector<std::shared_ptr<const api::Object>>& claims);
  /// The same set by the classes of now.
  void Refresh(CompiledClaims& compiled);

  void ForgetSelections(std::span<const DeviceId> devices);
  void ForgetTolerations(std::span<const DeviceId> devices);

 private:
  using Classes = std::map<std::string, std::shared_ptr<const api::Object>, std::less<>>;

  void Resolve(AlternativePlan& plan);
  std::shared_ptr<Selection> SelectionOf(const api::DeviceClass& device_class,
                                         const api::DeviceRequestDetails& details);
  std::shared_ptr<TolerationList> TolerationsOf(const api::DeviceRequestDetails& details,
                                                const std::shared_ptr<const void>& owner);
  void DropIdle();

  Classes classes_;
  std::uint64_t classes_version_ = 1;
  std::map<std::string, std::shared_ptr<CompiledClaims>, std::less<>> sets_;  // by their specs
  std::size_t sweep_at_ = kIdleSetsMax;
  std::map<std::string, std::weak_ptr<Selection>, std::less<>> selections_;
  std::map<std::string, std::weak_ptr<TolerationList>, std::less<>> tolerations_;
};

}  // namespace plimsoll::dra
