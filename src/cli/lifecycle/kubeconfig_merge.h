#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

/// Entries of a cluster in the user's own kubeconfig. Other entries, and fields that this program
/// does not know, stay as they are; comments do not.
namespace plimsoll::cli {

/// A cluster, a user and a context of the same name.
struct KubeconfigEntries {
  std::string name;
  std::string data_directory;  // absolute; stored in the entries, which tells whose they are
};

/// Returns the file that kubectl would write: the first of $KUBECONFIG, else ~/.kube/config.
/// Invalid: neither variable is set.
Result<std::string> FindUserKubeconfig();

/// Returns the error that MergeKubeconfig would return, and writes nothing. Invalid, with file and
/// reason: the file is malformed, cannot be written, or has entries of this name that belong to
/// somebody else.
Status CheckKubeconfigMerge(const std::string& path, const KubeconfigEntries& entries);

/// Effect of a merge on the current context.
enum class CurrentContext : std::uint8_t { Set, Keep };

/// Adds or replaces the entries with those of `kubeconfig`, the text of the server's file. Readers
/// see the old file or the new one. Creates the file if there is none. Returns the errors of
/// CheckKubeconfigMerge.
Status MergeKubeconfig(const std::string& path, const KubeconfigEntries& entries,
                       std::string_view kubeconfig, CurrentContext current);

/// Returns true if the file has our entries.
Result<bool> HasKubeconfigEntries(const std::string& path, const KubeconfigEntries& entries);

/// Removes our entries, and selects the context that was current before the merge. Returns false if
/// there are none, or if they belong to somebody else now.
Result<bool> RemoveKubeconfigEntries(const std::string& path, const KubeconfigEntries& entries);

}  // namespace plimsoll::cli
