#include "store/etcd/endpoint.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/ascii.h"

namespace plimsoll::store::etcd {

Result<Endpoint> ParseEndpoint(std::string_view text) {
  Endpoint endpoint;
  std::string_view rest = text;
  if (const std::size_t scheme = text.find("://"); scheme != std::string_view::npos) {
    const std::string_view name = text.substr(0, scheme);
    if (name != "http" && name != "https") {
      return Fail(Reason::Invalid, fmt::format("etcd endpoint '{}': want http or https", text));
    }
    endpoint.is_tls = name == "https";
    rest.remove_prefix(scheme + 3);
  }
  while (rest.ends_with('/')) rest.remove_suffix(1);
  const std::size_t colon = rest.rfind(':');
  const std::string_view port = colon == std::string_view::npos ? "" : rest.substr(colon + 1);
  const bool is_number = !port.empty() && std::ranges::all_of(port, IsDigit);
  if (colon == 0 || !is_number || rest.find('/') != std::string_view::npos) {
    return Fail(Reason::Invalid, fmt::format("etcd endpoint '{}': want host:port", text));
  }
  endpoint.address = rest;
  return endpoint;
}

Result<std::vector<Endpoint>> ParseEndpoints(const std::vector<std::string>& texts) {
  if (texts.empty()) return Fail(Reason::Invalid, "no etcd endpoint is given");
  std::vector<Endpoint> endpoints;
  for (const std::string& text : texts) endpoints.push_back(PL_TRY(ParseEndpoint(text)));
  return endpoints;
}

}  // namespace plimsoll::store::etcd
