#include "apiserver/read/continue_token.h"

#include <gtest/gtest.h>

#include "base/text/base64.h"
#include "net/pki.h"

namespace plimsoll::apiserver {
namespace {

TEST(ContinueTokenTest, ComesBack) {
  for (const std::int64_t revision : {0, 1, 123456789}) {
    const ContinueToken token{store::Revision{revision}, "default/web-1"};
    const auto back = ContinueToken::Decode(token.Encode());
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(back->revision, token.revision);
    EXPECT_EQ(back->after, token.after);
  }
}

TEST(ContinueTokenTest, IsWrittenAsUpstreamsAre) {
  const ContinueToken token{store::Revision{7}, "d/x"};
  EXPECT_EQ(*DecodeBase64(token.Encode(), Base64::Url),
            "{\"v\":\"meta.k8s.io/v1\",\"rv\":7,\"start\":\"d/x\\u0000\"}");
}

TEST(ContinueTokenTest, RefusesWhatIsNone) {
  const auto message = [](std::string_view json) {
    const auto token = ContinueToken::Decode(EncodeBase64(json, Base64::Url));
    return token ? std::string("taken") : token.error().message;
  };
  EXPECT_EQ(ContinueToken::Decode("???").error().code, 400);
  EXPECT_EQ(message(R"({"v":"v2"})"),
            "invalid continue token: continue key is not valid: server does not recognize this "
            "encoded version \"v2\"");
  EXPECT_EQ(message(R"({"v":"meta.k8s.io/v1"})"),
            "invalid continue token: continue key is not valid: incorrect encoded start "
            "resourceVersion (version meta.k8s.io/v1)");
  EXPECT_EQ(message(R"({"v":"meta.k8s.io/v1","rv":5})"),
            "invalid continue token: continue key is not valid: encoded start key empty (version "
            "meta.k8s.io/v1)");
  for (const std::string start : {"../../nodes", "..", "a/../..", "a//b", "a/"}) {
    EXPECT_EQ(message(R"({"v":"meta.k8s.io/v1","rv":5,"start":")" + start + R"("})"),
              "invalid continue token: continue key is not valid: " + start);
  }
}

}  // namespace
}  // namespace plimsoll::apiserver
