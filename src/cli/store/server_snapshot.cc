#include "cli/store/server_snapshot.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "apiserver/resource/resource.h"
#include "base/file.h"
#include "cli/output/failure.h"
#include "cli/output/progress.h"
#include "codec/json.h"
#include "service/server_kind.h"
#include "store/snapshot_format.h"

namespace plimsoll::cli {
namespace {

/// Returns the object as stored: without resourceVersion, which is the revision of its commit.
std::string StoredText(const api::Object& object) {
  codec::Document document;
  document.root() = document.Clone(object.tree());
  if (codec::Value* const metadata = document.root().Find("metadata"); metadata != nullptr) {
    document.Remove(*metadata, "resourceVersion");
  }
  return codec::WriteJson(document.root());
}

Result<store::Revision> ParseRevision(const std::string& text) {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end || number <= 0) {
    return Fail(Reason::InternalError, "the server lists no resourceVersion: '" + text + "'");
  }
  return store::Revision{number};
}

Status CheckIsPlimsoll(const client::Client& client) {
  const auto version = client.ServerVersion();
  if (!version) {
    return Fail(Reason::ServiceUnavailable, "cannot ask the server: " + version.error().message);
  }
  if (service::KindOfVersion(*version) == service::ServerKind::Own) return {};
  return Fail(Reason::Invalid, "the server is " + *version +
                                   ", not plimsoll: save it by the means of its own store");
}

/// Selects each object once, in its storage version.
bool IsSaved(const apiserver::Resource& resource) {
  return resource.is_stored() && resource.kind == resource.stored && resource.Allows("list");
}

}  // namespace

Result<store::Transferred> SaveServerSnapshot(const client::Client& client, const std::string& path,
                                              Context& context) {
  PL_TRY(CheckIsPlimsoll(client));
  const apiserver::ResourceTable table;
  store::SnapshotWriter writer;
  store::Transferred done;
  client::ListOptions options;
  Progress progress("Saving resources", context);
  const auto total = static_cast<std::size_t>(std::ranges::count_if(table.all(), IsSaved));
  std::size_t listed = 0;
  for (const apiserver::Resource& resource : table.all()) {
    if (!IsSaved(resource)) continue;
    progress.Set(listed++, total);
    const auto list = client.List({*resource.kind}, options);
    if (!list && client::IsUnservedPath(list.error())) {
      progress.Clear();
      PrintWarning(
          "the server does not serve " + std::string(resource.name()) + "; they are not saved",
          context);
      continue;
    }
    if (!list) {
      const bool is_late = list.error().code == 410;
      return Fail(is_late ? Reason::Expired : Reason::ServiceUnavailable,
                  "cannot list " + std::string(resource.name()) + ": " + list.error().message +
                      (is_late ? "; nothing was saved, try again" : ""));
    }
    if (options.resource_version.empty()) {
      done.at = PL_TRY(ParseRevision(list->resource_version));
      options.resource_version = list->resource_version;
      options.resource_version_match = "Exact";
    }
    for (const client::ObjectPtr& object : list->objects) {
      const api::ObjectMeta& metadata = object->metadata();
      writer.Add(resource.KeyOf(metadata.namespace_, metadata.name), StoredText(*object));
      ++done.records;
    }
  }
  PL_TRY(WriteFile(path, writer.Finish(done.at)));
  done.reached = done.at;
  return done;
}

}  // namespace plimsoll::cli
