#include "cli/up/create_missing.h"

#include "cli/manifest/manifest.h"

namespace plimsoll::cli {
namespace {

std::unexpected<Error> FailAtLine(const Manifest& manifest, const std::string& why) {
  return Fail(Reason::Invalid, manifest.file + ":" + std::to_string(manifest.line) + ": " + why);
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
                     Context& context) {
  for (const ManifestText& source : texts) {
    for (const Manifest& manifest : DecodeManifests(source, {.create_in = "default"})) {
      if (manifest.object == nullptr) return FailAtLine(manifest, manifest.error);
      const api::Object& object = *manifest.object;
      const auto created =
          client.Create({object.kind(), object.metadata().namespace_}, object,
                        {.field_manager = "plimsoll-up", .field_validation = "Strict"});
      const bool is_there =
          !created && api::ToError(created.error()).reason == Reason::AlreadyExists;
      if (!created && !is_there) return FailAtLine(manifest, created.error().message);
      if (created) {
        PL_LOG(context.log, Info(), "Created", {"kind", object.kind().kind},
               {"object", ObjectName{object.metadata().namespace_, object.metadata().name}});
      }
    }
  }
  return {};
}

}  // namespace plimsoll::cli
