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

/// Returns nullopt if reading fails. Uses read(), because stream iterators pass on exceptions of
/// the buffer.
std::optional<std::string> ReadAll(std::istream& in) {
  std::string text;
  std::array<char, 4096> chunk;
  do {
    in.read(chunk.data(), chunk.size());
    text.append(chunk.data(), static_cast<std::size_t>(in.gcount()));
  } while (in.good());
  if (!in.eof() || in.bad()) return std::nullopt;
  return text;
}

Result<ManifestText> ReadFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  auto text = ReadAll(file);
  if (!text) return Fail(Reason::InternalError, "cannot read \"" + path.string() + "\"");
  return ManifestText{path.string(), *std::move(text)};
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
    return Fail(Reason::NotFound, "no *.yaml, *.yml or *.json below \"" + folder.string() + "\"");
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace

Result<std::vector<ManifestText>> ReadManifestTexts(const std::vector<std::string>& paths,
                                                    std::istream& in) {
  std::vector<ManifestText> sources;
  for (const std::string& path : paths) {
    if (path == "-") {
      auto text = ReadAll(in);
      if (!text) return Fail(Reason::InternalError, "cannot read standard input");
      sources.push_back({"<stdin>", *std::move(text)});
      continue;
    }
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found) return std::unexpected(NotThere(path));
    if (!fs::is_directory(status)) {
      sources.push_back(PL_TRY(ReadFile(path)));
      continue;
    }
    for (const fs::path& file : PL_TRY(ManifestsBelow(path))) {
      sources.push_back(PL_TRY(ReadFile(file)));
    }
  }
  return sources;
}

}  // namespace plimsoll::cli
