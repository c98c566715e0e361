#include "cli/flags/etcd_flags.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "store/temporary_directory_for_test.h"

namespace plimsoll::cli {
namespace {

TEST(EtcdFlagsTest, ReadsWhatTheFilesHold) {
  const store::TemporaryDirectory directory;
  const auto written = [&](const std::string& name, const std::string& text) {
    const std::string path = directory.path() + "/" + name;
    EXPECT_TRUE(WriteFile(path, text).has_value());
    return path;
  };
  EtcdAccess access{.prefix = "/east"};
  access.ca_file = written("ca.crt", "authority");
  access.user_file = written("user", "jane:se:cret\n");
  const store::EtcdOptions etcd = ReadEtcdOptions({"https://a:1", "https://b:2"}, access).value();
  EXPECT_EQ(etcd.endpoints.size(), 2U);
  EXPECT_EQ(etcd.prefix, "/east");
  EXPECT_EQ(etcd.authorities, "authority");
  EXPECT_EQ(etcd.certificate, "");
  EXPECT_EQ(etcd.user, "jane");
  EXPECT_EQ(etcd.password, "se:cret");
  access.user_file = written("user", "jane\n");
  EXPECT_EQ(ReadEtcdOptions({"https://a:1"}, access).error().reason, Reason::Invalid);
  access.user_file = directory.path() + "/none";
  EXPECT_EQ(ReadEtcdOptions({"https://a:1"}, access).error().reason, Reason::NotFound);
}

}  // namespace
}  // namespace plimsoll::cli
