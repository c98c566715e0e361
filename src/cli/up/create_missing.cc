#include "cli/up/create_missing.h"

#include <algorithm>
#include <iterator>

#include "cli/manifest/manifest.h"

namespace plimsoll::cli {
namespace {

std::unexpected<Error> FailAtLine(const Manifest& manifest, const std::string& why) {
  return Fail(Reason::Invalid, manifest.file + ":" + std::to_string(manifest.line) + ": " + why);
}

Status CreateIfMissing(const Manifest& manifest, const client::Client& client, Context& context) {
  if (manifest.object == nullptr) return FailAtLine(manifest, manifest.error);
  const api::Object& object = *manifest.object;
  const auto created =
      client.Create({object.kind(), object.metadata().namespace_}, object,
                    {.field_manager = "plimsoll-up", .field_validation = "Strict"});
  if (created) {
    PL_LOG(context.log, Info(), "Created", {"kind", object.kind().kind},
           {"object", ObjectName{object.metadata().namespace_, object.metadata().name}});
    return {};
  }
  if (api::ToError(created.error()).reason == Reason::AlreadyExists) return {};
  return FailAtLine(manifest, created.error().message);
}

}  // namespace

Status CheckManifests(const std::vector<ManifestText>& texts) {
  for (const ManifestText& source : texts) {
    for (const Manifest& manifest : DecodeManifests(source, {.create_in = "default"})) {
      if (manifest.object == nullptr) return FailAtLine(manifest, manifest.error);
    }
  }
  return {};
}

Status CreateMissing(const std::vector<ManifestText>& texts, const client::Client& client,
                     Context& context, const OnProgress& on_progress) {
  std::vector<Manifest> manifests;
  for (const ManifestText& source : texts) {
    std::ranges::move(DecodeManifests(source, {.create_in = "default"}),
                      std::back_inserter(manifests));
  }
  std::size_t done = 0;
  for (const Manifest& manifest : manifests) {
    if (on_progress) on_progress(done++, manifests.size());
    PL_TRY(CreateIfMissing(manifest, client, context));
  }
  return {};
}

}  // namespace plimsoll::cli
