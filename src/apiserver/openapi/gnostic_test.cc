#include "apiserver/openapi/gnostic.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace plimsoll::apiserver {
namespace {

/// A protobuf message decoded without a schema: texts and messages by field number, and numbers.
struct Fields {
  std::map<std::uint32_t, std::vector<std::string>> texts;
  std::map<std::uint32_t, std::uint64_t> numbers;

  const std::string& One(std::uint32_t field) const {
    static const std::string kNone = "(none)";
    const auto found = texts.find(field);
    return found == texts.end() || found->second.size() != 1 ? kNone : found->second[0];
  }
};

std::optional<Fields> Read(std::string_view bytes) {
  std::size_t at = 0;
  const auto varint = [&] {
    std::uint64_t value = 0;
    for (unsigned shift = 0; at < bytes.size(); shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes[at++]);
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    return value;
  };
  Fields out;
  while (at < bytes.size()) {
    const std::uint64_t tag = varint();
    const auto field = static_cast<std::uint32_t>(tag >> 3);
    const std::uint64_t value = varint();
    if ((tag & 7) == 0) {
      out.numbers[field] = value;
      continue;
    }
    if ((tag & 7) != 2 || value > bytes.size() - at) return std::nullopt;
    out.texts[field].emplace_back(bytes.substr(at, value));
    at += value;
  }
  return out;
}

/// Returns the message at a path of fields, each of which must occur once.
Fields Walk(std::string bytes, std::initializer_list<std::uint32_t> path) {
  for (const std::uint32_t field : path) {
    const auto message = Read(bytes);
    if (!message) return {};
    bytes = message->One(field);
  }
  return Read(bytes).value_or(Fields{});
}

const std::string& Encoded() {
  static const std::string kBytes = EncodeGnosticV2(R"({
    "swagger":"2.0","info":{"title":"T","version":"v9"},
    "paths":{"/p":{
      "parameters":[{"name":"n","in":"path","description":"d","required":true,"type":"string"}],
      "patch":{"operationId":"o","tags":["t"],"consumes":["c"],"produces":["q"],
        "parameters":[{"name":"dryRun","in":"query","description":"d","type":"string"},
                      {"name":"body","in":"body","required":true,"schema":{"$ref":"#/r"}}],
        "responses":{"200":{"description":"OK","schema":{"$ref":"#/r"}}},
        "x-kubernetes-action":"patch"}}},
    "definitions":{"D":{"type":"object","required":["a"],
      "properties":{"a":{"type":"array","items":{"type":"string","format":"byte"},
                         "default":[],"enum":["x"],"description":"about"}},
      "additionalProperties":{"$ref":"#/r"},"x-kubernetes-map-type":"atomic"}}})");
  return kBytes;
}

TEST(GnosticTest, TheDocumentHasAHead) {
  const Fields document = Walk(Encoded(), {});
  EXPECT_EQ(document.One(1), "2.0");
  EXPECT_EQ(Walk(Encoded(), {2}).One(1), "T");
  EXPECT_EQ(Walk(Encoded(), {2}).One(2), "v9");
}

TEST(GnosticTest, AnOperationIsWhereKubectlLooksForIt) {
  EXPECT_EQ(Walk(Encoded(), {8, 2}).One(1), "/p");
  const Fields patch = Walk(Encoded(), {8, 2, 2, 8});
  EXPECT_EQ(patch.One(1), "t");
  EXPECT_EQ(patch.One(5), "o");
  EXPECT_EQ(patch.One(6), "q");
  EXPECT_EQ(patch.One(7), "c");
  EXPECT_EQ(Walk(patch.One(13), {}).One(1), "x-kubernetes-action");
  EXPECT_EQ(Walk(patch.One(13), {2}).One(2), "\"patch\"");
  const auto& parameters = patch.texts.at(8);
  ASSERT_EQ(parameters.size(), 2u);
  EXPECT_EQ(Walk(parameters[0], {1, 2, 3}).One(4), "dryRun");
  EXPECT_EQ(Walk(parameters[0], {1, 2, 3}).One(6), "string");
  EXPECT_EQ(Walk(parameters[1], {1, 1}).One(2), "body");
  EXPECT_EQ(Walk(parameters[1], {1, 1, 5}).One(1), "#/r");
  EXPECT_EQ(Walk(patch.One(9), {1}).One(1), "200");
  EXPECT_EQ(Walk(patch.One(9), {1, 2, 1, 2, 1}).One(1), "#/r");
}

TEST(GnosticTest, AParameterOfThePathIsRequired) {
  const Fields parameter = Walk(Encoded(), {8, 2, 2, 9, 1, 2, 4});
  EXPECT_EQ(parameter.One(4), "n");
  EXPECT_EQ(parameter.One(5), "string");
  EXPECT_EQ(parameter.numbers.at(1), 1u);
}

TEST(GnosticTest, ASchemaKeepsAllThatItSays) {
  EXPECT_EQ(Walk(Encoded(), {9, 1}).One(1), "D");
  const Fields schema = Walk(Encoded(), {9, 1, 2});
  EXPECT_EQ(schema.One(19), "a");
  EXPECT_EQ(Walk(schema.One(22), {}).One(1), "object");
  EXPECT_EQ(Walk(schema.One(21), {1}).One(1), "#/r");
  EXPECT_EQ(Walk(schema.One(31), {2}).One(2), "\"atomic\"");
  EXPECT_EQ(Walk(schema.One(25), {1}).One(1), "a");
  const Fields property = Walk(schema.One(25), {1, 2});
  EXPECT_EQ(property.One(4), "about");
  EXPECT_EQ(Walk(property.One(5), {}).One(2), "[]");
  EXPECT_EQ(Walk(property.One(20), {}).One(2), "\"x\"");
  EXPECT_EQ(Walk(property.One(23), {1}).One(2), "byte");
}

}  // namespace
}  // namespace plimsoll::apiserver
