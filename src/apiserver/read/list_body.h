#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apiserver/cache/cache.h"
#include "apiserver/request/api_request.h"
#include "apiserver/response/negotiation.h"

namespace plimsoll::apiserver {

/// What stands in the metadata of a list.
struct ListHead {
  store::Revision revision{};
  std::string continue_token;            // empty: this is all
  std::optional<std::size_t> remaining;  // how many more, when that is known
};

/// A list in the wanted form and format, made item by item while it is sent.
class ListBody final : public net::BodySource {
 public:
  /// The objects are those of the stored kind.
  ListBody(const Resource& resource, const Negotiated& wanted, const ListHead& head,
           std::vector<ObjectPtr> objects, Instant now);

  bool Read(std::string& out) override;

 private:
  /// How the items are set between the head and the tail of the text.
  struct Layout {
    std::string head;
    std::string before_first;
    std::string between;
    std::string after_last;
    std::string tail;
    std::string line_indent;  // what follows a line end within an item; empty: it has none
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

/// Small ones whole, others as a ListBody.
net::Response RespondList(const ApiRequest& request, const Negotiated& wanted, const ListHead& head,
                          std::vector<ObjectPtr> objects, Instant now);

}  // namespace plimsoll::apiserver
