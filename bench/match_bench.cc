// Measures the compiled match index against the plain matcher in one run, so that the ratios do not
// depend on the machine. `--nodes N` sets the size of the large cluster (1,000,000); `--quick` uses
// 50,000.

#include <malloc.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "match/index/match_index.h"
#include "match/node_selector.h"
#include "match/toleration.h"
#include "match_cluster.h"

namespace plimsoll::bench {
namespace {

using match::MatchIndex;
using match::ProgramHandle;
using match::Rules;

constexpr std::size_t kSmallNodes = 5'000;
constexpr std::size_t kTemplates = 1'000;
constexpr std::size_t kLargeNodes = 1'000'000;
constexpr std::size_t kQuickNodes = 50'000;

/// Returns the CPU time of this thread, which other programs do not affect.
double ProcessorMicroseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

template <class Work>
double MicrosecondsOf(Work&& work) {
  const double start = ProcessorMicroseconds();
  work();
  return ProcessorMicroseconds() - start;
}

double MedianOf(std::vector<double> times) {
  const std::size_t middle = times.size() / 2;
  std::ranges::nth_element(times, times.begin() + static_cast<std::ptrdiff_t>(middle));
  return times[middle];
}

/// Returns the median time of `work(round)` over `rounds` rounds.
template <class Work>
double Median(std::size_t rounds, Work&& work) {
  std::vector<double> times;
  for (std::size_t i = 0; i < rounds; ++i) times.push_back(MicrosecondsOf([&] { work(i); }));
  return MedianOf(std::move(times));
}

void Line(const char* what, const std::string& figure, const char* target, bool is_met) {
  std::printf("  %-58s %16s   %-12s %s\n", what, figure.c_str(), target,
              *target == '\0' ? "" : (is_met ? "met" : "MISSED"));
}

std::string Microseconds(double figure) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.2f us", figure);
  return text;
}

std::string Ratio(double figure) {
  char text[32];
  std::snprintf(text, sizeof(text), "1/%.0f", figure);
  return text;
}

std::string Bytes(std::size_t bytes, std::size_t nodes) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.1f B",
                static_cast<double>(bytes) / static_cast<double>(nodes));
  return text;
}

std::size_t HeapBytes() {
  const struct mallinfo2 heap = mallinfo2();
  return heap.uordblks + heap.hblkhd;
}

/// A small cluster that owns its strings, for the plain matcher.
struct SmallCluster {
  explicit SmallCluster(MatchCluster& source) {
    for (std::size_t i = 0; i < kSmallNodes; ++i) {
      api::Node node = source.Node(i);
      const std::string& name =
          *names.emplace_back(std::make_unique<std::string>(node.metadata.name));
      std::vector<api::StringMap::Entry> labels(node.metadata.labels.begin(),
                                                node.metadata.labels.end());
      for (auto& [key, value] : labels) value = value == name ? std::string_view(name) : value;
      node.metadata.name = name;
      node.metadata.labels = api::StringMap(std::move(labels));
      nodes.push_back(std::move(node));
    }
  }
  std::vector<std::unique_ptr<std::string>> names;
  std::vector<api::Node> nodes;
};

std::size_t FilterPlainly(const api::PodSpec& pod, const std::vector<api::Node>& nodes) {
  const Rules rules;
  const match::RequiredNodeAffinity required(pod, rules);
  std::size_t accepted = 0;
  for (const api::Node& node : nodes) {
    const bool fits = FindUntolerated(node.spec.taints, pod.tolerations, rules) == nullptr &&
                      required.Match(match::NodeView(node.metadata)).matched;
    accepted += fits ? 1 : 0;
  }
  return accepted;
}

void MeasureSmall(MatchCluster& source) {
  const SmallCluster cluster(source);
  MatchIndex index{Rules{}};
  for (const api::Node& node : cluster.nodes) index.Upsert(node);
  std::printf("%zu nodes\n", kSmallNodes);

  double known[2] = {};
  for (const bool classic : {false, true}) {
    std::vector<api::PodSpec> pods;
    for (std::size_t i = 0; i < 200; ++i) {
      pods.push_back(classic ? source.ClassicPod(i) : source.Pod(i));
    }
    std::size_t plain_accepted = 0;
    const double plain =
        Median(15, [&](std::size_t) { plain_accepted = FilterPlainly(pods[0], cluster.nodes); });
    const std::size_t accepted = index.Filter(index.Compile(pods[0])).Count();
    if (accepted != plain_accepted) std::abort();

    // One call is too short for the clock, so a thousand calls are measured together.
    std::size_t sum = 0;
    const double filter = Median(51,
                                 [&](std::size_t) {
                                   for (int i = 0; i < 1000; ++i) {
                                     sum += index.Filter(index.Compile(pods[0])).words()[0];
                                   }
                                 }) /
                          1000;
    if (sum == 1) std::printf(" ");
    const double first = Median(
        99, [&](std::size_t i) { sum += index.Filter(index.Compile(pods[i + 1])).words()[0]; });
    known[classic ? 1 : 0] = filter;
    std::printf(" %s, %zu accepted\n", classic ? "Equal and Exists only" : "mixed operators",
                accepted);
    Line("plain matcher", Microseconds(plain), "", true);
    Line("known template, from the pod's specification", Microseconds(filter), "", true);
    Line("  of the plain matcher's time", Ratio(plain / filter), "<= 1/200", plain >= 200 * filter);
    Line("first pod of a template, compiled and evaluated", Microseconds(first), "", true);
    Line("  of the plain matcher's time", Ratio(plain / first), "<= 1/20", plain >= 20 * first);
  }
  char text[32];
  std::snprintf(text, sizeof(text), "%.2f", known[0] / known[1]);
  Line("known template: mixed operators over Equal and Exists", text, "~ 1",
       known[0] < 1.5 * known[1]);
}

void ReportMemory(const char* what, const MatchIndex& index, std::size_t heap) {
  const match::MatchIndexMemory memory = index.Memory();
  const std::size_t nodes = index.size();
  const std::size_t beyond_texts = memory.total() - memory.texts;
  std::printf(" memory per node, %s\n", what);
  // The size of programs does not shrink with the cluster.
  const bool is_target = nodes >= kLargeNodes;
  Line("beyond the interned texts", Bytes(beyond_texts, nodes), is_target ? "<= 256 B" : "",
       beyond_texts <= 256 * nodes);
  Line("  of which programs", Bytes(memory.programs, nodes), "", true);
  Line("interned texts with their tables", Bytes(memory.texts, nodes), "", true);
  Line("all of it, by its own account", Bytes(memory.total(), nodes), "", true);
  Line("all of it, by the growth of the heap", Bytes(heap, nodes), "", true);
}

void MeasureChanges(MatchCluster& source, MatchIndex& index,
                    const std::vector<ProgramHandle>& programs) {
  std::size_t sum = 0;
  const auto change = [&](std::size_t i) {
    const std::size_t which = i * 7919 % index.size();
    const api::Node& node = source.Node(which, i + 1);
    return MicrosecondsOf([&] { index.Upsert(node); });
  };
  std::vector<double> changes;
  for (std::size_t i = 0; i < 2000; ++i) changes.push_back(change(i));
  std::ranges::sort(changes);
  Line("change of a node's taints, median", Microseconds(changes[1000]), "<= 20 us",
       changes[1000] <= 20);
  Line("change of a node's taints, 99 of 100 below", Microseconds(changes[1980]), "<= 20 us",
       changes[1980] <= 20);
  for (const ProgramHandle& program : programs) sum += index.Filter(program).words()[0];
  std::vector<double> ones;
  for (std::size_t i = 0; i < 99; ++i) {
    const api::Node& node = source.Node(i, 5000 + i);
    ones.push_back(MicrosecondsOf([&] {
      index.Upsert(node);
      sum += index.Filter(programs[i]).words()[0];
    }));
  }
  for (const ProgramHandle& program : programs) sum += index.Filter(program).words()[0];
  std::vector<double> alls;
  for (std::size_t i = 0; i < 25; ++i) {
    const api::Node& node = source.Node(i, 7000 + i);
    alls.push_back(MicrosecondsOf([&] {
      index.Upsert(node);
      for (const ProgramHandle& program : programs) sum += index.Filter(program).words()[0];
    }));
  }
  const double one = MedianOf(std::move(ones));
  const double all = MedianOf(std::move(alls));
  Line("change and one template brought up to date, median", Microseconds(one), "", true);
  Line("change and all templates brought up to date, median", Microseconds(all), "", true);
  if (sum == 1) std::printf(" ");
}

void MeasureLarge(MatchCluster& source, std::size_t nodes) {
  std::printf("%zu nodes\n", nodes);
  // Strings that the source allocates do not count as memory of the index.
  std::vector<api::PodSpec> pods;
  for (std::size_t i = 0; i < kTemplates; ++i) pods.push_back(source.Pod(i));
  source.Node(0);
  const std::size_t heap_before = HeapBytes();
  auto index = std::make_unique<MatchIndex>(Rules{});
  const double load = MicrosecondsOf([&] {
    for (std::size_t i = 0; i < nodes; ++i) index->Upsert(source.Node(i));
  });
  Line("loading, per node", Microseconds(load / static_cast<double>(nodes)), "", true);

  std::vector<ProgramHandle> programs;
  programs.reserve(kTemplates);
  programs.push_back(index->Compile(pods[0]));
  const double first = MicrosecondsOf([&] { index->Filter(programs[0]); });
  std::size_t sum = 0;
  const double known =
      Median(101, [&](std::size_t) { sum += index->Filter(index->Compile(pods[0])).words()[0]; });
  Bitmap copy;
  const double copied = Median(101, [&](std::size_t) {
    copy = index->Filter(index->Compile(pods[0]));
    sum += copy.Count();
  });
  Line("first pod of a template", Microseconds(first), "", true);
  Line("known template", Microseconds(known), "<= 1000 us", known <= 1000);
  Line("known template, bitmap copied and counted", Microseconds(copied), "<= 1000 us",
       copied <= 1000);
  ReportMemory("one live template", *index, HeapBytes() - heap_before);

  for (std::size_t i = 1; i < kTemplates; ++i) {
    programs.push_back(index->Compile(pods[i]));
    sum += index->Filter(programs.back()).words()[0];
  }
  std::printf(" %zu live templates\n", kTemplates);
  MeasureChanges(source, *index, programs);
  ReportMemory("1000 live templates", *index, HeapBytes() - heap_before);
  if (sum == 1) std::printf(" ");
}

int Main(int argc, char** argv) {
  std::size_t nodes = kLargeNodes;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--quick") == 0) {
      nodes = kQuickNodes;
    } else if (std::strcmp(argv[i], "--nodes") == 0 && i + 1 < argc) {
      nodes = std::strtoull(argv[++i], nullptr, 10);
    } else {
      std::fprintf(stderr, "usage: match_bench [--quick] [--nodes N]\n");
      return 2;
    }
  }
  MatchCluster source;
  MeasureSmall(source);
  MeasureLarge(source, std::max(nodes, kSmallNodes));
  return 0;
}

}  // namespace
}  // namespace plimsoll::bench

int main(int argc, char** argv) { return plimsoll::bench::Main(argc, argv); }
