#include "cli/lifecycle/kubeconfig_merge.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>

#include "base/file.h"
#include "client/kubeconfig.h"
#include "codec/build.h"
#include "codec/value_at.h"
#include "codec/yaml.h"

namespace plimsoll::cli {
namespace {

namespace fs = std::filesystem;

using codec::Document;
using codec::Value;
using DocumentPtr = std::unique_ptr<Document>;

/// Name of the extension that marks our entries.
constexpr std::string_view kMark = "plimsoll.io";
constexpr std::string_view kDirectoryKey = "dataDirectory";
constexpr std::string_view kPreviousKey = "previousContext";
constexpr std::string_view kCurrentKey = "current-context";

/// Lists of a kubeconfig, and the key of an item's content.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kLists{
    {{"clusters", "cluster"}, {"users", "user"}, {"contexts", "context"}}};

std::unexpected<Error> Unusable(const std::string& path, std::string_view why) {
  return FailAt(Reason::Invalid, "--merge-kubeconfig",
                fmt::format("{} {}; nothing was written", path, why));
}

/// Returns the extension that marks an entry as one of a data directory, or null.
const Value* FindMark(const Value* entry) {
  const Value* const extensions = entry == nullptr ? nullptr : entry->Find("extensions");
  if (extensions == nullptr) return nullptr;
  for (const Value& one : extensions->items()) {
    if (TextAt(&one, "name") == kMark) return one.Find("extension");
  }
  return nullptr;
}

/// Returns the content of the item of that name, or null.
const Value* FindEntry(const Value& root, std::string_view list, std::string_view key,
                       std::string_view name) {
  const Value* const items = root.Find(list);
  if (items == nullptr) return nullptr;
  for (const Value& item : items->items()) {
    if (TextAt(&item, "name") == name) return item.Find(key);
  }
  return nullptr;
}

bool IsOurs(const Value* entry, const KubeconfigEntries& entries) {
  return entry != nullptr && TextAt(FindMark(entry), kDirectoryKey) == entries.data_directory;
}

/// Returns true for an entry of a data directory that was deleted, which nobody needs any more.
bool IsAbandoned(const Value* entry) {
  const std::string_view directory = TextAt(FindMark(entry), kDirectoryKey);
  std::error_code error;
  return !directory.empty() && !fs::exists(fs::path(directory) / "pki" / "ca.crt", error) && !error;
}

/// Parses the file. Returns an empty configuration if there is none.
Result<DocumentPtr> Load(const std::string& path) {
  Result<std::string> text = ReadFile(path);
  if (!text && text.error().reason != Reason::NotFound) {
    return Unusable(path, "cannot be read: " + text.error().message);
  }
  const std::string content = text ? *text : std::string();
  const auto checked = client::ParseKubeconfig(content, fs::path(path).parent_path().string());
  if (!checked) return Unusable(path, "is no kubeconfig: " + checked.error().Text());
  auto documents = codec::ParseYaml(content);
  if (!documents) return Unusable(path, "is no kubeconfig: " + documents.error().Text());
  if (documents->size() > 1) return Unusable(path, "has several YAML documents");
  if (!documents->empty() && documents->front()->root().is_object()) {
    DocumentPtr document = std::move(documents->front());
    if (document->duplicates().empty()) return document;
    return Unusable(path, fmt::format("has the key {} twice", document->duplicates().front().path));
  }
  auto document = std::make_unique<Document>();
  document->root() = codec::ObjectOf(
      *document, {{"apiVersion", Value::String("v1")}, {"kind", Value::String("Config")}});
  return document;
}

Status CheckOwner(const Value& root, const std::string& path, const KubeconfigEntries& entries) {
  for (const auto& [list, key] : kLists) {
    const Value* const entry = FindEntry(root, list, key, entries.name);
    if (entry == nullptr || IsOurs(entry, entries) || IsAbandoned(entry)) continue;
    const std::string_view owner = TextAt(FindMark(entry), kDirectoryKey);
    return Unusable(path, fmt::format("has another {} \"{}\"{}{}: choose another --cluster-name",
                                      key, entries.name, owner.empty() ? "" : ", of ", owner));
  }
  return {};
}

/// Returns the file itself if the path is a symbolic link, which a rename would replace.
std::string TargetOf(const std::string& path) {
  std::error_code error;
  const fs::path target = fs::canonical(path, error);
  return error ? path : target.string();
}

/// Lock of kubectl for the same file, so that neither loses the changes of the other.
class KubectlLock {
 public:
  static Result<KubectlLock> Take(const std::string& path) {
    PL_TRY(MakeDirectory(fs::path(path).parent_path().string()));
    KubectlLock lock(path + ".lock");
    const int file = open(lock.path_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    if (file >= 0) {
      close(file);
      return lock;
    }
    const int code = errno;
    const std::string locked = std::exchange(lock.path_, "");
    if (code == EEXIST) {
      return Unusable(path,
                      fmt::format("is locked by another program; if none runs, delete {}", locked));
    }
    return Unusable(path, fmt::format("cannot be written: {}", std::strerror(code)));
  }
  KubectlLock(KubectlLock&& other) noexcept : path_(std::exchange(other.path_, "")) {}
  KubectlLock& operator=(KubectlLock&&) = delete;
  ~KubectlLock() {
    if (!path_.empty()) unlink(path_.c_str());
  }

 private:
  explicit KubectlLock(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

/// Appends or replaces an item of a list of the kubeconfig.
void SetEntry(Document& document, std::string_view list, std::string_view key,
              const std::string& name, const Value& content) {
  Value* items = document.root().Find(list);
  if (items == nullptr || !items->is_array()) {
    items = &document.Set(document.root(), list, document.NewArray());
  }
  for (Value& item : items->items()) {
    if (TextAt(&item, "name") != name) continue;
    document.Set(item, key, content);
    return;
  }
  document.Append(*items,
                  codec::ObjectOf(document, {{"name", document.NewString(name)}, {key, content}}));
}

void RemoveEntry(Document& document, std::string_view list, const std::string& name) {
  Value* const items = document.root().Find(list);
  if (items == nullptr) return;
  Value kept = document.NewArray(items->items().size());
  for (const Value& item : items->items()) {
    if (TextAt(&item, "name") != name) document.Append(kept, item);
  }
  document.Set(document.root(), list, kept);
}

/// Returns the context to select when our entries are removed.
std::string PreviousContext(const Value& root, const KubeconfigEntries& entries) {
  const std::string_view current = TextAt(&root, kCurrentKey);
  if (current != entries.name) return std::string(current);
  return std::string(
      TextAt(FindMark(FindEntry(root, "contexts", "context", entries.name)), kPreviousKey));
}

Status Write(const std::string& path, const Document& document) {
  const Status written = WriteFile(TargetOf(path), codec::WriteYaml(document.root()));
  if (!written) return Unusable(path, "cannot be written: " + written.error().message);
  return {};
}

}  // namespace

Result<std::string> FindUserKubeconfig() {
  const char* const variable = std::getenv("KUBECONFIG");
  std::string_view paths = variable == nullptr ? "" : variable;
  while (paths.starts_with(':')) paths.remove_prefix(1);
  if (!paths.empty()) return fs::absolute(paths.substr(0, paths.find(':'))).string();
  const char* const home = std::getenv("HOME");
  if (home == nullptr || *home == '\0') {
    return FailAt(Reason::Invalid, "--merge-kubeconfig",
                  "no kubeconfig to write: set $KUBECONFIG or $HOME");
  }
  return std::string(home) + "/.kube/config";
}

Status CheckKubeconfigMerge(const std::string& path, const KubeconfigEntries& entries) {
  const DocumentPtr document = PL_TRY(Load(path));
  PL_TRY(CheckOwner(document->root(), path, entries));
  const std::string folder = fs::path(TargetOf(path)).parent_path().string();
  if (access(folder.c_str(), F_OK) == 0 && access(folder.c_str(), W_OK) != 0) {
    return Unusable(path, fmt::format("cannot be written: {}", std::strerror(errno)));
  }
  return {};
}

Status MergeKubeconfig(const std::string& path, const KubeconfigEntries& entries,
                       std::string_view kubeconfig, CurrentContext current) {
  const auto ours = PL_TRY(codec::ParseYaml(kubeconfig));
  if (ours.size() != 1) return Fail(Reason::InternalError, "the server's kubeconfig is empty");
  const KubectlLock lock = PL_TRY(KubectlLock::Take(path));
  const DocumentPtr document = PL_TRY(Load(path));
  PL_TRY(CheckOwner(document->root(), path, entries));
  const std::string previous = PreviousContext(document->root(), entries);
  for (const auto& [list, key] : kLists) {
    const Value* const from = FindEntry(ours.front()->root(), list, key, entries.name);
    if (from == nullptr) {
      return Fail(Reason::InternalError, fmt::format("the server's kubeconfig has no {}", key));
    }
    Value content = document->Clone(*from);
    Value mark =
        codec::ObjectOf(*document, {{kDirectoryKey, document->NewString(entries.data_directory)}});
    if (key == "context") document->Set(mark, kPreviousKey, document->NewString(previous));
    const Value extension =
        codec::ObjectOf(*document, {{"name", Value::String(kMark)}, {"extension", mark}});
    document->Set(content, "extensions", codec::ArrayOf(*document, {extension}));
    SetEntry(*document, list, key, entries.name, content);
  }
  if (current == CurrentContext::Set) {
    document->Set(document->root(), kCurrentKey, document->NewString(entries.name));
  }
  return Write(path, *document);
}

Result<bool> HasKubeconfigEntries(const std::string& path, const KubeconfigEntries& entries) {
  const DocumentPtr document = PL_TRY(Load(path));
  for (const auto& [list, key] : kLists) {
    if (IsOurs(FindEntry(document->root(), list, key, entries.name), entries)) return true;
  }
  return false;
}

Result<bool> RemoveKubeconfigEntries(const std::string& path, const KubeconfigEntries& entries) {
  if (!PL_TRY(HasKubeconfigEntries(path, entries))) return false;
  const KubectlLock lock = PL_TRY(KubectlLock::Take(path));
  const DocumentPtr document = PL_TRY(Load(path));
  const std::string previous = PreviousContext(document->root(), entries);
  const bool is_current = TextAt(&document->root(), kCurrentKey) == entries.name;
  const bool was_ours =
      IsOurs(FindEntry(document->root(), "contexts", "context", entries.name), entries);
  bool has_removed = false;
  for (const auto& [list, key] : kLists) {
    if (!IsOurs(FindEntry(document->root(), list, key, entries.name), entries)) continue;
    RemoveEntry(*document, list, entries.name);
    has_removed = true;
  }
  if (!has_removed) return false;
  if (is_current && was_ours) {
    const bool exists = FindEntry(document->root(), "contexts", "context", previous) != nullptr;
    document->Set(document->root(), kCurrentKey, document->NewString(exists ? previous : ""));
  }
  PL_TRY(Write(path, *document));
  return true;
}

}  // namespace plimsoll::cli
