#include "apiserver/server/body_reader.h"

#include <gtest/gtest.h>

#include <utility>

#include "apiserver/limits.h"
#include "apiserver/write/body.h"

namespace plimsoll::apiserver {
namespace {

/// Keeps the receiver until the test delivers the body.
class BodyExchange final : public net::Exchange {
 public:
  void Respond(net::Response response) override { got = std::move(response); }
  std::shared_ptr<net::Stream> Begin(int, net::Headers) override { return nullptr; }
  void ReadBody(std::size_t size_max, net::BodyReceiver body_receiver) override {
    asked_max = size_max;
    receiver = std::move(body_receiver);
  }

  std::optional<net::Response> got;
  std::size_t asked_max = 0;
  net::BodyReceiver receiver;
};

struct Asked {
  Asked(BodyReader& reader, std::string user, std::optional<std::uint64_t> size) {
    request->user.name = std::move(user);
    request->http.unread_body.emplace().size = size;
    reader.Read(request, exchange, [this] { is_read = true; });
  }
  /// Breaks the reference cycle of exchange and receiver; a real connection breaks it at its end.
  ~Asked() { exchange->receiver = nullptr; }
  Asked(const Asked&) = delete;
  Asked& operator=(const Asked&) = delete;

  std::shared_ptr<ApiRequest> request = std::make_shared<ApiRequest>();
  std::shared_ptr<BodyExchange> exchange = std::make_shared<BodyExchange>();
  bool is_read = false;
};

TEST(BodyReaderTest, ReadsABodyIntoItsRequest) {
  BodyReader reader({});
  Asked asked(reader, "jane", 4);
  EXPECT_FALSE(asked.is_read);
  EXPECT_EQ(asked.exchange->asked_max, kBodyBytesMax);
  asked.exchange->receiver({.text = "body"});
  EXPECT_TRUE(asked.is_read);
  EXPECT_EQ(asked.request->http.body, "body");
  EXPECT_FALSE(asked.request->http.unread_body);
}

TEST(BodyReaderTest, ARequestWithItsBodyGoesOnAtOnce) {
  BodyReader reader({});
  const auto request = std::make_shared<ApiRequest>();
  bool is_read = false;
  reader.Read(request, std::make_shared<BodyExchange>(), [&] { is_read = true; });
  EXPECT_TRUE(is_read);
}

TEST(BodyReaderTest, ABodyBeyondTheLimitIsTooLarge) {
  BodyReader reader({});
  const Asked known(reader, "jane", kBodyBytesMax + 1);
  ASSERT_TRUE(known.exchange->got);
  EXPECT_EQ(known.exchange->got->status, 413);
  EXPECT_TRUE(known.exchange->got->body->contains("Request entity too large: limit is 3145728"));
  EXPECT_EQ(known.exchange->receiver, nullptr) << "it is not read";

  const Asked chunked(reader, "jane", std::nullopt);
  chunked.exchange->receiver({.text = {}, .is_too_large = true});
  EXPECT_EQ(chunked.exchange->got->status, 413);
  EXPECT_FALSE(chunked.is_read);
}

TEST(BodyReaderTest, BytesInFlightAreLimitedForAUserAndForAll) {
  BodyReader reader({.in_flight_max = 100, .in_flight_per_user_max = 60});
  Asked first(reader, "jane", 60);
  EXPECT_FALSE(first.exchange->got);
  const Asked second(reader, "jane", 1);
  ASSERT_TRUE(second.exchange->got);
  EXPECT_EQ(second.exchange->got->status, 429);
  EXPECT_EQ(second.exchange->got->headers.Find("Retry-After"), "1");
  Asked other(reader, "joe", 40);
  EXPECT_FALSE(other.exchange->got);
  EXPECT_EQ(Asked(reader, "ann", 1).exchange->got->status, 429) << "all of it is taken";

  // A body that was read still counts; the body of a disconnected client does not.
  std::exchange(first.exchange->receiver, nullptr)({.text = std::string(60, 'x')});
  EXPECT_EQ(Asked(reader, "jane", 1).exchange->got->status, 429);
  other.exchange->receiver = nullptr;
  EXPECT_FALSE(Asked(reader, "ann", 40).exchange->got);
  first.request = nullptr;
  EXPECT_FALSE(Asked(reader, "jane", 60).exchange->got);
}

}  // namespace
}  // namespace plimsoll::apiserver
