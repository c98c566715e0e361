// Requests that no honest client sends, over real sockets. The server must give the right answer
// and keep serving others.

#include <gtest/gtest.h>

#include "net/server.h"
#include "net/server_for_test.h"

namespace plimsoll::net {
namespace {

using std::chrono::milliseconds;

class HostileTest : public testing::Test {
 protected:
  void Start(ServerOptions options = {}) {
    auto server = Server::Start(options, handler_, log_.log);
    ASSERT_TRUE(server.has_value()) << server.error().Text();
    server_ = std::move(*server);
  }

  void ExpectAlive() {
    RawPeer peer(server_->port());
    peer.Send("GET /alive HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    EXPECT_TRUE(peer.ReadAll().ends_with("\r\n\r\n/alive"));
  }

  FunctionHandler handler_{[](const Request& request, const std::shared_ptr<Exchange>& exchange) {
                             exchange->MarkAuthenticated();
                             exchange->Respond(TextResponse(request.target));
                           },
                           1'000'000};
  QuietLog log_;
  std::unique_ptr<Server> server_;
};

struct Case {
  std::string text;
  std::string want;  // start of everything received; nothing follows this response
};

TEST_F(HostileTest, AnswersWhatIsNoRequest) {
  Start({.header_bytes_max = 1000});
  const std::string get = "GET / HTTP/1.1\r\nHost: x\r\n";
  for (const Case& test : {
           Case{"\r\n\r\n", "HTTP/1.1 400 Bad Request\r\n"},
           {"GET / HTTP/1.1\nHost: x\n\n", "HTTP/1.1 400 "},
           {"GET /\r\n\r\n", "HTTP/1.1 400 "},
           {"GET / HTTP/1.1\r\n\r\n", "HTTP/1.1 400 Bad Request: missing required Host header"},
           {"GET / HTTP/3.0\r\n\r\n", "HTTP/1.1 505 "},
           {get + "A: b\r\n c\r\n\r\n", "HTTP/1.1 400 "},
           {get + "A: " + std::string(1000, 'x') + "\r\n\r\n", "HTTP/1.1 431 "},
           {std::string(2000, 'G'), "HTTP/1.1 431 "},
           {get + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "HTTP/1.1 400 "},
           {get + "Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcd", "HTTP/1.1 400 "},
           {get + "Transfer-Encoding: chunked\r\n\r\nz\r\n", "HTTP/1.1 400 "},
           {get + "Transfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n", "HTTP/1.1 400 "},
           {get + "Transfer-Encoding: identity\r\n\r\n", "HTTP/1.1 501 "},
           {get + "Expect: more\r\n\r\n", "HTTP/1.1 417 "},
           {std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\n", 12), "HTTP/1.1 400 "},
       }) {
    RawPeer peer(server_->port());
    peer.Send(test.text);
    const std::string got = peer.ReadAll();
    EXPECT_TRUE(got.starts_with(test.want)) << test.text << "\n" << got;
    EXPECT_EQ(got.find("HTTP/1.1", 1), std::string::npos) << got;
    EXPECT_NE(got.find("Connection: close\r\n"), std::string::npos) << got;
  }
  ExpectAlive();
}

TEST_F(HostileTest, ServesNothingBehindABrokenRequest) {
  Start();
  RawPeer peer(server_->port());
  peer.Send(
      "GET /one HTTP/1.1\r\nHost: x\r\n\r\n"
      "POST /two HTTP/1.1\r\nHost: x\r\nContent-Length: 30\r\nTransfer-Encoding: chunked\r\n\r\n"
      "0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n");
  const std::string got = peer.ReadAll();
  EXPECT_NE(got.find("/one"), std::string::npos);
  EXPECT_NE(got.find("HTTP/1.1 400 Bad Request"), std::string::npos);
  EXPECT_EQ(got.find("/smuggled"), std::string::npos);
}

TEST_F(HostileTest, HangsUpOnTheSlow) {
  Start({.header_timeout = milliseconds(20), .body_timeout = milliseconds(20)});
  for (const std::string_view text :
       {"", "GET / HTTP/1.1\r\nHost: ", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab",
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"}) {
    RawPeer peer(server_->port());
    peer.Send(text);
    EXPECT_EQ(peer.ReadAll(), "") << text;
  }
}

TEST_F(HostileTest, HangsUpOnTheIdle) {
  Start({.idle_timeout = milliseconds(20)});
  RawPeer peer(server_->port());
  peer.Send("GET /idle HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_TRUE(peer.ReadAll().ends_with("/idle"));
}

TEST_F(HostileTest, HangsUpOnWhoDoesNotRead) {
  Mailbox<bool> dropped;
  class Endless final : public BodySource {
   public:
    explicit Endless(Mailbox<bool>& dropped) : dropped_(dropped) {}
    ~Endless() override { dropped_.Put(true); }
    bool Read(std::string& out) override {
      out.append(10'000, 'x');
      return true;
    }

   private:
    Mailbox<bool>& dropped_;
  };
  FunctionHandler handler([&](const Request&, const std::shared_ptr<Exchange>& exchange) {
    Response response;
    response.source = std::make_unique<Endless>(dropped);
    exchange->Respond(std::move(response));
  });
  const auto server = Server::Start({.write_timeout = milliseconds(20)}, handler, log_.log);
  ASSERT_TRUE(server.has_value());
  RawPeer peer((*server)->port(), 4096);
  peer.Send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_TRUE(dropped.Pop());
}

TEST_F(HostileTest, SurvivesHalfRequests) {
  Start();
  const std::string text =
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n";
  for (std::size_t size = 0; size < text.size(); ++size) {
    RawPeer peer(server_->port());
    peer.Send(text.substr(0, size));
    peer.FinishSending();
    EXPECT_EQ(peer.ReadAll(), "") << size;
  }
  // The request is complete and the client stops sending: the answer still arrives.
  RawPeer peer(server_->port());
  peer.Send(text);
  peer.FinishSending();
  EXPECT_TRUE(peer.ReadAll().starts_with("HTTP/1.1 200 OK"));
  ExpectAlive();
}

TEST_F(HostileTest, ABodyThatIsTooLargeIsAnsweredThoughItIsNotRead) {
  Start();
  RawPeer peer(server_->port());
  // More than the sockets buffer, so that some of it arrives after the answer.
  peer.Send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\n");
  for (int i = 0; i < 100 && peer.Send(std::string(100'000, 'x')); ++i) {
  }
  EXPECT_TRUE(peer.ReadUntil("too large").starts_with("HTTP/1.1 413 "));
}

TEST_F(HostileTest, RefusesMoreConnectionsThanAllowed) {
  Start({.threads = 1, .connections = {.total_max = 2, .per_address_max = 2}});
  RawPeer one(server_->port());
  one.Send("GET /1 HTTP/1.1\r\nHost: x\r\n\r\n");
  one.ReadUntil("/1");
  {
    RawPeer two(server_->port());
    two.Send("GET /2 HTTP/1.1\r\nHost: x\r\n\r\n");
    two.ReadUntil("/2");
    RawPeer three(server_->port());
    EXPECT_EQ(three.ReadAll(), "");
    two.Send("GET /2 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    two.ReadAll();
  }
  // The closed connection makes room, as soon as the server has noticed it.
  std::string got;
  while (got.empty()) {
    RawPeer four(server_->port());
    four.Send("GET /4 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    got = four.ReadAll();
  }
  EXPECT_TRUE(got.ends_with("/4"));
}

TEST_F(HostileTest, AGzippedBodyStaysAsItIs) {
  Start();
  RawPeer peer(server_->port());
  peer.Send(
      "POST /g HTTP/1.1\r\nHost: x\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\n"
      "\x1f\x8b\x08\x01");
  EXPECT_TRUE(peer.ReadUntil("/g").starts_with("HTTP/1.1 200"));
}

}  // namespace
}  // namespace plimsoll::net
