#include "cli/lifecycle/cluster_facts.h"

#include <sys/stat.h>

#include <array>
#include <filesystem>
#include <memory>
#include <utility>

#include "agent/node_status.h"
#include "api/object.h"
#include "base/assert.h"
#include "base/file.h"
#include "client/client.h"
#include "client/kubeconfig.h"
#include "net/client.h"
#include "net/pki.h"
#include "service/data_directory.h"

namespace plimsoll::cli {
namespace {

namespace fs = std::filesystem;

constexpr Duration kAnswerMax = std::chrono::seconds(5);
constexpr std::uint64_t kBytesPerBlock = 512;  // of st_blocks, on every file system

/// Returns the bytes that the files take on the disk. Files that vanish meanwhile do not count.
std::uint64_t BytesBelow(const std::string& directory) {
  std::uint64_t bytes = 0;
  std::error_code error;
  fs::recursive_directory_iterator entries(directory, error);
  for (; !error && entries != fs::recursive_directory_iterator(); entries.increment(error)) {
    struct stat facts{};
    if (lstat(entries->path().c_str(), &facts) == 0 && S_ISREG(facts.st_mode)) {
      bytes += static_cast<std::uint64_t>(facts.st_blocks) * kBytesPerBlock;
    }
  }
  return bytes;
}

std::vector<CertificateEnd> ReadCertificates(const std::string& directory) {
  std::vector<CertificateEnd> found;
  for (const char* const name : {"ca", "apiserver", "admin", "scheduler", "controller-manager"}) {
    const std::string file = std::string("pki/") + name + ".crt";
    const auto text = ReadFile(directory + "/" + file);
    if (!text) continue;
    if (const auto facts = net::ReadCertificate(*text)) found.push_back({file, facts->not_after});
  }
  return found;
}

const api::KindDesc& KindOf(std::string_view kind) {
  const api::KindDesc* const found = api::FindKind("", "v1", kind);
  PL_ASSERT(found != nullptr);
  return *found;
}

api::Answer<ClusterCounts> Count(const client::Client& client) {
  ClusterCounts counts;
  for (const auto& node : PL_TRY(client.List({KindOf("Node")})).objects) {
    ++counts.nodes;
    if (agent::IsTrue(agent::ReadConditions(*node), "Ready")) ++counts.ready_nodes;
  }
  for (const auto& pod : PL_TRY(client.List({KindOf("Pod")})).objects) {
    const std::string_view phase = pod->As<api::Pod>()->status.phase;
    ++counts.pods[phase.empty() ? "Pending" : std::string(phase)];
  }
  return counts;
}

Result<bool> IsReady(const client::ClusterAccess& access) {
  const auto transport = PL_TRY(net::ConnectTo(access.server, access.tls));
  net::Request request;
  request.method = "GET";
  request.target = "/readyz";
  const auto answer =
      PL_TRY(transport->Fetch(std::move(request), kAnswerMax, transport->NewCanceller()));
  return answer.status == 200;
}

Status AskServer(Clock& clock, ClusterFacts& facts) {
  const client::ClusterAccess access = PL_TRY(client::ResolveFile(facts.kubeconfig));
  facts.is_ready = PL_TRY(IsReady(access));
  const auto client = PL_TRY(client::Connect(
      access, clock, {.user_agent = "plimsoll-status", .timeout = kAnswerMax, .retries_max = 0}));
  auto counts = Count(*client);
  if (!counts) return std::unexpected(api::ToError(counts.error()));
  facts.counts = *std::move(counts);
  return {};
}

}  // namespace

Result<ClusterFacts> ReadClusterFacts(const std::string& directory, Clock& clock) {
  ClusterFacts facts{.directory = AbsoluteDirectory(directory)};
  facts.pid = PL_TRY(service::DataDirectory::FindOwner(facts.directory));
  facts.data_bytes = BytesBelow(facts.directory);
  facts.certificates = ReadCertificates(facts.directory);
  const std::string kubeconfig = facts.directory + "/admin.kubeconfig";
  if (const auto config = client::ReadKubeconfig(kubeconfig); config && !config->clusters.empty()) {
    facts.kubeconfig = kubeconfig;
    facts.server = config->clusters.front().server;
  }
  if (!facts.pid) return facts;
  if (auto run = ReadRunRecord(facts.directory); run && run->pid == facts.pid) {
    facts.run = *std::move(run);
  }
  if (const Status asked = AskServer(clock, facts); !asked) facts.fault = asked.error().Text();
  return facts;
}

}  // namespace plimsoll::cli
