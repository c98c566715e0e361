#include "dra/allocator.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/assert.h"
#include "dra/diagnose_node.h"
#include "dra/limits.h"
#include "dra/make_allocation.h"
#include "dra/search.h"

namespace plimsoll::dra {
namespace {

using ObjectPtr = std::shared_ptr<const api::Object>;

/// Maximum length of `firstAvailable`. A request scores this minus the index of its choice.
constexpr std::int64_t kAlternativesMax = 8;

std::string KeyOf(const TrackedPool& pool) { return pool.driver + "/" + pool.name; }

bool HasSameLabels(const api::Object& a, const api::Object& b) {
  return std::ranges::equal(a.metadata().labels, b.metadata().labels);
}

}  // namespace

bool ClaimSet::has_alternatives() const { return compiled_ != nullptr && compiled_->has_lists; }

struct Allocator::Impl {
  struct NodeRecord {
    ObjectPtr object;
    std::unique_ptr<NodePools> pools;    // null until first used
    std::vector<std::string> pool_keys;  // keys under which the node is in nodes_of_pool
  };

  const SliceTracker& tracker;
  const DeviceSelectors& selectors;
  match::TolerationTimeRules rules;  // evaluate by the memo
  match::ExpressionMemo memo;
  SearchLimits limits;
  ClaimCompiler compiler;
  AllocatedDevices allocated;
  Search search;
  std::vector<NodeRecord> nodes;  // by slot
  std::map<std::string, NodeSlot, std::less<>> node_by_name;
  std::map<std::string, std::set<NodeSlot>, std::less<>> nodes_of_pool;  // nodes that use it
  std::vector<ObjectPtr> slice_of_device;  // by DeviceId, as of the last Publish
  std::vector<NodeSlot> journal;
  std::size_t journal_begin = 0;  // number of entries dropped from its front
  bool has_faults = false;        // a node's pools could not be gathered
  std::uint64_t attempt = 0;
  Instant now;  // time of the attempt

  void Touch(NodeSlot slot) {
    if (journal.size() == kJournalMax) {
      journal_begin += journal.size();
      journal.clear();
    }
    journal.push_back(slot);
  }
  /// Drops the node's cached pools and answers.
  void Invalidate(NodeSlot slot) {
    Touch(slot);
    nodes[slot].pools.reset();
    for (const std::string& key : std::exchange(nodes[slot].pool_keys, {})) {
      const auto at = nodes_of_pool.find(key);
      at->second.erase(slot);
      if (at->second.empty()) nodes_of_pool.erase(at);
    }
  }
  void TouchNodesOf(std::string_view pool) {
    const auto at = nodes_of_pool.find(pool);
    if (at == nodes_of_pool.end()) return;
    for (const NodeSlot slot : at->second) Touch(slot);
  }

  /// Handles changed taints of some devices, possibly of all of them.
  void Retaint(std::span<const TrackedDevice* const> devices) {
    std::vector<DeviceId> ids;
    std::vector<const TrackedSlice*> slices;
    for (const TrackedDevice* const device : devices) {
      ids.push_back(device->id);
      if (slices.empty() || slices.back() != device->slice) slices.push_back(device->slice);
    }
    compiler.ForgetTolerations(ids);
    for (const TrackedSlice* const slice : slices) {
      TouchNodesOf(std::string(slice->view->driver) + "/" + std::string(slice->view->pool.name));
    }
  }

  /// Removes the pool's devices, and invalidates the nodes that use the pool.
  void Withdraw(const std::string& pool) {
    allocated.Withdraw(pool);
    const auto at = nodes_of_pool.find(pool);
    if (at == nodes_of_pool.end()) return;
    const std::set<NodeSlot> slots = at->second;
    for (const NodeSlot slot : slots) Invalidate(slot);
  }
  void Publish(const TrackedPool& pool) {
    allocated.Publish(pool);
    std::vector<DeviceId> published;
    std::vector<DeviceId> changed;
    for (const TrackedSlice* const slice : pool.slices) {
      for (const TrackedDevice& device : slice->devices) {
        if (device.id >= slice_of_device.size()) {
          slice_of_device.resize(std::max<std::size_t>(device.id + 1, slice_of_device.size() * 2));
        }
        published.push_back(device.id);
        if (slice_of_device[device.id] == slice->object) continue;
        slice_of_device[device.id] = slice->object;
        changed.push_back(device.id);
      }
    }
    compiler.ForgetTolerations(published);
    compiler.ForgetSelections(changed);
    bool is_shared = false;
    for (const TrackedSlice* const slice : pool.slices) {
      const auto& name = slice->view->nodes.node_name;
      is_shared = is_shared || !name;
      const auto at = name ? node_by_name.find(*name) : node_by_name.end();
      if (at != node_by_name.end()) Invalidate(at->second);
    }
    for (NodeSlot slot = 0; is_shared && slot < nodes.size(); ++slot) {
      if (nodes[slot].pools == nullptr) continue;
      if (CanUseShared(pool, match::NodeView(nodes[slot].object->metadata()), rules.match)) {
        Invalidate(slot);
      }
    }
  }

  const NodePools& PoolsOf(NodeSlot slot) {
    NodeRecord& node = nodes[slot];
    if (node.pools == nullptr) {
      node.pools = std::make_unique<NodePools>(
          GatherPools(tracker, match::NodeView(node.object->metadata()), rules.match));
      has_faults = has_faults || !node.pools->fault.empty();
      for (const NodePool& pool : node.pools->pools) {
        nodes_of_pool[node.pool_keys.emplace_back(KeyOf(*pool.pool))].insert(slot);
      }
    }
    return *node.pools;
  }
  /// nodes_of_pool lacks the pool of an unreadable selector. Any change may have repaired it.
  void InvalidateFaulty() {
    if (!std::exchange(has_faults, false)) return;
    for (NodeSlot slot = 0; slot < nodes.size(); ++slot) {
      if (nodes[slot].pools != nullptr && !nodes[slot].pools->fault.empty()) Invalidate(slot);
    }
  }
  bool HasNode(NodeSlot slot) const { return slot < nodes.size() && nodes[slot].object != nullptr; }

  SearchInput InputFor(const ClaimSet& claims, NodeSlot slot) {
    return {.claims = claims.claims(),
            .plans = &claims.compiled(),
            .pools = &PoolsOf(slot),
            .allocated = &allocated,
            .selectors = &selectors,
            .rules = &rules,
            .now = now,
            .limits = &limits,
            .budget = &memo};
  }

  /// Drops the stale answers.
  NodeAnswers& CatchUp(CompiledClaims& compiled, std::size_t slots) {
    compiler.Refresh(compiled);
    NodeAnswers& answers = compiled.answers;
    const std::size_t size = std::max({answers.known.size(), slots, nodes.size()});
    if (answers.known.size() < size) {
      answers.known.Resize(size);
      answers.possible.Resize(size);
      answers.failed.Resize(size);
      answers.fatal.Resize(size);
      if (compiled.has_lists) answers.scores.resize(size);
    }
    if (answers.position < journal_begin) {
      answers.known.Fill(false);
    } else {
      for (std::size_t i = answers.position - journal_begin; i < journal.size(); ++i) {
        if (journal[i] < size) answers.known.Reset(journal[i]);
      }
    }
    answers.position = journal_begin + journal.size();
    if (answers.attempt != attempt) ForgetOverdue(answers);
    if (answers.first_end <= now) ForgetEnded(answers);
    return answers;
  }
  /// Drops the answers of nodes that depend on a toleration whose time is over.
  void ForgetEnded(NodeAnswers& answers) const {
    answers.first_end = Instant::max();
    for (std::size_t slot = 0; slot < answers.good_until.size(); ++slot) {
      Instant& until = answers.good_until[slot];
      if (until <= now) {
        until = Instant::max();
        answers.known.Reset(slot);
      }
      answers.first_end = std::min(answers.first_end, until);
    }
  }
  /// A node that timed out may have enough time in the next attempt.
  void ForgetOverdue(NodeAnswers& answers) const {
    for (const NodeSlot slot : answers.overdue) answers.known.Reset(slot);
    answers.overdue.clear();
    answers.attempt = attempt;
  }

  Answer Evaluate(const ClaimSet& claims, NodeSlot slot, NodeAnswers& answers) {
    Answer answer = Answer::Impossible;
    std::int64_t score = 0;
    if (HasNode(slot)) {
      const Search::Outcome outcome = search.Run(InputFor(claims, slot));
      if (outcome == Search::Outcome::Error) answer = Answer::Error;
      if (outcome == Search::Outcome::Found) {
        answer = Answer::Possible;
        if (claims.compiled().has_lists) score = ScoreFound(claims.compiled());
      }
      if (search.timed_out()) answers.overdue.push_back(slot);
      NoteEnd(slot, search.good_until(), answers);
    }
    answers.known.Set(slot);
    answers.possible.Assign(slot, answer == Answer::Possible);
    answers.failed.Assign(slot, answer == Answer::Error);
    answers.fatal.Assign(slot, answer == Answer::Error && !search.only_this_node());
    if (claims.compiled().has_lists) answers.scores[slot] = static_cast<std::int32_t>(score);
    return answer;
  }

  static void NoteEnd(NodeSlot slot, Instant until, NodeAnswers& answers) {
    if (until == Instant::max() && slot >= answers.good_until.size()) return;
    if (slot >= answers.good_until.size()) {
      answers.good_until.resize(answers.known.size(), Instant::max());
    }
    answers.good_until[slot] = until;
    answers.first_end = std::min(answers.first_end, until);
  }

  std::int64_t ScoreFound(const CompiledClaims& compiled) const {
    std::int64_t score = 0;
    const Pick* previous = nullptr;
    for (const Pick& pick : search.picks()) {
      const bool is_counted =
          previous != nullptr && previous->claim == pick.claim && previous->request == pick.request;
      previous = &pick;
      if (is_counted || !compiled.claims[pick.claim].requests[pick.request].is_list) continue;
      score += kAlternativesMax - pick.alternative;
    }
    return score;
  }
};

Allocator::Allocator(const SliceTracker& tracker, const DeviceSelectors& selectors,
                     const match::TolerationTimeRules& rules, SearchLimits limits)
    : impl_(new Impl{.tracker = tracker,
                     .selectors = selectors,
                     .rules = rules,
                     .memo = match::ExpressionMemo(rules.match.evaluator),
                     .limits = std::move(limits),
                     .compiler = {},
                     .allocated = {},
                     .search = {},
                     .nodes = {},
                     .node_by_name = {},
                     .nodes_of_pool = {},
                     .slice_of_device = {},
                     .journal = {}}) {
  if (rules.match.evaluator != nullptr) impl_->rules.match.evaluator = &impl_->memo;
  for (const TrackedPool* const pool : tracker.Pools()) impl_->Publish(*pool);
}

Allocator::~Allocator() = default;

void Allocator::Observe(const SliceTracker::Changes& changes) {
  for (const std::string& pool : changes.dropped_pools) impl_->Withdraw(pool);
  for (const TrackedPool* const pool : changes.pools) impl_->Withdraw(KeyOf(*pool));
  for (const TrackedPool* const pool : changes.pools) impl_->Publish(*pool);
  if (!changes.pools.empty() || !changes.dropped_pools.empty()) impl_->InvalidateFaulty();
  impl_->Retaint(changes.devices);
}

void Allocator::Observe(const api::ObjectChanged& news) {
  const ObjectPtr& object = news.new_object != nullptr ? news.new_object : news.old_object;
  if (object == nullptr || object->As<api::DeviceClass>() == nullptr) return;
  impl_->compiler.SetClass(object->metadata().name, news.new_object);
}

void Allocator::SetNode(NodeSlot slot, ObjectPtr node) {
  if (slot >= impl_->nodes.size()) {
    if (node == nullptr) return;
    impl_->nodes.resize(slot + 1);
  }
  const ObjectPtr& known = impl_->nodes[slot].object;
  const bool is_same = known != nullptr && node != nullptr &&
                       known->metadata().name == node->metadata().name &&
                       HasSameLabels(*known, *node);
  if (!is_same) {
    impl_->Invalidate(slot);
    // Another slot may have this name by now.
    const auto named = known == nullptr ? impl_->node_by_name.end()
                                        : impl_->node_by_name.find(known->metadata().name);
    if (named != impl_->node_by_name.end() && named->second == slot) {
      impl_->node_by_name.erase(named);
    }
    if (node != nullptr) {
      impl_->node_by_name.insert_or_assign(std::string(node->metadata().name), slot);
    }
  }
  impl_->nodes[slot].object = std::move(node);
}

void Allocator::SetAllocation(std::string_view claim_uid, const api::AllocationResult* allocation) {
  for (const std::string& pool : impl_->allocated.Set(claim_uid, allocation)) {
    impl_->TouchNodesOf(pool);
  }
}

void Allocator::SetStopwatch(std::function<Duration()> stopwatch) {
  impl_->limits.stopwatch = std::move(stopwatch);
}

void Allocator::BeginAttempt(Instant now, Duration time_max) {
  ++impl_->attempt;
  impl_->now = now;
  impl_->limits.time_max = time_max;
}

void Allocator::SetExpressionBudget(std::uint64_t cost) { impl_->memo.SetBudget(cost); }

bool Allocator::is_exhausted() const { return impl_->memo.is_exhausted(); }

const match::TolerationTimeRules& Allocator::rules() const { return impl_->rules; }

ClaimSet Allocator::Compile(std::vector<ObjectPtr> claims) {
  std::shared_ptr<CompiledClaims> compiled = impl_->compiler.Compile(claims);
  return {std::move(claims), std::move(compiled)};
}

Allocator::Answer Allocator::CheckNode(const ClaimSet& claims, NodeSlot node) {
  NodeAnswers& answers = impl_->CatchUp(claims.compiled(), node + 1);
  if (!answers.known.Test(node)) return impl_->Evaluate(claims, node, answers);
  if (answers.possible.Test(node)) return Answer::Possible;
  return answers.failed.Test(node) ? Answer::Error : Answer::Impossible;
}

std::optional<NodeSlot> Allocator::Filter(const ClaimSet& claims, Bitmap& nodes) {
  NodeAnswers& answers = impl_->CatchUp(claims.compiled(), nodes.size());
  const auto slot_of = [](std::size_t word, std::uint64_t bits) {
    const auto bit = static_cast<std::size_t>(std::countr_zero(bits));
    return static_cast<NodeSlot>(word * Bitmap::kWordBits + bit);
  };
  for (std::size_t w = 0; w < nodes.words().size(); ++w) {
    const std::uint64_t asked = nodes.words()[w];
    std::uint64_t fatal = asked & answers.known.words()[w] & answers.fatal.words()[w];
    std::uint64_t open = asked & ~answers.known.words()[w];
    // Nodes after a fatal error need no search.
    for (; open != 0 && (fatal & ((open & -open) - 1)) == 0; open &= open - 1) {
      impl_->Evaluate(claims, slot_of(w, open), answers);
      fatal = asked & answers.known.words()[w] & answers.fatal.words()[w];
    }
    if (fatal != 0) {
      nodes.Fill(false);
      return slot_of(w, fatal);
    }
    nodes.words()[w] = asked & answers.possible.words()[w];
  }
  return std::nullopt;
}

std::int64_t Allocator::Score(const ClaimSet& claims, NodeSlot node) {
  if (!claims.has_alternatives()) return 0;
  NodeAnswers& answers = impl_->CatchUp(claims.compiled(), node + 1);
  if (!answers.known.Test(node)) impl_->Evaluate(claims, node, answers);
  return answers.scores[node];
}

Allocator::Outcome Allocator::Allocate(const ClaimSet& claims, NodeSlot node, Random& random) {
  Outcome outcome;
  if (!impl_->HasNode(node)) return outcome;
  NodeAnswers& answers = impl_->CatchUp(claims.compiled(), node + 1);
  if (std::ranges::find(answers.overdue, node) != answers.overdue.end()) {
    outcome.answer = Answer::Error;
    outcome.error = kTimedOut;
    outcome.timed_out = true;
    return outcome;
  }
  Search& search = impl_->search;
  switch (search.Run(impl_->InputFor(claims, node))) {
    case Search::Outcome::None:
      return outcome;
    case Search::Outcome::Error:
      outcome.answer = Answer::Error;
      outcome.error = search.error();
      outcome.only_this_node = search.only_this_node();
      outcome.timed_out = search.timed_out();
      return outcome;
    case Search::Outcome::Found:
      break;
  }
  auto allocations =
      MakeAllocations(search, claims, impl_->PoolsOf(node), impl_->nodes[node].object, random);
  if (!allocations) {
    outcome.answer = Answer::Error;
    outcome.error = std::move(allocations.error());
    return outcome;
  }
  outcome.answer = Answer::Possible;
  outcome.allocations = *std::move(allocations);
  return outcome;
}

Diagnosis Allocator::Diagnose(const ClaimSet& claims, NodeSlot node) {
  if (!impl_->HasNode(node)) return {};
  impl_->compiler.Refresh(claims.compiled());
  return DiagnoseNode(impl_->InputFor(claims, node));
}

std::uint64_t Allocator::steps() const { return impl_->search.steps(); }

}  // namespace plimsoll::dra
