#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "api/resource/resource_slice.h"
#include "dra/device_selectors.h"

namespace plimsoll::dra {

/// Caches whether devices satisfy lists of selectors. A list is evaluated once for all devices with
/// equal values of the facts that it reads. So a thousand devices of one model need one evaluation
/// of a selector on the model. Not safe for use by several threads.
class SelectorMemo {
 public:
  /// Index of a device, chosen by the caller. Should be small.
  using Slot = std::uint32_t;
  using ListId = std::uint32_t;

  /// The selectors must outlive the memo.
  explicit SelectorMemo(const DeviceSelectors& selectors);
  ~SelectorMemo();
  SelectorMemo(const SelectorMemo&) = delete;
  SelectorMemo& operator=(const SelectorMemo&) = delete;

  /// Puts the device into the slot. It must stay at its address until the next Put or Clear of the
  /// slot. Returns true if its facts differ from those of the previous device.
  bool Put(Slot slot, const api::Device& device);
  void Clear(Slot slot);

  /// Equal lists share an id, which is reference-counted.
  ListId Acquire(std::span<const std::string_view> expressions);
  void Release(ListId list);

  /// Returns true if the device satisfies all selectors of the list. A failing one counts as false.
  bool Matches(ListId list, Slot slot);

  /// Returns the number of evaluations of a list over a device so far.
  std::uint64_t evaluations() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace plimsoll::dra
