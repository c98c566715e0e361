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

/// What a client wants to have back, as its Accept header says.
struct Negotiated {
  enum class View : std::uint8_t { Object, Table, PartialMetadata };
  enum class Include : std::uint8_t { None, Metadata, Object };  // of a Table's rows

  View view = View::Object;
  std::string view_version = "v1";  // of meta.k8s.io: v1 or v1beta1
  Include include = Include::Metadata;
  bool is_yaml = false;
  bool is_pretty = false;
};

/// NotAcceptable when nothing that it names is offered: JSON, YAML, and of `as=Table` and
/// `as=PartialObjectMetadata` those that are allowed.
api::Answer<Negotiated> Negotiate(const ApiRequest& request);

/// One object in the wanted form; for a caller in this process the decoded one beside its text.
net::Response RespondObject(const ApiRequest& request, const Negotiated& wanted, int status,
                            const ObjectPtr& object, Instant now);
/// A text that is no stored object: a Status, a review, a Scale.
net::Response RespondJson(const ApiRequest& request, const Negotiated& wanted, int status,
                          std::string json);
/// A refusal, always as JSON (or YAML where asked for).
net::Response RespondStatus(const ApiRequest& request, const api::StatusObject& status);

}  // namespace plimsoll::apiserver
