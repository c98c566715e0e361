#include "store/etcd/health.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plimsoll::store::etcd {
namespace {

using testing::HasSubstr;

TEST(HealthTest, ASpaceAlarmIsToldUntilAWriteGoesWell) {
  Health health;
  EXPECT_TRUE(health.Get().has_value());
  health.NoteFault({Fault::Kind::NoSpace, "database space exceeded"});
  ASSERT_FALSE(health.Get().has_value());
  EXPECT_EQ(health.Get().error().reason, Reason::ServiceUnavailable);
  EXPECT_THAT(health.Get().error().message, HasSubstr("alarm disarm"));
  health.NoteWritten();
  EXPECT_TRUE(health.Get().has_value());
}

TEST(HealthTest, ARefusedWriteIsNoIllness) {
  Health health;
  health.NoteFault({Fault::Kind::TooLarge, "request is too large"});
  health.NoteFault({Fault::Kind::Unknown, "Deadline Exceeded"});
  EXPECT_TRUE(health.Get().has_value());
}

TEST(HealthTest, TakesAMembersWord) {
  struct Case {
    std::vector<std::string> errors;
    std::string want;  // empty: healthy
  };
  Health health;
  for (const Case& test : std::vector<Case>{
           {{"memberID:1 alarm:NOSPACE "}, "quota"},
           {{}, ""},
           {{"memberID:1 alarm:CORRUPT "}, "its members differs"},
           {{"etcdserver: no leader"}, "no leader"},
           {{}, ""},
       }) {
    health.NoteStatus(StatusReply{"3.5.0", test.errors});
    ASSERT_EQ(health.Get().has_value(), test.want.empty()) << test.want;
    if (test.want.empty()) continue;
    EXPECT_THAT(health.Get().error().message, HasSubstr(test.want));
  }
  health.NoteStatus(std::unexpected(Fault{Fault::Kind::Unreachable, "refused"}));
  EXPECT_THAT(health.Get().error().message, HasSubstr("cannot reach etcd"));
}

}  // namespace
}  // namespace plimsoll::store::etcd
