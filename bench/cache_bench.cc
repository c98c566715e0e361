// Measures the watch cache: its start and memory with 150,000 pods and 5,000 nodes, reads from it,
// and the delivery of an event to watchers.

#include <benchmark/benchmark.h>
#include <malloc.h>

#include <fstream>
#include <memory>
#include <semaphore>
#include <string>
#include <vector>

#include "apiserver/cache/cache_for_test.h"
#include "apiserver/read/read_for_test.h"

namespace plimsoll::apiserver {
namespace {

constexpr int kPods = 150'000;
constexpr int kNodes = 5'000;
constexpr std::size_t kPodBytes = 2'000;

std::string PodText(int index, int node) {
  std::string text =
      R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"pod-)" + std::to_string(index) +
      R"(","namespace":"ns-)" + std::to_string(index % 50) +
      R"(","uid":"6ba7b810-9dad-11d1-80b4-00c04fd430c8","labels":{"app":"web",)"
      R"("tier":"front","pod-template-hash":"5d4f8c7b9"},"annotations":{"padding":")";
  text.append(kPodBytes - text.size() - 200, 'x');
  text += R"("}},"spec":{"nodeName":"node-)" + std::to_string(node) +
          R"(","restartPolicy":"Always","schedulerName":"default-scheduler",)"
          R"("serviceAccountName":"default"},"status":{"phase":"Running","podIP":"10.1.2.3"}})";
  return text;
}

double ResidentMegabytes() {
  ::malloc_trim(0);
  std::ifstream statm("/proc/self/statm");
  double total = 0;
  double resident = 0;
  statm >> total >> resident;
  return resident * 4096 / 1e6;
}

/// A store with the objects of the cluster.
class Cluster {
 public:
  Cluster() {
    std::counting_semaphore<> done(0);
    const auto put = [&](std::string key, std::string value) {
      store_.Commit({std::move(key), MakeBytes(std::move(value)), store::kNoRevision},
                    [&](const Result<store::Revision>&) { done.release(); });
    };
    for (int i = 0; i < kNodes; ++i) {
      const std::string name = "node-" + std::to_string(i);
      put("/registry/minions/" + name,
          R"({"kind":"Node","apiVersion":"v1","metadata":{"name":")" + name + R"("}})");
    }
    for (int i = 0; i < kPods; ++i) {
      put("/registry/pods/ns-" + std::to_string(i % 50) + "/pod-" + std::to_string(i),
          PodText(i, i % kNodes));
    }
    for (int i = 0; i < kPods + kNodes; ++i) done.acquire();
  }

  std::unique_ptr<Cache> Start() {
    metrics_ = std::make_unique<MetricsRegistry>();
    return *Cache::Start(store_, table_, clock_, log_, *metrics_);
  }
  void Update(int pod, int node) {
    const std::string key =
        "/registry/pods/ns-" + std::to_string(pod % 50) + "/pod-" + std::to_string(pod);
    const store::Revision expected = (*store_.Get(key))->revision;
    (void)store_.CommitAndWait({key, MakeBytes(PodText(pod, node)), expected});
  }
  const Resource& pods() const { return *table_.Find("", "v1", "pods"); }

 private:
  SharedVirtualClock clock_{kTestStart};
  MemorySink sink_;
  Logger log_{clock_, sink_};
  ResourceTable table_;
  std::unique_ptr<MetricsRegistry> metrics_;
  store::MemoryStore store_{clock_};
};

Cluster& TheCluster() {
  static Cluster cluster;
  return cluster;
}

void BM_Start(benchmark::State& state) {
  Cluster& cluster = TheCluster();
  double bytes_each = 0;
  for (auto _ : state) {
    const double before = ResidentMegabytes();
    const std::unique_ptr<Cache> cache = cluster.Start();
    state.PauseTiming();
    bytes_each = (ResidentMegabytes() - before) * 1e6 / (kPods + kNodes);
    state.ResumeTiming();
  }
  state.counters["bytes/object"] = bytes_each;
}
BENCHMARK(BM_Start)->Unit(benchmark::kMillisecond)->Iterations(3);

/// A pod of a Deployment as a kubelet leaves it, without managedFields.
constexpr std::string_view kWholePod =
    R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-5d4f8c7b9-abcde",)"
    R"("generateName":"web-5d4f8c7b9-","namespace":"shop",)"
    R"("uid":"6ba7b810-9dad-11d1-80b4-00c04fd430c8","creationTimestamp":"2026-03-01T12:00:00Z",)"
    R"("labels":{"app":"web","tier":"front","pod-template-hash":"5d4f8c7b9"},"ownerReferences":[)"
    R"({"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web-5d4f8c7b9",)"
    R"("uid":"6ba7b810-9dad-11d1-80b4-00c04fd430c9","controller":true}]},"spec":{"containers":[)"
    R"({"name":"web","image":"registry.example.com/shop/web:1.2.3",)"
    R"("ports":[{"containerPort":8080,"protocol":"TCP"}],"resources":{"requests":)"
    R"({"cpu":"250m","memory":"256Mi"},"limits":{"memory":"512Mi"}},"env":[{"name":"PORT",)"
    R"("value":"8080"}],"volumeMounts":[{"name":"token","mountPath":"/var/run/secrets",)"
    R"("readOnly":true}],"terminationMessagePath":"/dev/termination-log",)"
    R"("terminationMessagePolicy":"File","imagePullPolicy":"IfNotPresent"}],"volumes":[)"
    R"({"name":"token","projected":{"sources":[{"serviceAccountToken":)"
    R"({"expirationSeconds":3607,"path":"token"}}],"defaultMode":420}}],"restartPolicy":"Always",)"
    R"("terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst",)"
    R"("serviceAccountName":"default","nodeName":"node-17","securityContext":{},)"
    R"("schedulerName":"default-scheduler","tolerations":[)"
    R"({"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute",)"
    R"("tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable","operator":"Exists",)"
    R"("effect":"NoExecute","tolerationSeconds":300}],"priority":0},"status":{"phase":"Running",)"
    R"("conditions":[{"type":"Initialized","status":"True"},{"type":"Ready","status":"True"},)"
    R"({"type":"PodScheduled","status":"True","lastTransitionTime":"2026-03-01T12:00:01Z"}],)"
    R"("hostIP":"10.0.0.17","podIP":"10.1.2.3","podIPs":[{"ip":"10.1.2.3"}],)"
    R"("startTime":"2026-03-01T12:00:00Z","qosClass":"Burstable"}})";

/// Measures the cost of keeping the decoded form of each object in the cache: docs/adr/0014.
void BM_KeepDecoded(benchmark::State& state) {
  constexpr int kObjects = 30'000;
  const ResourceTable table;
  const Resource& pods = *table.Find("", "v1", "pods");
  for (auto _ : state) {
    state.PauseTiming();
    const double empty = ResidentMegabytes();
    std::vector<ObjectPtr> objects;
    for (int i = 0; i < kObjects; ++i) {
      objects.push_back(*StoredObject::Make(pods, kWholePod, store::Revision{i + 1}));
    }
    const double as_text = ResidentMegabytes();
    std::vector<std::shared_ptr<const api::Object>> decoded;
    state.ResumeTiming();
    for (const ObjectPtr& object : objects) decoded.push_back(*object->Decode());
    state.PauseTiming();
    state.counters["text_bytes"] = (as_text - empty) * 1e6 / kObjects;
    state.counters["decoded_bytes"] = (ResidentMegabytes() - as_text) * 1e6 / kObjects;
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() * kObjects);
}
BENCHMARK(BM_KeepDecoded)->Unit(benchmark::kMillisecond)->Iterations(1);

void BM_Get(benchmark::State& state) {
  const std::unique_ptr<Cache> cache = TheCluster().Start();
  int i = 0;
  for (auto _ : state) {
    i = (i + 7919) % kPods;
    benchmark::DoNotOptimize(cache->Get(TheCluster().pods(), "ns-" + std::to_string(i % 50),
                                        "pod-" + std::to_string(i)));
  }
}
BENCHMARK(BM_Get);

void BM_List(benchmark::State& state, std::string_view namespace_, std::string_view fields) {
  const std::unique_ptr<Cache> cache = TheCluster().Start();
  const Selection selection = Select(namespace_, fields);
  std::size_t count = 0;
  for (auto _ : state) count = cache->List(TheCluster().pods(), selection).objects.size();
  state.counters["objects"] = static_cast<double>(count);
}
BENCHMARK_CAPTURE(BM_List, All, "", "");
BENCHMARK_CAPTURE(BM_List, Namespace, "ns-7", "");
BENCHMARK_CAPTURE(BM_List, Node, "", "spec.nodeName=node-17");
BENCHMARK_CAPTURE(BM_List, Phase, "", "status.phase=Pending");

class Deaf final : public CacheObserver {
 public:
  void OnEvent(const std::shared_ptr<const CacheEvent>&) override { ++events; }
  void OnReset() override {}
  std::size_t events = 0;
};

/// An update with `range(0)` watchers, each of one node's pods.
void BM_EventToKubelets(benchmark::State& state) {
  const std::unique_ptr<Cache> cache = TheCluster().Start();
  std::vector<std::unique_ptr<Deaf>> observers;
  std::vector<std::unique_ptr<Watcher>> watchers;
  for (int i = 0; i < state.range(0); ++i) {
    observers.push_back(std::make_unique<Deaf>());
    Picture picture;
    watchers.push_back(cache->SubscribeNow(TheCluster().pods(),
                                           Select("", "spec.nodeName=node-" + std::to_string(i)),
                                           *observers.back(), picture));
  }
  int i = 0;
  for (auto _ : state) {
    ++i;
    TheCluster().Update(i % kPods, i % kNodes);
  }
}
BENCHMARK(BM_EventToKubelets)->Arg(0)->Arg(10'000);

/// An update with `range(0)` watches of all pods, each writing to its stream.
void BM_EventToWatches(benchmark::State& state) {
  ReaderFixture server;
  server.PutPod("a", "x");
  std::vector<std::shared_ptr<FakeExchange>> watches;
  for (int i = 0; i < state.range(0); ++i) {
    watches.push_back(server.Ask("/api/v1/pods?watch=true&resourceVersion=1"));
    watches.back()->stream->is_kept = false;
  }
  int i = 0;
  for (auto _ : state) server.PutPod("a", "x", "node-" + std::to_string(++i));
}
BENCHMARK(BM_EventToWatches)->Arg(0)->Arg(1'000);

}  // namespace
}  // namespace plimsoll::apiserver

BENCHMARK_MAIN();
