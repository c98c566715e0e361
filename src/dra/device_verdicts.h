#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/core/toleration.h"
#include "base/time.h"
#include "dra/device_selectors.h"
#include "dra/slice_tracker.h"
#include "match/expression_memo.h"
#include "match/toleration_time_rules.h"

/// Cached results of selectors and tolerations per device, shared by requests with equal ones.
namespace plimsoll::dra {

/// The selectors of a class and of a request. A device must satisfy all of them.
class Selection {
 public:
  enum class Answer : std::uint8_t { No, Yes, Fault, OutOfBudget };

  /// Copies the texts.
  Selection(std::span<const std::string_view> of_class,
            std::span<const std::string_view> of_request);
  Selection(const Selection&) = delete;
  Selection& operator=(const Selection&) = delete;

  /// Returns true if the answer for the device is cached.
  bool Knows(const TrackedDevice& device) const {
    return device.id < answers_.size() && answers_[device.id].device == device.device;
  }
  /// Evaluations are charged to the budget, unless that is null. OutOfBudget: the answer is not
  /// known, and none is left for an evaluation.
  Answer GetOrEvaluate(const TrackedDevice& device, const DeviceSelectors& selectors,
                       match::ExpressionMemo* budget = nullptr) {
    return Knows(device) ? answers_[device.id].answer : Evaluate(device, selectors, budget);
  }
  void Forget(DeviceId device) {
    if (device < answers_.size()) answers_[device] = {};
  }

  struct Refusal {
    bool is_of_class = false;
    std::size_t index = 0;  // among the selectors of the class, or of the request
    std::string_view expression;
    bool is_compile = false;
    std::string fault;  // empty: it does not select the device
  };
  /// Explains the answer No or Fault for a device. Evaluates the selectors again, within the
  /// budget.
  Refusal Explain(const TrackedDevice& device, const DeviceSelectors& selectors,
                  match::ExpressionMemo* budget = nullptr) const;

 private:
  Answer Evaluate(const TrackedDevice& device, const DeviceSelectors& selectors,
                  match::ExpressionMemo* budget);

  std::vector<std::string> texts_;
  std::vector<std::string_view> expressions_;  // those of the class first
  std::size_t of_class_;
  /// Two generations may publish a device, so the entry records which of them it is about.
  struct Known {
    const api::Device* device = nullptr;
    Answer answer = Answer::No;
  };
  std::vector<Known> answers_;  // by DeviceId
};

/// A request's tolerations: the time until which they allow the allocation of a tainted device.
class TolerationList {
 public:
  /// `claim` owns the tolerations.
  TolerationList(std::span<const api::Toleration> tolerations,
                 std::shared_ptr<const api::Object> claim)
      : tolerations_(tolerations), claim_(std::move(claim)) {}
  TolerationList(const TolerationList&) = delete;
  TolerationList& operator=(const TolerationList&) = delete;

  /// Returns the minimum of ToleratedUntil over the device's taints. `budget` is the evaluator of
  /// the rules, or null. If it is exhausted afterwards, the answer is invalid and not cached.
  Instant Until(const TrackedDevice& device, const match::TolerationTimeRules& rules,
                const match::ExpressionMemo* budget = nullptr) {
    if (device.taints.empty()) return Instant::max();
    if (device.id < answers_.size() && answers_[device.id].device == &device) {
      return answers_[device.id].until;
    }
    return Evaluate(device, rules, budget);
  }
  void Forget(DeviceId device) {
    if (device < answers_.size()) answers_[device] = {};
  }
  std::span<const api::Toleration> tolerations() const { return tolerations_; }

 private:
  struct Known {
    const TrackedDevice* device = nullptr;
    Instant until;
  };
  Instant Evaluate(const TrackedDevice& device, const match::TolerationTimeRules& rules,
                   const match::ExpressionMemo* budget);

  std::span<const api::Toleration> tolerations_;
  std::shared_ptr<const api::Object> claim_;
  std::vector<Known> answers_;  // by DeviceId
};

}  // namespace plimsoll::dra
