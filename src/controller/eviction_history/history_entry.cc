#include "controller/eviction_history/history_entry.h"

#include <algorithm>

#include "api/core/pod.h"
#include "api/core/taint.h"
#include "api/core/taint_owner.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

/// Cuts before the byte that begins the character at the limit.
std::string_view Cut(std::string_view text) {
  if (text.size() <= kEntryTextBytesMax) return text;
  std::size_t end = kEntryTextBytesMax;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end);
}

class Entry {
 public:
  Entry(std::string_view type, Instant time) {
    text_.Text("type", type).Text("time", FormatMicroTime(time));
  }
  Entry& Add(std::string_view key, std::string_view value) {
    if (!value.empty()) text_.Text(key, Cut(value));
    return *this;
  }
  std::string Done() const { return text_.Done(); }

 private:
  JsonText text_;
};

std::string_view ToText(EvictionFact::Type type) {
  switch (type) {
    case EvictionFact::Type::CountdownStarted:
      return "CountdownStarted";
    case EvictionFact::Type::CountdownCancelled:
      return "CountdownCancelled";
    case EvictionFact::Type::HeldBack:
      return "HeldBack";
    case EvictionFact::Type::Evicted:
      break;
  }
  return "Evicted";
}

std::string WorkloadOf(const api::Object& pod) {
  for (const api::OwnerReference& owner : pod.metadata().owner_references) {
    if (owner.controller.value_or(false))
      return std::string(owner.kind) + "/" + std::string(owner.name);
  }
  return {};
}

const api::Taint* Find(const std::vector<api::Taint>& taints, const api::Taint& like) {
  const auto found = std::ranges::find_if(taints, [&](const api::Taint& each) {
    return each.key == like.key && each.effect == like.effect;
  });
  return found == taints.end() ? nullptr : &*found;
}

const std::vector<api::Taint>& TaintsOf(const api::Object* node) {
  static const std::vector<api::Taint> kNone;
  return node == nullptr ? kNone : node->As<api::Node>()->spec.taints;
}

std::string OwnersOf(const api::Object* node, const api::Taint& taint) {
  std::string names;
  if (node == nullptr) return names;
  for (const std::string& owner : api::OwnersOfTaint(*node, taint)) {
    names.append(names.empty() ? "" : ",").append(owner);
  }
  return names;
}

}  // namespace

std::string EntryOf(const EvictionFact& fact) {
  const api::ObjectMeta& pod = fact.pod.metadata();
  Entry entry(ToText(fact.type), fact.time);
  entry.Add("namespace", pod.namespace_)
      .Add("pod", pod.name)
      .Add("uid", pod.uid)
      .Add("workload", WorkloadOf(fact.pod))
      .Add("node", fact.node)
      .Add("taint", fact.taint)
      .Add("rule", fact.policy)
      .Add("message", fact.reason);
  if (fact.due) entry.Add("due", FormatTime(*fact.due));
  return entry.Done();
}

bool ChangesTaints(const NodeChange& change) {
  const std::vector<api::Taint>& before = TaintsOf(change.before.get());
  const std::vector<api::Taint>& now = TaintsOf(change.now.get());
  return before.size() != now.size() || std::ranges::any_of(now, [&](const api::Taint& taint) {
           const api::Taint* const then = Find(before, taint);
           return then == nullptr || then->value != taint.value;
         });
}

std::vector<std::string> EntriesOfTaints(const NodeChange& change, const api::Object* owned) {
  std::vector<std::string> entries;
  const auto add = [&](std::string_view type, const api::Taint& taint,
                       std::string_view value_before) {
    entries.push_back(Entry(type, change.time)
                          .Add("node", change.now->metadata().name)
                          .Add("taint", api::ToText(taint))
                          .Add("manager", OwnersOf(owned, taint))
                          .Add("valueBefore", value_before)
                          .Done());
  };
  const std::vector<api::Taint>& before = TaintsOf(change.before.get());
  for (const api::Taint& taint : TaintsOf(change.now.get())) {
    const api::Taint* const then = Find(before, taint);
    if (then == nullptr) {
      add("TaintAdded", taint, {});
    } else if (then->value != taint.value) {
      add("TaintChanged", taint, then->value);
    }
  }
  // A removed taint has no owner any more.
  for (const api::Taint& taint : before) {
    if (Find(TaintsOf(change.now.get()), taint) == nullptr) add("TaintRemoved", taint, {});
  }
  return entries;
}

std::string EntryOfLoss(std::size_t count, Instant time) {
  return Entry("Lost", time)
      .Add("message", std::to_string(count) + " facts were lost, because they came too fast")
      .Done();
}

}  // namespace plimsoll::controller
