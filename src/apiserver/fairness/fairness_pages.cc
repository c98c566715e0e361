#include "apiserver/fairness/fairness_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "api/schema/api_version.h"
#include "apiserver/fairness/flow_matcher.h"
#include "apiserver/limits.h"
#include "base/text/utf8.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::string_view kRoot = "/debug/api_priority_and_fairness/";
constexpr std::string_view kLevels = "dump_priority_levels";
constexpr std::string_view kQueues = "dump_queues";
constexpr std::string_view kRequests = "dump_requests";
constexpr std::string_view kZeroTime = "0001-01-01T00:00:00Z";

/// A table as Go's tabwriter aligns it with a least width of 8 and a padding of 1. A comma ends
/// each cell but the last of a row.
class Table {
 public:
  using Row = std::vector<std::string>;

  explicit Table(Row header) { Add(std::move(header)); }

  /// REQUIRES: all rows have the same number of cells.
  void Add(Row row) {
    widths_.resize(row.size(), kWidthMin);
    for (std::size_t i = 0; i < row.size(); ++i) {
      Clean(row[i]);
      if (i + 1 < row.size()) row[i] += ',';
      widths_[i] = std::max(widths_[i], CountRunes(row[i]) + 1);
    }
    rows_.push_back(std::move(row));
  }

  std::string Text() const {
    std::string text;
    for (const Row& row : rows_) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        text += row[i];
        if (i + 1 < row.size()) text.append(widths_[i] - CountRunes(row[i]), ' ');
      }
      text += '\n';
    }
    return text;
  }

 private:
  static constexpr std::size_t kWidthMin = 8;

  /// Shortens the text, and takes out control characters: user names may have line breaks.
  static void Clean(std::string& text) {
    if (text.size() > kDumpCellBytesMax) {
      std::size_t end = kDumpCellBytesMax;
      while (end > 0 && IsUtf8Tail(text[end])) --end;
      text.resize(end);
    }
    std::ranges::replace_if(
        text, [](char byte) { return static_cast<unsigned char>(byte) < ' ' || byte == '\x7f'; },
        '?');
  }

  std::vector<Row> rows_;
  std::vector<std::size_t> widths_;
};

/// Returns the time as Go's RFC3339Nano has it: without zeros at the end of the fraction.
std::string FormatNanoTime(Instant time) {
  std::string text = FormatTime(time);
  const auto fraction = time.time_since_epoch() % std::chrono::seconds(1);
  if (fraction.count() <= 0) return text;
  std::string digits = fmt::format(".{:09}", fraction.count());
  digits.resize(digits.find_last_not_of('0') + 1);
  text.insert(text.size() - 1, digits);
  return text;
}

std::string SeatSeconds(double value) { return fmt::format("{:.8f}ss", value); }

std::string LeftOut(std::size_t count, std::string_view what) {
  return count == 0 ? std::string() : fmt::format("... {} more {}\n", count, what);
}

std::string DumpLevels(const Fairness& fairness) {
  Table table({"PriorityLevelName", "ActiveQueues", "IsIdle", "IsQuiescing", "WaitingRequests",
               "ExecutingRequests", "DispatchedRequests", "RejectedRequests", "TimedoutRequests",
               "CancelledRequests"});
  for (LevelRow& row : fairness.SummarizeLevels()) {
    // A deleted level is not listed, so none is quiescing. A client that goes away does not cancel
    // its place in a queue.
    table.Add({std::move(row.level), std::to_string(row.active_queues),
               row.waiting == 0 && row.executing == 0 ? "true" : "false", "false",
               std::to_string(row.waiting), std::to_string(row.executing),
               std::to_string(row.dispatched), std::to_string(row.rejected),
               std::to_string(row.timed_out), "0"});
  }
  return table.Text();
}

std::string DumpQueues(const Fairness& fairness) {
  Table table({"PriorityLevelName", "Index", "PendingRequests", "ExecutingRequests", "SeatsInUse",
               "NextDispatchR", "InitialSeatsSum", "MaxSeatsSum", "TotalWorkSum"});
  RowList<QueueRow> list = fairness.ListQueues(kDumpRowsMax);
  for (QueueRow& row : list.rows) {
    table.Add({std::move(row.level), std::to_string(row.index), std::to_string(row.waiting),
               std::to_string(row.executing), std::to_string(row.executing_seats),
               SeatSeconds(row.start), std::to_string(row.waiting_seats),
               std::to_string(row.waiting_seats),
               SeatSeconds(QueueSet::EstimatedWork(row.waiting_seats))});
  }
  return table.Text() + LeftOut(list.left_out, "queues");
}

Table::Row RequestCells(const RequestRow& row, bool has_details) {
  const RequestInfo& info = row.request->info;
  const User& user = row.request->user;
  Table::Row cells = {row.level,
                      row.flow->config.name,
                      row.queue ? std::to_string(*row.queue) : "-1",
                      row.place ? std::to_string(*row.place) : "-1",
                      std::string(DistinguisherOf(row.flow->config, user, info)),
                      FormatNanoTime(row.arrived),
                      std::to_string(row.seats),
                      "0",
                      "0s",
                      row.started ? FormatNanoTime(*row.started) : std::string(kZeroTime)};
  if (!has_details) return cells;
  const std::string version = api::ApiVersionOf(info.group, info.version);
  for (const std::string& cell : {user.name, info.verb, info.path, info.namespace_, info.name,
                                  version, info.resource, info.subresource}) {
    cells.push_back(cell);
  }
  return cells;
}

std::string DumpRequests(const Fairness& fairness, bool has_details) {
  Table::Row header = {"PriorityLevelName", "FlowSchemaName", "QueueIndex",   "RequestIndexInQueue",
                       "FlowDistingsher",   "ArriveTime",     "InitialSeats", "FinalSeats",
                       "AdditionalLatency", "StartTime"};
  if (has_details) {
    for (const char* name : {"UserName", "Verb", "APIPath", "Namespace", "Name", "APIVersion",
                             "Resource", "SubResource"}) {
      header.emplace_back(name);
    }
  }
  Table table(std::move(header));
  RowList<RequestRow> list = fairness.ListRequests(kDumpRowsMax);
  // Upstream shows each queue with its waiting and then its executing requests, and at last those
  // that passed no queue.
  std::ranges::stable_sort(list.rows, {}, [](const RequestRow& row) {
    constexpr auto kLast = std::numeric_limits<std::uint64_t>::max();
    return std::tuple(std::string_view(row.level), row.queue ? *row.queue : kLast,
                      row.place ? *row.place : kLast);
  });
  for (const RequestRow& row : list.rows) table.Add(RequestCells(row, has_details));
  return table.Text() + LeftOut(list.left_out, "requests");
}

net::Response Page(int status, std::string text) {
  net::Response response;
  response.status = status;
  response.headers.Add("Content-Type", "text/plain; charset=utf-8");
  response.headers.Add("Cache-Control", "no-cache, private");
  response.headers.Add("X-Content-Type-Options", "nosniff");
  response.body = MakeBytes(std::move(text));
  return response;
}

}  // namespace

bool IsFairnessPage(std::string_view path) {
  if (!path.starts_with(kRoot)) return false;
  path.remove_prefix(kRoot.size());
  return path == kLevels || path == kQueues || path == kRequests;
}

net::Response ServeFairnessPage(const Fairness& fairness, std::string_view method,
                                const net::Target& target) {
  if (method != "GET" && method != "HEAD") return Page(405, "only GET is allowed here\n");
  const std::string_view page = std::string_view(target.path).substr(kRoot.size());
  if (page == kLevels) return Page(200, DumpLevels(fairness));
  if (page == kQueues) return Page(200, DumpQueues(fairness));
  return Page(200, DumpRequests(fairness, !target.Query("includeRequestDetails").empty()));
}

}  // namespace plimsoll::apiserver
