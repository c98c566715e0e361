#include "apiserver/table/table.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "apiserver/cache/cache_for_test.h"
#include "apiserver/table/printers.h"
#include "codec/json.h"

namespace plimsoll::apiserver {
namespace {

struct RowCase {
  std::string name;
  std::string group;
  std::string plural;
  std::string rest;  // of the object, after its metadata
  std::string want;  // the cells, without the first if that is the name
  std::string meta;
  std::string version = "v1";
};

class TableRowTest : public testing::TestWithParam<RowCase> {};

TEST_P(TableRowTest, HasTheCells) {
  const RowCase& test = GetParam();
  const ResourceTable table;
  const Resource* resource = table.Find(test.group, test.version, test.plural);
  ASSERT_NE(resource, nullptr);
  const auto object = StoredObject::Make(
      *resource,
      fmt::format(R"({{"kind":"{}","metadata":{{"name":"x",{}"creationTimestamp":)"
                  R"("2026-03-01T11:00:00Z"{}}}{}}})",
                  resource->kind->kind, resource->kind->is_namespaced ? R"("namespace":"d",)" : "",
                  test.meta, test.rest),
      store::Revision{5});
  ASSERT_TRUE(object.has_value());
  std::string row;
  AppendTableRow(*resource, **object, Negotiated::Include::None, kTestStart, row);
  const auto parsed = codec::ParseJson(row);
  const auto want = codec::ParseJson("[" + test.want + "]");
  ASSERT_TRUE(parsed.has_value() && want.has_value());
  EXPECT_EQ(codec::WriteJson(*(*parsed)->root().Find("cells")), codec::WriteJson((*want)->root()));
  const std::size_t columns = std::max<std::size_t>(resource->kind->columns.size(), 2);
  EXPECT_EQ((*parsed)->root().Find("cells")->items().size(), columns);
}

std::string Pod(std::string_view containers, std::string_view status) {
  return fmt::format(R"(,"spec":{{"containers":[{}]}},"status":{{{}}})", containers, status);
}
std::string PodWant(std::string_view ready, std::string_view status,
                    std::string_view restarts = "0") {
  return fmt::format(R"("x","{}","{}","{}","60m","<none>","<none>","<none>","<none>")", ready,
                     status, restarts);
}
constexpr std::string_view kTwo = R"({"name":"a"},{"name":"b"})";

INSTANTIATE_TEST_SUITE_P(
    FlowControl, TableRowTest,
    testing::ValuesIn<RowCase>({
        {"Schema", "flowcontrol.apiserver.k8s.io", "flowschemas",
         R"(,"spec":{"priorityLevelConfiguration":{"name":"exempt"},"matchingPrecedence":9000})",
         R"("x","exempt",9000,"<none>","60m","?")"},
        {"SchemaByUser", "flowcontrol.apiserver.k8s.io", "flowschemas",
         R"(,"spec":{"priorityLevelConfiguration":{"name":"exempt"},"matchingPrecedence":9000,)"
         R"("distinguisherMethod":{"type":"ByUser"}},)"
         R"("status":{"conditions":[{"type":"Dangling","status":"False"}]})",
         R"("x","exempt",9000,"ByUser","60m","False")"},
        {"Level", "flowcontrol.apiserver.k8s.io", "prioritylevelconfigurations",
         R"(,"spec":{"type":"Limited","limited":{"nominalConcurrencyShares":84,"limitResponse":{)"
         R"("type":"Queue","queuing":{"handSize":6,"queueLengthLimit":2,"queues":64}}}})",
         R"("x","Limited",84,64,6,2,"60m")"},
        {"LevelWithoutQueues", "flowcontrol.apiserver.k8s.io", "prioritylevelconfigurations",
         R"(,"spec":{"type":"Exempt"})",
         R"("x","Exempt","<none>","<none>","<none>","<none>","60m")"},
    }),
    [](const auto& each) { return each.param.name; });

TEST(TableOrderTest, FlowSchemasComeByPrecedenceAndName) {
  const ResourceTable table;
  const Resource& schemas = *table.Find("flowcontrol.apiserver.k8s.io", "v1", "flowschemas");
  std::vector<ObjectPtr> objects;
  for (const auto& [name, precedence] :
       {std::pair("a", 9000), std::pair("b", 100), std::pair("c", 9000), std::pair("d", 1)}) {
    objects.push_back(*StoredObject::Make(
        schemas,
        fmt::format(R"({{"kind":"FlowSchema","apiVersion":"flowcontrol.apiserver.k8s.io/v1",)"
                    R"("metadata":{{"name":"{}"}},"spec":{{"matchingPrecedence":{}}}}})",
                    name, precedence),
        store::Revision{5}));
  }
  OrderRows(schemas, objects);
  std::string order;
  for (const ObjectPtr& object : objects) order += object->name();
  EXPECT_EQ(order, "dbac");
}

INSTANTIATE_TEST_SUITE_P(
    Pods, TableRowTest,
    testing::ValuesIn<RowCase>({
        {"Pending", "", "pods", Pod("{}", R"("phase":"Pending")"), PodWant("0/1", "Pending")},
        {"Reason", "", "pods", Pod("{}", R"("phase":"Failed","reason":"Evicted")"),
         PodWant("0/1", "Evicted")},
        {"Gated", "", "pods",
         Pod("{}", R"("phase":"Pending","conditions":[{"type":"PodScheduled","status":"False",)"
                   R"("reason":"SchedulingGated"}])"),
         PodWant("0/1", "SchedulingGated")},
        {"Running", "", "pods",
         Pod(kTwo, R"("phase":"Running","containerStatuses":[)"
                   R"({"name":"a","ready":true,"restartCount":2,"state":{"running":{}},)"
                   R"("lastState":{"terminated":{"finishedAt":"2026-03-01T11:55:00Z"}}},)"
                   R"({"name":"b","ready":false,"restartCount":1,"state":{"running":{}}}])"),
         PodWant("1/2", "Running", "3 (5m ago)")},
        {"CrashLoop", "", "pods",
         Pod("{}", R"("phase":"Running","containerStatuses":[{"name":"a","restartCount":4,)"
                   R"("state":{"waiting":{"reason":"CrashLoopBackOff"}}}])"),
         PodWant("0/1", "CrashLoopBackOff", "4")},
        {"Signal", "", "pods",
         Pod("{}", R"("phase":"Failed","containerStatuses":[{"name":"a",)"
                   R"("state":{"terminated":{"signal":9,"exitCode":137}}}])"),
         PodWant("0/1", "Signal:9")},
        {"ExitCode", "", "pods",
         Pod("{}", R"("phase":"Failed","containerStatuses":[{"name":"a",)"
                   R"("state":{"terminated":{"exitCode":3}}}])"),
         PodWant("0/1", "ExitCode:3")},
        {"CompletedAndReady", "", "pods",
         Pod(kTwo, R"("phase":"Running","conditions":[{"type":"Ready","status":"True"}],)"
                   R"("containerStatuses":[)"
                   R"({"name":"a","state":{"terminated":{"reason":"Completed","exitCode":0}}},)"
                   R"({"name":"b","ready":true,"state":{"running":{}}}])"),
         PodWant("1/2", "Running")},
        {"CompletedNotReady", "", "pods",
         Pod(kTwo, R"("phase":"Running","containerStatuses":[)"
                   R"({"name":"a","state":{"terminated":{"reason":"Completed","exitCode":0}}},)"
                   R"({"name":"b","ready":true,"state":{"running":{}}}])"),
         PodWant("1/2", "NotReady")},
        {"CompletedAndFailed", "", "pods",
         Pod(kTwo, R"("phase":"Failed","containerStatuses":[)"
                   R"({"name":"a","state":{"terminated":{"reason":"Completed","exitCode":0}}},)"
                   R"({"name":"b","state":{"terminated":{"reason":"Error","exitCode":1}}}])"),
         PodWant("0/2", "Error")},
        {"Init", "", "pods",
         R"(,"spec":{"containers":[{}],"initContainers":[{"name":"i"},{"name":"j"}]},)"
         R"("status":{"phase":"Pending","initContainerStatuses":[)"
         R"({"name":"i","state":{"terminated":{"exitCode":0}}},)"
         R"({"name":"j","state":{"running":{}}}]})",
         PodWant("0/1", "Init:1/2")},
        {"InitWaits", "", "pods",
         R"(,"spec":{"containers":[{}],"initContainers":[{"name":"i"}]},)"
         R"("status":{"phase":"Pending","initContainerStatuses":[)"
         R"({"name":"i","state":{"waiting":{"reason":"ImagePullBackOff"}}}]})",
         PodWant("0/1", "Init:ImagePullBackOff")},
        {"InitFailed", "", "pods",
         R"(,"spec":{"containers":[{}],"initContainers":[{"name":"i"}]},)"
         R"("status":{"phase":"Pending","initContainerStatuses":[)"
         R"({"name":"i","restartCount":1,"state":{"terminated":{"exitCode":2}}}]})",
         PodWant("0/1", "Init:ExitCode:2", "1")},
        {"Sidecar", "", "pods",
         R"(,"spec":{"containers":[{"name":"a"}],"initContainers":[{"name":"i",)"
         R"("restartPolicy":"Always"}]},"status":{"phase":"Running","initContainerStatuses":[)"
         R"({"name":"i","ready":true,"started":true,"restartCount":1,"state":{"running":{}}}],)"
         R"("containerStatuses":[{"name":"a","ready":true,"state":{"running":{}}}]})",
         PodWant("2/2", "Running", "1")},
        {"Terminating", "", "pods", Pod("{}", R"("phase":"Running")"),
         PodWant("0/1", "Terminating"), R"(,"deletionTimestamp":"2026-03-01T12:00:30Z")"},
        {"NodeLost", "", "pods", Pod("{}", R"("phase":"Running","reason":"NodeLost")"),
         PodWant("0/1", "Unknown"), R"(,"deletionTimestamp":"2026-03-01T12:00:30Z")"},
        {"Wide", "", "pods",
         R"(,"spec":{"containers":[{}],"nodeName":"n1","readinessGates":[{"conditionType":"a"},)"
         R"({"conditionType":"b"}]},"status":{"phase":"Running","podIP":"10.0.0.1",)"
         R"("podIPs":[{"ip":"10.0.0.1"}],"nominatedNodeName":"n2",)"
         R"("conditions":[{"type":"a","status":"True"}]})",
         R"("x","0/1","Running","0","60m","10.0.0.1","n1","n2","1/2")"},
    }),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Cluster, TableRowTest,
    testing::ValuesIn<RowCase>({
        {"NodeReady", "", "nodes",
         R"(,"status":{"conditions":[{"type":"Ready","status":"True"}],"addresses":[)"
         R"({"type":"InternalIP","address":"10.1.1.1"}],"nodeInfo":{"kubeletVersion":"v1.33.0",)"
         R"("osImage":"Debian","kernelVersion":"6.1","containerRuntimeVersion":"cri://1"}})",
         R"("x","Ready","control-plane,etcd","60m","v1.33.0","10.1.1.1","<none>","Debian","6.1",)"
         R"("cri://1")",
         R"(,"labels":{"node-role.kubernetes.io/etcd":"","kubernetes.io/role":"control-plane"})"},
        {"NodeCordoned", "", "nodes",
         R"(,"spec":{"unschedulable":true},"status":{"conditions":[{"type":"Ready",)"
         R"("status":"Unknown"}]})",
         R"("x","NotReady,SchedulingDisabled","<none>","60m","","<none>","<none>","<unknown>",)"
         R"("<unknown>","<unknown>")"},
        {"Namespace", "", "namespaces", R"(,"status":{"phase":"Active"})", R"("x","Active","60m")"},
        {"Event", "", "events",
         R"(,"involvedObject":{"kind":"Pod","name":"web","fieldPath":"spec"},"type":"Warning",)"
         R"("reason":"Failed","message":" no \n","source":{"component":"kubelet","host":"n1"},)"
         R"("firstTimestamp":"2026-03-01T11:50:00Z","lastTimestamp":"2026-03-01T11:59:00Z",)"
         R"("count":3)",
         R"("60s","Warning","Failed","pod/web","spec","kubelet, n1","no","10m",3,"x")"},
        {"NewEvent", "", "events",
         R"(,"involvedObject":{"kind":"Node"},"type":"Normal","reason":"R",)"
         R"("eventTime":"2026-03-01T11:59:30.000000Z","reportingComponent":"c")",
         R"("30s","Normal","R","node","","c","","30s",1,"x")"},
        {"EventOfEvents", "events.k8s.io", "events",
         R"(,"regarding":{"kind":"Pod","name":"web"},"type":"Normal","reason":"R","note":"n",)"
         R"("eventTime":"2026-03-01T11:59:30.000000Z","reportingController":"c",)"
         R"("series":{"count":7,"lastObservedTime":"2026-03-01T11:59:50.000000Z"})",
         R"("10s","Normal","R","pod/web","","c","n","30s",7,"x")"},
        {"ConfigMap", "", "configmaps", R"(,"data":{"a":"b"},"binaryData":{"c":"d"})",
         R"("x",2,"60m")"},
        {"Secret", "", "secrets", R"(,"type":"Opaque","data":{"a":"Yg=="})",
         R"("x","Opaque",1,"60m")"},
        {"ServiceAccount", "", "serviceaccounts", "", R"("x","60m")"},
        {"Service", "", "services",
         R"(,"spec":{"type":"NodePort","clusterIPs":["10.0.0.5"],"ports":[{"port":80,)"
         R"("protocol":"TCP","nodePort":30080},{"port":53,"protocol":"UDP"}],)"
         R"("selector":{"b":"2","a":"1"}})",
         R"("x","NodePort","10.0.0.5","<none>","80:30080/TCP,53/UDP","60m","a=1,b=2")"},
        {"Balanced", "", "services",
         R"(,"spec":{"type":"LoadBalancer","externalIPs":["9.9.9.9"]},)"
         R"("status":{"loadBalancer":{"ingress":[{"hostname":"h"},{"ip":"1.2.3.4"}]}})",
         R"("x","LoadBalancer","<none>","1.2.3.4,h,9.9.9.9","<none>","60m","<none>")"},
        {"Endpoints", "", "endpoints",
         R"(,"subsets":[{"addresses":[{"ip":"10.0.0.1"},{"ip":"fd00::1"}],)"
         R"("ports":[{"port":80},{"port":443}]}])",
         R"("x","10.0.0.1:80,[fd00::1]:80,10.0.0.1:443 + 1 more...","60m")"},
        {"Lease", "coordination.k8s.io", "leases", R"(,"spec":{"holderIdentity":"me"})",
         R"("x","me","60m")"},
        {"NodeTaintRule", "plimsoll.io", "nodetaintrules",
         R"(,"spec":{"taint":{"key":"k","effect":"None"}},"status":{"nodes":{"selected":3},)"
         R"("values":{"min":"1","median":"5","max":"9"},)"
         R"("conditions":[{"type":"SourceHealthy","status":"True"}]})",
         R"("x","k","None",3,"1","5","9","True","60m")", "", "v1alpha1"},
        {"RuntimeClass", "node.k8s.io", "runtimeclasses", R"(,"handler":"runc")",
         R"("x","runc","60m")"},
        {"PriorityClass", "scheduling.k8s.io", "priorityclasses",
         R"(,"value":1000,"preemptionPolicy":"Never")", R"("x",1000,false,"60m","Never")"},
        {"Budget", "policy", "poddisruptionbudgets",
         R"(,"spec":{"minAvailable":"50%"},"status":{"disruptionsAllowed":2})",
         R"("x","50%","N/A",2,"60m")"},
        {"Role", "rbac.authorization.k8s.io", "roles", "", R"("x","2026-03-01T11:00:00Z")"},
        {"RoleBinding", "rbac.authorization.k8s.io", "clusterrolebindings",
         R"(,"roleRef":{"kind":"ClusterRole","name":"view"},"subjects":[{"kind":"User","name":"u"},)"
         R"({"kind":"Group","name":"g"},{"kind":"ServiceAccount","namespace":"n","name":"s"},)"
         R"({"kind":"User","name":"v"}])",
         R"("x","ClusterRole/view","60m","u, v","g","n/s")"},
    }),
    [](const auto& test) { return test.param.name; });

constexpr std::string_view kTemplate =
    R"("selector":{"matchLabels":{"a":"1"}},"template":{"spec":{"containers":[)"
    R"({"name":"c","image":"i"},{"name":"d","image":"j"}],"nodeSelector":{"z":"1"}}})";

INSTANTIATE_TEST_SUITE_P(
    Workloads, TableRowTest,
    testing::ValuesIn<RowCase>({
        {"Deployment", "apps", "deployments",
         fmt::format(R"(,"spec":{{"replicas":3,{}}},"status":{{"readyReplicas":1,)"
                     R"("updatedReplicas":2,"availableReplicas":1}})",
                     kTemplate),
         R"("x","1/3",2,1,"60m","c,d","i,j","a=1")"},
        {"ReplicaSet", "apps", "replicasets",
         fmt::format(R"(,"spec":{{"replicas":3,{}}},"status":{{"replicas":2,"readyReplicas":1}})",
                     kTemplate),
         R"("x",3,2,1,"60m","c,d","i,j","a=1")"},
        {"StatefulSet", "apps", "statefulsets",
         fmt::format(R"(,"spec":{{"replicas":3,{}}})", kTemplate),
         R"("x","0/3","60m","c,d","i,j")"},
        {"DaemonSet", "apps", "daemonsets",
         fmt::format(R"(,"spec":{{{}}},"status":{{"desiredNumberScheduled":5,)"
                     R"("currentNumberScheduled":4,"numberReady":3,"updatedNumberScheduled":2,)"
                     R"("numberAvailable":1}})",
                     kTemplate),
         R"("x",5,4,3,2,1,"z=1","60m","c,d","i,j","a=1")"},
        {"Revision", "apps", "controllerrevisions", R"(,"revision":4)",
         R"("x","daemonset.apps/web",4,"60m")",
         R"(,"ownerReferences":[{"apiVersion":"apps/v1","kind":"DaemonSet","name":"web",)"
         R"("controller":true}])"},
        {"Controller", "", "replicationcontrollers",
         R"(,"spec":{"replicas":1,"selector":{"a":"b"}})", R"("x",1,0,0,"60m","","","a=b")"},
        {"Job", "batch", "jobs",
         fmt::format(R"(,"spec":{{"completions":5,{}}},"status":{{"succeeded":5,)"
                     R"("startTime":"2026-03-01T11:00:00Z",)"
                     R"("completionTime":"2026-03-01T11:01:30Z",)"
                     R"("conditions":[{{"type":"Complete","status":"True"}}]}})",
                     kTemplate),
         R"("x","Complete","5/5","90s","60m","c,d","i,j","a=1")"},
        {"JobOfSeveral", "batch", "jobs",
         R"(,"spec":{"parallelism":2},"status":{"conditions":[{"type":"Suspended",)"
         R"("status":"True"}]})",
         R"("x","Suspended","0/1 of 2","","60m","","","<none>")"},
    }),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Storage, TableRowTest,
    testing::ValuesIn<RowCase>({
        {"Volume", "", "persistentvolumes",
         R"(,"spec":{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteMany",)"
         R"("ReadWriteOnce"],"persistentVolumeReclaimPolicy":"Retain","storageClassName":"s",)"
         R"("claimRef":{"namespace":"d","name":"c"},"volumeMode":"Filesystem"},)"
         R"("status":{"phase":"Bound"})",
         R"("x","1Gi","RWO,RWX","Retain","Bound","d/c","s","<unset>","","60m","Filesystem")"},
        {"Claim", "", "persistentvolumeclaims",
         R"(,"spec":{"volumeName":"v","storageClassName":"s"},"status":{"phase":"Bound",)"
         R"("capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOncePod"]})",
         R"("x","Terminating","v","1Gi","RWOP","s","<unset>","60m","<unset>")",
         R"(,"deletionTimestamp":"2026-03-01T12:00:30Z")"},
        {"PendingClaim", "", "persistentvolumeclaims", R"(,"status":{"phase":"Pending"})",
         R"("x","Pending","","","","","<unset>","60m","<unset>")"},
        {"Class", "storage.k8s.io", "storageclasses", R"(,"provisioner":"p")",
         R"j("x (default)","p","Delete","Immediate",false,"60m")j",
         R"(,"annotations":{"storageclass.kubernetes.io/is-default-class":"true"})"},
        {"CsiNode", "storage.k8s.io", "csinodes", R"(,"spec":{"drivers":[{},{}]})",
         R"("x",2,"60m")"},
        {"CsiDriver", "storage.k8s.io", "csidrivers",
         R"(,"spec":{"tokenRequests":[{"audience":"a"}],"volumeLifecycleModes":["Persistent"]})",
         R"("x",true,false,false,"a",false,"Persistent","60m")"},
        {"Attachment", "storage.k8s.io", "volumeattachments",
         R"(,"spec":{"attacher":"a","nodeName":"n","source":{"persistentVolumeName":"p"}},)"
         R"("status":{"attached":true})",
         R"("x","a","p","n",true,"60m")"},
        {"DeviceClaim", "resource.k8s.io", "resourceclaims",
         R"(,"status":{"allocation":{},"reservedFor":[{}]})", R"("x","allocated,reserved","60m")"},
        {"PendingDeviceClaim", "resource.k8s.io", "resourceclaims", "", R"("x","pending","60m")"},
        {"DeletedDeviceClaim", "resource.k8s.io", "resourceclaims",
         R"(,"status":{"allocation":{}})", R"("x","deleted,allocated","60m")",
         R"(,"deletionTimestamp":"2026-03-01T12:00:30Z")"},
        {"Slice", "resource.k8s.io", "resourceslices",
         R"(,"spec":{"nodeName":"n","driver":"d","pool":{"name":"p"}})",
         R"("x","n","d","p","60m")"},
    }),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Evictions, TableRowTest,
    testing::ValuesIn<RowCase>({
        {"EmptyPolicy", "plimsoll.io", "evictionpolicies", "",
         R"("x","<all>","<none>",0,0,"False","60m")", "", "v1alpha1"},
        {"PausedPolicy", "plimsoll.io", "evictionpolicies",
         R"(,"spec":{"selector":{"taintKeys":["a","b/*"]},"rate":{"perSecond":5},"paused":true},)"
         R"("status":{"heldBack":3,"evicted":40})",
         R"("x","a,b/*","5/s",3,40,"True","60m")", "", "v1alpha1"},
        {"TrippedPolicy", "plimsoll.io", "evictionpolicies",
         R"(,"spec":{"rate":{"perSecond":"100m"},"paused":true},)"
         R"("status":{"conditions":[{"type":"Tripped","status":"True"}]})",
         R"("x","<all>","100m/s",0,0,"Tripped","60m")", "", "v1alpha1"},
        {"EmptyRecord", "plimsoll.io", "evictionrecords", R"(,"entries":[])",
         R"("x",0,"<none>","<none>","60m")", "", "v1alpha1"},
        {"Record", "plimsoll.io", "evictionrecords",
         R"(,"entries":[{"time":"2026-03-01T11:50:00.000000Z"},)"
         R"({"time":"2026-03-01T11:58:00.000000Z"}])",
         R"("x",2,"10m","2m","60m")", "", "v1alpha1"},
    }),
    [](const auto& each) { return each.param.name; });

TEST(TableTest, EveryServedKindHasACellPerColumn) {
  const ResourceTable table;
  for (const Resource& resource : table.all()) {
    if (!resource.is_stored()) continue;
    const auto object =
        StoredObject::Make(resource,
                           fmt::format(R"({{"metadata":{{"name":"x"{}}}}})",
                                       resource.kind->is_namespaced ? R"(,"namespace":"d")" : ""),
                           store::Revision{1});
    ASSERT_TRUE(object.has_value());
    std::string row;
    AppendTableRow(resource, **object, Negotiated::Include::Metadata, kTestStart, row);
    const auto parsed = codec::ParseJson(row);
    const auto columns = codec::ParseJson("{" + ColumnDefinitionsJson(resource) + "}");
    ASSERT_TRUE(parsed.has_value() && columns.has_value());
    EXPECT_EQ((*parsed)->root().Find("cells")->items().size(),
              (*columns)->root().Find("columnDefinitions")->items().size())
        << resource.name();
  }
}

TEST(TableTest, RowsCarryWhatWasAskedFor) {
  const ResourceTable table;
  const Resource& nodes = *table.Find("", "v1", "nodes");
  const auto object = StoredObject::Make(
      nodes, R"({"kind":"Node","apiVersion":"v1","metadata":{"name":"x"},"spec":{}})",
      store::Revision{5});
  std::string partial;
  AppendPartialMetadata(**object, "v1beta1", partial);
  EXPECT_EQ(partial, R"({"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1beta1",)"
                     R"("metadata":{"resourceVersion":"5","name":"x"}})");
  std::string row;
  AppendTableRow(nodes, **object, Negotiated::Include::Object, kTestStart, row);
  EXPECT_TRUE(row.ends_with(R"("object":)" + *(*object)->bytes() + "}"));
  EXPECT_TRUE(ColumnDefinitionsJson(nodes).starts_with(
      R"("columnDefinitions":[{"name":"Name","type":"string","format":"name","description":"",)"));
}

}  // namespace
}  // namespace plimsoll::apiserver
