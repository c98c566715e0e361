#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apiserver/cache/cache.h"
#include "apiserver/request/api_request.h"
#include "apiserver/response/negotiation.h"

namespace plimsoll::apiserver {

/// Metadata of a list.
struct ListHead {
  store::Revision revision{};
  std::string continue_token;            // empty: last page
  std::optional<std::size_t> remaining;  // remainingItemCount, if known
};

/// Body of a list in the negotiated format. Formats the items one by one while it is sent.
class ListBody final : public net::BodySource {
 public:
  /// The objects are of the stored kind.
  ListBody(const Resource& resource, const Negotiated& wanted, const ListHead& head,
           std::vector<ObjectPtr> objects, Instant now);

  bool Read(std::string& out) override;

 private:
  /// Text before, between and after the items.
  struct Layout {
    std::string head;
    std::string before_first;
    std::string between;
    std::string after_last;
    std::string tail;
    std::string line_indent;  // indent of further lines of an item; empty: one line
  };

  std::string EnvelopeJson(const ListHead& head) const;
  Layout MakeLayout(const std::string& envelope) const;
  void AppendItem(const ObjectPtr& object, std::string& out) const;
  void AppendJson(const ObjectPtr& object, std::string& out) const;

  const Resource& resource_;
  const Negotiated wanted_;
  const std::vector<ObjectPtr> objects_;
  const Instant now_;
  Layout layout_;
  std::size_t next_ = 0;
};

/// Responds with a list: a small one as a whole, others as a ListBody. Fails with InternalError if
/// the client is in this process and an object cannot be decoded.
api::Answer<net::Response> RespondList(const ApiRequest& request, const Negotiated& wanted,
                                       const ListHead& head, std::vector<ObjectPtr> objects,
                                       Instant now);

}  // namespace plimsoll::apiserver
