#include "cel/syntax/issue_list.h"

#include <gtest/gtest.h>

#include "cel/limits.h"

namespace plimsoll::cel {
namespace {

Issues Taken(IssueList& list, std::string_view source) {
  return list.Finish(Issues::Stage::Check, std::make_shared<const std::string>(source));
}

TEST(IssueListTest, TheCaretStandsBelowTheColumn) {
  IssueList list;
  list.Report(13, "undefined field 'foo'");
  EXPECT_EQ(Taken(list, "'日本' == taint.foo").Text(),
            "ERROR: <input>:1:14: undefined field 'foo'\n"
            " | '日本' == taint.foo\n"
            " | .．．..........^");
  IssueList wide;
  wide.Report(1, "x");
  EXPECT_EQ(Taken(wide, "\t日").Text(), "ERROR: <input>:1:2: x\n |  日\n | .＾");
}

TEST(IssueListTest, IssuesAreSortedByPlace) {
  IssueList list;
  list.Report(4, "third");
  list.Report(0, "second");
  list.Report(kNoOffset, "first");
  EXPECT_EQ(Taken(list, "ab\ncd").Text(),
            "ERROR: <input>:-1:0: first\n"
            "ERROR: <input>:1:1: second\n | ab\n | ^\n"
            "ERROR: <input>:2:2: third\n | cd\n | .^");
}

TEST(IssueListTest, TheHundredAndFirstIsOnlyCounted) {
  IssueList list;
  for (int i = 0; i < 103; ++i) list.Report(0, "x");
  const Issues issues = Taken(list, "a");
  EXPECT_EQ(issues.list.size(), kIssuesMax);
  EXPECT_TRUE(issues.Text().ends_with("\n3 more errors were truncated"));
}

TEST(IssueListTest, ALineThatIsTooLongIsNotShown) {
  IssueList list;
  list.Report(0, "x");
  EXPECT_TRUE(Taken(list, std::string(kSnippetCodePointsMax, 'a')).Text().ends_with("\n | ^"));
  IssueList other;
  other.Report(0, "x");
  EXPECT_EQ(Taken(other, std::string(kSnippetCodePointsMax + 1, 'a')).Text(),
            "ERROR: <input>:1:1: x");
}

}  // namespace
}  // namespace plimsoll::cel
