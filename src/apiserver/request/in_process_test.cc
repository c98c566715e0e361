#include "apiserver/request/in_process.h"

#include <gtest/gtest.h>

namespace plimsoll::apiserver {
namespace {

TEST(InProcessTest, WhoIsTrustedButHasAnAddressIsElsewhere) {
  ApiRequest request;
  EXPECT_FALSE(IsInProcess(request));
  request.http.local = net::LocalIdentity{"system:apiserver", {}};
  EXPECT_TRUE(IsInProcess(request));
  request.http.remote_address = "127.0.0.1:51234";
  EXPECT_FALSE(IsInProcess(request));
}

}  // namespace
}  // namespace plimsoll::apiserver
