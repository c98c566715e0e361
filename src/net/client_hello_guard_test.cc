#include "net/client_hello_guard.h"

#include <gtest/gtest.h>

#include <string>

namespace plimsoll::net {
namespace {

std::string Record(int type, const std::string& body) {
  std::string out{static_cast<char>(type), 3, 1};
  out += static_cast<char>(body.size() >> 8);
  out += static_cast<char>(body.size() & 0xff);
  return out + body;
}

std::string MessageHead(int type, std::size_t size) {
  return {static_cast<char>(type), static_cast<char>(size >> 16), static_cast<char>(size >> 8),
          static_cast<char>(size & 0xff)};
}

struct GuardCase {
  std::string_view name;
  std::string bytes;
  bool is_tls_1_3;
  bool passes;
};

class ClientHelloGuardTest : public testing::TestWithParam<GuardCase> {};

TEST_P(ClientHelloGuardTest, RefusesALargeHelloHoweverItComes) {
  for (const std::size_t step : {1, 3, 100'000}) {
    ClientHelloGuard guard;
    bool passes = true;
    for (std::size_t at = 0; at < GetParam().bytes.size() && passes; at += step) {
      passes =
          guard.Check(std::string_view(GetParam().bytes).substr(at, step), GetParam().is_tls_1_3);
    }
    EXPECT_EQ(passes, GetParam().passes) << step;
  }
}

const std::string kHello = Record(22, MessageHead(1, 300) + std::string(300, 'x'));
const std::string kLargeHello = Record(22, MessageHead(1, 131'072));
const std::string kChangeCipher = Record(20, "\x01");

INSTANTIATE_TEST_SUITE_P(
    Flights, ClientHelloGuardTest,
    testing::Values(
        GuardCase{"Honest", kHello + Record(23, std::string(100, 'x')), true, true},
        GuardCase{"Large", kLargeHello, true, false},
        GuardCase{"SplitOverRecords",
                  Record(22, "\x01") + Record(22, MessageHead(1, 131'072).substr(1)), true, false},
        GuardCase{"SecondHello", kHello + kChangeCipher + kLargeHello, true, false},
        GuardCase{"EncryptedAfterChange", kHello + kChangeCipher + kLargeHello, false, true},
        GuardCase{"EncryptedData", kHello + Record(23, "x") + kLargeHello, true, true},
        GuardCase{"NoTls", "GET / HTTP/1.1\r\nHost: x\r\n\r\n", true, true}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace plimsoll::net
