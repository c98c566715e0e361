#include "store/acknowledged_revisions_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/file.h"
#include "store/temporary_directory_for_test.h"

namespace plimsoll::store {
namespace {

class AcknowledgedRevisionsFileTest : public testing::Test {
 protected:
  AcknowledgedRevisions ReadBack() const {
    return AcknowledgedRevisionsFile::Read(path_).value().value();
  }
  void Overwrite(std::size_t at, const std::string& text) const {
    std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(at));
    file << text;
  }

  TemporaryDirectory directory_;
  const std::string path_ = directory_.path() + "/high-water";
};

TEST_F(AcknowledgedRevisionsFileTest, AMissingFileIsNoError) {
  EXPECT_FALSE(AcknowledgedRevisionsFile::Read(path_).value().has_value());
}

TEST_F(AcknowledgedRevisionsFileTest, TheLastNoteIsReadBackEvenWhenTheNumbersGetShorter) {
  {
    AcknowledgedRevisionsFile file =
        AcknowledgedRevisionsFile::Open(path_, {Revision{7}, Revision{3}}).value();
    EXPECT_EQ(ReadBack(), (AcknowledgedRevisions{Revision{7}, Revision{3}}));
    for (int i = 8; i < 12; ++i) {
      file.Write({Revision{i}, Revision{4}});
      EXPECT_EQ(ReadBack(), (AcknowledgedRevisions{Revision{i}, Revision{4}}));
    }
    file.Write({Revision{11}, Revision{5}});
  }
  EXPECT_EQ(ReadBack(), (AcknowledgedRevisions{Revision{11}, Revision{5}}));
  const AcknowledgedRevisionsFile again =
      AcknowledgedRevisionsFile::Open(path_, {Revision{2}, Revision{1}}).value();
  EXPECT_EQ(ReadBack(), (AcknowledgedRevisions{Revision{2}, Revision{1}}));
}

TEST_F(AcknowledgedRevisionsFileTest, ATornNoteLeavesTheOneBeforeIt) {
  AcknowledgedRevisionsFile file =
      AcknowledgedRevisionsFile::Open(path_, {Revision{1}, Revision{0}}).value();
  file.Write({Revision{2}, Revision{0}});  // the first slot
  file.Write({Revision{3}, Revision{0}});  // the second
  Overwrite(512 + 4, "\x7f\x7f");
  EXPECT_EQ(ReadBack(), (AcknowledgedRevisions{Revision{2}, Revision{0}}));
}

TEST_F(AcknowledgedRevisionsFileTest, AFileWithoutAWholeNoteIsAnError) {
  for (const std::string& text :
       {std::string(), std::string(1'024, '\0'), std::string("7 3 0000000000000000\n"),
        std::string("-7 3 "), std::string("99999999999999999999 0 "), std::string("7 ")}) {
    ASSERT_TRUE(WriteFile(path_, text).has_value());
    EXPECT_EQ(AcknowledgedRevisionsFile::Read(path_).error().reason, Reason::InternalError) << text;
  }
}

}  // namespace
}  // namespace plimsoll::store
