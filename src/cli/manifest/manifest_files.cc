#include "cli/manifest/manifest_files.h"

#include <utility>

#include "cli/output/progress.h"
#include "cli/output/styled_text.h"

namespace plimsoll::cli {

Result<std::vector<Manifest>> ReadManifests(const std::vector<std::string>& paths,
                                            const ManifestOptions& options, Context& context) {
  std::vector<Manifest> manifests;
  const std::vector<ManifestText> texts = PL_TRY(ReadManifestTexts(paths, context.in));
  Progress progress("Reading files", context);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const ManifestText& text = texts[i];
    progress.Set(i, texts.size());
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
      StyledText line(place);
      line.Add("warning", Style::Warning).Add(": " + warning.Text() + "\n");
      Write(line, context.err_look, context.err);
    }
  }
  return manifests;
}

}  // namespace plimsoll::cli
