#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "api/status/status.h"
#include "apiserver/cache/cache.h"
#include "apiserver/request/api_request.h"
#include "net/http.h"

namespace plimsoll::apiserver {

/// Format of the response body, as negotiated by the Accept header.
struct Negotiated {
  enum class View : std::uint8_t { Object, Table, PartialMetadata };
  enum class Include : std::uint8_t { None, Metadata, Object };  // `includeObject` of a Table

  View view = View::Object;
  std::string view_version = "v1";  // version of meta.k8s.io: v1 or v1beta1
  Include include = Include::Metadata;
  bool is_yaml = false;
  bool is_pretty = false;
};

/// Reads the Accept header. Fails with NotAcceptable if it names no offered format: JSON, YAML, and
/// `as=Table` or `as=PartialObjectMetadata` where allowed.
api::Answer<Negotiated> Negotiate(const ApiRequest& request);

/// Responds with one object. An in-process caller gets the decoded object, too.
net::Response RespondObject(const ApiRequest& request, const Negotiated& wanted, int status,
                            const ObjectPtr& object, Instant now);
/// Responds with JSON that is no stored object: a Status, a review, a Scale.
net::Response RespondJson(const ApiRequest& request, const Negotiated& wanted, int status,
                          std::string json);
/// Responds with an error as JSON, or as YAML if the client accepts that.
net::Response RespondStatus(const ApiRequest& request, const api::StatusObject& status);

}  // namespace plimsoll::apiserver
