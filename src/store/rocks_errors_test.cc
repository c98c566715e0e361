#include "store/rocks_errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rocksdb/status.h>

namespace plimsoll::store {
namespace {

TEST(RocksErrorsTest, SayWhatWhereAndWhatToDo) {
  struct Case {
    Error error;
    Reason reason;
    std::string advice;
  };
  using Told = rocksdb::Status;
  const std::string directory = "/data/store";
  for (const auto& [error, reason, advice] : std::vector<Case>{
           {OpenError(directory, Told::IOError("While lock file: x/LOCK", "busy")),
            Reason::ServiceUnavailable, "stop that one"},
           {OpenError(directory, Told::Corruption("bad"), "4.log: dropping"), Reason::InternalError,
            "4.log: dropping"},
           {OpenError(directory, Told::Corruption("bad")), Reason::InternalError, "backup"},
           {OpenError(directory, Told::InvalidArgument("families")), Reason::InternalError,
            "another directory"},
           {OpenError(directory, Told::NoSpace("x")), Reason::InternalError, "free some space"},
           {OpenError(directory, Told::IOError("Permission denied")), Reason::InternalError,
            "by this user"},
           {ReadError(directory, Told::Corruption("bad")), Reason::InternalError, "backup"},
           {ReadError(directory, Told::IOError("bad")), Reason::InternalError, "cannot read"},
           {WriteError(directory, Told::NoSpace("x")), Reason::ServiceUnavailable,
            "Free some space"},
           {WriteError(directory, Told::IOError("x")), Reason::ServiceUnavailable, "restart"},
       }) {
    EXPECT_EQ(error.reason, reason) << error.message;
    EXPECT_THAT(error.message, testing::HasSubstr(advice));
    EXPECT_THAT(error.message, testing::HasSubstr(directory));
  }
}

}  // namespace
}  // namespace plimsoll::store
