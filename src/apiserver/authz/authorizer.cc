#include "apiserver/authz/authorizer.h"

#include "apiserver/authz/forbidden.h"
#include "base/go_text.h"

namespace plimsoll::apiserver {
namespace {

/// Escapes markup, so that a browser that shows the message does not interpret it.
std::string Sanitized(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

/// Returns the message of a 403 response: `User "jane" cannot list resource "pods" in API group ""
/// in the namespace "default"`.
std::string ForbiddenText(const User& user, const RequestInfo& what) {
  std::string text = "User " + GoQuote(user.name) + " cannot " + what.verb;
  if (!what.is_resource_request) return Sanitized(text + " path " + GoQuote(what.path));
  const std::string resource =
      what.subresource.empty() ? what.resource : what.resource + "/" + what.subresource;
  text += " resource " + GoQuote(resource) + " in API group " + GoQuote(what.group);
  if (what.namespace_.empty()) return Sanitized(text + " at the cluster scope");
  return Sanitized(text + " in the namespace " + GoQuote(what.namespace_));
}

}  // namespace

api::StatusObject ForbiddenStatus(const User& user, const RequestInfo& what,
                                  std::string_view reason) {
  std::string why = ForbiddenText(user, what);
  if (!reason.empty()) why.append(": ").append(reason);
  return api::Forbidden({what.group, what.resource, what.name}, why);
}

bool MayRead(const Authorizer& authorizer, const User& user, std::string_view verb,
             const Resource& resource) {
  RequestInfo what;
  what.is_resource_request = true;
  what.verb = verb;
  what.group = resource.group();
  what.version = resource.kind->version;
  what.resource = resource.name();
  return authorizer.Authorize(user, what).is_allowed;
}

}  // namespace plimsoll::apiserver
