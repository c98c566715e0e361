#include "cli/store/store_commands.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "base/virtual_clock.h"
#include "cli/app.h"
#include "store/temporary_directory_for_test.h"

namespace plimsoll::cli {
namespace {

class StoreCommandsTest : public testing::Test {
 protected:
  std::string Rocks(const std::string& name) const { return "rocksdb:" + at_ + "/" + name; }
  void Fill(const std::string& address) {
    const auto store = OpenStoreAt(address, OpenMode::CreateIfMissing, {}, clock_, log_).value();
    for (const char* key : {"/registry/pods/default/a", "/registry/pods/default/b"}) {
      ASSERT_TRUE(store->CommitAndWait({key, MakeBytes("{}"), store::kNoRevision}).has_value());
    }
  }
  /// Returns the output, or the error output if the command fails.
  std::string Run(const std::vector<std::string>& words, int want) {
    std::istringstream in;
    std::ostringstream out;
    std::ostringstream err;
    EXPECT_EQ(cli::Run(words, {in, out, err}), want) << err.str();
    return want == kExitOk ? out.str() : err.str();
  }

  const store::TemporaryDirectory directory_;
  const std::string& at_ = directory_.path();
  VirtualClock clock_;
  MemorySink sink_;
  Logger log_{clock_, sink_};
};

TEST_F(StoreCommandsTest, MigratesAndComparesCounts) {
  Fill(Rocks("old"));
  EXPECT_EQ(Run({"migrate", "--from", Rocks("old"), "--to", Rocks("new")}, kExitOk),
            "Copied 2 objects, as of revision 2; the store is now at revision 1000000004\n");
  EXPECT_TRUE(Run({"migrate", "--from", Rocks("old"), "--to", Rocks("new")}, kExitFindings)
                  .contains("it must be empty"));
}

TEST_F(StoreCommandsTest, SavesAndRestores) {
  Fill(Rocks("old"));
  const std::string file = at_ + "/snapshot";
  EXPECT_EQ(Run({"snapshot", "save", file, "--store", Rocks("old")}, kExitOk),
            "Saved 2 objects, as of revision 2\n");
  EXPECT_EQ(Run({"snapshot", "restore", file, "--store", Rocks("new")}, kExitOk),
            "Restored 2 objects, as of revision 2; the store is now at revision 1000000004\n");
  Run({"snapshot", "restore", file, "--store", "nowhere"}, kExitUsage);
  EXPECT_EQ(
      Run({"snapshot", "restore", file, "--store", Rocks("near"), "--bump-revision", "5"}, kExitOk),
      "Restored 2 objects, as of revision 2; the store is now at revision 9\n");
  EXPECT_EQ(OpenStoreAt(Rocks("near"), OpenMode::Existing, {}, clock_, log_).value()->latest(),
            store::Revision{9});
}

TEST_F(StoreCommandsTest, ReadsNoStoreThatIsNotThere) {
  const std::string file = at_ + "/snapshot";
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"snapshot", "save", file, "--store", Rocks("wrong")},
        {"migrate", "--from", Rocks("wrong"), "--to", Rocks("new")}}) {
    EXPECT_TRUE(Run(words, kExitFindings).contains("there is no store in " + at_ + "/wrong/store"));
    EXPECT_TRUE(std::filesystem::is_empty(at_));
  }
}

}  // namespace
}  // namespace plimsoll::cli
