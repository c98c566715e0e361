#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "api/resource/resource_slice.h"
#include "dra/device_selectors.h"

namespace plimsoll::dra {

/// Whether devices satisfy lists of selectors. A list is evaluated once for all devices that look
/// the same in the facts that its expressions read: a thousand devices of one model ask once for
/// their model. Not safe for use by several threads.
class SelectorMemo {
 public:
  /// Of a device, chosen by the caller; small numbers.
  using Slot = std::uint32_t;
  using ListId = std::uint32_t;

  /// The selectors must outlive the memo.
  explicit SelectorMemo(const DeviceSelectors& selectors);
  ~SelectorMemo();
  SelectorMemo(const SelectorMemo&) = delete;
  SelectorMemo& operator=(const SelectorMemo&) = delete;

  /// The device is in the slot from now on, and must stay where it is until the next Put or Clear
  /// of the slot. True when its facts differ from those of the device that was there.
  bool Put(Slot slot, const api::Device& device);
  void Clear(Slot slot);

  /// Equal lists are one, and counted.
  ListId Acquire(std::span<const std::string_view> expressions);
  void Release(ListId list);

  /// Whether the device in the slot satisfies all of the list. One that fails counts as false.
  bool Matches(ListId list, Slot slot);

  /// How many lists were evaluated over how many devices so far.
  std::uint64_t evaluations() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace plimsoll::dra
