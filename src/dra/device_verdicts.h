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
#include "match/stay_rules.h"

/// What requests say of devices, asked once for each device and for all requests that say the same.
namespace plimsoll::dra {

/// The selectors of a class and of a request, which must all select a device.
class Selection {
 public:
  enum class Answer : std::uint8_t { No, Yes, Fault };

  /// Copies the texts.
  Selection(std::span<const std::string_view> of_class,
            std::span<const std::string_view> of_request);
  Selection(const Selection&) = delete;
  Selection& operator=(const Selection&) = delete;

  /// Whether the answer is at hand.
  bool Knows(const TrackedDevice& device) const {
    return device.id < answers_.size() && answers_[device.id].device == device.device;
  }
  Answer Ask(const TrackedDevice& device, const DeviceSelectors& selectors) {
    return Knows(device) ? answers_[device.id].answer : Evaluate(device, selectors);
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
  /// Of a device whose answer is No or Fault; evaluates again.
  Refusal Explain(const TrackedDevice& device, const DeviceSelectors& selectors) const;

 private:
  Answer Evaluate(const TrackedDevice& device, const DeviceSelectors& selectors);

  std::vector<std::string> texts_;
  std::vector<std::string_view> expressions_;  // those of the class first
  std::size_t of_class_;
  /// Two generations may publish a device, so it is remembered which of them was asked about.
  struct Known {
    const api::Device* device = nullptr;
    Answer answer = Answer::No;
  };
  std::vector<Known> answers_;  // by DeviceId
};

/// A request's tolerations: until when a device may be allocated in spite of its taints.
class TolerationList {
 public:
  /// The list is the owner's.
  TolerationList(std::span<const api::Toleration> tolerations, std::shared_ptr<const void> owner)
      : tolerations_(tolerations), owner_(std::move(owner)) {}
  TolerationList(const TolerationList&) = delete;
  TolerationList& operator=(const TolerationList&) = delete;

  /// Returns the least of what ToleratedUntil says of the device's taints.
  Instant Until(const TrackedDevice& device, const match::StayRules& rules) {
    if (device.taints.empty()) return Instant::max();
    if (device.id < answers_.size() && answers_[device.id].device == &device) {
      return answers_[device.id].until;
    }
    return Evaluate(device, rules);
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
  Instant Evaluate(const TrackedDevice& device, const match::StayRules& rules);

  std::span<const api::Toleration> tolerations_;
  std::shared_ptr<const void> owner_;
  std::vector<Known> answers_;  // by DeviceId
};

}  // namespace plimsoll::dra
