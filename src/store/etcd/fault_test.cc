#include "store/etcd/fault.h"

#include <gtest/gtest.h>

#include <vector>

namespace plimsoll::store::etcd {
namespace {

using Kind = Fault::Kind;

TEST(FaultTest, KnowsWhatEtcdSays) {
  struct Case {
    int code;
    std::string text;
    Kind kind;
    Reason reason;
  };
  for (const Case& test : std::vector<Case>{
           {11, "etcdserver: mvcc: required revision has been compacted", Kind::Compacted,
            Reason::Expired},
           {11, "etcdserver: mvcc: required revision is a future revision", Kind::Future,
            Reason::Timeout},
           {8, "etcdserver: mvcc: database space exceeded", Kind::NoSpace,
            Reason::ServiceUnavailable},
           {3, "etcdserver: request is too large", Kind::TooLarge, Reason::RequestEntityTooLarge},
           {8, "grpc: received message larger than max (5 vs. 4)", Kind::TooLarge,
            Reason::RequestEntityTooLarge},
           {8, "etcdserver: too many requests", Kind::Busy, Reason::ServiceUnavailable},
           {14, "etcdserver: no leader", Kind::NoLeader, Reason::ServiceUnavailable},
           {16, "etcdserver: invalid auth token", Kind::TokenInvalid, Reason::InternalError},
           {16, "anything", Kind::TokenInvalid, Reason::InternalError},
           {7, "etcdserver: permission denied", Kind::Refused, Reason::InternalError},
           {9, "etcdserver: authentication is not enabled", Kind::AuthDisabled,
            Reason::InternalError},
           {14, "failed to connect to all addresses; last error: UNKNOWN", Kind::Unreachable,
            Reason::ServiceUnavailable},
           {14, "etcdserver: request timed out", Kind::Unknown, Reason::Timeout},
           {14, "etcdserver: request timed out, possibly due to previous leader failure",
            Kind::Unknown, Reason::Timeout},
           {14, "etcdserver: leader changed", Kind::Unknown, Reason::Timeout},
           {14, "Socket closed", Kind::Unknown, Reason::Timeout},
           {4, "Deadline Exceeded", Kind::Unknown, Reason::Timeout},
           {1, "CANCELLED", Kind::Unknown, Reason::Timeout},
       }) {
    const Fault fault = FaultOf(test.code, test.text);
    EXPECT_EQ(fault.kind, test.kind) << test.text;
    EXPECT_EQ(ErrorOf(fault).reason, test.reason) << test.text;
    EXPECT_NE(ErrorOf(fault).message.find(test.text), std::string::npos);
    EXPECT_EQ(fault.MayHaveHappened(), test.kind == Kind::Unknown) << test.text;
  }
}

TEST(FaultTest, SaysWhetherToAskAgainAndWhom) {
  EXPECT_TRUE(Fault{Kind::Busy}.IsTransient());
  EXPECT_FALSE(Fault{Kind::Busy}.IsMemberFault());
  EXPECT_TRUE(Fault{Kind::NoLeader}.IsMemberFault());
  EXPECT_TRUE(Fault{Kind::Unreachable}.IsMemberFault());
  EXPECT_TRUE(Fault{Kind::Unknown}.IsTransient());
  EXPECT_FALSE(Fault{Kind::NoSpace}.IsTransient());
  EXPECT_FALSE(Fault{Kind::Compacted}.IsTransient());
}

}  // namespace
}  // namespace plimsoll::store::etcd
