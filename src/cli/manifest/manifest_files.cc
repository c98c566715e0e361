#include "cli/manifest/manifest_files.h"

#include <ostream>
#include <utility>

namespace plimsoll::cli {

Result<std::vector<Manifest>> ReadManifests(const std::vector<std::string>& paths,
                                            const ManifestOptions& options, Context& context) {
  std::vector<Manifest> all;
  for (const ManifestText& source : PL_TRY(ReadManifestTexts(paths, context.in))) {
    PL_LOG(context.log, Info(2), "Read manifests", {"source", source.name},
           {"bytes", source.text.size()});
    for (Manifest& manifest : DecodeManifests(source, options)) {
      const std::string place = manifest.file + ":" + std::to_string(manifest.line) + ": ";
      if (manifest.object == nullptr) return Fail(Reason::BadRequest, place + manifest.error);
      for (const api::StrictFinding& warning : manifest.warnings) {
        context.err << place << "warning: " << warning.Text() << '\n';
      }
      all.push_back(std::move(manifest));
    }
  }
  return all;
}

}  // namespace plimsoll::cli
