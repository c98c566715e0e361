#include "store/etcd/endpoint.h"

#include <gtest/gtest.h>

#include <optional>

namespace plimsoll::store::etcd {
namespace {

TEST(EndpointTest, Parses) {
  struct Case {
    std::string text;
    std::optional<Endpoint> want;  // nullopt: Invalid
  };
  for (const Case& test : std::vector<Case>{
           {"http://127.0.0.1:2379", Endpoint{"127.0.0.1:2379", false}},
           {"https://etcd-0.example:2379/", Endpoint{"etcd-0.example:2379", true}},
           {"[::1]:2379", Endpoint{"[::1]:2379", false}},
           {"localhost:1", Endpoint{"localhost:1", false}},
           {"ftp://a:1", std::nullopt},
           {"http://a", std::nullopt},
           {"http://:1", std::nullopt},
           {"a:b", std::nullopt},
           {"a:1/path:2", std::nullopt},
           {"", std::nullopt},
       }) {
    const Result<Endpoint> got = ParseEndpoint(test.text);
    ASSERT_EQ(got.has_value(), test.want.has_value()) << test.text;
    if (got.has_value()) {
      EXPECT_EQ(*got, *test.want);
    } else {
      EXPECT_EQ(got.error().reason, Reason::Invalid);
    }
  }
}

TEST(EndpointTest, ThereMustBeOne) {
  EXPECT_EQ(ParseEndpoints({}).error().reason, Reason::Invalid);
  EXPECT_EQ(ParseEndpoints({"a:1", "https://b:2"}).value().size(), 2U);
  EXPECT_FALSE(ParseEndpoints({"a:1", "b"}).has_value());
}

}  // namespace
}  // namespace plimsoll::store::etcd
