#include "dra/slice_tracker.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/assert.h"
#include "dra/device_pools.h"
#include "dra/rule_index.h"
#include "dra/rule_sets.h"
#include "dra/selector_memo.h"

namespace plimsoll::dra {
namespace {

/// Reserves memory and touches it, so that a rule that changes all devices causes no page
/// faults.
template <class T>
void MakeRoom(std::vector<T>& list, std::size_t count) {
  if (list.capacity() >= count) return;
  const std::size_t size = list.size();
  list.resize(2 * count);
  list.resize(size);
}

bool SameTaint(const DeviceTaintSource& a, const DeviceTaintSource& b) {
  return *a.taint == *b.taint;
}

}  // namespace

struct SliceTracker::Impl {
  Impl(const DeviceSelectors& selectors, Settings chosen)
      : settings(chosen), memo(selectors), rules(memo) {}

  void OnSlice(std::string_view name, const std::shared_ptr<const api::Object>& slice);
  void OnRule(std::string_view name, const std::shared_ptr<const api::Object>& rule);
  void OnClass(std::string_view name, const std::shared_ptr<const api::Object>& device_class);

  void Apply(const DevicePools::Edit& edit);
  void ReportRemoved(const DevicePools::Edit& edit, const api::ResourceSlice& before);
  /// Reports the device that the id now refers to, or its removal.
  void Report(DeviceId id, const PoolRecord& pool, std::string_view name);
  void RetaintPublished(DeviceSlot slot, const DevicePools::Edit& edit);
  void RetaintPool(const PoolRecord& pool);

  /// Computes the rules that select the slot's device, from scratch.
  void Match(DeviceSlot slot);
  /// Evaluates the rule for all its candidates and records those that it newly selects or no longer
  /// selects. `is_other`: the rule's taint changed for those that it still selects.
  void Rematch(const IndexedRule& rule, bool is_other);
  /// Evaluates the rule for one of its candidates.
  bool Selects(const IndexedRule& rule, DeviceSlot slot);
  /// Returns a predicate: the slot's driver, pool and device match those that the rule names.
  auto IsCandidateOf(const api::DeviceTaintRule& rule) const;
  /// Records whether the rule of this turn selects the slot's device. ChangeRules applies it, once
  /// it was recorded for all slots.
  void SetSelected(DeviceSlot slot, bool does, bool is_other);
  void ChangeRules();
  /// Null: the slot has no device.
  void SetRules(DeviceSlot slot, RuleSet* rules);
  void ReportIfCurrent(DeviceSlot slot);
  /// Recomputes the device's taints, and reports the device if they changed.
  void Retaint(DeviceSlot slot);
  DeviceTaints TaintsOf(DeviceSlot slot) const;
  /// Visits the slots for which IsCandidateOf is true.
  template <class Visit>
  void ForEachCandidate(const api::DeviceTaintRule& rule, const Visit& visit) const;

  const Settings settings;
  mutable SelectorMemo memo;
  mutable RuleIndex rules;
  DevicePools pools;
  RuleSets rule_sets;
  std::vector<RuleSet*> rules_by_slot;
  std::vector<DeviceSlot> changing;  // slots that this turn's rule newly selects or deselects
  Changes changes;
};

void SliceTracker::Impl::OnSlice(std::string_view name,
                                 const std::shared_ptr<const api::Object>& slice) {
  const SliceRecord* const known = pools.FindSlice(name);
  if (slice == nullptr) {
    Apply(pools.Remove(name));
    return;
  }
  const auto* const view = slice->As<api::ResourceSlice>();
  if (known != nullptr &&
      (known->pool->driver != view->driver || known->pool->name != view->pool.name)) {
    // A new slice has the name of one whose deletion was missed.
    Apply(pools.Remove(name));
  }
  Apply(pools.Put(slice));
}

void SliceTracker::Impl::Apply(const DevicePools::Edit& edit) {
  for (const DeviceSlot slot : edit.removed) {
    SetRules(slot, nullptr);
    memo.Clear(slot);
    pools.Release(slot);
  }
  rules_by_slot.resize(pools.slot_bound());
  MakeRoom(changing, pools.slot_bound());
  MakeRoom(changes.devices, pools.slot_bound());
  for (const DeviceSlot slot : edit.added) {
    memo.Put(slot, *pools.device(slot).device);
    Match(slot);
  }
  for (const DeviceSlot slot : edit.kept) {
    if (memo.Put(slot, *pools.device(slot).device)) Match(slot);
  }
  if (edit.object_before != nullptr) {
    ReportRemoved(edit, *edit.object_before->As<api::ResourceSlice>());
  }
  if (!edit.dropped_pool.empty()) changes.dropped_pools.push_back(edit.dropped_pool);
  if (edit.pool == nullptr) return;
  changes.pools.push_back(edit.pool);
  if (edit.is_generation_new) {
    RetaintPool(*edit.pool);
    return;
  }
  for (const std::vector<DeviceSlot>* const slots : {&edit.added, &edit.kept}) {
    for (const DeviceSlot slot : *slots) RetaintPublished(slot, edit);
  }
  for (const std::string& name : edit.slice_tainted) {
    const auto found = edit.pool->ids.find(name);
    if (found == edit.pool->ids.end()) continue;
    for (const DeviceSlot slot : pools.SlotsOf(found->second)) Retaint(slot);
  }
}

void SliceTracker::Impl::ReportRemoved(const DevicePools::Edit& edit,
                                       const api::ResourceSlice& before) {
  for (const std::string& name : edit.removed_names) {
    if (edit.pool != nullptr) {
      const auto found = edit.pool->ids.find(name);
      // A pool with a new generation reports all of its devices anyway.
      if (found != edit.pool->ids.end() && edit.is_generation_new) continue;
      if (found != edit.pool->ids.end()) {
        Report(found->second, *edit.pool, name);
        continue;
      }
    }
    changes.dropped_devices.push_back(
        {std::string(before.driver), std::string(before.pool.name), name});
  }
}

void SliceTracker::Impl::Report(DeviceId id, const PoolRecord& pool, std::string_view name) {
  if (const TrackedDevice* const current = pools.Current(id)) {
    changes.devices.push_back(current);
  } else {
    changes.dropped_devices.push_back({pool.driver, pool.name, std::string(name)});
  }
}

void SliceTracker::Impl::RetaintPublished(DeviceSlot slot, const DevicePools::Edit& edit) {
  TrackedDevice& device = pools.device(slot);
  const bool is_only_one = pools.SlotsOf(device.id).size() == 1;
  const bool is_same_generation = edit.object_before == nullptr ||
                                  edit.object_before->As<api::ResourceSlice>()->pool.generation ==
                                      pools.slice(slot).generation();
  if (is_only_one && is_same_generation) {
    Retaint(slot);
    return;
  }
  // Another publication of the device may have become the current one.
  device.taints = TaintsOf(slot);
  Report(device.id, *edit.pool, device.device->name);
}

void SliceTracker::Impl::RetaintPool(const PoolRecord& pool) {
  for (const SliceRecord* const slice : pool.records) {
    for (const DeviceSlot slot : slice->slots) {
      TrackedDevice& device = pools.device(slot);
      device.taints = TaintsOf(slot);
      if (pools.SlotsOf(device.id).front() == slot) Report(device.id, pool, device.device->name);
    }
  }
}

auto SliceTracker::Impl::IsCandidateOf(const api::DeviceTaintRule& rule) const {
  const bool names_driver = rule.selector && rule.selector->driver;
  const DriverId driver = names_driver ? pools.FindDriver(*rule.selector->driver) : Interner::kNone;
  return [this, &rule, names_driver, driver](DeviceSlot slot) {
    if (!rule.selector || (names_driver && pools.driver(slot) != driver)) return false;
    const api::DeviceTaintSelector& selector = *rule.selector;
    return (!selector.pool || pools.slice(slot).pool->name == *selector.pool) &&
           (!selector.device || pools.device(slot).device->name == *selector.device);
  };
}

void SliceTracker::Impl::OnRule(std::string_view name,
                                const std::shared_ptr<const api::Object>& rule) {
  const IndexedRule* const known = rules.Find(name);
  if (known != nullptr && known->object == rule) return;
  if (known == nullptr) {
    if (rule == nullptr) return;
    const IndexedRule& added = rules.Put(rule);
    rule_sets.BeginTurn(added);
    Rematch(added, false);
    ChangeRules();
    return;
  }
  rule_sets.BeginTurn(*known);
  // The old object must live until it has been compared.
  const std::shared_ptr<const api::Object> before = known->object;
  const api::DeviceTaintRule& view_before = *known->view;
  if (rule == nullptr) {
    ForEachCandidate(view_before, [&](DeviceSlot slot) { SetSelected(slot, false, false); });
    ChangeRules();
    rule_sets.Sweep();
    rules.Erase(name);
    return;
  }
  const IndexedRule& now = rules.Put(rule);
  const bool is_other =
      view_before.taint != now.view->taint || before->metadata().uid != rule->metadata().uid;
  if (SameSelector(view_before, *now.view)) {
    if (!is_other) return;
    ForEachCandidate(view_before, [&](DeviceSlot slot) {
      if (rule_sets.Has(*rules_by_slot[slot])) ReportIfCurrent(slot);
    });
    return;
  }
  Rematch(now, is_other);
  if (!SameNames(view_before, *now.view)) {
    const auto is_candidate = IsCandidateOf(*now.view);
    ForEachCandidate(view_before, [&](DeviceSlot slot) {
      if (!is_candidate(slot)) SetSelected(slot, false, false);
    });
  }
  ChangeRules();
}

void SliceTracker::Impl::OnClass(std::string_view name,
                                 const std::shared_ptr<const api::Object>& device_class) {
  for (const IndexedRule* const rule : rules.PutClass(name, device_class)) {
    rule_sets.BeginTurn(*rule);
    Rematch(*rule, false);
    ChangeRules();
  }
}

void SliceTracker::Impl::Match(DeviceSlot slot) {
  std::vector<const IndexedRule*> selecting;
  const PoolRecord& pool = *pools.slice(slot).pool;
  rules.VisitCandidates(pool.driver, pool.name, pools.device(slot).device->name,
                        [&](const IndexedRule& rule) {
                          if (Selects(rule, slot)) selecting.push_back(&rule);
                        });
  std::ranges::sort(selecting, {}, &IndexedRule::name);
  SetRules(slot, rule_sets.Of(std::move(selecting)));
}

void SliceTracker::Impl::SetRules(DeviceSlot slot, RuleSet* now) {
  if (now != nullptr) rule_sets.Acquire(*now);
  RuleSet* const before = std::exchange(rules_by_slot[slot], now);
  if (before != nullptr) rule_sets.Release(*before);
}

void SliceTracker::Impl::Rematch(const IndexedRule& rule, bool is_other) {
  ForEachCandidate(*rule.view,
                   [&](DeviceSlot slot) { SetSelected(slot, Selects(rule, slot), is_other); });
}

bool SliceTracker::Impl::Selects(const IndexedRule& rule, DeviceSlot slot) {
  return rule.list && memo.Matches(*rule.list, slot);
}

void SliceTracker::Impl::SetSelected(DeviceSlot slot, bool does, bool is_other) {
  RuleSet& before = *rules_by_slot[slot];
  if (rule_sets.Has(before) == does) {
    if (does && is_other) ReportIfCurrent(slot);
    return;
  }
  rule_sets.Announce(before);
  changing.push_back(slot);
}

void SliceTracker::Impl::ChangeRules() {
  // The devices are scattered in memory, so prefetch those that will be written.
  constexpr std::size_t kAhead = 16;
  for (std::size_t i = 0; i < changing.size(); ++i) {
    if (i + kAhead < changing.size()) {
      const DeviceSlot later = changing[i + kAhead];
      const RuleSet* const set = rules_by_slot[later];
      if (set->changed != set) __builtin_prefetch(&pools.device(later).taints, 1);
    }
    const DeviceSlot slot = changing[i];
    RuleSet* const before = rules_by_slot[slot];
    RuleSet* const now = rule_sets.Changed(*before);
    if (now != before) {
      SetRules(slot, now);
      pools.device(slot).taints.of_rules = &now->taints;
    }
    ReportIfCurrent(slot);
  }
  changing.clear();
}

void SliceTracker::Impl::ReportIfCurrent(DeviceSlot slot) {
  if (pools.IsCurrent(slot)) changes.devices.push_back(&pools.device(slot));
}

void SliceTracker::Impl::Retaint(DeviceSlot slot) {
  TrackedDevice& device = pools.device(slot);
  const DeviceTaints before = std::exchange(device.taints, TaintsOf(slot));
  if (before.of_rules != device.taints.of_rules ||
      !std::ranges::equal(before.of_driver, device.taints.of_driver, SameTaint)) {
    ReportIfCurrent(slot);
  }
}

DeviceTaints SliceTracker::Impl::TaintsOf(DeviceSlot slot) const {
  DeviceTaints taints;
  if (!settings.taints_enabled) return taints;
  const api::Device& device = *pools.device(slot).device;
  const PoolRecord& pool = *pools.slice(slot).pool;
  for (const api::DeviceTaint& taint : device.taints) taints.of_driver.push_back({&taint, nullptr});
  if (const auto found = pool.slice_taints.find(device.name); found != pool.slice_taints.end()) {
    for (const SliceTaint& taint : found->second) {
      taints.of_driver.push_back({taint.taint, nullptr});
    }
  }
  taints.of_rules = &rules_by_slot[slot]->taints;
  return taints;
}

template <class Visit>
void SliceTracker::Impl::ForEachCandidate(const api::DeviceTaintRule& rule,
                                          const Visit& visit) const {
  if (!rule.selector) return;
  const api::DeviceTaintSelector& selector = *rule.selector;
  if (!selector.pool && !selector.device) {
    const auto is_candidate = IsCandidateOf(rule);
    for (DeviceSlot slot = 0; slot < pools.slot_bound(); ++slot) {
      if (pools.IsUsed(slot) && is_candidate(slot)) visit(slot);
    }
    return;
  }
  for (const PoolRecord* const pool : pools.PoolsOf(selector.driver, selector.pool)) {
    if (selector.device) {
      const auto found = pool->ids.find(*selector.device);
      if (found != pool->ids.end()) std::ranges::for_each(pools.SlotsOf(found->second), visit);
      continue;
    }
    for (const SliceRecord* const slice : pool->records) std::ranges::for_each(slice->slots, visit);
  }
}

SliceTracker::SliceTracker(const DeviceSelectors& selectors, Settings settings)
    : impl_(std::make_unique<Impl>(selectors, settings)) {}
SliceTracker::~SliceTracker() = default;

const SliceTracker::Changes& SliceTracker::Observe(const api::ObjectChanged& news) {
  Changes& changes = impl_->changes;
  changes.pools.clear();
  changes.devices.clear();
  changes.dropped_devices.clear();
  changes.dropped_pools.clear();
  const api::Object* const some =
      news.new_object != nullptr ? news.new_object.get() : news.old_object.get();
  PL_ASSERT(some != nullptr);
  const std::string_view name = some->metadata().name;
  if (some->As<api::ResourceSlice>() != nullptr) impl_->OnSlice(name, news.new_object);
  if (impl_->settings.taints_enabled && impl_->settings.rules_enabled) {
    if (some->As<api::DeviceTaintRule>() != nullptr) impl_->OnRule(name, news.new_object);
    if (some->As<api::DeviceClass>() != nullptr) impl_->OnClass(name, news.new_object);
  }
  impl_->rule_sets.Sweep();
  return changes;
}

const TrackedPool* SliceTracker::FindPool(std::string_view driver, std::string_view pool) const {
  return impl_->pools.FindPool(driver, pool);
}

const TrackedDevice* SliceTracker::FindDevice(std::string_view driver, std::string_view pool,
                                              std::string_view device) const {
  const PoolRecord* const record = impl_->pools.FindPool(driver, pool);
  if (record == nullptr) return nullptr;
  const auto found = record->ids.find(device);
  return found == record->ids.end() ? nullptr : impl_->pools.Current(found->second);
}

const TrackedDevice* SliceTracker::DeviceOf(DeviceId id) const { return impl_->pools.Current(id); }

std::size_t SliceTracker::device_bound() const { return impl_->pools.device_bound(); }

std::span<const TrackedSlice* const> SliceTracker::SlicesOfNode(std::string_view node) const {
  return impl_->pools.SlicesOfNode(node);
}

std::span<const TrackedSlice* const> SliceTracker::SharedSlices() const {
  return impl_->pools.SharedSlices();
}

std::vector<const TrackedPool*> SliceTracker::Pools() const {
  const std::vector<PoolRecord*> pools = impl_->pools.PoolsOf(std::nullopt, std::nullopt);
  return {pools.begin(), pools.end()};
}

std::vector<const TrackedDevice*> SliceTracker::SelectedBy(const api::DeviceTaintRule& rule) const {
  std::vector<const TrackedDevice*> selected;
  const auto list = impl_->rules.AcquireList(rule);
  if (!list) return selected;
  impl_->ForEachCandidate(rule, [&](DeviceSlot slot) {
    const TrackedDevice& device = impl_->pools.device(slot);
    if (impl_->pools.IsCurrent(slot) && impl_->memo.Matches(*list, slot)) {
      selected.push_back(&device);
    }
  });
  impl_->memo.Release(*list);
  return selected;
}

std::vector<DeviceTaintSource> SliceTracker::RuleTaintsOf(std::string_view driver,
                                                          std::string_view pool,
                                                          std::string_view device) const {
  std::vector<const IndexedRule*> naming;
  impl_->rules.VisitCandidates(driver, pool, device, [&](const IndexedRule& rule) {
    const api::DeviceTaintSelector& selector = *rule.view->selector;
    if (!selector.device_class_name && selector.selectors.empty()) naming.push_back(&rule);
  });
  std::ranges::sort(naming, {}, &IndexedRule::name);
  std::vector<DeviceTaintSource> taints;
  for (const IndexedRule* const rule : naming) taints.push_back(rule->source);
  return taints;
}

}  // namespace plimsoll::dra
