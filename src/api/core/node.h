#pragma once

#include <string_view>
#include <vector>

#include "api/core/pod.h"
#include "api/core/taint.h"
#include "api/meta/object_meta.h"

namespace plimsoll::api {

struct NodeImage {
  std::vector<std::string_view> names;
  std::int64_t size_bytes = 0;
};

struct NodeSpec {
  std::vector<Taint> taints;
  bool unschedulable = false;
  std::string_view provider_id;
  std::string_view pod_cidr;
  std::vector<std::string_view> pod_cidrs;
};

struct NodeStatus {
  ResourceList capacity;
  ResourceList allocatable;
  std::vector<NodeImage> images;
  std::vector<std::string_view> declared_features;
};

/// The parts of a node that code here reads; texts belong to the object's document.
struct Node {
  ObjectMeta metadata;
  NodeSpec spec;
  NodeStatus status;
};

}  // namespace plimsoll::api
