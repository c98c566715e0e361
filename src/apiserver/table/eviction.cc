#include <string>
#include <vector>

#include "apiserver/table/printers.h"

/// Eviction policies and eviction records.
namespace plimsoll::apiserver {
namespace {

std::string Taints(const Source& policy) {
  std::vector<std::string> keys;
  for (const codec::Value& key : policy.Items("spec.selector.taintKeys")) {
    if (key.is_string()) keys.emplace_back(key.text());
  }
  return keys.empty() ? "<all>" : Join(keys);
}

std::string Rate(const Source& policy) {
  const codec::Value* const rate = policy.Find("spec.rate.perSecond");
  if (rate == nullptr) return "<none>";
  return (rate->is_int() ? std::to_string(rate->AsInt()) : std::string(rate->text())) + "/s";
}

}  // namespace

void PrintEvictionPolicy(const Source& object, Cells& cells) {
  const bool is_tripped = object.Condition("Tripped") == "True";
  cells.Text(object.Name());
  cells.Text(Taints(object));
  cells.Text(Rate(object));
  cells.Int(object.Int("status.heldBack"));
  cells.Int(object.Int("status.evicted"));
  cells.Text(is_tripped ? "Tripped" : object.Bool("spec.paused") ? "True" : "False");
  cells.Text(object.Age());
}

void PrintEvictionRecord(const Source& object, Cells& cells) {
  const auto entries = object.Items("entries");
  cells.Text(object.Name());
  cells.Int(static_cast<std::int64_t>(entries.size()));
  cells.Text(entries.empty() ? "<none>" : object.In(entries.front()).Age("time"));
  cells.Text(entries.empty() ? "<none>" : object.In(entries.back()).Age("time"));
  cells.Text(object.Age());
}

}  // namespace plimsoll::apiserver
