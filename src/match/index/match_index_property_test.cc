// Compares the compiled index with the plain matcher on random clusters, under random sequences of
// changes and queries. Texts come from small alphabets so that they often match.

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "match/diagnosis.h"
#include "match/index/match_index.h"
#include "match/node_selector.h"
#include "match/toleration.h"

namespace plimsoll::match {
namespace {

using Texts = std::vector<std::string_view>;

const Texts kKeys{"a", "b", "c", "d.io/e"};
const Texts kValues{"",
                    "0",
                    "5",
                    "05",
                    "7",
                    "12",
                    "-3",
                    "x",
                    "1.2.3",
                    "v1.2.3",
                    "v1.2",
                    "1.2.3-rc.1",
                    "2.0.0",
                    "1.10.0",
                    "1.2.3+b",
                    "1.2.x",
                    "+4",
                    "9223372036854775807",
                    "9223372036854775808",
                    " 5 "};
const Texts kEffects{"NoSchedule", "NoExecute", "PreferNoSchedule", "Odd", ""};
const Texts kTolerationOperators{"",         "Equal",    "Exists",   "Lt", "Gt",
                                 "SemverLt", "SemverGt", "SemverEq", "gt"};
const Texts kSelectorOperators{"In", "NotIn",    "Exists",   "DoesNotExist", "Gt",
                               "Lt", "SemverGt", "SemverLt", "SemverEq",     "in"};
const Texts kExpressions{"even", "fails on x", "never"};

/// A small random generator with equal results on all platforms, unlike std distributions.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}

  std::uint32_t Roll(std::size_t sides) {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t mixed = (state_ ^ (state_ >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    return static_cast<std::uint32_t>((mixed >> 32) % sides);
  }
  bool OneIn(std::size_t sides) { return Roll(sides) == 0; }
  std::string_view Pick(const Texts& texts) { return texts[Roll(texts.size())]; }

 private:
  std::uint64_t state_;
};

class CountingEvaluator final : public ExpressionEvaluator {
 public:
  Result<bool> Evaluate(std::string_view expression, const api::Taint& taint) const override {
    ++calls;
    if (expression == "even") return taint.value.size() % 2 == 0;
    if (expression == "never") return false;
    if (taint.value == "x") return Fail(Reason::Invalid, "x");
    return true;
  }
  mutable std::size_t calls = 0;
};

api::Toleration RandomToleration(Dice& dice) {
  if (dice.OneIn(8)) return {.expression = dice.Pick(kExpressions)};
  return {.key = dice.OneIn(5) ? "" : dice.Pick(kKeys),
          .op = dice.Pick(kTolerationOperators),
          .value = dice.Pick(kValues),
          .effect = dice.OneIn(2) ? "" : dice.Pick(kEffects)};
}

api::NodeSelectorRequirement RandomRequirement(Dice& dice, bool is_field) {
  api::NodeSelectorRequirement requirement{
      .key = dice.Pick(kKeys), .op = dice.Pick(kSelectorOperators), .values = {}};
  if (is_field) {
    requirement.key = dice.OneIn(6) ? "metadata.uid" : "metadata.name";
    if (!dice.OneIn(6)) requirement.op = dice.OneIn(2) ? "In" : "NotIn";
    requirement.values.push_back(dice.OneIn(3) ? "" : "n3");
  } else if (dice.OneIn(12)) {
    requirement.key = "bad key";
  }
  // Usually as many values as the operator needs, so that most terms are valid.
  if (requirement.op == "In" || requirement.op == "NotIn") {
    while (!is_field && !dice.OneIn(3)) requirement.values.push_back(dice.Pick(kValues));
  } else if (!requirement.op.ends_with("xist") && !requirement.op.ends_with("xists")) {
    requirement.values = {dice.Pick(kValues)};
  }
  return requirement;
}

api::NodeSelectorTerm RandomTerm(Dice& dice) {
  api::NodeSelectorTerm term;
  for (std::size_t n = dice.Roll(3); n > 0; --n) {
    term.match_expressions.push_back(RandomRequirement(dice, false));
  }
  if (dice.OneIn(4)) term.match_fields.push_back(RandomRequirement(dice, true));
  return term;
}

api::PodSpec RandomPod(Dice& dice) {
  api::PodSpec pod;
  for (std::size_t n = dice.Roll(6); n > 0; --n) pod.tolerations.push_back(RandomToleration(dice));
  if (dice.OneIn(4)) pod.node_selector = {{dice.Pick(kKeys), dice.Pick(kValues)}};
  if (dice.OneIn(2)) return pod;
  auto& affinity = pod.affinity.emplace().node_affinity.emplace();
  if (!dice.OneIn(4)) {
    affinity.required.emplace();
    for (std::size_t n = dice.Roll(4); n > 0; --n) {
      affinity.required->terms.push_back(RandomTerm(dice));
    }
  }
  for (std::size_t n = dice.Roll(3); n > 0; --n) {
    affinity.preferred.push_back({static_cast<std::int32_t>(dice.Roll(100)), RandomTerm(dice)});
  }
  return pod;
}

api::Node RandomNode(Dice& dice, std::string_view name) {
  api::Node node;
  node.metadata.name = name;
  std::vector<api::StringMap::Entry> labels;
  for (std::size_t n = dice.Roll(4); n > 0; --n) {
    labels.emplace_back(dice.Pick(kKeys), dice.Pick(kValues));
  }
  node.metadata.labels = api::StringMap(std::move(labels));
  if (dice.OneIn(3)) return node;
  for (std::size_t n = dice.Roll(4); n > 0; --n) {
    node.spec.taints.push_back({dice.Pick(kKeys), dice.Pick(kValues), dice.Pick(kEffects), ""});
  }
  return node;
}

/// The same cluster twice: as an index, and as a list for the plain matcher.
class Twin {
 public:
  Twin(Dice& dice, std::size_t names, std::size_t pods)
      : dice_(dice),
        rules_{.comparison = !dice.OneIn(5),
               .semver = !dice.OneIn(5),
               .evaluator = dice.OneIn(5) ? nullptr : &evaluator_},
        index_(rules_, dice.Roll(4)) {
    names_.push_back("");
    for (std::size_t i = 1; i < names; ++i) names_.push_back("n" + std::to_string(i));
    for (std::size_t i = 0; i < pods; ++i) pods_.push_back(RandomPod(dice));
  }

  void Step() {
    const std::string& name = names_[dice_.Roll(names_.size())];
    if (dice_.OneIn(4)) {
      EXPECT_EQ(index_.Remove(name), nodes_.erase(name) > 0);
    } else {
      nodes_[name] = RandomNode(dice_, name);
      index_.Upsert(nodes_[name]);
    }
    EXPECT_EQ(index_.size(), nodes_.size());
    if (dice_.OneIn(3)) Compare(pods_[dice_.Roll(pods_.size())]);
  }

  void CompareAll() {
    for (const api::PodSpec& pod : pods_) Compare(pod);
  }

  std::size_t pairs() const { return pairs_; }
  std::size_t accepted() const { return accepted_; }

 private:
  void Compare(const api::PodSpec& pod) {
    const ProgramHandle handle = index_.Compile(pod);
    const Bitmap nodes = index_.Filter(handle);
    std::vector<std::int64_t> intolerable(index_.slot_limit());
    index_.CountIntolerablePreferred(handle, intolerable);
    std::vector<std::int64_t> scores(index_.slot_limit());
    index_.ScorePreferredAffinity(handle, scores);

    const RequiredNodeAffinity required(pod, rules_);
    const PreferredNodeAffinity preferred(PreferredOf(pod), rules_);
    std::size_t accepted = 0;
    for (const auto& [name, node] : nodes_) {
      const NodeSlot slot = *index_.Find(name);
      EXPECT_EQ(index_.name(slot), name);
      const NodeView view(node.metadata);
      const bool want = FindUntolerated(node.spec.taints, pod.tolerations, rules_) == nullptr &&
                        required.Match(view).matched;
      EXPECT_EQ(nodes.Test(slot), want) << name;
      EXPECT_EQ(Diagnose(pod, node, rules_).accepted, want) << name;
      EXPECT_EQ(static_cast<std::size_t>(intolerable[slot]),
                CountIntolerablePreferred(node.spec.taints, pod.tolerations, rules_));
      EXPECT_EQ(scores[slot], preferred.Score(view));
      accepted += want ? 1 : 0;
      ++pairs_;
    }
    EXPECT_EQ(nodes.Count(), accepted);
    accepted_ += accepted;
  }

  static std::span<const api::PreferredSchedulingTerm> PreferredOf(const api::PodSpec& pod) {
    if (!pod.affinity || !pod.affinity->node_affinity) return {};
    return pod.affinity->node_affinity->preferred;
  }

  Dice& dice_;
  CountingEvaluator evaluator_;
  Rules rules_;
  MatchIndex index_;
  std::vector<std::string> names_;
  std::vector<api::PodSpec> pods_;
  std::map<std::string, api::Node> nodes_;
  std::size_t pairs_ = 0;
  std::size_t accepted_ = 0;
};

RC_GTEST_PROP(MatchIndexPropertyTest, AnswersAsThePlainMatcher, (std::uint64_t seed)) {
  Dice dice(seed);
  Twin twin(dice, *rc::gen::inRange<std::size_t>(1, 12), *rc::gen::inRange<std::size_t>(1, 6));
  const int steps = *rc::gen::inRange(0, 60);
  for (int i = 0; i < steps; ++i) twin.Step();
  twin.CompareAll();
  RC_ASSERT(!testing::Test::HasFailure());
}

/// Sanitizers and unoptimized code are an order of magnitude slower.
constexpr std::uint64_t kClusters =
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    300;
#else
    12;
#endif

TEST(MatchIndexPropertyTest, AnswersAsThePlainMatcherOverMillionsOfPairs) {
  std::size_t pairs = 0;
  std::size_t accepted = 0;
  for (std::uint64_t seed = 1; seed <= kClusters && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Dice dice(seed);
    // Sometimes enough nodes for several bitmap words and for dense columns.
    const std::size_t names = dice.OneIn(10) ? 400 : 2 + dice.Roll(40);
    Twin twin(dice, names, 6);
    for (std::size_t i = 0; i < 3 * names; ++i) twin.Step();
    twin.CompareAll();
    pairs += twin.pairs();
    accepted += twin.accepted();
  }
  RecordProperty("pairs", std::to_string(pairs));
  // Neither answer may be rare, or the comparison proves little.
  EXPECT_GT(accepted * 10, pairs);
  EXPECT_LT(accepted * 2, pairs);
}

}  // namespace
}  // namespace plimsoll::match
