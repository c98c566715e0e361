#include <gtest/gtest.h>

#include "cel_extensions/extension_answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(EncodersTest, RoundTrips) {
  EXPECT_EQ(ExtensionDifferences({
                {"base64.encode(b'')", "\"\""},
                {"base64.encode(b'a')", "\"YQ==\""},
                {"base64.encode(b'ab')", "\"YWI=\""},
                {"base64.encode(b'abc')", "\"YWJj\""},
                {"base64.encode(b'\\xff\\xfe')", "\"//4=\""},
                {"base64.decode('YWI=') == b'ab'", "true"},
                {"base64.decode('YWI') == b'ab'", "true"},
                {"base64.decode('YWJj') == b'abc'", "true"},
                {"base64.decode('') == b''", "true"},
            }),
            "");
}

TEST(EncodersTest, RefusesTheRest) {
  EXPECT_EQ(ExtensionDifferences({
                {"base64.decode('Y')", "error: illegal base64 data at input byte 0"},
                {"base64.decode('YW*j')", "error: illegal base64 data at input byte 2"},
                {"base64.decode('YW=j')", "error: illegal base64 data at input byte 2"},
            }),
            "");
}

}  // namespace
}  // namespace plimsoll::cel
