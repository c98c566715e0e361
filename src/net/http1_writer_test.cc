#include "net/http1_writer.h"

#include <gtest/gtest.h>

namespace plimsoll::net {
namespace {

TEST(AppendHeadTest, WritesHeads) {
  std::string out;
  AppendHead(out, {.status = 404, .framing = Framing::Length, .length = 12, .date = "today"},
             {{"A", "b"}});
  EXPECT_EQ(out, "HTTP/1.1 404 Not Found\r\nA: b\r\nDate: today\r\nContent-Length: 12\r\n\r\n");
  out.clear();
  AppendHead(out, {.status = 299, .framing = Framing::Chunked, .keeps_alive = false}, {});
  EXPECT_EQ(
      out,
      "HTTP/1.1 299 status code 299\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n");
  out.clear();
  AppendHead(out, {.status = 204, .is_http_1_0 = true}, {});
  EXPECT_EQ(out, "HTTP/1.1 204 No Content\r\nConnection: keep-alive\r\n\r\n");
}

TEST(AppendHeadTest, AValueCannotEndItsLine) {
  std::string out;
  AppendHead(out, {.status = 200},
             {{"Warning", "299 - \"a\r\nSet-Cookie: b\n\""}, {std::string("N\0\n", 3), "c"}});
  EXPECT_EQ(out, "HTTP/1.1 200 OK\r\nWarning: 299 - \"a  Set-Cookie: b \"\r\nN  : c\r\n\r\n");
}

TEST(AppendChunkTest, WritesChunks) {
  std::string out;
  AppendChunk(out, std::string(255, 'x'));
  EXPECT_EQ(out, "ff\r\n" + std::string(255, 'x') + "\r\n");
  out.clear();
  AppendChunk(out, "");
  EXPECT_EQ(out, "");
}

TEST(FaultResponseTest, SpeaksAsGoDoes) {
  const std::string fields =
      "\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n";
  EXPECT_EQ(FaultResponse({400, ""}), "HTTP/1.1 400 Bad Request" + fields + "400 Bad Request");
  EXPECT_EQ(FaultResponse({400, "missing required Host header"}),
            "HTTP/1.1 400 Bad Request: missing required Host header" + fields +
                "400 Bad Request: missing required Host header");
  EXPECT_EQ(FaultResponse({431, ""}), "HTTP/1.1 431 Request Header Fields Too Large" + fields +
                                          "431 Request Header Fields Too Large");
  EXPECT_EQ(FaultResponse({501, "Unsupported transfer encoding"}),
            "HTTP/1.1 501 Not Implemented" + fields + "Unsupported transfer encoding");
}

TEST(FormatHttpDateTest, KnownDates) {
  EXPECT_EQ(FormatHttpDate(Instant(std::chrono::seconds(784111777))),
            "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(FormatHttpDate(Instant(std::chrono::milliseconds(1709251199999))),
            "Thu, 29 Feb 2024 23:59:59 GMT");
}

}  // namespace
}  // namespace plimsoll::net
