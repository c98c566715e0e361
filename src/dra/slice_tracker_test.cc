#include "dra/slice_tracker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>

#include "api/core/taint.h"
#include "base/assert.h"
#include "codec/yaml.h"

namespace plimsoll::dra {
namespace {

using ObjectPtr = std::shared_ptr<const api::Object>;
using testing::ElementsAre;
using testing::IsEmpty;

ObjectPtr Decode(const std::string& yaml) {
  auto documents = codec::ParseYaml(yaml);
  PL_ASSERT(documents.has_value() && documents->size() == 1);
  const auto decoded = api::DecodeObject(std::move(documents->front()), {.apply_defaults = false});
  PL_ASSERT(decoded.has_value());
  return decoded->object;
}

/// `content` is `devices` or `taints` in YAML flow style.
ObjectPtr Slice(const std::string& name, const std::string& pool, int generation,
                const std::string& content, const std::string& nodes = "allNodes: true") {
  return Decode("{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: " + name +
                "}, spec: {driver: gpu.example.com, pool: {name: " + pool +
                ", generation: " + std::to_string(generation) + ", resourceSliceCount: 1}, " +
                nodes + ", " + content + "}}");
}

/// A rule with the taint `<name>:NoSchedule`.
ObjectPtr Rule(const std::string& name, const std::string& selector,
               const std::string& effect = "NoSchedule") {
  return Decode("{apiVersion: resource.k8s.io/v1, kind: DeviceTaintRule, metadata: {name: " + name +
                ", uid: u-" + name + "}, spec: {" + selector + "taint: {key: " + name +
                ", effect: " + effect + "}}}");
}

ObjectPtr Class(const std::string& name, const std::string& expression) {
  return Decode("{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: " + name +
                "}, spec: {selectors: [{cel: {expression: '" + expression + "'}}]}}");
}

class SliceTrackerTest : public testing::Test {
 protected:
  const SliceTracker::Changes& Put(const ObjectPtr& object) {
    ObjectPtr& known =
        objects_[std::string(object->kind().kind) + std::string(object->metadata().name)];
    const ObjectPtr before = std::exchange(known, object);
    return tracker_.Observe({before, object});
  }
  const SliceTracker::Changes& Delete(const ObjectPtr& object) {
    return tracker_.Observe({object, nullptr});
  }

  /// Returns the taints as `key:effect`, those of rules as `rule/key:effect`.
  static std::vector<std::string> Taints(const TrackedDevice* device) {
    std::vector<std::string> texts;
    if (device == nullptr) return {"no device"};
    for (const DeviceTaintSource& source : device->taints) {
      std::string text =
          source.rule == nullptr ? "" : std::string(source.rule->metadata().name) + "/";
      texts.push_back(text + api::ToText(*source.taint));
    }
    return texts;
  }
  std::vector<std::string> TaintsOf(std::string_view device, std::string_view pool = "p") const {
    return Taints(tracker_.FindDevice("gpu.example.com", pool, device));
  }
  static std::vector<std::string> Names(const std::vector<const TrackedDevice*>& devices) {
    std::vector<std::string> names;
    for (const TrackedDevice* const device : devices) names.emplace_back(device->device->name);
    return names;
  }

  DeviceSelectors selectors_;
  SliceTracker tracker_{selectors_, {}};
  std::map<std::string, ObjectPtr> objects_;
};

TEST_F(SliceTrackerTest, TaintsComeFromDevicesThenSlicesThenRulesByName) {
  Put(Rule("zulu", "deviceSelector: {}, "));
  Put(Rule("alpha", "deviceSelector: {pool: p}, "));
  Put(Slice("s2", "p", 1, "taints: [{device: d, taint: {key: b, effect: NoExecute}}]"));
  Put(Slice("s1", "p", 1,
            "taints: [{device: d, taint: {key: a, effect: NoSchedule}}, "
            "{device: elsewhere, taint: {key: a, effect: NoSchedule}}]"));
  Put(Slice("s3", "p", 1, "devices: [{name: d, taints: [{key: own, effect: None}]}, {name: e}]"));
  EXPECT_THAT(TaintsOf("d"), ElementsAre("own:None", "a:NoSchedule", "b:NoExecute",
                                         "alpha/alpha:NoSchedule", "zulu/zulu:NoSchedule"));
  EXPECT_THAT(TaintsOf("e"), ElementsAre("alpha/alpha:NoSchedule", "zulu/zulu:NoSchedule"));
}

TEST_F(SliceTrackerTest, OnlyTheHighestGenerationCounts) {
  Put(Slice("old", "p", 1, "devices: [{name: d}, {name: gone}]"));
  Put(Slice("old-taints", "p", 1, "taints: [{device: d, taint: {key: a, effect: NoSchedule}}]"));
  EXPECT_THAT(TaintsOf("d"), ElementsAre("a:NoSchedule"));
  const DeviceId id = tracker_.FindDevice("gpu.example.com", "p", "d")->id;

  const ObjectPtr next = Slice("new", "p", 2, "devices: [{name: d}]");
  const auto& changes = Put(next);
  EXPECT_THAT(Names(changes.devices), ElementsAre("d"));
  ASSERT_EQ(changes.dropped_devices.size(), 1u);
  EXPECT_EQ(changes.dropped_devices[0].name, "gone");
  EXPECT_THAT(TaintsOf("d"), IsEmpty());
  EXPECT_THAT(TaintsOf("gone"), ElementsAre("no device"));
  EXPECT_EQ(tracker_.FindDevice("gpu.example.com", "p", "d")->id, id);
  EXPECT_EQ(tracker_.DeviceOf(id)->slice->object, next);
  EXPECT_EQ(tracker_.FindPool("gpu.example.com", "p")->slices.size(), 3u);

  Put(Slice("old-taints", "p", 2, "taints: [{device: d, taint: {key: a, effect: NoSchedule}}]"));
  EXPECT_THAT(TaintsOf("d"), ElementsAre("a:NoSchedule"));
  Delete(next);
  EXPECT_THAT(TaintsOf("d"), ElementsAre("no device")) << "the slice of taints has generation 2";
}

struct SelectorCase {
  std::string_view name;
  std::string selector;
  std::vector<std::string> selected;
};

TEST_F(SliceTrackerTest, RulesSelectByEachOfTheirFields) {
  Put(Class("big", R"(device.attributes["gpu.example.com"].memory >= 40)"));
  Put(Class("other", R"(device.driver == "nic.example.com")"));
  Put(Slice("s1", "p", 1,
            "devices: [{name: a, attributes: {memory: {int: 40}, model: {string: A100}}}, "
            "{name: b, attributes: {memory: {int: 80}, model: {string: H100}}}]"));
  Put(Slice("s2", "q", 1,
            "devices: [{name: a, attributes: {gpu.example.com/memory: {int: 24}}}, "
            "{name: c, capacity: {memory: {value: 16Gi}}}]"));
  const SelectorCase kCases[] = {
      {"no selector", "", {}},
      {"empty selector", "deviceSelector: {}, ", {"p/a", "p/b", "q/a", "q/c"}},
      {"driver", "deviceSelector: {driver: gpu.example.com}, ", {"p/a", "p/b", "q/a", "q/c"}},
      {"other driver", "deviceSelector: {driver: nic.example.com}, ", {}},
      {"pool", "deviceSelector: {pool: q}, ", {"q/a", "q/c"}},
      {"device", "deviceSelector: {device: a}, ", {"p/a", "q/a"}},
      {"all three", "deviceSelector: {driver: gpu.example.com, pool: q, device: a}, ", {"q/a"}},
      {"an empty name is a name", "deviceSelector: {pool: ''}, ", {}},
      {"class", "deviceSelector: {deviceClassName: big}, ", {"p/a", "p/b"}},
      {"class of other devices", "deviceSelector: {deviceClassName: other}, ", {}},
      {"class that is not there", "deviceSelector: {deviceClassName: none}, ", {}},
      {"class and name", "deviceSelector: {deviceClassName: big, device: a}, ", {"p/a"}},
      {"expression",
       R"(deviceSelector: {selectors: [{cel: {expression: 'device.attributes["gpu.example.com"].model == "H100"'}}]}, )",
       {"p/b"}},
      {"class and expression",
       R"(deviceSelector: {deviceClassName: big, selectors: [{cel: {expression: 'device.attributes["gpu.example.com"].model == "A100"'}}]}, )",
       {"p/a"}},
      {"expression that fails where an attribute is missing",
       R"(deviceSelector: {selectors: [{cel: {expression: 'device.attributes["gpu.example.com"].memory < 50'}}]}, )",
       {"p/a", "q/a"}},
      {"two expressions, one failing",
       R"(deviceSelector: {selectors: [{cel: {expression: 'true'}}, {cel: {expression: 'device.attributes["x"].y'}}]}, )",
       {}},
      {"capacity",
       R"(deviceSelector: {selectors: [{cel: {expression: 'has(device.capacity["gpu.example.com"].memory)'}}]}, )",
       {"q/c"}},
      {"expression that does not compile",
       "deviceSelector: {selectors: [{cel: {expression: 'device.'}}]}, ",
       {}},
  };
  for (const SelectorCase& c : kCases) {
    const ObjectPtr rule = Rule("rule", c.selector);
    std::vector<std::string> selected;
    for (const TrackedDevice* const device :
         tracker_.SelectedBy(*rule->As<api::DeviceTaintRule>())) {
      selected.push_back(std::string(device->slice->view->pool.name) + "/" +
                         std::string(device->device->name));
    }
    EXPECT_EQ(selected, c.selected) << c.name;
    EXPECT_EQ(Put(rule).devices.size(), c.selected.size()) << c.name;
    for (const char* pool : {"p", "q"}) {
      for (const char* device : {"a", "b", "c"}) {
        const TrackedDevice* const found = tracker_.FindDevice("gpu.example.com", pool, device);
        if (found == nullptr) continue;
        const bool is_selected =
            std::ranges::find(c.selected, std::string(pool) + "/" + device) != c.selected.end();
        EXPECT_EQ(found->taints.size(), is_selected ? 1u : 0u) << c.name << pool << device;
      }
    }
    Delete(rule);
  }
}

TEST_F(SliceTrackerTest, ReportsDevicesWhoseTaintsBecameOthers) {
  Put(Slice("s", "p", 1, "devices: [{name: a}, {name: b}]"));
  EXPECT_THAT(Names(Put(Rule("r", "deviceSelector: {device: a}, ")).devices), ElementsAre("a"));
  EXPECT_THAT(Names(Put(Rule("r", "deviceSelector: {device: a}, ")).devices), IsEmpty())
      << "a new version with the same taint";
  EXPECT_THAT(Names(Put(Rule("r", "deviceSelector: {device: a}, ", "NoExecute")).devices),
              ElementsAre("a"));
  EXPECT_THAT(Names(Put(Rule("r", "deviceSelector: {}, ", "NoExecute")).devices), ElementsAre("b"));
  const auto& changes = Put(Slice("s", "p", 1, "devices: [{name: b}, {name: c}]"));
  EXPECT_THAT(Names(changes.devices), ElementsAre("c"));
  ASSERT_EQ(changes.dropped_devices.size(), 1u);
  EXPECT_EQ(changes.dropped_devices[0].name, "a");
  EXPECT_EQ(changes.pools.size(), 1u);
}

TEST_F(SliceTrackerTest, AClassThatChangesMovesItsRules) {
  const std::string by_class = "deviceSelector: {deviceClassName: c}, ";
  Put(Slice("s", "p", 1, "devices: [{name: a, attributes: {size: {int: 1}}}]"));
  Put(Rule("r", by_class));
  EXPECT_THAT(TaintsOf("a"), IsEmpty());
  const ObjectPtr one = Class("c", R"(device.attributes["gpu.example.com"].size == 1)");
  EXPECT_THAT(Names(Put(one).devices), ElementsAre("a"));
  EXPECT_THAT(Names(Put(Class("c", R"(device.attributes["gpu.example.com"].size == 2)")).devices),
              ElementsAre("a"));
  EXPECT_THAT(TaintsOf("a"), IsEmpty());
  Put(one);
  EXPECT_THAT(TaintsOf("a"), ElementsAre("r/r:NoSchedule"));
  EXPECT_THAT(Names(Delete(one).devices), ElementsAre("a"));
  EXPECT_THAT(TaintsOf("a"), IsEmpty());
}

TEST_F(SliceTrackerTest, ListsSlicesByNode) {
  Put(Slice("b", "p", 1, "devices: []", "nodeName: n1"));
  Put(Slice("a", "p", 1, "devices: []", "nodeName: n1"));
  const ObjectPtr shared = Slice("c", "p", 1, "devices: []", "perDeviceNodeSelection: true");
  Put(shared);
  ASSERT_EQ(tracker_.SlicesOfNode("n1").size(), 2u);
  EXPECT_EQ(tracker_.SlicesOfNode("n1")[0]->view->metadata.name, "a");
  EXPECT_EQ(tracker_.SharedSlices().size(), 1u);
  EXPECT_TRUE(tracker_.SlicesOfNode("n2").empty());
  Delete(shared);
  EXPECT_TRUE(tracker_.SharedSlices().empty());
}

TEST_F(SliceTrackerTest, GivesTheRulesOfADeviceThatNobodyPublishes) {
  Put(Rule("b", "deviceSelector: {driver: gpu.example.com, device: d}, "));
  Put(Rule("a", "deviceSelector: {}, "));
  Put(Rule("c", "deviceSelector: {device: d, selectors: [{cel: {expression: 'true'}}]}, "));
  Put(Rule("e", ""));
  const auto taints = tracker_.RuleTaintsOf("gpu.example.com", "p", "d");
  ASSERT_EQ(taints.size(), 2u);
  EXPECT_EQ(taints[0].taint->key, "a");
  EXPECT_EQ(taints[1].taint->key, "b");
}

TEST(SliceTrackerGatesTest, TurnOffRulesOrAllTaints) {
  const DeviceSelectors selectors;
  for (const auto& [settings, count] : {std::pair(SliceTracker::Settings{true, true}, 2u),
                                        {{true, false}, 1u},
                                        {{false, true}, 0u}}) {
    SliceTracker tracker(selectors, settings);
    tracker.Observe({nullptr, Rule("r", "deviceSelector: {}, ")});
    tracker.Observe(
        {nullptr, Slice("s", "p", 1, "devices: [{name: a, taints: [{key: k, effect: None}]}]")});
    EXPECT_EQ(tracker.FindDevice("gpu.example.com", "p", "a")->taints.size(), count);
  }
}

}  // namespace
}  // namespace plimsoll::dra
