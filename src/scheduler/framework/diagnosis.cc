#include "scheduler/framework/diagnosis.h"

#include <algorithm>
#include <map>

namespace plimsoll::scheduler {
namespace {

/// Joins `<count> <reason>` with `, `. Sorts the pieces as text, like upstream, so 10 of one reason
/// come before 2 of another.
std::string JoinCounted(const std::vector<Diagnosis::Refusal>& refusals) {
  std::map<std::string_view, std::size_t> counts;
  for (const Diagnosis::Refusal& refusal : refusals) {
    for (const std::string& reason : refusal.verdict.reasons) counts[reason] += refusal.nodes;
  }
  std::vector<std::string> pieces;
  pieces.reserve(counts.size());
  for (const auto& [reason, count] : counts) {
    pieces.push_back(std::to_string(count).append(" ").append(reason));
  }
  std::ranges::sort(pieces);
  std::string text;
  for (const std::string& piece : pieces) {
    if (!text.empty()) text += ", ";
    text += piece;
  }
  return text;
}

}  // namespace

std::string Diagnosis::FilterMessage() const {
  if (node_count == 0) return "no nodes available to schedule pods";
  std::string text = "0/" + std::to_string(node_count) + " nodes are available:";
  std::string why = pre_filter.Message();
  if (why.empty()) why = JoinCounted(refusals);
  if (!why.empty()) text.append(" ").append(why).append(".");
  return text;
}

std::string Diagnosis::Message() const {
  std::string text = FilterMessage();
  if (!post_filter.empty()) text.append(" ").append(post_filter);
  return text;
}

}  // namespace plimsoll::scheduler
