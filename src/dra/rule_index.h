#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/object.h"
#include "dra/device_taints.h"
#include "dra/selector_memo.h"

namespace plimsoll::dra {

struct IndexedRule {
  std::shared_ptr<const api::Object> object;
  const api::DeviceTaintRule* view = nullptr;
  DeviceTaintSource source;  // its taint; tainted devices point here
  /// Selectors of the class and of the rule. Nothing if the rule selects no device: it has no
  /// selector, or its class does not exist.
  std::optional<SelectorMemo::ListId> list;

  std::string_view name() const { return view->metadata.name; }
};

/// DeviceTaintRules by the names in their selectors, so that a device meets only rules that may
/// select it; and the DeviceClasses they refer to. Not safe for use by several threads.
class RuleIndex {
 public:
  /// The memo must outlive the index.
  explicit RuleIndex(SelectorMemo& memo) : memo_(memo) {}

  IndexedRule* Find(std::string_view name) const;
  /// Adds the rule or replaces the one of that name; its address is stable.
  IndexedRule& Put(std::shared_ptr<const api::Object> rule);
  void Erase(std::string_view name);

  /// Sets a DeviceClass; null removes it. Returns the rules that name it, sorted by name.
  std::vector<IndexedRule*> PutClass(std::string_view name,
                                     std::shared_ptr<const api::Object> device_class);

  /// Visits the rules whose driver, pool and device, where named, match. The order is unspecified.
  void VisitCandidates(std::string_view driver, std::string_view pool, std::string_view device,
                       const std::function<void(const IndexedRule&)>& visit) const;

  /// Acquires the selectors of such a rule; the caller must release them. Nothing: it selects none.
  std::optional<SelectorMemo::ListId> AcquireList(const api::DeviceTaintRule& rule);

 private:
  using RulesByText = std::map<std::string, std::vector<const IndexedRule*>, std::less<>>;

  /// Returns the list for the rule's most specific name, or null if it has no selector.
  std::vector<const IndexedRule*>* ListOf(const api::DeviceTaintRule& rule);
  void Insert(IndexedRule& rule);
  void Remove(IndexedRule& rule);

  SelectorMemo& memo_;
  std::map<std::string, std::unique_ptr<IndexedRule>, std::less<>> rules_;
  std::map<std::string, std::shared_ptr<const api::Object>, std::less<>> classes_;
  RulesByText by_class_;
  RulesByText by_device_;
  RulesByText by_pool_;
  RulesByText by_driver_;
  std::vector<const IndexedRule*> everywhere_;
};

/// Returns true if the selector names this driver, pool and device, or leaves them open.
bool Names(const api::DeviceTaintSelector& selector, std::string_view driver, std::string_view pool,
           std::string_view device);

/// Returns true if both rules name the same driver, pool and device.
bool SameNames(const api::DeviceTaintRule& a, const api::DeviceTaintRule& b);
/// Returns true if both rules select the same devices, given the same DeviceClasses.
bool SameSelector(const api::DeviceTaintRule& a, const api::DeviceTaintRule& b);

}  // namespace plimsoll::dra
