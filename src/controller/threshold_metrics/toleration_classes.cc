#include "controller/threshold_metrics/toleration_classes.h"

namespace plimsoll::controller {
namespace {

/// Appends the text with its size, so that different lists cannot have the same key.
void Append(std::string_view text, std::string& out) {
  out.append(std::to_string(text.size())).append(":").append(text);
}

}  // namespace

std::size_t TolerationClasses::Add(std::span<const api::Toleration> tolerations) {
  scratch_.clear();
  for (const api::Toleration& one : tolerations) {
    for (const std::string_view text : {one.key, one.op, one.value, one.effect, one.expression}) {
      Append(text, scratch_);
    }
    if (one.toleration_seconds) Append(std::to_string(*one.toleration_seconds), scratch_);
    scratch_.push_back(';');
  }
  const auto [at, is_new] = numbers_.try_emplace(scratch_, lists_.size());
  if (is_new) lists_.push_back(tolerations);
  return at->second;
}

}  // namespace plimsoll::controller
