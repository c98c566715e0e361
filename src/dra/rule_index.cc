#include "dra/rule_index.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/assert.h"

namespace plimsoll::dra {

IndexedRule* RuleIndex::Find(std::string_view name) const {
  const auto found = rules_.find(name);
  return found == rules_.end() ? nullptr : found->second.get();
}

IndexedRule& RuleIndex::Put(std::shared_ptr<const api::Object> rule) {
  const auto* const view = rule->As<api::DeviceTaintRule>();
  PL_ASSERT(view != nullptr);
  std::unique_ptr<IndexedRule>& place = rules_[std::string(view->metadata.name)];
  if (place == nullptr) {
    place = std::make_unique<IndexedRule>();
  } else {
    Remove(*place);
  }
  // The new list is acquired before the old one is released, so an equal list keeps its answers.
  const auto list_before = std::exchange(place->list, AcquireList(*view));
  if (list_before) memo_.Release(*list_before);
  place->object = std::move(rule);
  place->view = view;
  place->source = {&view->taint, place->object.get()};
  Insert(*place);
  return *place;
}

void RuleIndex::Erase(std::string_view name) {
  const auto found = rules_.find(name);
  if (found == rules_.end()) return;
  Remove(*found->second);
  if (found->second->list) memo_.Release(*found->second->list);
  rules_.erase(found);
}

std::vector<IndexedRule*> RuleIndex::PutClass(std::string_view name,
                                              std::shared_ptr<const api::Object> device_class) {
  if (device_class != nullptr) {
    classes_[std::string(name)] = std::move(device_class);
  } else if (const auto gone = classes_.find(name); gone != classes_.end()) {
    classes_.erase(gone);
  }
  std::vector<IndexedRule*> concerned;
  const auto users = by_class_.find(name);
  if (users == by_class_.end()) return concerned;
  for (const IndexedRule* const user : users->second) concerned.push_back(Find(user->name()));
  std::ranges::sort(concerned, {}, &IndexedRule::name);
  for (IndexedRule* const rule : concerned) {
    const auto list_before = std::exchange(rule->list, AcquireList(*rule->view));
    if (list_before) memo_.Release(*list_before);
  }
  return concerned;
}

void RuleIndex::VisitCandidates(std::string_view driver, std::string_view pool,
                                std::string_view device,
                                const std::function<void(const IndexedRule&)>& visit) const {
  const auto visit_all = [&](const std::vector<const IndexedRule*>& rules) {
    for (const IndexedRule* const rule : rules) {
      if (Names(*rule->view->selector, driver, pool, device)) visit(*rule);
    }
  };
  const auto visit_named = [&](const RulesByText& rules, std::string_view name) {
    if (const auto found = rules.find(name); found != rules.end()) visit_all(found->second);
  };
  visit_named(by_device_, device);
  visit_named(by_pool_, pool);
  visit_named(by_driver_, driver);
  visit_all(everywhere_);
}

std::optional<SelectorMemo::ListId> RuleIndex::AcquireList(const api::DeviceTaintRule& rule) {
  if (!rule.selector) return std::nullopt;
  std::vector<std::string_view> expressions;
  if (rule.selector->device_class_name) {
    const auto named = classes_.find(*rule.selector->device_class_name);
    if (named == classes_.end()) return std::nullopt;
    expressions = named->second->As<api::DeviceClass>()->selectors;
  }
  std::ranges::copy(rule.selector->selectors, std::back_inserter(expressions));
  return memo_.Acquire(expressions);
}

std::vector<const IndexedRule*>* RuleIndex::ListOf(const api::DeviceTaintRule& rule) {
  if (!rule.selector) return nullptr;
  const api::DeviceTaintSelector& selector = *rule.selector;
  if (selector.device) return &by_device_[std::string(*selector.device)];
  if (selector.pool) return &by_pool_[std::string(*selector.pool)];
  if (selector.driver) return &by_driver_[std::string(*selector.driver)];
  return &everywhere_;
}

void RuleIndex::Insert(IndexedRule& rule) {
  if (auto* const place = ListOf(*rule.view)) place->push_back(&rule);
  if (rule.view->selector && rule.view->selector->device_class_name) {
    by_class_[std::string(*rule.view->selector->device_class_name)].push_back(&rule);
  }
}

void RuleIndex::Remove(IndexedRule& rule) {
  const auto drop = [&rule](RulesByText& from, std::string_view name) {
    const auto found = from.find(name);
    PL_ASSERT(found != from.end());
    std::erase(found->second, &rule);
    if (found->second.empty()) from.erase(found);
  };
  if (!rule.view->selector) return;
  const api::DeviceTaintSelector& selector = *rule.view->selector;
  if (selector.device_class_name) drop(by_class_, *selector.device_class_name);
  if (selector.device) {
    drop(by_device_, *selector.device);
  } else if (selector.pool) {
    drop(by_pool_, *selector.pool);
  } else if (selector.driver) {
    drop(by_driver_, *selector.driver);
  } else {
    std::erase(everywhere_, &rule);
  }
}

bool Names(const api::DeviceTaintSelector& selector, std::string_view driver, std::string_view pool,
           std::string_view device) {
  return (!selector.driver || *selector.driver == driver) &&
         (!selector.pool || *selector.pool == pool) &&
         (!selector.device || *selector.device == device);
}

bool SameNames(const api::DeviceTaintRule& a, const api::DeviceTaintRule& b) {
  if (!a.selector || !b.selector) return a.selector.has_value() == b.selector.has_value();
  return a.selector->driver == b.selector->driver && a.selector->pool == b.selector->pool &&
         a.selector->device == b.selector->device;
}

bool SameSelector(const api::DeviceTaintRule& a, const api::DeviceTaintRule& b) {
  if (!SameNames(a, b)) return false;
  return !a.selector || (a.selector->device_class_name == b.selector->device_class_name &&
                         a.selector->selectors == b.selector->selectors);
}

}  // namespace plimsoll::dra
