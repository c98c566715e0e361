#pragma once

#include <cstddef>
#include <iterator>
#include <vector>

#include "api/object.h"
#include "api/resource/device_taint.h"

namespace plimsoll::dra {

/// A taint of a device and its source: a DeviceTaintRule, or null for the driver (in the device or
/// in a slice's `taints`). Equal taints from two sources are two taints, each with its own
/// evictions.
struct DeviceTaintSource {
  const api::DeviceTaint* taint = nullptr;
  const api::Object* rule = nullptr;
};

/// Taints of a device: the driver's first, then the rules', sorted by rule name. All devices with
/// the same rules share one list of rule taints, so a rule for every device needs no copy per
/// device.
struct DeviceTaints {
  using RuleTaints = std::vector<const DeviceTaintSource*>;

  class Iterator {
   public:
    using value_type = DeviceTaintSource;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    Iterator(const DeviceTaintSource* own, const DeviceTaintSource* own_end,
             const DeviceTaintSource* const* rule)
        : own_(own), own_end_(own_end), rule_(rule) {}

    const DeviceTaintSource& operator*() const { return own_ != own_end_ ? *own_ : **rule_; }
    const DeviceTaintSource* operator->() const { return &**this; }
    Iterator& operator++() {
      if (own_ != own_end_) {
        ++own_;
      } else {
        ++rule_;
      }
      return *this;
    }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    const DeviceTaintSource* own_ = nullptr;
    const DeviceTaintSource* own_end_ = nullptr;
    const DeviceTaintSource* const* rule_ = nullptr;
  };

  static inline const RuleTaints kNone;

  std::vector<DeviceTaintSource> of_driver;
  const RuleTaints* of_rules = &kNone;

  Iterator begin() const { return {of_driver.data(), OwnEnd(), of_rules->data()}; }
  Iterator end() const { return {OwnEnd(), OwnEnd(), of_rules->data() + of_rules->size()}; }
  std::size_t size() const { return of_driver.size() + of_rules->size(); }
  bool empty() const { return of_driver.empty() && of_rules->empty(); }

 private:
  const DeviceTaintSource* OwnEnd() const { return of_driver.data() + of_driver.size(); }
};

}  // namespace plimsoll::dra
