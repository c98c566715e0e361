#include "api/apply/path_element.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace plimsoll::api {
namespace {

TEST(PathElementTest, IsWrittenAsItWasRead) {
  for (const std::string text :
       {R"(f:name)", R"(f:)", R"(f:a.b/c:"d")", R"(k:{"name":"a"})",
        R"(k:{"a":1,"b":"x","c":true})", R"(k:{"name":"\"\\"})", R"(v:"x")", R"(v:-5)", R"(v:1.5)",
        R"(v:true)", R"(v:null)", R"(v:"\u003c")", R"(i:7)", R"(k:{})"}) {
    codec::Document arena;
    const auto element = PathElement::Parse(arena, text);
    ASSERT_TRUE(element.has_value()) << text;
    EXPECT_EQ(element->Encode(arena), text);
  }
}

TEST(PathElementTest, HasAnOrder) {
  const std::vector<std::string> sorted = {"f:",
                                           "f:a",
                                           "f:b",
                                           R"(k:{"a":1})",
                                           R"(k:{"a":1,"b":1})",
                                           R"(k:{"a":2})",
                                           R"(k:{"a":10})",
                                           R"(k:{"a":"1"})",
                                           R"(k:{"b":0})",
                                           "v:1",
                                           "v:1.5",
                                           "v:2",
                                           R"(v:"a")",
                                           "v:false",
                                           "v:true",
                                           "v:null",
                                           "i:0",
                                           "i:1"};
  codec::Document arena;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    for (std::size_t j = 0; j < sorted.size(); ++j) {
      const auto a = PathElement::Parse(arena, sorted[i]);
      const auto b = PathElement::Parse(arena, sorted[j]);
      EXPECT_EQ(*a <=> *b, i <=> j) << sorted[i] << " " << sorted[j];
    }
  }
}

TEST(PathElementTest, RefusesTheRest) {
  for (const auto& [text, reason] :
       std::vector<std::pair<std::string, Reason>>{{"", Reason::BadRequest},
                                                   {"f", Reason::BadRequest},
                                                   {"f.a", Reason::BadRequest},
                                                   {"k:x", Reason::BadRequest},
                                                   {"k:[]", Reason::BadRequest},
                                                   {"v:", Reason::BadRequest},
                                                   {"x:a", Reason::NotFound}}) {
    codec::Document arena;
    const auto element = PathElement::Parse(arena, text);
    ASSERT_FALSE(element.has_value()) << text;
    EXPECT_EQ(element.error().reason, reason) << text;
  }
}

}  // namespace
}  // namespace plimsoll::api
