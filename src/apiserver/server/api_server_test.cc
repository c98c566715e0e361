#include "apiserver/server/api_server.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <mutex>
#include <optional>
#include <semaphore>
#include <utility>
#include <vector>

#include "apiserver/authn/wait_ban.h"
#include "base/async.h"
#include "base/virtual_clock.h"

namespace plimsoll::apiserver {
namespace {

class FakeAuthenticator final : public Authenticator {
 public:
  api::Answer<std::optional<User>> Authenticate(const net::Request& request) override {
    const std::string_view token = request.headers.Find("Authorization");
    if (token.empty()) return std::nullopt;
    if (token == "Bearer bad") return std::unexpected(api::Unauthorized());
    if (token.starts_with("Bearer remote-")) {
      // A remote server authenticates this user.
      if (WaitBan::Forbids()) return std::unexpected(api::Unauthorized());
      ++asked;
      if (is_holding) Hold();
      if (token == "Bearer remote-bad") return std::unexpected(api::Unauthorized());
      return User{.name = std::string(token.substr(14)), .groups = {"system:authenticated"}};
    }
    return User{.name = std::string(token.substr(7)), .groups = {"system:authenticated"}};
  }

  void Hold() {
    OneShotEvent event;
    {
      const std::scoped_lock lock(mutex);
      held.push_back(&event);
    }
    count.release();
    event.Wait();
  }

  std::atomic<int> asked = 0;
  std::atomic<bool> is_holding = false;
  std::mutex mutex;
  std::vector<OneShotEvent*> held;
  std::counting_semaphore<> count{0};
};

/// Impersonates the user in the header and removes the header, as the real one does.
class HeaderImpersonationForTest final : public Impersonation {
 public:
  api::Answer<void> Apply(ApiRequest& request) const override {
    const std::string wanted(request.http.headers.Find("Impersonate-User"));
    if (wanted.empty()) return {};
    request.impersonator = std::exchange(request.user, User{.name = wanted});
    request.http.headers.Remove("Impersonate-User");
    return {};
  }
};

/// Allows jane everything but secrets, and everyone /healthz.
class FakeAuthorizer final : public Authorizer {
 public:
  Decision Authorize(const User& user, const RequestInfo& what) const override {
    const bool is_public = what.path == "/healthz";
    if (user.name == "judged") {
      // A remote server authorizes this user.
      if (WaitBan::Forbids()) return {};
      return {what.verb == "get", "remote"};
    }
    return {is_public || (user.name == "jane" && what.resource != "secrets"), ""};
  }
};

class FakeEndpoints final : public Endpoints {
 public:
  void Read(const RequestPtr&, const std::shared_ptr<net::Exchange>& exchange) override {
    if (gate != nullptr) held = exchange;
    if (gate == nullptr) exchange->Respond({.status = 200, .body = MakeBytes("read")});
  }
  net::Response Write(ApiRequest&) override {
    if (WaitBan::Forbids()) return {.status = 500};
    return {.status = 201, .body = MakeBytes("written")};
  }
  net::Response Document(const ApiRequest&) override {
    return {.status = 200, .body = MakeBytes("document")};
  }
  int* gate = nullptr;
  std::shared_ptr<net::Exchange> held;
};

class Answer final : public net::Exchange {
 public:
  void Respond(net::Response response) override {
    got = std::move(response);
    done.count_down();
  }
  std::shared_ptr<net::Stream> Begin(int, net::Headers) override { return nullptr; }
  std::optional<net::Response> got;
  std::latch done{1};
};

class ApiServerTest : public testing::Test {
 protected:
  ApiServerTest() {
    health_.AddLive({"ping", [] { return Status(); }});
    server_.emplace(Parts(fairness_));
  }

  ApiServerParts Parts(Fairness& fairness) {
    return {.resources = table_,
            .clock = clock_,
            .log = log_,
            .authenticator = authenticator_,
            .impersonation = impersonation_,
            .authorizer = authorizer_,
            .endpoints = endpoints_,
            .health = health_,
            .metrics = metrics_,
            .fairness = fairness,
            .watches_per_user_max = 1};
  }

  net::Request Request(std::string method, std::string target, std::string user) {
    net::Request request;
    request.method = std::move(method);
    request.target = std::move(target);
    if (!user.empty()) request.headers.Add("Authorization", "Bearer " + user);
    return request;
  }

  net::Response Ask(std::string method, std::string target, std::string user = "jane") {
    const auto answer = std::make_shared<Answer>();
    server_->Serve(Request(std::move(method), std::move(target), std::move(user)), answer);
    answer->done.wait();
    return *std::move(answer->got);
  }

  ResourceTable table_;
  VirtualClock clock_;
  MemorySink sink_;
  Logger log_{clock_, sink_};
  MetricsRegistry registry_;
  RequestMetrics metrics_{registry_};
  FakeAuthenticator authenticator_;
  HeaderImpersonationForTest impersonation_;
  FakeAuthorizer authorizer_;
  FakeEndpoints endpoints_;
  Health health_{log_};
  Fairness fairness_{{.reading_max = 1, .mutating_max = 1, .is_enabled = false},
                     clock_,
                     registry_,
                     [](const Resource&) { return std::size_t{0}; }};
  std::optional<ApiServer> server_;
};

TEST_F(ApiServerTest, SendsEachRequestWhereItBelongs) {
  EXPECT_EQ(*Ask("GET", "/api/v1/pods").body, "read");
  EXPECT_EQ(*Ask("POST", "/api/v1/namespaces/d/pods").body, "written");
  EXPECT_EQ(*Ask("GET", "/version").body, "document");
  EXPECT_EQ(*Ask("GET", "/healthz").body, "ok");
}

TEST_F(ApiServerTest, RefusesInUpstreamsOrder) {
  EXPECT_EQ(Ask("GET", "/api/v1/pods", "bad").status, 401);
  EXPECT_EQ(Ask("GET", "/api/v1/pods", "").status, 403);
  EXPECT_EQ(Ask("GET", "/healthz", "").status, 200);
  EXPECT_EQ(Ask("GET", "/api/v1/secrets").status, 403);
  EXPECT_EQ(Ask("GET", "/api/v1/gadgets").status, 404);
  EXPECT_EQ(Ask("GET", "/api/v1/gadgets", "bad").status, 401);
  EXPECT_EQ(Ask("GET", "/api/v1/gadgets", "joe").status, 404)
      << "no rule can be about a path that fits no row of the table";
  EXPECT_EQ(Ask("DELETE", "/api/v1/namespaces/t1/namespaces/t2").status, 404);
  EXPECT_EQ(Ask("POST", "/api/v1/namespaces/d/pods/x", "joe").status, 403);
  EXPECT_EQ(Ask("POST", "/api/v1/namespaces/d/pods/x").status, 405);
  EXPECT_EQ(Ask("GET", "/api/v1/pods%zz").status, 400);
}

/// Records whether the server asked for the body.
class BodyAnswer final : public net::Exchange {
 public:
  void Respond(net::Response response) override {
    status = response.status;
    done.count_down();
  }
  std::shared_ptr<net::Stream> Begin(int, net::Headers) override { return nullptr; }
  void ReadBody(std::size_t, net::BodyReceiver receiver) override {
    is_body_read = true;
    receiver({.text = "{}"});
  }
  void MarkAuthenticated() override { is_authenticated = true; }
  int status = 0;
  bool is_body_read = false;
  bool is_authenticated = false;
  std::latch done{1};
};

struct BodyCase {
  std::string method;
  std::string target;
  std::string user;
  std::uint64_t size;
  int status;
  bool is_read;
  bool is_authenticated;
};

TEST_F(ApiServerTest, ReadsABodyOnlyOfARequestThatIsLetIn) {
  const std::string pods = "/api/v1/namespaces/d/pods";
  for (const BodyCase& test :
       {BodyCase{"POST", pods, "jane", 2, 201, true, true},
        {"POST", pods, "jane", (3u << 20) + 1, 413, false, true},
        {"POST", pods, "joe", 2, 403, false, true},
        {"POST", pods, "", 2, 403, false, false},
        {"POST", pods, "bad", 2, 401, false, false},
        {"POST", "/api/v1/namespaces/d/gadgets", "jane", 2, 404, false, true},
        {"GET", "/api/v1/pods", "jane", 2, 200, false, true},
        {"GET", "/version", "jane", 2, 200, false, true}}) {
    net::Request request = Request(test.method, test.target, test.user);
    request.unread_body.emplace().size = test.size;
    const auto answer = std::make_shared<BodyAnswer>();
    server_->Serve(std::move(request), answer);
    answer->done.wait();
    EXPECT_EQ(answer->status, test.status) << test.method << test.target << test.user;
    EXPECT_EQ(answer->is_body_read, test.is_read) << test.method << test.target << test.user;
    EXPECT_EQ(answer->is_authenticated, test.is_authenticated) << test.user;
  }
}

TEST_F(ApiServerTest, BeyondTheLimitItAsksToComeBack) {
  int gate = 0;
  endpoints_.gate = &gate;
  server_->Serve(Request("GET", "/api/v1/pods", "jane"), std::make_shared<Answer>());
  const net::Response refused = Ask("GET", "/api/v1/pods");
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(refused.headers.Find("Retry-After"), "1");

  endpoints_.held->Respond({.status = 200});
  endpoints_.held = nullptr;
  endpoints_.gate = nullptr;
  EXPECT_EQ(Ask("GET", "/api/v1/pods").status, 200);
}

TEST_F(ApiServerTest, AQueuedRequestIsServedWhenASeatIsFreeAndHoldsNoThread) {
  LevelConfig level;
  level.name = "queued";
  level.uid = "level-uid";
  level.nominal_shares = 1;
  level.queuing = QueueConfig{1, 1, 10};
  FlowConfig flow;
  flow.name = "everyone";
  flow.uid = "flow-uid";
  flow.level = "queued";
  flow.precedence = 1;
  flow.rules.push_back(
      {{{SubjectConfig::Kind::User, "*", ""}}, {{{"*"}, {"*"}, {"*"}, {"*"}, true}}, {}});
  MetricsRegistry registry;
  Fairness fairness({.reading_max = 1, .mutating_max = 1}, clock_, registry,
                    [](const Resource&) { return std::size_t{0}; });
  LevelConfig rest;
  rest.name = "catch-all";
  fairness.Configure({level, rest}, {flow});
  server_.emplace(Parts(fairness));

  int gate = 0;
  endpoints_.gate = &gate;
  std::vector<std::shared_ptr<net::Exchange>> held;
  for (int i = 0; i < 2; ++i) {
    server_->Serve(Request("GET", "/api/v1/pods", "jane"), std::make_shared<Answer>());
    held.push_back(std::exchange(endpoints_.held, nullptr));
  }
  endpoints_.gate = nullptr;
  const auto waiting = std::make_shared<Answer>();
  const auto write = std::make_shared<Answer>();
  server_->Serve(Request("GET", "/api/v1/pods", "jane"), waiting);
  server_->Serve(Request("POST", "/api/v1/namespaces/d/pods", "jane"), write);
  EXPECT_FALSE(waiting->done.try_wait());
  held[0]->Respond({.status = 200});
  held.clear();
  waiting->done.wait();
  write->done.wait();
  EXPECT_EQ(*waiting->got->body, "read");
  EXPECT_EQ(*write->got->body, "written");
  EXPECT_EQ(waiting->got->headers.Find("X-Kubernetes-PF-FlowSchema-UID"), "flow-uid");
  EXPECT_EQ(waiting->got->headers.Find("X-Kubernetes-PF-PriorityLevel-UID"), "level-uid");
  server_.reset();
}

TEST_F(ApiServerTest, TheFairnessPagesAreForThoseWhoMayGetThem) {
  const std::string page = "/debug/api_priority_and_fairness/dump_priority_levels";
  EXPECT_EQ(*Ask("GET", page).body, "document") << "without fairness there are no such pages";
  MetricsRegistry registry;
  Fairness fairness({}, clock_, registry, [](const Resource&) { return std::size_t{0}; });
  server_.emplace(Parts(fairness));
  EXPECT_TRUE(Ask("GET", page).body->starts_with("PriorityLevelName, ActiveQueues,"));
  EXPECT_EQ(Ask("GET", page, "joe").status, 403);
  EXPECT_EQ(Ask("GET", page, "").status, 403);
  server_.reset();
}

TEST_F(ApiServerTest, ClosingRefusesWhoWaits) {
  LevelConfig level = MandatoryLevels()[1];
  level.queuing = QueueConfig{1, 1, 10};
  MetricsRegistry registry;
  Fairness fairness({.reading_max = 1, .mutating_max = 1}, clock_, registry,
                    [](const Resource&) { return std::size_t{0}; });
  fairness.Configure({level}, {});
  server_.emplace(Parts(fairness));
  int gate = 0;
  endpoints_.gate = &gate;
  std::vector<std::shared_ptr<net::Exchange>> held;
  for (int i = 0; i < 2; ++i) {
    server_->Serve(Request("GET", "/api/v1/pods", "jane"), std::make_shared<Answer>());
    held.push_back(std::exchange(endpoints_.held, nullptr));
  }
  const auto waiting = std::make_shared<Answer>();
  server_->Serve(Request("GET", "/api/v1/pods", "jane"), waiting);
  EXPECT_FALSE(waiting->got.has_value());
  fairness.Close();
  ASSERT_TRUE(waiting->got.has_value());
  EXPECT_EQ(waiting->got->status, 429);
  held.clear();
  server_.reset();
}

TEST_F(ApiServerTest, EveryAnswerIsCounted) {
  Ask("GET", "/api/v1/pods");
  Ask("GET", "/api/v1/pods", "joe");
  const std::string text = registry_.Text();
  EXPECT_TRUE(text.contains("code=\"200\""));
  EXPECT_TRUE(text.contains("code=\"403\""));
}

/// Stream without a reader.
class DeadStream final : public net::Stream {
 public:
  bool Write(net::Piece) override { return true; }
  void End() override {}
  void OnClose(Task) override {}
  void OnWritable(Task) override {}
};

class Streaming final : public net::Exchange {
 public:
  void Respond(net::Response) override {}
  std::shared_ptr<net::Stream> Begin(int, net::Headers) override {
    return std::make_shared<DeadStream>();
  }
};

TEST_F(ApiServerTest, AWatchIsCountedUntilItIsLetGo) {
  int gate = 0;
  endpoints_.gate = &gate;
  server_->Serve(Request("GET", "/api/v1/pods?watch=true", "jane"), std::make_shared<Streaming>());
  std::shared_ptr<net::Stream> stream = endpoints_.held->Begin(200, {});
  endpoints_.held = nullptr;
  const auto open = [&](std::string_view count) {
    return registry_.Text().contains(R"(verb="WATCH",version="v1"} )" + std::string(count) + "\n");
  };
  EXPECT_TRUE(open("1"));
  EXPECT_EQ(Ask("GET", "/api/v1/pods?watch=true").status, 429) << "jane may have one";
  stream->End();
  stream = nullptr;
  EXPECT_TRUE(open("0"));
}

TEST_F(ApiServerTest, WhoMustBeAskedElsewhereIsAskedOnceAndOffTheCarriersThread) {
  EXPECT_EQ(*Ask("GET", "/api/v1/pods", "remote-jane").body, "read");
  EXPECT_EQ(authenticator_.asked, 1);
  EXPECT_EQ(Ask("POST", "/api/v1/namespaces/x/pods", "remote-jane").status, 201);
  EXPECT_EQ(Ask("GET", "/api/v1/secrets", "remote-jane").status, 403);
  EXPECT_EQ(Ask("GET", "/api/v1/pods", "remote-bad").status, 401);
  EXPECT_EQ(Ask("GET", "/api/v1/namespaces/x/pods/a", "judged").status, 200);
  EXPECT_EQ(Ask("DELETE", "/api/v1/namespaces/x/pods/a", "judged").status, 403);
}

TEST_F(ApiServerTest, AnImpersonatorDoesNotGetItsOwnRightsBackBySecondThoughts) {
  for (const std::string_view user : {"jane", "remote-jane"}) {
    for (const auto& [wanted, status] : {std::pair("judged", 403), {"nobody", 403}}) {
      const auto answer = std::make_shared<Answer>();
      net::Request request = Request("DELETE", "/api/v1/namespaces/x/pods/a", std::string(user));
      request.headers.Add("Impersonate-User", wanted);
      server_->Serve(std::move(request), answer);
      answer->done.wait();
      EXPECT_EQ(answer->got->status, status) << user << " as " << wanted;
    }
  }
}

TEST_F(ApiServerTest, AWriteWithinTheProcessMayWait) {
  const auto answer = std::make_shared<Answer>();
  net::Request request = Request("POST", "/api/v1/namespaces/x/pods", "jane");
  request.local = net::LocalIdentity{"jane", {}};
  server_->Serve(std::move(request), answer);
  answer->done.wait();
  EXPECT_EQ(answer->got->status, 201);
}

/// Records the sender of each request.
class Senders final : public RequestObserver {
 public:
  bool OnReceived(ApiRequest& request) override {
    const std::scoped_lock lock(mutex);
    names.push_back(request.user.name);
    return true;
  }
  void OnAnswer(const ApiRequest&, net::Response&) override {}
  void OnWatchBegin(const ApiRequest&, int) override {}
  void OnWatchEnd(const ApiRequest&) override {}
  std::mutex mutex;
  std::vector<std::string> names;
};

TEST_F(ApiServerTest, AnAuditEventIsWrittenOnceForASenderHoweverOftenItWaits) {
  Senders senders;
  // A request returns its seat after its answer, so the next one needs another seat.
  MetricsRegistry registry;
  Fairness roomy({.reading_max = 100, .mutating_max = 1, .is_enabled = false}, clock_, registry,
                 [](const Resource&) { return std::size_t{0}; });
  ApiServerParts parts = Parts(roomy);
  parts.audit = &senders;
  server_.emplace(parts);
  for (const std::string_view user : {"jane", "remote-jane", "judged", "remote-judged"}) {
    for (const std::string_view wanted : {"", "judged"}) {
      senders.names.clear();
      const auto answer = std::make_shared<Answer>();
      net::Request request = Request("GET", "/api/v1/namespaces/x/pods/a", std::string(user));
      if (!wanted.empty()) request.headers.Add("Impersonate-User", std::string(wanted));
      server_->Serve(std::move(request), answer);
      answer->done.wait();
      EXPECT_EQ(answer->got->status, 200) << user << " as " << wanted;
      const std::string sender(user.ends_with("jane") ? "jane" : "judged");
      EXPECT_EQ(senders.names, std::vector{sender}) << user << " as " << wanted;
    }
  }
  server_.reset();
}

TEST_F(ApiServerTest, OnlySoManyRequestsWaitForARemoteServer) {
  MetricsRegistry registry;
  Fairness roomy({.reading_max = 2000, .mutating_max = 1, .is_enabled = false}, clock_, registry,
                 [](const Resource&) { return std::size_t{0}; });
  server_.emplace(Parts(roomy));
  authenticator_.is_holding = true;
  std::vector<std::shared_ptr<Answer>> answers;
  for (int i = 0; i < 1000; ++i) {
    answers.push_back(std::make_shared<Answer>());
    server_->Serve(Request("GET", "/healthz", "remote-jane"), answers.back());
  }
  EXPECT_EQ(Ask("GET", "/healthz", "remote-jane").status, 429);
  EXPECT_EQ(Ask("GET", "/healthz", "jane").status, 200);
  for (int i = 0; i < 1000; ++i) authenticator_.count.acquire();
  {
    const std::scoped_lock lock(authenticator_.mutex);
    for (OneShotEvent* const event : authenticator_.held) event->Set();
  }
  for (const auto& answer : answers) {
    answer->done.wait();
    EXPECT_EQ(answer->got->status, 200);
  }
  authenticator_.is_holding = false;
  EXPECT_EQ(Ask("GET", "/healthz", "remote-jane").status, 200);
  server_.reset();
}

}  // namespace
}  // namespace plimsoll::apiserver
