#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/resource/resource.h"
#include "base/random.h"
#include "mutation/places.h"

namespace plimsoll::mutation {

struct Request {
  std::string method;
  std::string target;
  std::string body;
  std::string content_type;
  bool is_from_node = false;  // sent as system:node:a instead of an administrator
};

/// Makes requests for one resource: valid ones with one to three places set to odd values.
class Mutator {
 public:
  explicit Mutator(const apiserver::Resource& resource);

  const apiserver::Resource& resource() const { return *resource_; }
  /// Path at which objects are created.
  const std::string& collection() const { return collection_; }

  /// Returns a request that creates a valid object with this name.
  Request Create(std::string_view name) const;
  /// Returns a mutated request that reads or changes the object. `turn` selects the place, so that
  /// all are visited; the rest is random.
  Request Next(Random& random, std::size_t turn, std::string_view name) const;

 private:
  struct Body {
    const api::KindDesc* kind = nullptr;
    std::vector<Place> places;
  };

  Request Whole(Random& random, std::size_t turn, std::string_view name) const;
  Request Patch(Random& random, std::size_t turn, std::string_view name) const;
  Request Subresource(Random& random, std::size_t turn, std::string_view name) const;
  Request Delete(Random& random, std::size_t turn, std::string_view name) const;
  std::string MutatedObject(Random& random, std::size_t turn, const Body& body,
                            std::string_view name) const;
  std::string MutatedOverlay(Random& random, std::size_t turn, const Body& body,
                             std::string_view name, bool is_apply) const;
  static std::string MutatedOperations(Random& random, std::size_t turn, const Body& body);
  Request PatchOf(Random& random, std::size_t turn, const Body& body, std::string target,
                  std::string_view name) const;

  const apiserver::Resource* resource_;
  std::string collection_;
  Body object_;
  Body delete_options_;
  std::vector<std::pair<const api::SubresourceDesc*, Body>> subresources_;
};

}  // namespace plimsoll::mutation
