#include "apiserver/fairness/fairness.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "apiserver/authz/snapshot_cell.h"
#include "apiserver/fairness/flow_matcher.h"
#include "apiserver/fairness/work_estimate.h"
#include "base/assert.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::string_view kMasters = "system:masters";
constexpr Duration kSamplePeriod = std::chrono::seconds(1);
constexpr int kSamplesPerAdjustment = 10;

template <class Config>
void AddMissing(std::vector<Config>& configs, std::vector<Config> mandatory) {
  for (Config& config : mandatory) {
    if (std::ranges::find(configs, config.name, &Config::name) == configs.end()) {
      configs.push_back(std::move(config));
    }
  }
}

}  // namespace

bool IsMutating(const RequestInfo& info) {
  return info.verb != "get" && info.verb != "list" && info.verb != "watch" && info.verb != "head";
}

/// Flows by which requests are classified. Immutable.
struct Fairness::FlowTable {
  std::vector<std::shared_ptr<const Flow>> flows;  // by matching precedence
  std::shared_ptr<const Flow> exempt;
  std::shared_ptr<const Flow> rest;      // for requests that match no schema
  std::shared_ptr<const Flow> mutating;  // used if only the two in-flight limits apply
};

/// Shared with the timer, which may briefly outlive the owner.
class Fairness::Core {
 public:
  Core(const FairnessOptions& options, Clock& clock, MetricsRegistry& registry)
      : options_(options),
        clock_(clock),
        metrics_(registry),
        table_(std::make_shared<const FlowTable>()) {}

  void Configure(std::vector<LevelConfig> levels, std::vector<FlowConfig> flows);
  /// Creates two levels without queues, one for each in-flight limit.
  void ConfigureMaxInFlight();
  /// Observes how busy the levels are, and how many requests of each kind there are.
  void Sample();
  void AdjustLimits();
  void Close();
  /// Calls `visit` for each level and its name, without a lock.
  template <class Visit>
  void VisitLevels(Visit visit) {
    std::unique_lock lock(mutex_);
    const auto levels = levels_;
    lock.unlock();
    for (const auto& [name, level] : levels) visit(name, *level);
  }
  const FlowTable& table() const { return table_.Read(); }

 private:
  std::uint32_t total() const {
    return static_cast<std::uint32_t>(options_.reading_max) +
           static_cast<std::uint32_t>(options_.mutating_max);
  }
  /// Returns the level of that name; creates it if needed. REQUIRES: mutex_ is held.
  std::shared_ptr<PriorityLevel> LevelOf(const LevelConfig& config);
  std::shared_ptr<const Flow> MakeFlow(FlowConfig flow, const LevelConfig& level) const;

  const FairnessOptions options_;
  Clock& clock_;
  FairnessMetrics metrics_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<PriorityLevel>, std::less<>> levels_;
  SnapshotCell<FlowTable> table_;
};

std::shared_ptr<PriorityLevel> Fairness::Core::LevelOf(const LevelConfig& config) {
  std::shared_ptr<PriorityLevel>& level = levels_[config.name];
  if (level == nullptr) {
    level =
        std::make_shared<PriorityLevel>(config.is_exempt, clock_, metrics_.OfLevel(config.name));
  }
  return level;
}

std::shared_ptr<const Flow> Fairness::Core::MakeFlow(FlowConfig flow,
                                                     const LevelConfig& level) const {
  const FlowMetrics metrics = metrics_.OfFlow(flow.name, level.name);
  return std::make_shared<const Flow>(
      Flow{std::move(flow), level.name, level.uid, levels_.at(level.name), metrics});
}

void Fairness::Core::Configure(std::vector<LevelConfig> levels, std::vector<FlowConfig> flows) {
  AddMissing(levels, MandatoryLevels());
  AddMissing(flows, MandatoryFlows());
  std::ranges::sort(flows, [](const FlowConfig& a, const FlowConfig& b) {
    return std::tie(a.precedence, a.name) < std::tie(b.precedence, b.name);
  });
  const std::vector<SeatBounds> bounds = NominalSeats(levels, total());
  const std::lock_guard lock(mutex_);
  // Requests that wait at a removed level are rejected; retries match another level.
  std::erase_if(levels_, [&](const auto& entry) {
    const auto config = std::ranges::find(levels, entry.first, &LevelConfig::name);
    const bool stays = config != levels.end() && config->is_exempt == entry.second->is_exempt();
    if (!stays) entry.second->Close();
    return !stays;
  });
  for (std::size_t i = 0; i < levels.size(); ++i) {
    LevelOf(levels[i])->Configure(levels[i], bounds[i]);
  }
  auto table = std::make_shared<FlowTable>();
  for (FlowConfig& flow : flows) {
    const auto level = std::ranges::find(levels, flow.level, &LevelConfig::name);
    if (level == levels.end()) continue;
    auto& made = table->flows.emplace_back(MakeFlow(std::move(flow), *level));
    if (made->config.name == "exempt") table->exempt = made;
    if (made->config.name == "catch-all") table->rest = made;
  }
  // Validation ensures that the mandatory schemas use the mandatory levels.
  PL_ASSERT(table->exempt != nullptr && table->rest != nullptr);
  table_.Replace(std::move(table));
}

void Fairness::Core::ConfigureMaxInFlight() {
  LevelConfig reading;
  reading.name = "read-only";
  LevelConfig mutating;
  mutating.name = "mutating";
  LevelConfig exempt;
  exempt.name = "exempt";
  exempt.is_exempt = true;
  const auto reading_seats = static_cast<std::uint32_t>(options_.reading_max);
  const auto mutating_seats = static_cast<std::uint32_t>(options_.mutating_max);
  const std::lock_guard lock(mutex_);
  LevelOf(reading)->Configure(reading, {reading_seats, reading_seats, reading_seats});
  LevelOf(mutating)->Configure(mutating, {mutating_seats, mutating_seats, mutating_seats});
  LevelOf(exempt)->Configure(exempt, {});
  const auto make = [&](const LevelConfig& level) {
    FlowConfig flow;
    flow.name = level.name;
    return MakeFlow(std::move(flow), level);
  };
  table_.Replace(std::make_shared<const FlowTable>(
      FlowTable{{}, make(exempt), make(reading), make(mutating)}));
}

void Fairness::Core::Sample() {
  if (!options_.is_enabled) {
    metrics_.SampleReadWrite({.executing = static_cast<double>(options_.reading_max)},
                             {.executing = static_cast<double>(options_.mutating_max)});
    return;
  }
  // Both kinds share the seats and the queues.
  KindLimits limits{.executing = static_cast<double>(total())};
  const std::lock_guard lock(mutex_);
  for (const auto& [name, level] : levels_) {
    level->Sample();
    limits.waiting += level->queue_places();
  }
  metrics_.SampleReadWrite(limits, limits);
}

void Fairness::Core::AdjustLimits() {
  // The two in-flight limits are fixed.
  if (!options_.is_enabled) return;
  const std::lock_guard lock(mutex_);
  std::vector<SeatClaim> claims;
  for (const auto& [name, level] : levels_) claims.push_back(level->Claim());
  const SeatDivision division = DivideSeats(claims, total());
  metrics_.fair_fraction().Set(division.fair_fraction);
  std::size_t i = 0;
  for (const auto& [name, level] : levels_) level->SetLimit(division.limits[i++]);
}

void Fairness::Core::Close() {
  const std::lock_guard lock(mutex_);
  for (const auto& [name, level] : levels_) level->Close();
}

Fairness::Fairness(const FairnessOptions& options, Clock& clock, MetricsRegistry& metrics,
                   CountObjects count)
    : options_(options),
      count_(std::move(count)),
      core_(std::make_shared<Core>(options, clock, metrics)) {
  if (options_.is_enabled) {
    core_->Configure({}, {});
  } else {
    core_->ConfigureMaxInFlight();
  }
  Tick(core_, clock, 1);
}

Fairness::~Fairness() { core_->Close(); }

void Fairness::Tick(const std::weak_ptr<Core>& core, Clock& clock, int number) {
  clock.At(clock.Now() + kSamplePeriod, [core, &clock, number] {
    const std::shared_ptr<Core> held = core.lock();
    if (held == nullptr) return;
    held->Sample();
    if (number % kSamplesPerAdjustment == 0) held->AdjustLimits();
    Tick(core, clock, number % kSamplesPerAdjustment + 1);
  });
}

void Fairness::Configure(std::vector<LevelConfig> levels, std::vector<FlowConfig> flows) {
  if (options_.is_enabled) core_->Configure(std::move(levels), std::move(flows));
}

std::vector<LevelRow> Fairness::SummarizeLevels() const {
  std::vector<LevelRow> rows;
  core_->VisitLevels([&](const std::string& name, const PriorityLevel& level) {
    rows.push_back(level.Summarize());
    rows.back().level = name;
  });
  return rows;
}

RowList<QueueRow> Fairness::ListQueues(std::size_t size_max) const {
  RowList<QueueRow> list(size_max);
  core_->VisitLevels([&](const std::string& name, const PriorityLevel& level) {
    const std::size_t first = list.rows.size();
    level.ListQueues(list);
    for (std::size_t i = first; i < list.rows.size(); ++i) list.rows[i].level = name;
  });
  return list;
}

RowList<RequestRow> Fairness::ListRequests(std::size_t size_max) const {
  RowList<RequestRow> list(size_max);
  core_->VisitLevels([&](const std::string& name, const PriorityLevel& level) {
    const std::size_t first = list.rows.size();
    level.ListRequests(list);
    for (std::size_t i = first; i < list.rows.size(); ++i) list.rows[i].level = name;
  });
  return list;
}

void Fairness::Close() { core_->Close(); }

std::shared_ptr<const Flow> Fairness::Classify(const ApiRequest& request) const {
  const FlowTable& table = core_->table();
  // In-process components limit their calls themselves. They neither wait for seats that clients
  // hold nor take seats from clients.
  if (request.http.local) return table.exempt;
  if (!options_.is_enabled) {
    if (request.info.verb == "watch" || request.user.IsIn(kMasters)) return table.exempt;
    return IsMutating(request.info) ? table.mutating : table.rest;
  }
  for (const std::shared_ptr<const Flow>& flow : table.flows) {
    if (MatchesFlow(flow->config, request.user, request.info)) return flow;
  }
  return table.rest;
}

void Fairness::CountWatches(const RequestInfo& write, const Flow& flow) const {
  const bool is_write = write.verb == "create" || write.verb == "update" || write.verb == "patch" ||
                        write.verb == "delete";
  if (!is_write || !options_.is_enabled) return;
  flow.metrics.watch_count.Observe(static_cast<double>(watches_->CountInterested(write)));
}

std::shared_ptr<Seat> Fairness::NewSeat(std::shared_ptr<const ApiRequest> request) const {
  std::shared_ptr<const Flow> flow = Classify(*request);
  const RequestInfo& info = request->info;
  const std::uint64_t hash = HashFlow(
      flow->config.name, DistinguisherOf(flow->config, request->user, info), options_.seed);
  const bool is_list =
      info.verb == "list" && request->resource != nullptr && request->resource->is_stored();
  const std::uint32_t width =
      is_list && options_.is_enabled
          ? EstimateSeats(*request, count_(*request->resource), flow->level->widest())
          : 1;
  CountWatches(info, *flow);
  return std::make_shared<Seat>(std::move(flow), std::move(request), width, hash);
}

}  // namespace plimsoll::apiserver
