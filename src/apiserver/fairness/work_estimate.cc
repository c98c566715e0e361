#include "apiserver/fairness/work_estimate.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace plimsoll::apiserver {
namespace {

constexpr std::size_t kObjectsPerSeat = 100;

std::size_t LimitOf(const ApiRequest& request, std::size_t stored) {
  const std::string_view text = request.target.Query("limit");
  std::size_t limit = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), limit);
  const bool is_limited = parsed.ec == std::errc() && limit > 0;
  // With resourceVersion=0 the limit is ignored: the cache returns the whole list.
  const bool is_ignored = request.target.Query("resourceVersion") == "0";
  return is_limited && !is_ignored ? std::min(limit, stored) : stored;
}

std::size_t ObjectsToRead(const ApiRequest& request, std::size_t stored) {
  const bool is_from_store = !request.target.Query("continue").empty() ||
                             request.target.Query("resourceVersionMatch") == "Exact";
  const bool has_selector = !request.target.Query("labelSelector").empty() ||
                            !request.target.Query("fieldSelector").empty();
  const std::size_t limit = LimitOf(request, stored);
  if (!is_from_store) return has_selector ? stored : limit;
  return has_selector ? stored + limit : 2 * limit;
}

}  // namespace

std::uint32_t EstimateSeats(const ApiRequest& request, std::size_t stored, std::uint32_t widest) {
  // A list with a name returns one object.
  if (request.info.verb != "list" || !request.info.name.empty()) return 1;
  const std::size_t objects = ObjectsToRead(request, stored);
  const std::size_t seats = (objects + kObjectsPerSeat - 1) / kObjectsPerSeat;
  return static_cast<std::uint32_t>(
      std::clamp<std::size_t>(seats, 1, std::max<std::size_t>(1, widest)));
}

}  // namespace plimsoll::apiserver
