#include "net/client.h"

#include <gtest/gtest.h>

#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "base/async.h"
#include "net/client_connection.h"
#include "net/limits.h"
#include "net/server.h"
#include "net/server_for_test.h"

namespace plimsoll::net {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

Request Get(std::string target) { return {.method = "GET", .target = std::move(target)}; }

/// Collects pieces; may return false after some of them.
class Collector final : public StreamReceiver {
 public:
  bool OnHead(int its_status, const Headers&) override {
    status = its_status;
    return true;
  }
  bool OnPiece(Piece piece) override {
    if (piece.text != nullptr) text += *piece.text;
    payloads.push_back(std::move(piece.payload));
    received.Put(true);
    return text.size() < text_size_max;
  }

  int status = 0;
  std::string text;
  std::vector<PayloadPtr> payloads;
  std::size_t text_size_max = 1u << 30;
  Mailbox<bool> received;
};

enum class Carrier : std::uint8_t { Sockets, Local };

/// Tests that every carrier must pass.
class TransportTest : public testing::TestWithParam<Carrier> {
 protected:
  void Connect(FunctionHandler::Function function) {
    handler_ = std::make_unique<FunctionHandler>(std::move(function));
    if (GetParam() == Carrier::Local) {
      transport_ = ConnectLocally(*handler_, {"system:admin", {"system:masters"}});
      return;
    }
    auto server = Server::Start({}, *handler_, log_.log);
    ASSERT_TRUE(server.has_value());
    server_ = std::move(*server);
    auto transport = ConnectTo("http://127.0.0.1:" + std::to_string(server_->port()), {});
    ASSERT_TRUE(transport.has_value());
    transport_ = std::move(*transport);
  }

  QuietLog log_;
  std::unique_ptr<FunctionHandler> handler_;
  std::unique_ptr<Server> server_;
  std::unique_ptr<Transport> transport_;
};

INSTANTIATE_TEST_SUITE_P(All, TransportTest, testing::Values(Carrier::Sockets, Carrier::Local),
                         [](const auto& test) {
                           return test.param == Carrier::Local ? "Local" : "Sockets";
                         });

TEST_P(TransportTest, FetchesWhatTheHandlerSays) {
  Connect([](const Request& request, const std::shared_ptr<Exchange>& exchange) {
    Response response = TextResponse(request.method + request.target + request.body, 201);
    response.headers.Add("X-Got", std::string(request.headers.Find("x-sent")));
    exchange->Respond(std::move(response));
  });
  for (const std::string& body : {std::string(), std::string("text"), std::string(1u << 20, 'b')}) {
    Request request{.method = "POST", .target = "/a?b", .headers = {{"X-Sent", "1"}}};
    request.body = body;
    const auto response = transport_->Fetch(std::move(request), seconds(20), nullptr);
    ASSERT_TRUE(response.has_value()) << response.error().Text();
    EXPECT_EQ(response->status, 201);
    EXPECT_EQ(response->headers.Find("X-Got"), "1");
    EXPECT_EQ(response->body, "POST/a?b" + body);
  }
}

TEST_P(TransportTest, AnswersMayComeFromOtherThreads) {
  Mailbox<std::shared_ptr<Exchange>> asked;
  Connect(
      [&](const Request&, std::shared_ptr<Exchange> exchange) { asked.Put(std::move(exchange)); });
  std::thread other([&] { asked.Pop()->Respond(TextResponse("late")); });
  const auto response = transport_->Fetch(Get("/"), Duration::zero(), nullptr);
  other.join();
  ASSERT_TRUE(response.has_value());
  EXPECT_EQ(response->body, "late");
}

class ThreeParts final : public BodySource {
 public:
  bool Read(std::string& out) override {
    out += "part;";
    return ++count_ < 3;
  }

 private:
  int count_ = 0;
};

TEST_P(TransportTest, ReadsBodiesThatAreMadeOnTheWay) {
  Connect([](const Request&, const std::shared_ptr<Exchange>& exchange) {
    Response response;
    response.source = std::make_unique<ThreeParts>();
    exchange->Respond(std::move(response));
  });
  const auto response = transport_->Fetch(Get("/"), Duration::zero(), nullptr);
  ASSERT_TRUE(response.has_value());
  EXPECT_EQ(response->body, "part;part;part;");
  Collector collector;
  EXPECT_TRUE(transport_->Receive(Get("/"), collector, nullptr).has_value());
  EXPECT_EQ(collector.text, "part;part;part;");
}

TEST_P(TransportTest, ReceivesAStreamToItsEnd) {
  Connect([](const Request&, const std::shared_ptr<Exchange>& exchange) {
    std::thread([stream = exchange->Begin(200, {})] {
      for (int i = 0; i < 100; ++i) stream->Write({MakeBytes("line\n"), nullptr});
      stream->End();
    }).detach();
  });
  Collector collector;
  const Status status = transport_->Receive(Get("/"), collector, nullptr);
  EXPECT_TRUE(status.has_value()) << status.error().Text();
  EXPECT_EQ(collector.status, 200);
  EXPECT_EQ(collector.text.size(), 500u);
}

TEST_P(TransportTest, AReceiverMayHaveEnough) {
  Mailbox<bool> closed;
  Mailbox<std::shared_ptr<Stream>> begun;
  Connect([&](const Request&, const std::shared_ptr<Exchange>& exchange) {
    auto stream = exchange->Begin(200, {});
    stream->OnClose([&] { closed.Put(true); });
    stream->Write({MakeBytes("enough"), nullptr});
    begun.Put(std::move(stream));
  });
  Collector collector;
  collector.text_size_max = 3;
  EXPECT_TRUE(transport_->Receive(Get("/"), collector, nullptr).has_value());
  EXPECT_TRUE(closed.Pop());
  EXPECT_FALSE(begun.Pop()->Write({MakeBytes("more"), nullptr}));
}

TEST_P(TransportTest, CancelsAStream) {
  Mailbox<bool> closed;
  Mailbox<std::shared_ptr<Stream>> begun;
  Connect([&](const Request&, const std::shared_ptr<Exchange>& exchange) {
    auto stream = exchange->Begin(200, {});
    stream->OnClose([&] { closed.Put(true); });
    stream->Write({MakeBytes("some"), nullptr});
    begun.Put(std::move(stream));
  });
  Collector collector;
  const auto canceller = transport_->NewCanceller();
  std::thread other([&] {
    collector.received.Pop();
    canceller->Cancel();
    canceller->Cancel();
  });
  const Status status = transport_->Receive(Get("/"), collector, canceller);
  other.join();
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().reason, Reason::Timeout);
  EXPECT_TRUE(closed.Pop());
}

TEST_P(TransportTest, CancelsAFetchAndOneThatHasNotBegun) {
  Mailbox<std::shared_ptr<Exchange>> asked;
  Connect(
      [&](const Request&, std::shared_ptr<Exchange> exchange) { asked.Put(std::move(exchange)); });
  const auto canceller = transport_->NewCanceller();
  std::shared_ptr<Exchange> held;
  std::thread other([&] {
    held = asked.Pop();
    canceller->Cancel();
  });
  const auto response = transport_->Fetch(Get("/"), Duration::zero(), canceller);
  other.join();
  ASSERT_FALSE(response.has_value());
  EXPECT_EQ(response.error().reason, Reason::Timeout);
  const auto late = held->Begin(200, {});
  Mailbox<bool> closed;
  late->OnClose([&] { closed.Put(true); });
  EXPECT_TRUE(closed.Pop());
  EXPECT_EQ(transport_->Fetch(Get("/"), Duration::zero(), canceller).error().reason,
            Reason::Timeout);
}

TEST_P(TransportTest, GivesUpInTime) {
  Mailbox<std::shared_ptr<Exchange>> asked;
  Connect(
      [&](const Request&, std::shared_ptr<Exchange> exchange) { asked.Put(std::move(exchange)); });
  const auto response = transport_->Fetch(Get("/"), milliseconds(1), nullptr);
  ASSERT_FALSE(response.has_value());
  EXPECT_EQ(response.error().reason, Reason::Timeout);
  asked.Pop();
}

TEST_P(TransportTest, AForgottenRequestIsA500) {
  Connect([](const Request&, const std::shared_ptr<Exchange>&) {});
  const auto response = transport_->Fetch(Get("/"), Duration::zero(), nullptr);
  ASSERT_TRUE(response.has_value());
  EXPECT_EQ(response->status, 500);
}

TEST(LocalTransportTest, HandsPayloadsOverAndSaysWhoAsks) {
  const PayloadPtr payload = MakePayload(42);
  Mailbox<std::optional<LocalIdentity>> asker;
  FunctionHandler handler([&](const Request& request, const std::shared_ptr<Exchange>& exchange) {
    asker.Put(request.local);
    if (request.target == "/one") {
      Response response = TextResponse("42");
      response.payload = payload;
      exchange->Respond(std::move(response));
    } else {
      const auto stream = exchange->Begin(200, {});
      stream->Write({nullptr, payload, 1});
      stream->Write({MakeBytes("x"), payload});
    }
  });
  const auto transport = ConnectLocally(handler, {"system:admin", {"system:masters"}});
  const auto response = transport->Fetch(Get("/one"), Duration::zero(), nullptr);
  ASSERT_TRUE(response.has_value());
  EXPECT_EQ(response->payload, payload);
  EXPECT_EQ(asker.Pop()->user, "system:admin");
  Collector collector;
  EXPECT_TRUE(transport->Receive(Get("/all"), collector, nullptr).has_value());
  EXPECT_EQ(collector.payloads, (std::vector<PayloadPtr>{payload, payload}));
}

TEST(LocalTransportTest, CutsAReaderThatFallsBehind) {
  bool is_cut = false;
  FunctionHandler handler([&](const Request&, const std::shared_ptr<Exchange>& exchange) {
    const auto stream = exchange->Begin(200, {});
    const PayloadPtr payload = MakePayload(42);
    for (int i = 0; i < 6 && !is_cut; ++i) is_cut = !stream->Write({nullptr, payload, 1u << 20});
  });
  Collector collector;
  const Status status = ConnectLocally(handler, {})->Receive(Get("/"), collector, nullptr);
  EXPECT_TRUE(is_cut);
  EXPECT_EQ(status.error().reason, Reason::ServiceUnavailable);
}

/// Fetches from fibers of one thread.
class FiberFetchTest : public testing::Test {
 protected:
  void Connect(FunctionHandler::Function function) {
    handler_ = std::make_unique<FunctionHandler>(std::move(function));
    server_ = std::move(*Server::Start({}, *handler_, log_.log));
    transport_ = std::move(*ConnectTo("http://127.0.0.1:" + std::to_string(server_->port()), {}));
  }
  /// Runs `count` fetches at once. Returns the failure of each.
  std::vector<std::optional<Reason>> FetchAll(int count, Duration timeout,
                                              const std::shared_ptr<Canceller>& canceller) {
    std::vector<std::optional<Reason>> failures(static_cast<std::size_t>(count));
    {
      WorkerPool pool(1, {}, static_cast<std::size_t>(count));
      for (std::optional<Reason>& failure : failures) {
        pool.Run([&] {
          const auto response = transport_->Fetch(Get("/"), timeout, canceller);
          if (!response) failure = response.error().reason;
        });
      }
    }
    return failures;
  }

  // Declared before the server, which may still get a request after the test has ended.
  std::mutex mutex_;
  std::vector<std::shared_ptr<Exchange>> asked_;
  std::shared_ptr<Canceller> canceller_;
  QuietLog log_;
  std::unique_ptr<FunctionHandler> handler_;
  std::unique_ptr<Server> server_;
  std::unique_ptr<Transport> transport_;
};

TEST_F(FiberFetchTest, LeavesTheThreadToTheOthers) {
  constexpr std::size_t kCount = 8;
  // No request is answered before all have arrived, so a fetch that blocked the thread would hang.
  Connect([this](const Request&, std::shared_ptr<Exchange> exchange) {
    const std::scoped_lock lock(mutex_);
    asked_.push_back(std::move(exchange));
    if (asked_.size() < kCount) return;
    for (const auto& one : asked_) one->Respond(TextResponse("all are here"));
    asked_.clear();
  });
  for (int again = 0; again < 3; ++again) {
    EXPECT_EQ(FetchAll(kCount, Duration::zero(), nullptr),
              std::vector<std::optional<Reason>>(kCount));
  }
}

TEST_F(FiberFetchTest, EachGivesUpInTime) {
  Connect([this](const Request&, std::shared_ptr<Exchange> exchange) {
    const std::scoped_lock lock(mutex_);
    asked_.push_back(std::move(exchange));
  });
  EXPECT_EQ(FetchAll(3, milliseconds(1), nullptr),
            std::vector<std::optional<Reason>>(3, Reason::Timeout));
}

TEST_F(FiberFetchTest, AllAreCancelled) {
  Connect([this](const Request&, std::shared_ptr<Exchange> exchange) {
    const std::scoped_lock lock(mutex_);
    asked_.push_back(std::move(exchange));
    if (asked_.size() == 2) canceller_->Cancel();
  });
  canceller_ = transport_->NewCanceller();
  std::vector<std::optional<Reason>> failures = FetchAll(2, Duration::zero(), canceller_);
  EXPECT_EQ(failures, std::vector<std::optional<Reason>>(2, Reason::Timeout));
  failures = FetchAll(1, Duration::zero(), canceller_);
  EXPECT_EQ(failures, std::vector<std::optional<Reason>>(1, Reason::Timeout));
}

TEST(SocketTransportTest, UsesAConnectionAgainAndReplacesAStaleOne) {
  QuietLog log;
  std::vector<std::string> clients;
  FunctionHandler handler([&](const Request& request, const std::shared_ptr<Exchange>& exchange) {
    clients.push_back(request.remote_address);
    exchange->Respond(TextResponse("ok"));
  });
  auto server = Server::Start({.threads = 1}, handler, log.log);
  ASSERT_TRUE(server.has_value());
  const std::uint16_t port = (*server)->port();
  const auto transport = ConnectTo("http://localhost:" + std::to_string(port) + "/", {});
  ASSERT_TRUE(transport.has_value());
  for (int i = 0; i < 2; ++i) {
    const auto response = (*transport)->Fetch(Get("/"), seconds(20), nullptr);
    ASSERT_TRUE(response.has_value()) << response.error().Text();
  }
  EXPECT_EQ(clients[0], clients[1]);
  server->reset();
  const auto none = (*transport)->Fetch(Get("/"), seconds(20), nullptr);
  ASSERT_FALSE(none.has_value());
  EXPECT_EQ(none.error().reason, Reason::ServiceUnavailable);
  EXPECT_EQ(none.error().message,
            "cannot reach http://localhost:" + std::to_string(port) + ": Connection refused");
  server = Server::Start({.port = port, .threads = 1}, handler, log.log);
  ASSERT_TRUE(server.has_value());
  EXPECT_TRUE((*transport)->Fetch(Get("/"), seconds(20), nullptr).has_value());
}

/// A server for tests that accepts connections and sends the given bytes.
class RawServer {
 public:
  explicit RawServer(std::vector<std::string> answers)
      : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address);
    listen(socket_, 8);
    socklen_t size = sizeof address;
    getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this, answers = std::move(answers)] {
      // One connection per text. It sends one answer for each part that ends with `|`.
      for (const std::string& text : answers) {
        const int peer = accept(socket_, nullptr, nullptr);
        std::string_view rest = text;
        while (!rest.empty()) {
          char request[4096];
          if (recv(peer, request, sizeof request, 0) <= 0) break;
          const std::size_t end = std::min(rest.find('|'), rest.size());
          static_cast<void>(!send(peer, rest.data(), end, MSG_NOSIGNAL));
          rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        close(peer);
      }
    });
  }
  ~RawServer() {
    shutdown(socket_, SHUT_RDWR);
    thread_.join();
    close(socket_);
  }
  RawServer(const RawServer&) = delete;
  RawServer& operator=(const RawServer&) = delete;
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }

 private:
  int socket_;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

TEST(SocketTransportTest, RefusesResponsesThatMakeNoSense) {
  for (const std::string& text : std::vector<std::string>{
           "HTTP/2 200 OK\r\n\r\n", "nonsense\r\n\r\n", "HTTP/1.1 2x0 OK\r\n\r\n",
           "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
           "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
           "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc",
           "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc",
           "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\nabc\r\n",
           "HTTP/1.1 200 OK\nContent-Length: 0\n\n", "HTTP/1.1 200 OK\r\nA: b", "",
           "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nA: " +
               std::string(2 * kResponseHeadBytesMax, 'x') + "\r\n\r\n"}) {
    RawServer server({text + "|"});
    const auto transport = ConnectTo(server.url(), {});
    const auto response = (*transport)->Fetch(Get("/"), seconds(20), nullptr);
    ASSERT_FALSE(response.has_value()) << text;
    EXPECT_EQ(response.error().reason, Reason::ServiceUnavailable);
  }
}

TEST(SocketTransportTest, ReadsABodyThatEndsWithTheConnection) {
  RawServer server({"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 200 OK\r\n\r\nall of it|"});
  const auto transport = ConnectTo(server.url(), {});
  const auto response = (*transport)->Fetch(Get("/"), seconds(20), nullptr);
  ASSERT_TRUE(response.has_value()) << response.error().Text();
  EXPECT_EQ(response->body, "all of it");
}

TEST(SocketTransportTest, TriesAgainOnlyWhatMayBeDoneTwice) {
  const std::string ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok|";
  // The first connection answers once, takes a second request, and closes without an answer.
  for (const std::string method : {"GET", "POST"}) {
    RawServer server({ok + "|", ok});
    const auto transport = ConnectTo(server.url(), {});
    ASSERT_TRUE((*transport)->Fetch(Get("/"), seconds(20), nullptr).has_value());
    const auto again = (*transport)->Fetch({.method = method, .target = "/"}, seconds(20), nullptr);
    EXPECT_EQ(again.has_value(), method == "GET");
    if (method == "POST") {
      EXPECT_TRUE((*transport)->Fetch(Get("/"), seconds(20), nullptr).has_value());
    }
  }
}

TEST(SocketTransportTest, RefusesLineEndsInRequests) {
  const auto transport = ConnectTo("http://127.0.0.1:1", {});
  for (const Request& request :
       {Request{.method = "GET", .target = "/\r\nA: b"},
        Request{.method = "GET", .target = "/", .headers = {{"A", "b\nC: d"}}}}) {
    EXPECT_EQ((*transport)->Fetch(request, seconds(1), nullptr).error().reason, Reason::BadRequest);
  }
}

TEST(ParseUrlTest, TakesUrlsApart) {
  struct Case {
    std::string_view url;
    std::string_view want;  // tls host port path; empty: rejected
  };
  for (const Case& test : {Case{"https://localhost:6443", "1 localhost 6443 "},
                           {"http://10.0.0.1", "0 10.0.0.1 80 "},
                           {"https://[::1]:8443/k8s/x/", "1 ::1 8443 /k8s/x"},
                           {"https://[::1]", "1 ::1 443 "},
                           {"https://host/", "1 host 443 "},
                           {"ftp://host", ""},
                           {"localhost:80", ""},
                           {"https://", ""},
                           {"https://host:0x1", ""},
                           {"https://host:65536", ""},
                           {"https://host:", ""},
                           {"https://[::1", ""},
                           {"https://user@host", ""},
                           {"https://a b", ""}}) {
    const auto got = ParseUrl(test.url);
    EXPECT_EQ(got.has_value() ? std::to_string(got->is_tls) + " " + got->host + " " +
                                    std::to_string(got->port) + " " + got->path
                              : "",
              test.want)
        << test.url;
  }
}

}  // namespace
}  // namespace plimsoll::net
