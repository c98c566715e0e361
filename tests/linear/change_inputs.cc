#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "api/apply/apply.h"
#include "api/apply/managed_fields.h"
#include "api/patch/strategic_merge.h"
#include "api/schema/schema.h"
#include "base/assert.h"
#include "codec/json.h"
#include "codec/patch/json_patch.h"
#include "codec/patch/merge_patch.h"
#include "inputs.h"

namespace plimsoll::linear {
namespace {

using Text = std::string;
using Tree = std::shared_ptr<codec::Document>;

Tree Parse(const Text& json) {
  auto parsed = codec::ParseJson(json);
  PL_ASSERT(parsed.has_value());
  return *std::move(parsed);
}

const api::KindDesc& PodKind() {
  const api::KindDesc* const kind = api::FindKind("", "v1", "Pod");
  PL_ASSERT(kind != nullptr);
  return *kind;
}

Text Pod(const Text& container, const Text& spec = "", const Text& metadata = "") {
  return R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"d")" + metadata +
         R"(},"spec":{"containers":[{"name":"c","image":"i")" + container + "}]" + spec + "}}";
}
Text Env(std::size_t size, const Text& value) {
  return R"(,"env":[)" +
         Joined(size,
                [&](const Text& i) {
                  return R"({"name":"E)" + i + R"(","value":")" + value + "\"}";
                }) +
         "]";
}
Text Keys(std::size_t size, const Text& value) {
  return Joined(size, [&](const Text& i) { return R"("k)" + i + R"(":)" + value; });
}

using Patch = std::function<void(codec::Document&, const codec::Value&, const codec::Value&)>;

/// Applies the second text as a patch to the first.
Make Patched(const Patch& patch, const std::function<std::pair<Text, Text>(std::size_t)>& texts) {
  return [=](std::size_t size) {
    const auto [original, change] = texts(size);
    return [patch, original = Parse(original), change = Parse(change)] {
      codec::Document out;
      patch(out, original->root(), change->root());
    };
  };
}

void Strategic(codec::Document& out, const codec::Value& original, const codec::Value& patch) {
  PL_ASSERT(api::ApplyStrategicMerge(out, original, patch, *PodKind().type).has_value());
}
void Json(codec::Document& out, const codec::Value& original, const codec::Value& patch) {
  PL_ASSERT(codec::ApplyJsonPatch(out, original, patch).has_value());
}
void Merge(codec::Document& out, const codec::Value& original, const codec::Value& patch) {
  PL_ASSERT(codec::ApplyMergePatch(out, original, patch).has_value());
}

std::vector<Input> Patches() {
  const auto both = [](const Text& a, const Text& b) { return std::pair(a, b); };
  const auto directive = [](const Text& name) {
    return R"({"spec":{"containers":[{"name":"c",)" + name + "}]}}";
  };
  return {
      {"strategic merge of a list by key", 1000,
       Patched(Strategic, [=](std::size_t n) { return both(Pod(Env(n, "a")), Pod(Env(n, "b"))); })},
      {"strategic merge, $patch: delete", 1000,
       Patched(Strategic,
               [=](std::size_t n) {
                 return both(Pod(Env(n, "a")), directive(R"("env":[)" +
                                                         Joined(n,
                                                                [](const Text& i) {
                                                                  return R"({"name":"E)" + i +
                                                                         R"(","$patch":"delete"})";
                                                                }) +
                                                         "]"));
               })},
      {"strategic merge, $setElementOrder", 1000,
       Patched(Strategic,
               [=](std::size_t n) {
                 return both(
                     Pod(Env(n, "a")),
                     directive(
                         R"("$setElementOrder/env":[)" +
                         Joined(n, [](const Text& i) { return R"({"name":"E)" + i + "\"}"; }) +
                         "]," + Env(n, "b").substr(1)));
               })},
      {"strategic merge, $retainKeys", 4000,
       Patched(Strategic,
               [=](std::size_t n) {
                 return both(R"({"spec":{"volumes":[{"name":"v",)" + Keys(n, "1") + "}]}}",
                             R"({"spec":{"volumes":[{"name":"v","$retainKeys":["name",)" +
                                 Joined(n, [](const Text& i) { return "\"k" + i + "\""; }) +
                                 "]}]}}");
               })},
      {"strategic merge, $deleteFromPrimitiveList", 1000,
       Patched(Strategic,
               [=](std::size_t n) {
                 const Text list = Joined(n, [](const Text& i) { return "\"f" + i + "\""; });
                 return both(
                     R"({"metadata":{"finalizers":[)" + list + "]}}",
                     R"({"metadata":{"$deleteFromPrimitiveList/finalizers":[)" + list + "]}}");
               })},
      {"JSON patch, many replacements", 1000,
       Patched(Json,
               [=](std::size_t n) {
                 return both("{" + Keys(n, "1") + "}", "[" + Joined(n, [](const Text& i) {
                                                         return R"({"op":"replace","path":"/k)" +
                                                                i + R"(","value":2})";
                                                       }) + "]");
               })},
      {"JSON patch, appending", 2400,
       Patched(Json,
               [=](std::size_t n) {
                 return both(R"({"a":[]})", "[" + Joined(n, [](const Text& i) {
                                              return R"({"op":"add","path":"/a/-","value":)" + i +
                                                     "}";
                                            }) + "]");
               })},
      {"JSON patch, removals from a list", 2400,
       Patched(Json,
               [=](std::size_t n) {
                 return both(R"({"a":[)" + Joined(n, [](const Text& i) { return i; }) + "]}",
                             "[" + Joined(n, [](const Text&) {
                               return Text(R"({"op":"remove","path":"/a/0"})");
                             }) + "]");
               })},
      {"JSON patch, insertions into a list", 2400,
       Patched(Json,
               [=](std::size_t n) {
                 return both(R"({"a":[)" + Joined(n, [](const Text& i) { return i; }) + "]}",
                             "[" + Joined(n, [](const Text& i) {
                               return R"({"op":"add","path":"/a/0","value":)" + i + "}";
                             }) + "]");
               })},
      {"JSON patch, removals from an object", 2400,
       Patched(Json,
               [=](std::size_t n) {
                 return both("{" + Keys(n, "1") + "}", "[" + Joined(n, [](const Text& i) {
                                                         return R"({"op":"remove","path":"/k)" + i +
                                                                "\"}";
                                                       }) + "]");
               })},
      {"merge patch", 4000,
       Patched(Merge,
               [=](std::size_t n) {
                 return both("{" + Keys(n, "1") + "}", "{" + Keys(n, "2") + "}");
               })},
  };
}

api::FieldWriter Writer(std::string_view manager) {
  return {.manager = manager,
          .kind = &PodKind(),
          .subresource = {},
          .now = Instant{std::chrono::seconds(1'700'000'000)}};
}

Tree Live(const Text& json) {
  Tree tree = Parse(json);
  api::UpdateManagedFields(*tree, tree->root(), nullptr, Writer("one"));
  tree->Set(*tree->root().Find("metadata"), "uid", codec::Value::String("u"));
  return tree;
}

Make Applied(const std::function<std::pair<Text, Text>(std::size_t)>& texts) {
  return [=](std::size_t size) {
    const auto [live, config] = texts(size);
    return [live = Live(live), config = Parse(config)] {
      codec::Document out;
      const auto applied = api::Apply(out, &live->root(), config->root(),
                                      {.writer = Writer("other"), .is_forced = true});
      PL_ASSERT(applied.has_value());
    };
  };
}

/// Updates an object with many field managers.
Make UpdatedByMany(const Text& operation) {
  return [=](std::size_t n) {
    const Text entries = Joined(n, [&](const Text& i) {
      return R"({"manager":"m)" + i + R"(","operation":")" + operation +
             R"(","apiVersion":"v1","time":"2024-01-01T00:00:00Z","fieldsType":"FieldsV1",)"
             R"("fieldsV1":{"f:metadata":{"f:labels":{"f:k)" +
             i + R"(":{}}}}})";
    });
    const auto pod = [&](const Text& value) {
      return Pod("", "",
                 R"(,"labels":{)" + Keys(n, value) + R"(},"managedFields":[)" + entries + "]");
    };
    return [live = Parse(pod("\"a\"")), now = Parse(pod("\"b\""))] {
      codec::Document out;
      out.root() = out.Clone(now->root());
      api::UpdateManagedFields(out, out.root(), &live->root(), Writer("other"));
    };
  };
}

/// Caps managed fields beyond their limit, which merges the oldest ones.
Make CappedOwners() {
  return [](std::size_t n) {
    const auto list =
        Parse("[" +
              Joined(n,
                     [](const Text& i) {
                       return R"({"manager":"m)" + i +
                              R"(","operation":"Update","apiVersion":"v1",)"
                              R"("time":"2024-01-01T00:00:00Z","fieldsType":"FieldsV1",)"
                              R"("fieldsV1":{"f:metadata":{"f:labels":{"f:k)" +
                              i + R"(":{}}}}})";
                     }) +
              "]");
    return [list] {
      codec::Document out;
      auto owners = api::ManagedFields::Decode(out, &list->root());
      PL_ASSERT(owners.has_value());
      owners->Cap();
      PL_ASSERT(owners->entries().size() <= api::ManagedFields::kUpdatesMax);
    };
  };
}

std::vector<Input> Applies() {
  return {
      {"owners of an object, joined", 1000, CappedOwners()},
      {"apply, list by key", 500,
       Applied([](std::size_t n) { return std::pair(Pod(Env(n, "a")), Pod(Env(n, "b"))); })},
      {"apply, set", 500, Applied([](std::size_t n) {
         const auto finalizers = [&](const Text& name) {
           return R"(,"finalizers":[)" +
                  Joined(n, [&](const Text& i) { return "\"a.io/" + name + i + "\""; }) + "]";
         };
         return std::pair(Pod("", "", finalizers("a")), Pod("", "", finalizers("b")));
       })},
      {"apply, map", 1000, Applied([](std::size_t n) {
         const auto labels = [&](const Text& value) {
           return R"(,"labels":{)" + Keys(n, value) + "}";
         };
         return std::pair(Pod("", "", labels("\"a\"")), Pod("", "", labels("\"b\"")));
       })},
      {"apply, tolerations", 6000, Applied([](std::size_t n) {
         const auto tolerations = [&](const Text& value) {
           return R"(,"tolerations":[)" +
                  Joined(n,
                         [&](const Text& i) {
                           return R"({"key":"k)" + i + R"(","value":")" + value + "\"}";
                         }) +
                  "]";
         };
         return std::pair(Pod("", tolerations("a")), Pod("", tolerations("b")));
       })},
      {"owners of an update", 500,
       [](std::size_t n) {
         return [live = Live(Pod(Env(n, "a"))), now = Parse(Pod(Env(n, "b")))] {
           codec::Document out;
           out.root() = out.Clone(now->root());
           api::UpdateManagedFields(out, out.root(), &live->root(), Writer("other"));
         };
       }},
      {"owners of an update, many that applied", 200, UpdatedByMany("Apply")},
      {"owners of an update, many that updated", 200, UpdatedByMany("Update")},
  };
}

}  // namespace

std::vector<Input> ChangeInputs() {
  std::vector<Input> all = Patches();
  std::vector<Input> applies = Applies();
  all.insert(all.end(), applies.begin(), applies.end());
  return all;
}

}  // namespace plimsoll::linear
