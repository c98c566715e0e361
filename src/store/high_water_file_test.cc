#include "store/high_water_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/file.h"
#include "store/temporary_directory_for_test.h"

namespace plimsoll::store {
namespace {

class HighWaterFileTest : public testing::Test {
 protected:
  HighWater ReadBack() const { return HighWaterFile::Read(path_).value().value(); }
  void Overwrite(std::size_t at, const std::string& text) const {
    std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(at));
    file << text;
  }

  TemporaryDirectory directory_;
  const std::string path_ = directory_.path() + "/high-water";
};

TEST_F(HighWaterFileTest, AMissingFileIsNoError) {
  EXPECT_FALSE(HighWaterFile::Read(path_).value().has_value());
}

TEST_F(HighWaterFileTest, TheLastNoteIsReadBackEvenWhenTheNumbersGetShorter) {
  {
    HighWaterFile file = HighWaterFile::Open(path_, {Revision{7}, Revision{3}}).value();
    EXPECT_EQ(ReadBack(), (HighWater{Revision{7}, Revision{3}}));
    for (int i = 8; i < 12; ++i) {
      file.Note({Revision{i}, Revision{4}});
      EXPECT_EQ(ReadBack(), (HighWater{Revision{i}, Revision{4}}));
    }
    file.Note({Revision{11}, Revision{5}});
  }
  EXPECT_EQ(ReadBack(), (HighWater{Revision{11}, Revision{5}}));
  const HighWaterFile again = HighWaterFile::Open(path_, {Revision{2}, Revision{1}}).value();
  EXPECT_EQ(ReadBack(), (HighWater{Revision{2}, Revision{1}}));
}

TEST_F(HighWaterFileTest, ATornNoteLeavesTheOneBeforeIt) {
  HighWaterFile file = HighWaterFile::Open(path_, {Revision{1}, Revision{0}}).value();
  file.Note({Revision{2}, Revision{0}});  // the first slot
  file.Note({Revision{3}, Revision{0}});  // the second
  Overwrite(512 + 4, "\x7f\x7f");
  EXPECT_EQ(ReadBack(), (HighWater{Revision{2}, Revision{0}}));
}

TEST_F(HighWaterFileTest, AFileWithoutAWholeNoteIsAnError) {
  for (const std::string& text :
       {std::string(), std::string(1'024, '\0'), std::string("7 3 0000000000000000\n"),
        std::string("-7 3 "), std::string("99999999999999999999 0 "), std::string("7 ")}) {
    ASSERT_TRUE(WriteFile(path_, text).has_value());
    EXPECT_EQ(HighWaterFile::Read(path_).error().reason, Reason::InternalError) << text;
  }
}

}  // namespace
}  // namespace plimsoll::store
