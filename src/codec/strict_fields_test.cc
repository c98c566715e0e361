#include "codec/strict_fields.h"

#include <gtest/gtest.h>

#include "codec/json.h"

namespace plimsoll::codec {
namespace {

/// Reads `{"name": text, "count": 1..9, "names": [text], "on": bool, "inner": {"wait": duration}}`.
std::string FaultOf(const std::string& json) {
  const auto document = ParseJson(json);
  StrictFields::Fault fault;
  {
    StrictFields root(&(*document)->root(), "", fault);
    std::string name;
    std::int64_t count = 0;
    std::vector<std::string> names;
    bool is_on = false;
    root.Read("name", name);
    root.Read("count", count, 1, 9);
    root.Read("names", names);
    root.Read("on", is_on);
    root.Object("inner", [](StrictFields& inner) {
      Duration wait{};
      inner.Read("wait", wait);
    });
    root.List("items", [](StrictFields& item) {
      std::string kind;
      item.Read("kind", kind);
    });
  }
  return fault ? fault->Text() : "";
}

TEST(StrictFieldsTest, TheFirstFaultIsNamedWithItsPath) {
  EXPECT_EQ(FaultOf(R"({"name":"a","count":9,"names":["b"],"on":true,"inner":{"wait":"1s"}})"), "");
  EXPECT_EQ(FaultOf(R"({"name":null,"inner":null})"), "");
  EXPECT_EQ(FaultOf(R"({"name":1,"count":"x"})"), "name: must be a string");
  EXPECT_EQ(FaultOf(R"({"count":10})"), "count: must be from 1 to 9");
  EXPECT_EQ(FaultOf(R"({"names":["a",1]})"), "names: must be a list of strings");
  EXPECT_EQ(FaultOf(R"({"on":"yes"})"), "on: must be a boolean");
  EXPECT_EQ(FaultOf(R"({"inner":[]})"), "inner: must be an object");
  EXPECT_EQ(FaultOf(R"({"inner":{"wait":5}})"),
            "inner.wait: must be a duration such as 15s or 1m30s");
  EXPECT_EQ(FaultOf(R"({"items":[{},{"kind":1}]})"), "items[1].kind: must be a string");
  EXPECT_EQ(FaultOf(R"({"nmae":"a"})"), "nmae: unknown field; did you mean name?");
  EXPECT_EQ(FaultOf(R"([])"), "must be an object");
}

}  // namespace
}  // namespace plimsoll::codec
