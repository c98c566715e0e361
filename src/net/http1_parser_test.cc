#include "net/http1_parser.h"

#include <gtest/gtest.h>

namespace plimsoll::net {
namespace {

TEST(HeadScannerTest, FindsTheEndHoweverTheBytesCome) {
  const std::string text = "GET / HTTP/1.1\r\nHost: x\r\n\r\nrest";
  HeadScanner whole;
  EXPECT_EQ(whole.Scan(text), HeadScanner::Outcome::Found);
  EXPECT_EQ(whole.size(), text.size() - 4);
  HeadScanner slow;
  for (std::size_t i = 0; i < text.size() - 4; ++i) {
    EXPECT_EQ(slow.Scan(text.substr(0, i)), HeadScanner::Outcome::More);
  }
  EXPECT_EQ(slow.Scan(text.substr(0, text.size() - 4)), HeadScanner::Outcome::Found);
  EXPECT_EQ(slow.size(), text.size() - 4);
}

TEST(HeadScannerTest, RefusesLinesThatEndOtherwise) {
  for (const std::string_view text :
       {"\n", "\r\n", "GET / HTTP/1.1\n", "GET / HTTP/1.1\r\nHost: x\n", "GET / HTTP/1.1\r\n\n"}) {
    EXPECT_EQ(HeadScanner().Scan(text), HeadScanner::Outcome::Broken) << text;
  }
}

std::string Describe(std::string_view text) {
  const auto head = ParseRequestHead(text);
  if (!head.has_value()) return std::to_string(head.error().status) + " " + head.error().detail;
  std::string out = head->request.method + " " + head->request.target;
  if (head->is_http_1_0) out += " 1.0";
  if (!head->keeps_alive) out += " close";
  if (head->expects_continue) out += " continue";
  if (head->is_chunked) out += " chunked";
  if (head->content_length > 0) out += " length=" + std::to_string(head->content_length);
  for (const auto& [name, value] : head->request.headers) out += " " + name + "=" + value;
  return out;
}

struct Case {
  std::string name;
  std::string text;  // without the empty line
  std::string want;
};

class ParseRequestHeadTest : public testing::TestWithParam<Case> {};

TEST_P(ParseRequestHeadTest, Parses) {
  EXPECT_EQ(Describe(GetParam().text + "\r\n\r\n"), GetParam().want);
}

const std::string kGet = "GET / HTTP/1.1\r\nHost: x";

INSTANTIATE_TEST_SUITE_P(
    Good, ParseRequestHeadTest,
    testing::ValuesIn<Case>({
        {"Plain", kGet, "GET / Host=x"},
        {"Http10", "GET /a HTTP/1.0", "GET /a 1.0 close"},
        {"Http10KeepAlive", "GET /a HTTP/1.0\r\nConnection: Keep-Alive",
         "GET /a 1.0 Connection=Keep-Alive"},
        {"Close", kGet + "\r\nConnection: x, CLOSE", "GET / close Host=x Connection=x, CLOSE"},
        {"Blanks", kGet + "\r\nA:\t b c \t", "GET / Host=x A=b c"},
        {"EmptyValue", kGet + "\r\nA:", "GET / Host=x A="},
        {"HighBytes", kGet + "\r\nA: \xc3\xa4", "GET / Host=x A=\xc3\xa4"},
        {"Length", kGet + "\r\ncontent-length: 12", "GET / length=12 Host=x content-length=12"},
        {"Chunked", kGet + "\r\ntransfer-encoding: Chunked",
         "GET / chunked Host=x transfer-encoding=Chunked"},
        {"Continue", kGet + "\r\nExpect: 100-Continue",
         "GET / continue Host=x Expect=100-Continue"},
        {"AnyMethod", "PROPFIND * HTTP/1.1\r\nHost:", "PROPFIND * Host="},
        {"Ipv6Host", "GET / HTTP/1.1\r\nHost: [::1]:6443", "GET / Host=[::1]:6443"},
    }),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Refused, ParseRequestHeadTest,
    testing::ValuesIn<Case>({
        {"NoTarget", "GET HTTP/1.1", "400 "},
        {"TwoBlanks", "GET  / HTTP/1.1\r\nHost: x", "400 "},
        {"BlankInTarget", "GET /a b HTTP/1.1\r\nHost: x", "400 "},
        {"TabInTarget", "GET /a\tb HTTP/1.1\r\nHost: x", "400 "},
        {"BadMethod", "G(T / HTTP/1.1\r\nHost: x", "400 "},
        {"LeadingBlank", " GET / HTTP/1.1\r\nHost: x", "400 "},
        {"Version2", "PRI * HTTP/2.0", "505 unsupported protocol version"},
        {"Version09", "GET / HTTP/0.9", "505 unsupported protocol version"},
        {"LowerVersion", "GET / http/1.1\r\nHost: x", "400 "},
        {"LongVersion", "GET / HTTP/1.11\r\nHost: x", "400 "},
        {"NoHost", "GET / HTTP/1.1\r\nA: b", "400 missing required Host header"},
        {"TwoHosts", kGet + "\r\nHost: x", "400 too many Host headers"},
        {"BadHost", "GET / HTTP/1.1\r\nHost: a/b", "400 malformed Host header"},
        {"BlankBeforeColon", kGet + "\r\nA : b", "400 "},
        {"NoColon", kGet + "\r\nA", "400 "},
        {"NoName", kGet + "\r\n: b", "400 "},
        {"FoldedLine", kGet + "\r\nA: b\r\n c", "400 "},
        {"FoldedByTab", kGet + "\r\nA: b\r\n\tc", "400 "},
        {"BareCarriageReturn", kGet + "\r\nA: b\rc", "400 "},
        {"Zero", kGet + std::string("\r\nA: b\0c", 9), "400 "},
        {"LengthAndEncoding", kGet + "\r\nContent-Length: 1\r\nTransfer-Encoding: chunked", "400 "},
        {"TwoLengths", kGet + "\r\nContent-Length: 1\r\nContent-Length: 1", "400 "},
        {"LengthList", kGet + "\r\nContent-Length: 1, 1", "400 "},
        {"NegativeLength", kGet + "\r\nContent-Length: -1", "400 "},
        {"SignedLength", kGet + "\r\nContent-Length: +1", "400 "},
        {"HexLength", kGet + "\r\nContent-Length: 0x1", "400 "},
        {"EmptyLength", kGet + "\r\nContent-Length:", "400 "},
        {"HugeLength", kGet + "\r\nContent-Length: 9999999999999999999", "400 "},
        {"TwoEncodings", kGet + "\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
         "400 "},
        {"EncodingList", kGet + "\r\nTransfer-Encoding: gzip, chunked",
         "501 Unsupported transfer encoding"},
        {"OddEncoding", kGet + "\r\nTransfer-Encoding: xchunked",
         "501 Unsupported transfer encoding"},
        {"EncodingInOldHttp", "GET / HTTP/1.0\r\nTransfer-Encoding: chunked", "400 "},
        {"OddExpectation", kGet + "\r\nExpect: wonders", "417 "},
    }),
    [](const auto& test) { return test.param.name; });

TEST(ParseRequestHeadTest, CountsHeaders) {
  std::string text = kGet;
  for (std::size_t i = 1; i < kHeadersMax; ++i) text += "\r\nA: b";
  EXPECT_TRUE(ParseRequestHead(text + "\r\n\r\n").has_value());
  EXPECT_EQ(Describe(text + "\r\nA: b\r\n\r\n"), "431 ");
}

struct ChunkCase {
  std::string_view text;
  ChunkDecoder::Outcome outcome;
  std::string_view body;
};

TEST(ChunkDecoderTest, Decodes) {
  using Outcome = ChunkDecoder::Outcome;
  for (const ChunkCase& test : {
           ChunkCase{"0\r\n\r\n", Outcome::Done, ""},
           {"3\r\nabc\r\n0\r\n\r\n", Outcome::Done, "abc"},
           {"00A\r\n0123456789\r\n0\r\n\r\n", Outcome::Done, "0123456789"},
           {"1;a=b\r\nx\r\n0;c\r\n\r\n", Outcome::Done, "x"},
           {"1\r\nx\r\n0\r\nA: b\r\nC: d\r\n\r\n", Outcome::Done, "x"},
           {"1\r\nx\r\n0\r\nA: b\r\n", Outcome::More, "x"},
           {"b\r\n0123456789x\r\n0\r\n\r\n", Outcome::TooLarge, ""},
           {"6\r\n012345\r\n5\r\n01234\r\n0\r\n\r\n", Outcome::TooLarge, "012345"},
           {"fffffffffffffff\r\n", Outcome::TooLarge, ""},
           {"10000000000000000\r\n", Outcome::Broken, ""},
           {"\r\n", Outcome::Broken, ""},
           {"-1\r\n", Outcome::Broken, ""},
           {"0x1\r\nx\r\n", Outcome::Broken, ""},
           {"1 \r\nx\r\n", Outcome::Broken, ""},
           {" 1\r\nx\r\n", Outcome::Broken, ""},
           {"1\nx\r\n", Outcome::Broken, ""},
           {"1\r\nxy\r\n", Outcome::Broken, "x"},
           {"1\r\nx\n", Outcome::Broken, "x"},
           {"0\r\nA b\r\n\r\n", Outcome::Broken, ""},
           {"0\r\n A: b\r\n\r\n", Outcome::Broken, ""},
           {"0\r\nA: b\n\r\n", Outcome::Broken, ""},
       }) {
    // In one piece, and byte by byte.
    for (const std::size_t step : {test.text.size(), std::size_t{1}}) {
      ChunkDecoder decoder;
      std::string body;
      Outcome outcome = Outcome::More;
      for (std::size_t at = 0; at < test.text.size() && outcome == Outcome::More; at += step) {
        std::string_view part = test.text.substr(at, step);
        outcome = decoder.Decode(part, body, 10);
      }
      EXPECT_EQ(outcome, test.outcome) << test.text;
      EXPECT_EQ(body, test.body) << test.text;
    }
  }
}

TEST(ChunkDecoderTest, BoundsWhatIsNotBody) {
  for (const std::string& unit : {"1;" + std::string(1000, 'e') + "\r\nx\r\n", std::string()}) {
    std::string text = unit.empty() ? "0\r\n" : "";
    for (int i = 0; i < 20; ++i)
      text += unit.empty() ? "A: " + std::string(1000, 't') + "\r\n" : unit;
    std::string_view in = text;
    std::string body;
    EXPECT_EQ(ChunkDecoder().Decode(in, body, 1000), ChunkDecoder::Outcome::Broken);
  }
  std::string endless(8192, '0');
  std::string_view in = endless;
  std::string body;
  EXPECT_EQ(ChunkDecoder().Decode(in, body, 1000), ChunkDecoder::Outcome::Broken);
}

TEST(ChunkDecoderTest, LeavesWhatFollows) {
  std::string_view in = "1\r\nx\r\n0\r\n\r\nGET /";
  std::string body;
  EXPECT_EQ(ChunkDecoder().Decode(in, body, 10), ChunkDecoder::Outcome::Done);
  EXPECT_EQ(in, "GET /");
}

}  // namespace
}  // namespace plimsoll::net
