#include "apiserver/fairness/fairness_feed.h"

#include <utility>
#include <vector>

#include "base/assert.h"

namespace plimsoll::apiserver {
namespace {

/// Maintains a map of the configurations in a resource's objects, by name.
template <class Config>
FollowedResource Follow(const ResourceTable& resources, std::string_view plural,
                        std::map<std::string, Config, std::less<>>& map,
                        Config (*read)(const codec::Value&)) {
  const Resource* const resource = resources.Find(kFlowControlGroup, "v1", plural);
  PL_ASSERT(resource != nullptr);
  return {.resource = resource,
          .clear = [&map] { map.clear(); },
          .apply =
              [&map, read](const CacheEvent& event) {
                const StoredObject& object = event.now != nullptr ? *event.now : *event.before;
                if (event.now != nullptr) {
                  if (const auto decoded = object.Decode()) {
                    map.insert_or_assign(std::string(object.name()), read((*decoded)->tree()));
                    return;
                  }
                }
                const auto found = map.find(object.name());
                if (found != map.end()) map.erase(found);
              }};
}

}  // namespace

FairnessFeed::FairnessFeed(Cache& cache, const ResourceTable& resources, Fairness& fairness)
    : fairness_(fairness),
      follower_(cache,
                {Follow(resources, "prioritylevelconfigurations", levels_, ReadLevelConfig),
                 Follow(resources, "flowschemas", flows_, ReadFlowConfig)},
                [this] { Publish(); }) {}

void FairnessFeed::Publish() {
  std::vector<LevelConfig> levels;
  std::vector<FlowConfig> flows;
  for (const auto& [name, level] : levels_) levels.push_back(level);
  for (const auto& [name, flow] : flows_) flows.push_back(flow);
  fairness_.Configure(std::move(levels), std::move(flows));
}

}  // namespace plimsoll::apiserver
