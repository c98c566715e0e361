#include "cli/manifest/manifest.h"

#include <utility>

#include "api/create.h"
#include "cli/manifest/manifest_fault.h"
#include "codec/yaml.h"

namespace plimsoll::cli {
namespace {

std::uint32_t LineOf(const codec::Value& tree, std::string_view field) {
  const codec::Value* found = api::FindPath(tree, field);
  return found != nullptr && found->line() != 0 ? found->line() : tree.line();
}

Manifest DecodeOne(const std::string& file, const std::shared_ptr<codec::Document>& document,
                   const api::ObjectSource& source, const ManifestOptions& options) {
  if (!options.create_in.empty()) {
    api::PrepareForCreate(*document, source, options.create_in, options.gates);
  }
  Manifest manifest{.file = file, .line = source.tree->line()};
  auto decoded =
      api::DecodeObject(document, source, {.field_validation = options.field_validation});
  if (!decoded) {
    manifest.line = LineOf(*source.tree, decoded.error().field);
    manifest.error = FaultOfObject(source, decoded.error());
    return manifest;
  }
  manifest.object = std::move(decoded->object);
  manifest.warnings = std::move(decoded->warnings);
  return manifest;
}

/// Returns the line number in a parser's message, so that an editor can jump there; else 1.
std::uint32_t LineIn(std::string_view message) {
  constexpr std::string_view kMark = "line ";
  const std::size_t found = message.find(kMark);
  std::uint32_t line = 0;
  if (found == std::string_view::npos) return 1;
  for (const char c : message.substr(found + kMark.size())) {
    if (c < '0' || c > '9') break;
    line = line * 10 + static_cast<std::uint32_t>(c - '0');
  }
  return line;
}

}  // namespace

std::vector<Manifest> DecodeManifests(const ManifestText& source, const ManifestOptions& options) {
  std::vector<Manifest> manifests;
  auto documents = codec::ParseYaml(source.text, kManifestLimits);
  if (!documents) {
    const std::string message = FaultOfText(source.text, documents.error());
    manifests.push_back({.file = source.name, .line = LineIn(message), .error = message});
    return manifests;
  }
  for (std::unique_ptr<codec::Document>& parsed : *documents) {
    const std::shared_ptr<codec::Document> document = std::move(parsed);
    for (const api::ObjectSource& object : api::FindObjects(*document)) {
      manifests.push_back(DecodeOne(source.name, document, object, options));
    }
  }
  return manifests;
}

}  // namespace plimsoll::cli
