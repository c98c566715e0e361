#include "net/http1_body.h"

#include <gtest/gtest.h>

#include <vector>

namespace plimsoll::net {
namespace {

using Outcome = Http1Body::Outcome;

struct Case {
  std::string_view name;
  bool is_chunked;
  std::uint64_t length;
  std::vector<std::string> parts;  // in the order of arrival
  std::size_t size_max;
  Outcome want;
  std::string_view body;
  std::string_view rest;
};

class Http1BodyTest : public testing::TestWithParam<Case> {
 protected:
  Http1Body Make() const {
    RequestHead head;
    head.is_chunked = GetParam().is_chunked;
    head.content_length = GetParam().length;
    return Http1Body(head);
  }
};

TEST_P(Http1BodyTest, TakesItsBytesAndNoMore) {
  Http1Body body = Make();
  std::string in;
  std::string out;
  Outcome outcome = Outcome::More;
  for (const std::string& part : GetParam().parts) {
    in += part;
    outcome = body.Read(in, out, GetParam().size_max);
    if (outcome != Outcome::More) break;
  }
  EXPECT_EQ(outcome, GetParam().want);
  EXPECT_EQ(body.is_whole(), outcome == Outcome::Done);
  if (outcome != Outcome::Done) return;
  EXPECT_EQ(out, GetParam().body);
  EXPECT_EQ(in, GetParam().rest);
}

TEST_P(Http1BodyTest, DiscardsTheSameBytes) {
  Http1Body body = Make();
  std::string in;
  Outcome outcome = Outcome::More;
  for (const std::string& part : GetParam().parts) {
    in += part;
    outcome = body.Discard(in, GetParam().size_max);
    if (outcome != Outcome::More) break;
  }
  EXPECT_EQ(outcome, GetParam().want);
  if (outcome == Outcome::Done) {
    EXPECT_EQ(in, GetParam().rest);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Bodies, Http1BodyTest,
    testing::Values(Case{"NoBody", false, 0, {"GET"}, 0, Outcome::Done, "", "GET"},
                    Case{"Whole", false, 3, {"abcGET"}, 3, Outcome::Done, "abc", "GET"},
                    Case{"InParts", false, 5, {"a", "bc", "de!"}, 5, Outcome::Done, "abcde", "!"},
                    Case{"Unfinished", false, 5, {"abcd"}, 5, Outcome::More, "", ""},
                    Case{"LengthBeyondTheLimit", false, 6, {"a"}, 5, Outcome::TooLarge, "", ""},
                    Case{"Chunks",
                         true,
                         0,
                         {"2\r\nab\r\n1\r", "\nc\r\n0\r\n\r\nGET"},
                         3,
                         Outcome::Done,
                         "abc",
                         "GET"},
                    Case{"ChunksBeyondTheLimit",
                         true,
                         0,
                         {"2\r\nab\r\n", "2\r\n"},
                         3,
                         Outcome::TooLarge,
                         "",
                         ""},
                    Case{"BrokenChunk", true, 0, {"2\r\nabc\r\n"}, 9, Outcome::Broken, "", ""}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace plimsoll::net
