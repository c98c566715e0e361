#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "cli/lifecycle/run_record.h"
#include "cli/output/styled_text.h"
#include "codec/document.h"

/// Facts about a data directory and the process that uses it.
namespace plimsoll::cli {

/// Objects of a cluster, counted.
struct ClusterCounts {
  std::size_t nodes = 0;
  std::size_t ready_nodes = 0;
  std::map<std::string, std::size_t> pods = {};  // by phase
};

struct CertificateEnd {
  std::string file;  // in the data directory: pki/admin.crt
  Instant not_after;
};

struct ClusterFacts {
  std::string directory;  // absolute
  std::uint64_t data_bytes = 0;
  std::string kubeconfig = {};                    // path; empty: there is none
  std::string server = {};                        // URL in it
  std::vector<CertificateEnd> certificates = {};  // the server's own
  std::optional<int> pid = {};                    // unset: nothing runs; 0: it cannot be seen
  std::optional<RunRecord> run = {};              // of that process; unset: it has left none
  bool is_ready = false;                          // /readyz
  std::optional<ClusterCounts> counts = {};       // unset: see fault
  std::string fault = {};                         // why the server does not answer
};

/// Reads the directory, and asks the server if a process runs. An error says why the directory
/// cannot be read.
Result<ClusterFacts> ReadClusterFacts(const std::string& directory, Clock& clock);

/// Formats the facts for people.
StyledText ToText(const ClusterFacts& facts, Instant now);
/// Returns the facts for programs. `facts` must outlive the result.
codec::Value ToTree(const ClusterFacts& facts, codec::Document& document);

}  // namespace plimsoll::cli
