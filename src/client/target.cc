#include "client/target.h"

#include "net/http.h"

namespace plimsoll::client {

TargetText::TargetText(const Resource& resource) {
  const api::KindDesc& kind = resource.kind;
  text_ = kind.group.empty() ? "/api/" : "/apis/" + std::string(kind.group) + "/";
  text_ += kind.version;
  if (kind.is_namespaced && !resource.namespace_.empty()) {
    text_ += "/namespaces/" + net::PercentEncode(resource.namespace_);
  }
  text_.append("/").append(kind.plural);
  if (!resource.name.empty()) text_ += "/" + net::PercentEncode(resource.name);
  if (!resource.subresource.empty()) text_.append("/").append(resource.subresource);
}

TargetText& TargetText::Query(std::string_view name, std::string_view value) {
  if (value.empty()) return *this;
  text_ += separator_;
  text_.append(name).append("=").append(net::PercentEncode(value));
  separator_ = '&';
  return *this;
}

TargetText& TargetText::Query(std::string_view name, std::int64_t value) {
  return Query(name, value != 0 ? std::string_view(std::to_string(value)) : std::string_view());
}

TargetText& TargetText::Query(std::string_view name, bool value) {
  return Query(name, value ? std::string_view("true") : std::string_view());
}

}  // namespace plimsoll::client
