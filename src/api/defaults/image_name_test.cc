#include "api/defaults/image_name.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace plimsoll::api {
namespace {

TEST(ImageNameTest, LatestIsSaidOrUnsaid) {
  const std::string digest = "@sha256:" + std::string(64, 'a');
  const std::vector<std::pair<std::string, bool>> cases{
      {"nginx", true},
      {"nginx:latest", true},
      {"nginx:1.2", false},
      {"library/nginx", true},
      {"localhost:5000/a/b", true},
      {"localhost:5000/a/b:v1", false},
      {"registry.example.com/a_b/c__d/e--f", true},
      {"[::1]:5000/a:latest", true},
      {"nginx" + digest, false},
      {"nginx:latest" + digest, true},
      {"", false},
      {"Nginx", false},
      {"example.com/Nginx", false},
      {"nginx:", false},
      {"nginx:-x", false},
      {"nginx:latest@sha256:abc", false},
      {"a..b", false},
      {"a___b", false},
      {"a/", false},
      {"-host.com/a", false},
      {std::string(64, 'a'), false},
      {std::string(63, 'a'), true},
      {std::string(237, 'a'), true},
      {std::string(238, 'a'), false},
  };
  for (const auto& [image, want] : cases) {
    EXPECT_EQ(defaults::IsLatestImage(image), want) << image;
  }
}

}  // namespace
}  // namespace plimsoll::api
