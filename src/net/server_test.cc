#include "net/server.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "net/http1_writer.h"
#include "net/server_for_test.h"

namespace plimsoll::net {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// Responds with the request.
void Echo(const Request& request, const std::shared_ptr<Exchange>& exchange) {
  exchange->Respond(TextResponse(request.method + " " + request.target + " " + request.body));
}

class ServerTest : public testing::Test {
 protected:
  void Start(FunctionHandler::Function function, ServerOptions options = {},
             std::size_t body_bytes_max = 3u << 20) {
    handler_ = std::make_unique<FunctionHandler>(std::move(function), body_bytes_max);
    auto server = Server::Start(options, *handler_, log_.log);
    ASSERT_TRUE(server.has_value()) << server.error().Text();
    server_ = std::move(*server);
  }

  QuietLog log_;
  std::unique_ptr<FunctionHandler> handler_;
  std::unique_ptr<Server> server_;
};

constexpr std::string_view kHeadEnd = "\r\n\r\n";

TEST_F(ServerTest, AnswersAndKeepsTheConnection) {
  Start(Echo);
  RawPeer peer(server_->port());
  for (int i = 0; i < 3; ++i) {
    peer.Send("GET /a?b=c HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_EQ(peer.ReadUntil("GET /a?b=c "),
              "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
              "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Length: 11\r\n\r\nGET /a?b=c ");
  }
  peer.Send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  EXPECT_TRUE(peer.ReadAll().find("Connection: close\r\n") != std::string::npos);
}

TEST_F(ServerTest, AnswersPipelinedRequestsInOrder) {
  Mailbox<std::shared_ptr<Exchange>> first;
  Start([&](const Request& request, std::shared_ptr<Exchange> exchange) {
    if (request.target == "/1") {
      first.Put(std::move(exchange));
    } else {
      Echo(request, exchange);
    }
  });
  RawPeer peer(server_->port());
  peer.Send(
      "POST /1 HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nabGET /2 HTTP/1.1\r\nHost: x\r\n\r\n"
      "POST /3 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n2\r\nde\r\n"
      "0\r\nA: b\r\n\r\nGET /4 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  first.Pop()->Respond(TextResponse("one"));
  const std::string all = peer.ReadAll();
  const std::size_t one = all.find("\r\none");
  const std::size_t two = all.find("GET /2 ");
  const std::size_t three = all.find("POST /3 abcde");
  const std::size_t four = all.find("GET /4 ");
  EXPECT_LT(one, two);
  EXPECT_LT(two, three);
  EXPECT_LT(three, four);
  EXPECT_NE(four, std::string::npos);
}

TEST_F(ServerTest, AsksForTheBodyThatWaitsToBeAskedFor) {
  Start(Echo, {}, 10);
  RawPeer peer(server_->port());
  peer.Send("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
  EXPECT_EQ(peer.ReadUntil(kHeadEnd), "HTTP/1.1 100 Continue\r\n\r\n");
  peer.Send("abc");
  EXPECT_TRUE(peer.ReadUntil("POST / abc").starts_with("HTTP/1.1 200 OK"));
  peer.Send("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 11\r\n\r\n");
  EXPECT_TRUE(peer.ReadAll().starts_with("HTTP/1.1 413 "));
}

TEST_F(ServerTest, TellsTheHandlerThatABodyIsTooLarge) {
  Start(Echo, {}, 10);
  for (const std::string_view request :
       {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\n01234567890",
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: "
        "chunked\r\n\r\n5\r\n01234\r\n6\r\n567890\r\n"}) {
    RawPeer peer(server_->port());
    peer.Send(request);
    const std::string response = peer.ReadAll();
    EXPECT_TRUE(response.starts_with("HTTP/1.1 413 Request Entity Too Large\r\n")) << response;
    EXPECT_TRUE(response.ends_with("\r\n\r\ntoo large")) << response;
  }
}

TEST_F(ServerTest, SpeaksHttp10AndHead) {
  Start(Echo);
  RawPeer old(server_->port());
  old.Send("GET /a HTTP/1.0\r\n\r\n");
  const std::string response = old.ReadAll();
  EXPECT_TRUE(response.find("Connection: close\r\n") != std::string::npos);
  EXPECT_TRUE(response.ends_with("GET /a "));

  RawPeer peer(server_->port());
  peer.Send("HEAD /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  const std::string head = peer.ReadAll();
  EXPECT_TRUE(head.find("Content-Length: 8\r\n") != std::string::npos) << head;
  EXPECT_TRUE(head.ends_with(kHeadEnd));
}

TEST_F(ServerTest, AnswersFor500WhenTheHandlerForgets) {
  Start([](const Request&, const std::shared_ptr<Exchange>&) {});
  RawPeer peer(server_->port());
  peer.Send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  EXPECT_TRUE(peer.ReadAll().starts_with("HTTP/1.1 500 Internal Server Error\r\n"));
}

class CountingSource final : public BodySource {
 public:
  explicit CountingSource(int parts) : left_(parts) {}
  bool Read(std::string& out) override {
    out.append(10'000, static_cast<char>('a' + left_ % 26));
    return --left_ > 0;
  }

 private:
  int left_;
};

TEST_F(ServerTest, SendsBodiesThatAreMadeOnTheWay) {
  Start([](const Request&, const std::shared_ptr<Exchange>& exchange) {
    Response response;
    response.source = std::make_unique<CountingSource>(300);
    exchange->Respond(std::move(response));
  });
  RawPeer peer(server_->port());
  peer.Send("GET / HTTP/1.0\r\n\r\n");
  const std::string plain = peer.ReadAll();
  EXPECT_EQ(plain.size() - plain.find(kHeadEnd) - 4, 3'000'000u);
  RawPeer chunked(server_->port());
  chunked.Send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  const std::string text = chunked.ReadAll();
  EXPECT_TRUE(text.find("Transfer-Encoding: chunked\r\n") != std::string::npos);
  EXPECT_GT(text.size(), 3'000'000u);
  EXPECT_TRUE(text.ends_with("\r\n0\r\n\r\n"));
}

TEST_F(ServerTest, CompressesWhatIsLargeForThoseWhoAsk) {
  Start(
      [](const Request& request, const std::shared_ptr<Exchange>& exchange) {
        Response response;
        if (request.target == "/source") {
          response.source = std::make_unique<CountingSource>(3);
        } else {
          response.body = MakeBytes(std::string(request.target == "/large" ? 20'001 : 20'000, 'x'));
        }
        exchange->Respond(std::move(response));
      },
      {.gzip_bytes_min = 20'000});
  struct Case {
    std::string_view target;
    std::string_view accept;
    bool is_packed;
  };
  for (const Case& test : {Case{"/large", "gzip", true},
                           {"/small", "gzip", false},
                           {"/large", "br", false},
                           {"/source", "gzip", true},
                           {"/source", "identity", false}}) {
    RawPeer peer(server_->port());
    peer.Send("GET " + std::string(test.target) +
              " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAccept-Encoding: " +
              std::string(test.accept) + "\r\n\r\n");
    const std::string got = peer.ReadAll();
    const std::string head = got.substr(0, got.find(kHeadEnd));
    const bool says_so =
        head.find("Content-Encoding: gzip\r\nVary: Accept-Encoding\r\n") != std::string::npos;
    EXPECT_EQ(says_so, test.is_packed) << test.target << " " << test.accept;
    EXPECT_EQ(got.size() < 20'000, test.is_packed);
  }
}

TEST_F(ServerTest, StreamsPiecesAndEnds) {
  Mailbox<std::shared_ptr<Stream>> begun;
  Start([&](const Request&, const std::shared_ptr<Exchange>& exchange) {
    begun.Put(exchange->Begin(200, {{"Content-Type", "application/json"}}));
  });
  RawPeer peer(server_->port());
  peer.Send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  const auto stream = begun.Pop();
  EXPECT_TRUE(peer.ReadUntil(kHeadEnd).find("Transfer-Encoding: chunked") != std::string::npos);
  EXPECT_TRUE(stream->Write({MakeBytes("one\n"), nullptr}));
  EXPECT_EQ(peer.ReadUntil("one\n\r\n"), "4\r\none\n\r\n");
  EXPECT_TRUE(stream->Write({MakeBytes("two\n"), nullptr}));
  stream->End();
  EXPECT_FALSE(stream->Write({MakeBytes("three\n"), nullptr}));
  EXPECT_EQ(peer.ReadUntil("0\r\n\r\n"), "4\r\ntwo\n\r\n0\r\n\r\n");
  // The connection can take another request.
  peer.Send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  begun.Pop()->End();
  EXPECT_TRUE(peer.ReadUntil("0\r\n\r\n").ends_with("\r\n\r\n0\r\n\r\n"));
}

std::string Chunks(const std::vector<Bytes>& pieces) {
  std::string text;
  for (const Bytes& piece : pieces) AppendChunk(text, *piece);
  return text;
}

TEST_F(ServerTest, SendsLargePiecesOnceMadeToManyWatchers) {
  Mailbox<std::shared_ptr<Stream>> begun;
  Start([&](const Request&, const std::shared_ptr<Exchange>& exchange) {
    begun.Put(exchange->Begin(200, {}));
  });
  std::vector<std::unique_ptr<RawPeer>> peers;
  std::vector<std::shared_ptr<Stream>> streams;
  for (const std::string_view version : {"1.1", "1.1", "1.1", "1.0"}) {
    peers.push_back(std::make_unique<RawPeer>(server_->port()));
    peers.back()->Send("GET / HTTP/" + std::string(version) + "\r\nHost: x\r\n\r\n");
    streams.push_back(begun.Pop());
    EXPECT_TRUE(peers.back()->ReadUntil(kHeadEnd).starts_with("HTTP/1.1 200 OK\r\n"));
  }
  std::vector<Bytes> pieces;
  for (const std::size_t size : {1, 3'000, 20'000, 20'000, 5, 70'000, 600'000, 3'000, 2}) {
    pieces.push_back(
        MakeBytes(std::string(size, static_cast<char>('a' + static_cast<int>(pieces.size())))));
  }
  // The first piece alone; the others while the connections are busy or idle, at random.
  for (const Bytes& piece : pieces) {
    for (const auto& stream : streams) EXPECT_TRUE(stream->Write({piece, nullptr}));
    if (piece == pieces.front()) {
      EXPECT_EQ(peers[0]->ReadUntil("a\r\n"), "1\r\na\r\n");
    }
  }
  streams.clear();
  const std::string want = Chunks(pieces) + "0\r\n\r\n";
  EXPECT_EQ(peers[0]->ReadUntil("\r\n0\r\n\r\n"), want.substr(6));
  EXPECT_EQ(peers[1]->ReadUntil("\r\n0\r\n\r\n"), want);
  EXPECT_EQ(peers[2]->ReadUntil("\r\n0\r\n\r\n"), want);
  std::string plain;
  for (const Bytes& piece : pieces) plain += *piece;
  EXPECT_EQ(peers[3]->ReadAll(), plain);
}

TEST_F(ServerTest, AWatcherThatIsBehindCopiesNothing) {
  Mailbox<std::shared_ptr<Stream>> begun;
  Start([&](const Request&,
            const std::shared_ptr<Exchange>& exchange) { begun.Put(exchange->Begin(200, {})); },
        {.stream_pending_bytes_max = 64u << 20});
  RawPeer peer(server_->port(), 64 << 10);
  peer.Send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  const auto stream = begun.Pop();
  std::vector<Bytes> pieces;
  // More than the system's buffers hold.
  for (int i = 0; i < 800; ++i) {
    pieces.push_back(MakeBytes(std::string(10'000, static_cast<char>('a' + i % 26))));
    EXPECT_TRUE(stream->Write({pieces.back(), nullptr}));
  }
  // A piece that is far from being sent is still the shared text, not a copy.
  EXPECT_EQ(pieces.back().use_count(), 2);
  peer.ReadUntil(kHeadEnd);
  stream->End();
  EXPECT_EQ(peer.ReadUntil("\r\n0\r\n\r\n"), Chunks(pieces) + "0\r\n\r\n");
}

TEST_F(ServerTest, NoticesThatAWatcherIsGone) {
  Mailbox<std::shared_ptr<Stream>> begun;
  Mailbox<bool> closed;
  Start([&](const Request&, const std::shared_ptr<Exchange>& exchange) {
    begun.Put(exchange->Begin(200, {}));
  });
  RawPeer peer(server_->port());
  peer.Send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  const auto stream = begun.Pop();
  stream->OnClose([&] { closed.Put(true); });
  peer.Close();
  EXPECT_TRUE(closed.Pop());
  EXPECT_FALSE(stream->Write({MakeBytes("x"), nullptr}));
  bool is_called_at_once = false;
  stream->OnClose([&] { is_called_at_once = true; });
  EXPECT_TRUE(is_called_at_once);
}

TEST_F(ServerTest, CutsAWatcherThatFallsBehind) {
  Mailbox<std::shared_ptr<Stream>> begun;
  Mailbox<bool> closed;
  Start([&](const Request&,
            const std::shared_ptr<Exchange>& exchange) { begun.Put(exchange->Begin(200, {})); },
        {.stream_pending_bytes_max = 100'000});
  RawPeer peer(server_->port(), 4096);
  peer.Send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  const auto stream = begun.Pop();
  stream->OnClose([&] { closed.Put(true); });
  const Bytes text = MakeBytes(std::string(10'000, 'x'));
  int written = 0;
  while (written < 100'000 && stream->Write({text, nullptr})) ++written;
  EXPECT_LT(written, 100'000);
  EXPECT_TRUE(closed.Pop());
}

TEST_F(ServerTest, DrainsRequestsAndStreams) {
  Mailbox<std::shared_ptr<Exchange>> slow;
  Mailbox<std::shared_ptr<Stream>> begun;
  Mailbox<bool> told;
  Start([&](const Request& request, std::shared_ptr<Exchange> exchange) {
    if (request.target == "/slow") {
      slow.Put(std::move(exchange));
    } else if (request.target == "/watch") {
      begun.Put(exchange->Begin(200, {}));
    } else {
      Echo(request, exchange);
    }
  });
  RawPeer idle(server_->port());
  idle.Send("GET /idle HTTP/1.1\r\nHost: x\r\n\r\n");
  idle.ReadUntil("GET /idle ");
  RawPeer busy(server_->port());
  busy.Send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n");
  const auto exchange = slow.Pop();
  RawPeer watcher(server_->port());
  watcher.Send("GET /watch HTTP/1.1\r\nHost: x\r\n\r\n");
  const auto stream = begun.Pop();
  stream->OnClose([&] { told.Put(true); });
  stream->Write({MakeBytes("last words"), nullptr});

  std::thread drain([&] { server_->Drain(seconds(20)); });
  EXPECT_TRUE(told.Pop());
  EXPECT_EQ(idle.ReadAll(), "");
  EXPECT_TRUE(watcher.ReadAll().ends_with("a\r\nlast words\r\n0\r\n\r\n"));
  exchange->Respond(TextResponse("done"));
  const std::string response = busy.ReadAll();
  EXPECT_TRUE(response.find("Connection: close\r\n") != std::string::npos) << response;
  EXPECT_TRUE(response.ends_with("done"));
  drain.join();
  EXPECT_FALSE(RawPeer(server_->port()).is_connected());
}

TEST_F(ServerTest, EndsWhileRequestsAreInOthersHands) {
  Mailbox<std::shared_ptr<Exchange>> held;
  Mailbox<std::shared_ptr<Stream>> begun;
  Mailbox<bool> closed;
  Start([&](const Request& request, std::shared_ptr<Exchange> exchange) {
    if (request.target == "/") {
      held.Put(std::move(exchange));
    } else {
      begun.Put(exchange->Begin(200, {}));
    }
  });
  RawPeer one(server_->port());
  one.Send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  auto first = held.Pop();
  RawPeer two(server_->port());
  two.Send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  const auto second = held.Pop();
  RawPeer three(server_->port());
  three.Send("GET /watch HTTP/1.1\r\nHost: x\r\n\r\n");
  const auto stream = begun.Pop();
  stream->OnClose([&] { closed.Put(true); });
  server_->Drain(milliseconds(1));
  server_.reset();
  EXPECT_TRUE(closed.Pop());
  first->Respond(TextResponse("too late"));
  first.reset();
  const auto late = second->Begin(200, {});
  EXPECT_FALSE(late->Write({MakeBytes("too late"), nullptr}));
  EXPECT_FALSE(stream->Write({MakeBytes("too late"), nullptr}));
  EXPECT_EQ(one.ReadAll(), "");
}

TEST_F(ServerTest, SaysWhyItCannotStart) {
  Start(Echo);
  const auto taken = Server::Start({.port = server_->port()}, *handler_, log_.log);
  ASSERT_FALSE(taken.has_value());
  EXPECT_EQ(taken.error().message,
            "cannot listen on 127.0.0.1:" + std::to_string(server_->port()) +
                ": the port is taken; stop what listens there, or choose another port");
  const auto foreign = Server::Start({.address = "192.0.2.1"}, *handler_, log_.log);
  ASSERT_FALSE(foreign.has_value());
  EXPECT_TRUE(
      foreign.error().message.starts_with("cannot listen on 192.0.2.1:0: this machine has"));
  const auto bad = Server::Start({.tls = ServerTls{"x", "y", ""}}, *handler_, log_.log);
  ASSERT_FALSE(bad.has_value());
  EXPECT_TRUE(bad.error().message.starts_with("cannot read the TLS certificate"));
}

}  // namespace
}  // namespace plimsoll::net
