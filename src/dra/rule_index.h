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
  DeviceTaintSource source;  // its taint; devices that have it point here
  /// The class's selectors and the rule's own; nothing when the rule selects nothing: it has no
  /// selector, or names a class that is not there.
  std::optional<SelectorMemo::ListId> list;

  std::string_view name() const { return view->metadata.name; }
};

/// DeviceTaintRules by what they name, so that a device meets only those that may select it, and
/// the device classes that they refer to. Not safe for use by several threads.
class RuleIndex {
 public:
  /// The memo must outlive the index.
  explicit RuleIndex(SelectorMemo& memo) : memo_(memo) {}

  IndexedRule* Find(std::string_view name) const;
  /// In the place of the rule of that name, if there is one; the place stays.
  IndexedRule& Put(std::shared_ptr<const api::Object> rule);
  void Erase(std::string_view name);

  /// Null for a class that is gone. The answer: the rules that name it, by their names.
  std::vector<IndexedRule*> PutClass(std::string_view name,
                                     std::shared_ptr<const api::Object> device_class);

  /// In no promised order: all rules whose driver, pool and device, where named, are these.
  void VisitCandidates(std::string_view driver, std::string_view pool, std::string_view device,
                       const std::function<void(const IndexedRule&)>& visit) const;

  /// What a rule like this one asks of a device; to be released. Nothing: it selects nothing.
  std::optional<SelectorMemo::ListId> AcquireList(const api::DeviceTaintRule& rule);

 private:
  using RulesByText = std::map<std::string, std::vector<const IndexedRule*>, std::less<>>;

  /// Where the rule is kept: under its narrowest name. Null: it has no selector.
  std::vector<const IndexedRule*>* PlaceOf(const api::DeviceTaintRule& rule);
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

/// Whether the driver, pool and device are those that the selector names.
bool Names(const api::DeviceTaintSelector& selector, std::string_view driver, std::string_view pool,
           std::string_view device);

/// Whether both name the same driver, pool and device.
bool SameNames(const api::DeviceTaintRule& a, const api::DeviceTaintRule& b);
/// Whether both select the same devices, as long as classes stay as they are.
bool SameSelector(const api::DeviceTaintRule& a, const api::DeviceTaintRule& b);

}  // namespace plimsoll::dra
