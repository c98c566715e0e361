#include "cli/manifest/manifest_files.h"

#include <ostream>
#include <utility>

namespace plimsoll::cli {

Result<std::vector<Manifest>> ReadManifests(const std::vector<std::string>& paths,
                                            const ManifestOptions& options, Context& context) {
  std::vector<Manifest> manifests;
  for (const ManifestText& text : PL_TRY(ReadManifestTexts(paths, context.in))) {
    PL_LOG(context.log, Info(2), "Read manifests", {"source", text.name},
           {"bytes", text.text.size()});
    for (Manifest& manifest : DecodeManifests(text, options)) {
      manifests.push_back(std::move(manifest));
    }
  }
  return manifests;
}

Result<std::vector<Manifest>> ReadValidManifests(const std::vector<std::string>& paths,
                                                 const ManifestOptions& options, Context& context) {
  std::vector<Manifest> manifests = PL_TRY(ReadManifests(paths, options, context));
  for (const Manifest& manifest : manifests) {
    const std::string place = manifest.file + ":" + std::to_string(manifest.line) + ": ";
    if (manifest.object == nullptr) return Fail(Reason::BadRequest, place + manifest.error);
    for (const api::StrictFinding& warning : manifest.warnings) {
      context.err << place << "warning: " << warning.Text() << '\n';
    }
  }
  return manifests;
}

}  // namespace plimsoll::cli
