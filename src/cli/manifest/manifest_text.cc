#include "cli/manifest/manifest_text.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <istream>
#include <optional>
#include <utility>

#include "base/suggest.h"

namespace plimsoll::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 3> kExtensions{".yaml", ".yml", ".json"};

std::optional<std::string> NearestFile(const fs::path& path) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  std::ranges::sort(names);
  const auto nearest = Nearest(path.filename().string(), names);
  if (!nearest) return std::nullopt;
  return path.has_parent_path() ? (folder / *nearest).string() : *nearest;
}

Error NotThere(const fs::path& path) {
  std::string message = "the path \"" + path.string() + "\" does not exist";
  if (const auto nearest = NearestFile(path)) message += "; did you mean \"" + *nearest + "\"?";
  return {Reason::NotFound, {}, std::move(message)};
}

/// Reads up to `bytes_max` bytes. `name` is for messages. Uses read(), because stream iterators
/// pass on exceptions of the buffer.
Result<std::string> ReadAll(std::istream& in, const std::string& name, std::size_t bytes_max) {
  std::string text;
  std::array<char, 65'536> chunk;
  do {
    in.read(chunk.data(), chunk.size());
    text.append(chunk.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > bytes_max) {
      return Fail(Reason::RequestEntityTooLarge,
                  name + " is larger than " + std::to_string(bytes_max) + " bytes");
    }
  } while (in.good());
  if (!in.eof() || in.bad()) return Fail(Reason::InternalError, "cannot read " + name);
  return text;
}

Result<ManifestText> ReadFile(const fs::path& path, std::size_t bytes_max) {
  std::ifstream file(path, std::ios::binary);
  return ManifestText{path.string(), PL_TRY(ReadAll(file, "\"" + path.string() + "\"", bytes_max))};
}

Result<std::vector<fs::path>> ManifestsBelow(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string extension = entry->path().extension().string();
    // Includes dangling links: reading them fails, so that no file is skipped silently.
    std::error_code unknown;
    if (!entry->is_directory(unknown) &&
        std::ranges::find(kExtensions, extension) != kExtensions.end()) {
      files.push_back(entry->path());
    }
  }
  if (error) {
    return Fail(Reason::InternalError,
                "cannot list \"" + folder.string() + "\": " + error.message());
  }
  if (files.empty()) {
    return Fail(Reason::NotFound, "the directory \"" + folder.string() +
                                      "\" contains no manifests: no *.yaml, *.yml or *.json");
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace

Result<std::vector<ManifestText>> ReadManifestTexts(const std::vector<std::string>& paths,
                                                    std::istream& in, std::size_t bytes_max) {
  std::vector<ManifestText> sources;
  for (const std::string& path : paths) {
    if (path == "-") {
      sources.push_back({"<stdin>", PL_TRY(ReadAll(in, "standard input", bytes_max))});
      continue;
    }
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found) return std::unexpected(NotThere(path));
    if (!fs::is_directory(status)) {
      sources.push_back(PL_TRY(ReadFile(path, bytes_max)));
      continue;
    }
    for (const fs::path& file : PL_TRY(ManifestsBelow(path))) {
      sources.push_back(PL_TRY(ReadFile(file, bytes_max)));
    }
  }
  return sources;
}

}  // namespace plimsoll::cli
