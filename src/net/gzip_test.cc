#include "net/gzip.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <string>

namespace plimsoll::net {
namespace {

std::string ReadAll(BodySource& source) {
  std::string out;
  while (source.Read(out)) {
  }
  return out;
}

std::string Gunzip(const std::string& bytes) {
  z_stream zip{};
  EXPECT_EQ(inflateInit2(&zip, 15 + 16), Z_OK);
  std::string out(2u << 20, '\0');
  zip.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  zip.avail_in = static_cast<uInt>(bytes.size());
  zip.next_out = reinterpret_cast<Bytef*>(out.data());
  zip.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(inflate(&zip, Z_FINISH), Z_STREAM_END);
  EXPECT_EQ(zip.avail_in, 0u);
  out.resize(zip.total_out);
  inflateEnd(&zip);
  return out;
}

TEST(GzipTest, ComesBack) {
  std::string uneven;
  for (int i = 0; i < 60'000; ++i) uneven += std::to_string(i * 7919LL % 104'729);
  for (const std::string& text :
       {std::string(), std::string("a"), std::string(1'000'000, 'x'), uneven}) {
    const std::string packed = ReadAll(*Gzip(SourceOf(MakeBytes(text))));
    EXPECT_EQ(Gunzip(packed), text);
    if (text.size() > 1000) {
      EXPECT_LT(packed.size(), text.size());
    }
  }
}

TEST(GzipTest, ASourceGoesOnAfterItsBeginning) {
  EXPECT_EQ(ReadAll(*Prepend("begin", SourceOf(MakeBytes("rest")))), "beginrest");
  EXPECT_EQ(ReadAll(*Prepend("", SourceOf(MakeBytes("rest")))), "rest");
}

TEST(AcceptsGzipTest, ReadsTheHeader) {
  for (const std::string_view yes : {"gzip", "deflate, gzip", "gzip;q=1.0, x", "gzip; q=0.5"}) {
    EXPECT_TRUE(AcceptsGzip(yes)) << yes;
  }
  for (const std::string_view no :
       {"", "identity", "gzipped", "gzip;q=0", "gzip; q=0.00", "x;gzip"}) {
    EXPECT_FALSE(AcceptsGzip(no)) << no;
  }
}

}  // namespace
}  // namespace plimsoll::net
