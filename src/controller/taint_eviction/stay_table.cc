#include "controller/taint_eviction/stay_table.h"

#include <cstring>

#include "controller/limits.h"
#include "match/toleration.h"

namespace plimsoll::controller {
namespace {

void Append(std::string& out, const void* bytes, std::size_t size) {
  out.append(static_cast<const char*>(bytes), size);
}
void AppendText(std::string& out, std::string_view text) {
  const auto size = static_cast<std::uint32_t>(text.size());
  Append(out, &size, sizeof(size));
  out.append(text);
}

template <class T>
T TakeValue(std::string_view& rest) {
  T value{};
  std::memcpy(&value, rest.data(), sizeof(value));
  rest.remove_prefix(sizeof(value));
  return value;
}
std::string_view TakeText(std::string_view& rest) {
  const auto size = TakeValue<std::uint32_t>(rest);
  const std::string_view text = rest.substr(0, size);
  rest.remove_prefix(size);
  return text;
}

void AppendToleration(std::string& out, const api::Toleration& toleration) {
  AppendText(out, toleration.key);
  AppendText(out, toleration.op);
  AppendText(out, toleration.value);
  AppendText(out, toleration.effect);
  AppendText(out, toleration.expression);
  out += toleration.toleration_seconds ? '\1' : '\0';
  const std::int64_t seconds = toleration.toleration_seconds.value_or(0);
  Append(out, &seconds, sizeof(seconds));
}
api::Toleration TakeToleration(std::string_view& rest) {
  api::Toleration toleration;
  toleration.key = TakeText(rest);
  toleration.op = TakeText(rest);
  toleration.value = TakeText(rest);
  toleration.effect = TakeText(rest);
  toleration.expression = TakeText(rest);
  const bool is_limited = TakeValue<char>(rest) != '\0';
  const auto seconds = TakeValue<std::int64_t>(rest);
  if (is_limited) toleration.toleration_seconds = seconds;
  return toleration;
}

}  // namespace

StayTable::StayTable(const match::TolerationTimeRules& rules)
    : memo_(rules.match.evaluator), rules_(rules) {
  if (rules_.match.evaluator != nullptr) rules_.match.evaluator = &memo_;
}

StayTable::Id StayTable::AcquireTaints(std::span<const api::Taint> taints) {
  scratch_.clear();
  for (const api::Taint& taint : taints) {
    if (!match::Evicts(taint)) continue;
    AppendText(scratch_, taint.key);
    AppendText(scratch_, taint.value);
  }
  if (scratch_.empty()) return kNone;
  const auto [id, is_new] = taint_texts_.Acquire(scratch_);
  if (!is_new) return id;
  if (id >= taints_.size()) taints_.resize(std::size_t{id} + 1);
  for (std::string_view rest = taint_texts_.text(id); !rest.empty();) {
    api::Taint taint;
    taint.key = TakeText(rest);
    taint.value = TakeText(rest);
    taint.effect = ToText(api::TaintEffect::NoExecute);
    taints_[id].items.push_back(taint);
  }
  return id;
}

void StayTable::ReleaseTaints(Id taints) {
  if (taints != kNone && taint_texts_.Release(taints)) taints_[taints] = {};
}

StayTable::Id StayTable::AcquireTolerations(std::span<const api::Toleration> tolerations) {
  scratch_.clear();
  for (const api::Toleration& one : tolerations) AppendToleration(scratch_, one);
  const auto [id, is_new] = toleration_texts_.Acquire(scratch_);
  if (!is_new) return id;
  if (id >= tolerations_.size()) tolerations_.resize(std::size_t{id} + 1);
  TolerationList& list = tolerations_[id];
  list.serial = next_serial_++;
  for (std::string_view rest = toleration_texts_.text(id); !rest.empty();) {
    list.items.push_back(TakeToleration(rest));
  }
  return id;
}

void StayTable::ReleaseTolerations(Id tolerations) {
  if (toleration_texts_.Release(tolerations)) tolerations_[tolerations] = {};
}

std::shared_ptr<const Stay> StayTable::Find(Id taints, Id tolerations) {
  TaintList& under = taints_[taints];
  const TolerationList& list = tolerations_[tolerations];
  if (const auto at = under.stays.find(list.serial); at != under.stays.end()) return at->second;
  if (under.stays.size() >= toleration_texts_.size() + kStaleStaysMax) under.stays.clear();
  auto stay = std::make_shared<const Stay>(DecideStay(under.items, list.items, rules_));
  if (memo_.is_exhausted()) return nullptr;
  under.stays.emplace(list.serial, stay);
  return stay;
}

}  // namespace plimsoll::controller
