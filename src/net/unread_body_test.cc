// Bodies that the handler reads late or not at all, over real sockets.

#include <gtest/gtest.h>

#include "net/server.h"
#include "net/server_for_test.h"

namespace plimsoll::net {
namespace {

using std::chrono::milliseconds;

/// Responds to /refuse without reading the body, keeps /hold, and echoes the body of the rest.
class UnreadBodyTest : public testing::Test {
 protected:
  void Start(ServerOptions options = {}) {
    auto server = Server::Start(options, handler_, log_.log);
    ASSERT_TRUE(server.has_value()) << server.error().Text();
    server_ = std::move(*server);
  }

  static std::string Post(std::string_view path, std::string_view headers, std::string_view body) {
    return "POST " + std::string(path) + " HTTP/1.1\r\nHost: x\r\n" + std::string(headers) +
           "\r\n" + std::string(body);
  }
  static std::string Sized(std::string_view path, const std::string& body) {
    return Post(path, "Content-Length: " + std::to_string(body.size()) + "\r\n", body);
  }

  static void Echo(const std::shared_ptr<Exchange>& exchange) {
    exchange->ReadBody(1'000'000, [exchange](ReceivedBody body) {
      exchange->Respond(TextResponse(body.is_too_large ? "too large" : "got " + body.text));
    });
  }

  Mailbox<std::shared_ptr<Exchange>> held_;
  HeadHandler handler_{[this](const Request& request, std::shared_ptr<Exchange> exchange) {
    EXPECT_EQ(request.body, "");
    if (request.target == "/refuse") {
      exchange->Respond(TextResponse("no", 403));
    } else if (request.target == "/hold") {
      held_.Put(std::move(exchange));
    } else {
      Echo(exchange);
    }
  }};
  QuietLog log_;
  std::unique_ptr<Server> server_;
};

TEST_F(UnreadBodyTest, TheHandlerIsAskedBeforeTheBodyComes) {
  Start();
  RawPeer peer(server_->port());
  peer.Send(Post("/hold", "Content-Length: 3\r\n", ""));
  const std::shared_ptr<Exchange> exchange = held_.Pop();
  peer.Send("abc");
  Echo(exchange);  // on another thread than the server's
  EXPECT_TRUE(peer.ReadUntil("got abc").starts_with("HTTP/1.1 200 "));
}

TEST_F(UnreadBodyTest, ReadsNothingBeforeTheHandlerAsks) {
  Start();
  RawPeer peer(server_->port());
  peer.Send(Post("/hold", "Content-Length: 100000000\r\n", ""));
  const std::shared_ptr<Exchange> exchange = held_.Pop();
  // The buffers of the sockets fill up; then the server must not read more.
  peer.SetSendTimeout(milliseconds(200));
  const std::string part(1u << 20, 'x');
  int parts = 0;
  while (parts < 95 && peer.Send(part)) ++parts;
  EXPECT_LT(parts, 95);
  exchange->Respond(TextResponse("no", 403));
}

TEST_F(UnreadBodyTest, DiscardsASmallBodyAndGoesOn) {
  Start();
  for (const std::string& refused :
       {Sized("/refuse", "abc"), Sized("/refuse", std::string(200'000, 'x')),
        Post("/refuse", "Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n0\r\n\r\n")}) {
    RawPeer peer(server_->port());
    peer.Send(refused + Sized("/echo", "next"));
    EXPECT_TRUE(peer.ReadUntil("no").starts_with("HTTP/1.1 403 "));
    EXPECT_TRUE(peer.ReadUntil("got next").starts_with("HTTP/1.1 200 "));
  }
}

TEST_F(UnreadBodyTest, ClosesTheConnectionBehindALargeBody) {
  Start();
  for (const std::string& refused :
       {Sized("/refuse", std::string(300'000, 'x')),
        Post("/refuse", "Transfer-Encoding: chunked\r\n",
             "493e0\r\n" + std::string(300'000, 'x') + "\r\n0\r\n\r\n"),
        Post("/refuse", "Transfer-Encoding: chunked\r\n", "zz\r\n")}) {
    RawPeer peer(server_->port());
    peer.Send(refused + Sized("/echo", "next"));
    const std::string all = peer.ReadAll();
    EXPECT_TRUE(all.starts_with("HTTP/1.1 403 ")) << all;
    EXPECT_EQ(all.find("got next"), std::string::npos) << all;
  }
}

TEST_F(UnreadBodyTest, SaysContinueOnlyWhenTheBodyIsWanted) {
  Start();
  const std::string_view expect = "Expect: 100-continue\r\nContent-Length: 3\r\n";
  RawPeer refused(server_->port());
  refused.Send(Post("/refuse", expect, ""));
  const std::string all = refused.ReadAll();
  EXPECT_TRUE(all.starts_with("HTTP/1.1 403 ")) << all;
  EXPECT_NE(all.find("Connection: close\r\n"), std::string::npos)
      << "nobody knows whether the body comes";

  RawPeer wanted(server_->port());
  wanted.Send(Post("/echo", expect, ""));
  EXPECT_EQ(wanted.ReadUntil("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  wanted.Send("abc");
  EXPECT_TRUE(wanted.ReadUntil("got abc").starts_with("HTTP/1.1 200 "));
}

TEST_F(UnreadBodyTest, CutsOffABodyThatComesTooSlowly) {
  Start({.body_timeout = milliseconds(40), .body_bytes_per_second_min = 1000});
  RawPeer peer(server_->port());
  // Ten bytes extend the deadline by ten milliseconds.
  peer.Send(Post("/echo", "Content-Length: 100\r\n", "0123456789"));
  EXPECT_EQ(peer.ReadAll(), "");
}

TEST_F(UnreadBodyTest, AClientThatLeavesAmidItsBodyFreesTheHandler) {
  Start();
  Mailbox<bool> freed;
  class Guard {
   public:
    explicit Guard(Mailbox<bool>& mailbox) : mailbox_(&mailbox) {}
    Guard(Guard&& other) noexcept : mailbox_(std::exchange(other.mailbox_, nullptr)) {}
    ~Guard() {
      if (mailbox_ != nullptr) mailbox_->Put(true);
    }

   private:
    Mailbox<bool>* mailbox_;
  };
  RawPeer peer(server_->port());
  peer.Send(Post("/hold", "Content-Length: 100\r\n", "abc"));
  std::shared_ptr<Exchange> exchange = held_.Pop();
  Exchange& reader = *exchange;
  reader.ReadBody(1000, [guard = Guard(freed), exchange = std::move(exchange)](ReceivedBody) {
    ADD_FAILURE() << "the body never became whole";
  });
  peer.Close();
  EXPECT_TRUE(freed.Pop());
}

TEST_F(UnreadBodyTest, TheHandlerMayRespondWhileItWaitsForTheBody) {
  Start();
  RawPeer peer(server_->port());
  peer.Send(Post("/hold", "Content-Length: 100\r\n", "abc"));
  const std::shared_ptr<Exchange> exchange = held_.Pop();
  exchange->ReadBody(1000, [](ReceivedBody) {});
  exchange->Respond(TextResponse("late", 504));
  EXPECT_TRUE(peer.ReadAll().starts_with("HTTP/1.1 504 "));
}

TEST_F(UnreadBodyTest, AnonymousConnectionsMakeRoomForNewOnes) {
  Start(
      {.threads = 1,
       .connections = {.total_max = 2, .per_address_max = 2, .anonymous_grace = milliseconds(1)}});
  RawPeer one(server_->port());
  one.Send(Sized("/echo", "1"));
  one.ReadUntil("got 1");
  RawPeer two(server_->port());
  two.Send(Sized("/echo", "2"));
  two.ReadUntil("got 2");
  RawPeer three(server_->port());
  three.Send(Sized("/echo", "3"));
  EXPECT_TRUE(three.ReadUntil("got 3").starts_with("HTTP/1.1 200 "));
  EXPECT_EQ(one.ReadAll(), "") << "the oldest one was closed";
}

}  // namespace
}  // namespace plimsoll::net
