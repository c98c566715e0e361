#include "apiserver/request/parse_request.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "base/random.h"

namespace plimsoll::apiserver {
namespace {

struct ParseCase {
  std::string method;
  std::string target;
  std::string want;  // verb group/version namespace resource/subresource name, `-` for empty
};

class ParseRequestTest : public testing::TestWithParam<ParseCase> {
 protected:
  const ResourceTable table_;
};

std::string_view ScopeText(Scope scope) {
  switch (scope) {
    case Scope::None:
      return "none";
    case Scope::Cluster:
      return "cluster";
    case Scope::Namespace:
      return "namespace";
    case Scope::AllNamespaces:
      return "all";
  }
  return "";
}

std::string Shown(const ParsedRequest& parsed) {
  if (parsed.refusal) return fmt::format("{}", parsed.refusal->code);
  const RequestInfo& info = parsed.info;
  const auto or_dash = [](const std::string& text) { return text.empty() ? "-" : text; };
  if (!info.is_resource_request) return fmt::format("{} {}", info.verb, info.path);
  return fmt::format("{} {}/{} {}:{} {}/{} {}{}", or_dash(info.verb), or_dash(info.group),
                     info.version, ScopeText(info.scope), or_dash(info.namespace_), info.resource,
                     or_dash(info.subresource), or_dash(info.name),
                     parsed.is_verb_served ? "" : " 405");
}

TEST_P(ParseRequestTest, Reads) {
  EXPECT_EQ(Shown(ParseRequest(GetParam().method, GetParam().target, table_)), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(
    Served, ParseRequestTest,
    testing::ValuesIn<ParseCase>({
        {"GET", "/api/v1/namespaces/d/pods", "list -/v1 namespace:d pods/- -"},
        {"GET", "/api/v1/pods", "list -/v1 all:- pods/- -"},
        {"GET", "/apis/metrics.k8s.io/v1beta1/nodes",
         "list metrics.k8s.io/v1beta1 cluster:- nodes/- -"},
        {"GET", "/apis/metrics.k8s.io/v1beta1/nodes/a",
         "get metrics.k8s.io/v1beta1 cluster:- nodes/- a"},
        {"GET", "/apis/metrics.k8s.io/v1beta1/pods", "list metrics.k8s.io/v1beta1 all:- pods/- -"},
        {"GET", "/apis/metrics.k8s.io/v1beta1/namespaces/d/pods/a",
         "get metrics.k8s.io/v1beta1 namespace:d pods/- a"},
        {"GET", "/apis/metrics.k8s.io/v1beta1/nodes?watch=true",
         "watch metrics.k8s.io/v1beta1 cluster:- nodes/- - 405"},
        {"DELETE", "/apis/metrics.k8s.io/v1beta1/nodes/a",
         "delete metrics.k8s.io/v1beta1 cluster:- nodes/- a 405"},
        {"GET", "/api/v1/pods?watch=true", "watch -/v1 all:- pods/- -"},
        {"GET", "/api/v1/pods?watch=True", "watch -/v1 all:- pods/- -"},
        {"GET", "/api/v1/pods?watch", "watch -/v1 all:- pods/- -"},
        {"GET", "/api/v1/pods?watch=FALSE", "list -/v1 all:- pods/- -"},
        {"GET", "/api/v1/pods?watch=1&fieldSelector=metadata.name%3Dx",
         "watch -/v1 all:- pods/- x"},
        {"GET", "/api/v1/namespaces/d/pods/x", "get -/v1 namespace:d pods/- x"},
        {"GET", "/api/v1/namespaces/d/pods/x?watch=true", "get -/v1 namespace:d pods/- x"},
        {"HEAD", "/api/v1/namespaces/d/pods/x", "get -/v1 namespace:d pods/- x"},
        {"POST", "/api/v1/namespaces/d/pods", "create -/v1 namespace:d pods/- -"},
        {"POST", "/api/v1/namespaces/d/pods/x/binding", "create -/v1 namespace:d pods/binding x"},
        {"PUT", "/api/v1/nodes/n/status", "update -/v1 cluster:- nodes/status n"},
        {"PATCH", "/apis/apps/v1/namespaces/d/deployments/x",
         "patch apps/v1 namespace:d deployments/- x"},
        {"DELETE", "/api/v1/namespaces/d/pods", "deletecollection -/v1 namespace:d pods/- -"},
        {"DELETE", "/api/v1/namespaces/d/pods/x", "delete -/v1 namespace:d pods/- x"},
        {"GET", "/api/v1/namespaces", "list -/v1 cluster:- namespaces/- -"},
        {"GET", "/api/v1/namespaces/d", "get -/v1 cluster:d namespaces/- d"},
        {"PUT", "/api/v1/namespaces/d/finalize", "update -/v1 cluster:d namespaces/finalize d"},
        {"GET", "/api/v1/namespaces/d/status", "get -/v1 cluster:d namespaces/status d"},
        {"GET", "/api/v1/namespaces/status", "get -/v1 cluster:status namespaces/- status"},
        {"GET", "/api/v1/namespaces/namespaces/pods", "list -/v1 namespace:namespaces pods/- -"},
        {"POST", "/apis/authorization.k8s.io/v1/namespaces/d/localsubjectaccessreviews",
         "create authorization.k8s.io/v1 namespace:d localsubjectaccessreviews/- -"},
    }));

INSTANTIATE_TEST_SUITE_P(
    NotAResource, ParseRequestTest,
    testing::ValuesIn<ParseCase>({
        {"GET", "/api/v1", "get /api/v1"},
        {"GET", "/apis/apps/v1", "get /apis/apps/v1"},
        {"GET", "/healthz", "get /healthz"},
        {"GET", "/", "get /"},
        {"GET", "//api/v1/pods", "get //api/v1/pods"},
        {"GET", "/api/v1//pods", "get /api/v1//pods"},
        {"GET", "/api/v1/namespaces/../pods", "get /api/v1/namespaces/../pods"},
        {"GET", "/api/v1/namespaces/%2e%2e/pods", "get /api/v1/namespaces/../pods"},
    }));

INSTANTIATE_TEST_SUITE_P(
    OfTheWrongScopeOrShape, ParseRequestTest,
    testing::ValuesIn<ParseCase>({
        {"DELETE", "/api/v1/namespaces/t1/namespaces/t2", "404"},
        {"POST", "/api/v1/namespaces/t1/namespaces", "404"},
        {"GET", "/api/v1/namespaces/t1/namespaces", "404"},
        {"PATCH", "/api/v1/namespaces/t1/namespaces/kube-system", "404"},
        {"PUT", "/api/v1/namespaces/t1/namespaces/t2/finalize", "404"},
        {"PUT", "/api/v1/namespaces/t1/nodes/n1/status", "404"},
        {"GET", "/api/v1/namespaces/t1/nodes", "404"},
        {"GET", "/apis/rbac.authorization.k8s.io/v1/namespaces/t1/clusterroles", "404"},
        {"POST", "/apis/authorization.k8s.io/v1/namespaces/t1/subjectaccessreviews", "404"},
        {"POST", "/apis/authorization.k8s.io/v1/localsubjectaccessreviews", "404"},
        {"GET", "/api/v1/pods/x", "404"},
        {"PUT", "/api/v1/pods/x/status", "404"},
        {"GET", "/api/v1/namespaces/d/pods/x/status/y", "404"},
        {"GET", "/api/v1/nodes/n/status/y", "404"},
        {"GET", "/api/v1/namespaces/d/status/y", "404"},
        {"GET", "/api/v1/namespaces/d/pods/x/nothing", "404"},
        {"GET", "/api/v1/namespaces/d/gadgets", "404"},
        {"GET", "/api/v2/pods", "404"},
        {"GET", "/apis/apps/v1/pods", "404"},
        {"GET", "/apis/apps/v1/namespaces/d", "404"},
        {"GET", "/api/v1/pods%zz", "400"},
    }));

INSTANTIATE_TEST_SUITE_P(
    OfAMethodThatIsNotServed, ParseRequestTest,
    testing::ValuesIn<ParseCase>({
        {"POST", "/api/v1/pods", "create -/v1 all:- pods/- - 405"},
        {"DELETE", "/api/v1/pods", "deletecollection -/v1 all:- pods/- - 405"},
        {"POST", "/api/v1/namespaces/d/pods/x", "create -/v1 namespace:d pods/- x 405"},
        {"POST", "/api/v1/namespaces/d", "create -/v1 cluster:d namespaces/- d 405"},
        {"PUT", "/api/v1/namespaces/d/pods", "update -/v1 namespace:d pods/- - 405"},
        {"PATCH", "/api/v1/nodes", "patch -/v1 cluster:- nodes/- - 405"},
        {"GET", "/api/v1/namespaces/d/pods/x/binding", "get -/v1 namespace:d pods/binding x 405"},
        {"OPTIONS", "/api/v1/namespaces/d/pods", "- -/v1 namespace:d pods/- - 405"},
        {"GET", "/apis/authorization.k8s.io/v1/subjectaccessreviews",
         "list authorization.k8s.io/v1 cluster:- subjectaccessreviews/- - 405"},
    }));

using Path = std::vector<std::string>;

/// A served path. `{ns}` and `{name}` stand for any text.
struct Route {
  Path segments;
  const Resource* resource;
  Scope scope;
  std::string subresource;
};

/// Routes by number of segments.
using Routes = std::map<std::size_t, std::vector<Route>>;

/// Returns every served path. Uses the table, but none of the parser's code.
Routes AllRoutes(const ResourceTable& table) {
  Routes routes;
  const auto add = [&](Route route) { routes[route.segments.size()].push_back(std::move(route)); };
  for (const Resource& row : table.all()) {
    Path all = {"api", std::string(row.kind->version)};
    if (!row.group().empty()) all = {"apis", std::string(row.group()), all[1]};
    const std::string plural(row.name());
    const bool is_namespaced = row.kind->is_namespaced;
    const Scope scope = is_namespaced ? Scope::Namespace : Scope::Cluster;
    if (is_namespaced && row.Allows("list")) {
      Path everywhere = all;
      everywhere.push_back(plural);
      add({everywhere, &row, Scope::AllNamespaces, ""});
    }
    if (is_namespaced) all.insert(all.end(), {"namespaces", "{ns}"});
    all.push_back(plural);
    add({all, &row, scope, ""});
    Path one = all;
    one.emplace_back("{name}");
    add({one, &row, scope, ""});
    for (const std::string_view subresource : row.subresources) {
      Path below = one;
      below.emplace_back(subresource);
      add({below, &row, scope, std::string(subresource)});
    }
  }
  return routes;
}

/// Returns the segment at the place of `placeholder`, or "".
std::string Filled(const Route& route, const Path& path, std::string_view placeholder) {
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (route.segments[i] == placeholder) return path[i];
  }
  return {};
}

bool Fits(const Route& route, const Path& path) {
  return std::ranges::equal(route.segments, path, [](const auto& want, const auto& have) {
    return want.starts_with('{') || want == have;
  });
}

std::vector<const Route*> FittingRoutes(const Routes& routes, const Path& path) {
  std::vector<const Route*> fitting;
  const auto found = routes.find(path.size());
  if (found == routes.end()) return fitting;
  for (const Route& route : found->second) {
    if (Fits(route, path)) fitting.push_back(&route);
  }
  return fitting;
}

/// Returns a random path of words that occur in paths, so that many are nearly valid.
Path RandomPath(const ResourceTable& table, Random& random) {
  const Resource& row = table.all()[random.Below(table.all().size())];
  const Resource& other = table.all()[random.Below(table.all().size())];
  Path path = {"api", std::string(row.kind->version)};
  if (!row.group().empty()) path = {"apis", std::string(row.group()), path[1]};
  const Path words = {
      "namespaces", "t1",    "x",      std::string(row.name()), std::string(other.name()), "status",
      "finalize",   "scale", "binding"};
  if (random.Below(2) == 0) path.insert(path.end(), {"namespaces", "t1"});
  if (random.Below(4) != 0) path.emplace_back(row.name());
  for (std::size_t more = random.Below(4); more > 0; --more) {
    path.push_back(words[random.Below(words.size())]);
  }
  return path;
}

TEST(ParseRequestPropertyTest, APathIsServedIfAndOnlyIfItIsARouteOfTheTable) {
  const ResourceTable table;
  const Routes routes = AllRoutes(table);
  constexpr std::array kMethods = {"GET", "POST", "PUT", "PATCH", "DELETE"};
  Random random(21);
  std::size_t served = 0;
  for (int round = 0; round < 50'000; ++round) {
    const Path path = RandomPath(table, random);
    std::string target;
    for (const std::string& segment : path) target += "/" + segment;
    SCOPED_TRACE(target);
    const ParsedRequest parsed =
        ParseRequest(kMethods[random.Below(kMethods.size())], target, table);
    if (!parsed.info.is_resource_request) continue;
    const std::vector<const Route*> fitting = FittingRoutes(routes, path);
    ASSERT_LE(fitting.size(), 1U);
    ASSERT_EQ(!parsed.refusal, !fitting.empty());
    if (fitting.empty()) continue;
    ++served;
    const Route& route = *fitting[0];
    const std::string name = Filled(route, path, "{name}");
    const bool is_namespaces = route.resource->is_namespaces();
    ASSERT_EQ(parsed.resource, route.resource);
    ASSERT_EQ(parsed.info.resource, route.resource->name());
    ASSERT_EQ(parsed.info.group, route.resource->group());
    ASSERT_EQ(parsed.info.scope, route.scope);
    ASSERT_EQ(parsed.info.subresource, route.subresource);
    ASSERT_EQ(parsed.info.namespace_, is_namespaces ? name : Filled(route, path, "{ns}"));
    ASSERT_EQ(parsed.info.name, name);
  }
  EXPECT_GT(served, 5'000U) << "too few paths were right for the test to mean anything";
}

}  // namespace
}  // namespace plimsoll::apiserver
