#include "mutation/mutator.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/assert.h"
#include "codec/build.h"
#include "codec/json.h"
#include "codec/yaml.h"
#include "mutation/odd_values.h"
#include "mutation/samples.h"

namespace plimsoll::mutation {
namespace {

using codec::Document;
using codec::Value;

constexpr std::string_view kNamespace = "default";
constexpr std::string_view kJson = "application/json";
constexpr std::string_view kYaml = "application/yaml";
constexpr std::string_view kApply = "application/apply-patch+yaml";

/// Returns the path of the resource's collection.
std::string CollectionOf(const apiserver::Resource& resource) {
  const api::KindDesc& kind = *resource.kind;
  const std::string prefix = kind.group.empty()
                                 ? fmt::format("/api/{}", kind.version)
                                 : fmt::format("/apis/{}/{}", kind.group, kind.version);
  return kind.is_namespaced ? fmt::format("{}/namespaces/{}/{}", prefix, kNamespace, kind.plural)
                            : fmt::format("{}/{}", prefix, kind.plural);
}

const Place& PlaceFor(Random& random, std::size_t turn, const std::vector<Place>& places) {
  PL_ASSERT(!places.empty());
  // A stride that is coprime with most sizes visits every place.
  return random.Chance(0.8) ? places[(turn * 7919) % places.size()]
                            : places[random.Below(places.size())];
}

/// Sets one to three places to odd values.
void Mutate(Random& random, std::size_t turn, const std::vector<Place>& places,
            Document& document) {
  const std::size_t count = random.Chance(0.85) ? 1 : 1 + random.Below(3);
  for (std::size_t i = 0; i < count; ++i) {
    const Place& place = PlaceFor(random, turn + i, places);
    const int depth = random.Chance(0.5) ? 0 : static_cast<int>(random.Below(3));
    Value& at = Reach(document, document.root(), place, depth);
    at = random.Chance(0.5) ? OddValue(document, random)
                            : UnusualValue(document, random, *place.steps.back().shape);
  }
}

std::unique_ptr<Document> Parse(std::string text) {
  // The limits are higher than the server's.
  auto parsed = codec::ParseJson(std::move(text), {.bytes_max = 64u << 20, .depth_max = 1000});
  PL_ASSERT(parsed.has_value());
  return *std::move(parsed);
}

std::string Encode(Random& random, const Value& root, std::string_view content_type) {
  const bool is_yaml = content_type == kYaml || content_type == kApply;
  std::string text =
      is_yaml && random.Chance(0.3) ? codec::WriteYaml(root) : codec::WriteJson(root);
  if (random.Chance(0.03)) Damage(text, random);
  return text;
}

/// Returns query parameters, some of them invalid.
std::string Query(Random& random, bool is_apply) {
  std::string out = is_apply ? "?fieldManager=m" : "?x=y";
  if (is_apply && random.Chance(0.5)) out += "&force=true";
  if (random.Chance(0.1)) out += "&dryRun=All";
  if (random.Chance(0.2)) out += "&fieldValidation=Strict";
  if (random.Chance(0.2)) out += "&fieldValidation=Ignore";
  return out;
}

}  // namespace

Mutator::Mutator(const apiserver::Resource& resource)
    : resource_(&resource), collection_(CollectionOf(resource)) {
  object_ = {resource.kind, PlacesOf(*resource.kind->type)};
  const api::KindDesc* const options = api::FindKind("", "v1", "DeleteOptions");
  delete_options_ = {options, PlacesOf(*options->type)};
  for (const api::SubresourceDesc& subresource : resource.kind->subresources) {
    if (!resource.Serves(subresource.name)) continue;
    const api::KindDesc* const kind =
        api::FindKind(subresource.group, subresource.version, subresource.kind);
    // The options of a stream are query parameters, not a described kind. Its body is any object.
    subresources_.emplace_back(&subresource,
                               kind == nullptr ? object_ : Body{kind, PlacesOf(*kind->type)});
  }
}

Request Mutator::Create(std::string_view name) const {
  return {.method = "POST",
          .target = collection_,
          .body = SampleObject(*object_.kind, name, kNamespace),
          .content_type = std::string(kJson)};
}

Request Mutator::Next(Random& random, std::size_t turn, std::string_view name) const {
  Request request;
  const std::uint64_t choice = random.Below(20);
  if (resource_->is_review || choice < 6) {
    request = Whole(random, turn, name);
  } else if (choice < 15) {
    request = Patch(random, turn, name);
  } else if (choice < 19 && !subresources_.empty()) {
    request = Subresource(random, turn, name);
  } else {
    request = Delete(random, turn, name);
  }
  request.is_from_node = random.Chance(0.08);
  return request;
}

Request Mutator::Whole(Random& random, std::size_t turn, std::string_view name) const {
  const bool is_create = resource_->is_review || random.Chance(0.5);
  Request request;
  request.content_type = random.Chance(0.8) ? kJson : kYaml;
  const std::string own(is_create ? fmt::format("{}-new", name) : name);
  request.method = is_create ? "POST" : "PUT";
  request.target = is_create ? collection_ : fmt::format("{}/{}", collection_, name);
  request.target += Query(random, false);
  const auto document = Parse(MutatedObject(random, turn, object_, own));
  request.body = Encode(random, document->root(), request.content_type);
  return request;
}

Request Mutator::Patch(Random& random, std::size_t turn, std::string_view name) const {
  return PatchOf(random, turn, object_, fmt::format("{}/{}", collection_, name), name);
}

Request Mutator::PatchOf(Random& random, std::size_t turn, const Body& body, std::string target,
                         std::string_view name) const {
  static constexpr std::array<std::string_view, 5> kTypes = {
      "application/json-patch+json", "application/merge-patch+json",
      "application/strategic-merge-patch+json", kApply, kApply};
  Request request;
  request.method = "PATCH";
  request.content_type = kTypes[random.Below(kTypes.size())];
  const bool is_apply = request.content_type == kApply;
  request.target = std::move(target) + Query(random, is_apply);
  if (request.content_type == kTypes[0]) {
    request.body = MutatedOperations(random, turn, body);
    if (random.Chance(0.03)) Damage(request.body, random);
    return request;
  }
  const auto document = Parse(MutatedOverlay(random, turn, body, name, is_apply));
  request.body = Encode(random, document->root(), request.content_type);
  return request;
}

Request Mutator::Subresource(Random& random, std::size_t turn, std::string_view name) const {
  const auto& [subresource, body] = subresources_[random.Below(subresources_.size())];
  std::string target = fmt::format("{}/{}/{}", collection_, name, subresource->name);
  const auto allows = [&](std::string_view verb) {
    return std::ranges::find(subresource->verbs, verb) != subresource->verbs.end();
  };
  if (allows("patch") && random.Chance(0.6)) {
    return PatchOf(random, turn, body, std::move(target), name);
  }
  Request request;
  request.method = allows("create") ? "POST" : "PUT";
  request.target = target + Query(random, false);
  request.content_type = random.Chance(0.8) ? kJson : kYaml;
  const auto document = Parse(MutatedObject(random, turn, body, name));
  request.body = Encode(random, document->root(), request.content_type);
  return request;
}

Request Mutator::Delete(Random& random, std::size_t turn, std::string_view name) const {
  auto document = std::make_unique<Document>();
  document->root() = codec::ObjectOf(
      *document, {{"kind", Value::String("DeleteOptions")}, {"apiVersion", Value::String("v1")}});
  Mutate(random, turn, delete_options_.places, *document);
  Request request;
  request.method = "DELETE";
  request.target = random.Chance(0.9)
                       ? fmt::format("{}/{}{}", collection_, name, Query(random, false))
                       : fmt::format("{}?labelSelector=nobody=has", collection_);
  request.content_type = kJson;
  request.body = Encode(random, document->root(), kJson);
  return request;
}

std::string Mutator::MutatedObject(Random& random, std::size_t turn, const Body& body,
                                   std::string_view name) const {
  const auto document = Parse(SampleObject(*body.kind, name, kNamespace));
  // An object with every field is slow to process, so it is rare.
  if (random.Chance(0.01)) {
    const api::Shape whole{.kind = api::ShapeKind::Struct, .type = body.kind->type};
    const Value full = Plausible(*document, whole, {}, 6);
    for (const codec::Member& member : full.members()) {
      if (document->root().Find(member.key) == nullptr) {
        document->AppendMember(document->root(), member);
      }
    }
  }
  Mutate(random, turn, body.places, *document);
  return codec::WriteJson(document->root());
}

std::string Mutator::MutatedOverlay(Random& random, std::size_t turn, const Body& body,
                                    std::string_view name, bool is_apply) const {
  std::unique_ptr<Document> document;
  if (is_apply && random.Chance(0.5)) {
    document = Parse(SampleObject(*body.kind, name, kNamespace));
  } else {
    document = std::make_unique<Document>();
    document->root() = document->NewObject();
  }
  if (is_apply) {
    const std::string version = body.kind->group.empty()
                                    ? std::string(body.kind->version)
                                    : fmt::format("{}/{}", body.kind->group, body.kind->version);
    document->Set(document->root(), "apiVersion", document->NewString(version));
    document->Set(document->root(), "kind", Value::String(body.kind->kind));
  }
  Mutate(random, turn, body.places, *document);
  // A patch directive names the field to which it applies.
  if (random.Chance(0.15)) {
    Place place = PlaceFor(random, turn, body.places);
    const std::string_view field = place.steps.back().name;
    place.steps.pop_back();
    Value& parent = Reach(*document, document->root(), place, 0);
    static constexpr std::array<std::string_view, 2> kDirectives = {"$setElementOrder/{}",
                                                                    "$deleteFromPrimitiveList/{}"};
    if (parent.is_object()) {
      const std::string key =
          fmt::format(fmt::runtime(kDirectives[random.Below(kDirectives.size())]), field);
      document->Set(parent, document->CopyText(key), OddValue(*document, random));
    }
  }
  return codec::WriteJson(document->root());
}

std::string Mutator::MutatedOperations(Random& random, std::size_t turn, const Body& body) {
  static constexpr std::array<std::string_view, 6> kOperations = {"add",  "replace", "remove",
                                                                  "copy", "move",    "test"};
  Document document;
  Value list = document.NewArray();
  const std::size_t count = 1 + random.Below(3);
  for (std::size_t i = 0; i < count; ++i) {
    const auto pointer = [&](std::size_t at) {
      Place place = PlaceFor(random, at, body.places);
      // Most deep places do not exist, but their parents often do.
      while (place.steps.size() > 1 && random.Chance(0.4)) place.steps.pop_back();
      return document.NewString(random.Chance(0.02) ? "" : PointerTo(place));
    };
    Value operation = codec::ObjectOf(
        document,
        {{"op", Value::String(random.Chance(0.6) ? "add" : kOperations[random.Below(6)])},
         {"path", pointer(turn + i)},
         {"from", pointer(turn * 3 + i)},
         {"value",
          random.Chance(0.5)
              ? OddValue(document, random)
              : UnusualValue(document, random,
                             *body.places[random.Below(body.places.size())].steps.back().shape)}});
    if (random.Chance(0.05)) {
      document.Set(operation, operation.members()[random.Below(4)].key, OddValue(document, random));
    }
    document.Append(list, random.Chance(0.01) ? OddValue(document, random) : operation);
  }
  return codec::WriteJson(list);
}

}  // namespace plimsoll::mutation
