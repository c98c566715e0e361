// Compares validation of the kinds of resource.k8s.io with upstream's registry.

#include <algorithm>
#include <array>
#include <memory>
#include <string>

#include "api/core/toleration.h"
#include "api/object.h"
#include "api/validation/object.h"
#include "api/validation/tree_reads.h"
#include "codec/json.h"
#include "golden.h"
#include "validation_cases.h"

namespace plimsoll::golden {
namespace {

using api::ItemsOf;
using api::MemberOf;
using api::TextOf;
using codec::Value;

/// The namespace of the recorded cases has no admin access label.
class NoAdminNamespaces final : public api::AdminNamespaces {
 public:
  bool AllowsAdminAccess(std::string_view /*namespace_*/) const override { return false; }
};

Result<std::shared_ptr<const api::Object>> ReadObject(const Value& tree) {
  auto document = codec::ParseJson(codec::WriteJson(tree));
  if (!document) return std::unexpected(document.error());
  auto decoded = api::DecodeObject(std::shared_ptr<codec::Document>(*std::move(document)));
  if (!decoded) return std::unexpected(decoded.error());
  return decoded->object;
}

Mismatch CheckDeviceKinds(Case& one) {
  const auto now = ReadObject(*one.input.Find("object"));
  if (one.expect.Find("decodeError") != nullptr) {
    return now ? Mismatch("it decodes") : std::nullopt;
  }
  if (!now) return now.error().Text();
  const NoAdminNamespaces namespaces;
  api::ValidationContext context = UpstreamContext();
  context.admin_namespaces = &namespaces;
  if (TextOf(&one.input, "op") == "create") {
    return DifferErrors(one, "strategyErrors", ValidateCreate(**now, context));
  }
  const auto before = ReadObject(*one.input.Find("oldObject"));
  if (!before) return before.error().Text();
  return DifferErrors(one, "strategyErrors", ValidateUpdate(**now, **before, context));
}

template <class Visit>
void ForEachRequest(const Value* object, const Visit& visit) {
  const Value* spec = MemberOf(object, "spec");
  if (TextOf(object, "kind") == "ResourceClaimTemplate") spec = MemberOf(spec, "spec");
  for (const Value& request : ItemsOf(MemberOf(spec, "devices"), "requests")) {
    if (const Value* const exactly = request.Find("exactly")) visit(*exactly);
    for (const Value& sub : ItemsOf(&request, "firstAvailable")) visit(sub);
  }
}

/// Returns true if the request breaks limits that upstream documents but does not check: number of
/// tolerations, and operator of an empty key.
bool BreaksUncheckedLimit(const Value& request) {
  const auto tolerations = ItemsOf(&request, "tolerations");
  return tolerations.size() > 16 || std::ranges::any_of(tolerations, [](const Value& toleration) {
           return TextOf(&toleration, "key").empty() && TextOf(&toleration, "operator") != "Exists";
         });
}

/// Returns true if the request uses operators that upstream has for pods only.
bool ComparesDevices(const Value& request) {
  return std::ranges::any_of(ItemsOf(&request, "tolerations"), [](const Value& toleration) {
    const auto op = api::ParseTolerationOperator(TextOf(&toleration, "operator"));
    return op && (IsNumeric(*op) || IsSemver(*op));
  });
}

std::string_view SkipDeviceKinds(const Case& one) {
  bool breaks_limit = false;
  bool compares = false;
  const Value* const object = one.input.Find("object");
  ForEachRequest(object,
                 [&](const Value& request) { breaks_limit |= BreaksUncheckedLimit(request); });
  ForEachRequest(one.input.Find("oldObject"),
                 [&](const Value& request) { compares |= ComparesDevices(request); });
  // The spec of a claim is immutable, so only creation and templates are validated.
  const bool is_looked_at =
      TextOf(&one.input, "op") == "create" || TextOf(object, "kind") == "ResourceClaimTemplate";
  if (breaks_limit && is_looked_at) return "D13";
  // With the gate off, operators that the old object uses stay valid.
  if (compares && is_looked_at) return "D8";
  return {};
}

}  // namespace

std::span<const Check> DeviceValidationChecks() {
  static constexpr std::array kChecks{
      Check{.kind = "validate_dra", .run = CheckDeviceKinds, .skip = SkipDeviceKinds}};
  return kChecks;
}

}  // namespace plimsoll::golden
