#include "cli/demo/demo.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <utility>

#include "base/async.h"
#include "base/real_clock.h"
#include "cli/connect.h"
#include "cli/demo/narrator.h"
#include "cli/demo/story.h"
#include "cli/explain/explain.h"
#include "cli/flags/common_flags.h"
#include "cli/flags/number_checks.h"
#include "cli/lifecycle/run_record.h"
#include "cli/output/failure.h"
#include "cli/output/log_file.h"
#include "cli/output/progress.h"
#include "cli/up/control_plane.h"
#include "cli/up/start_screen.h"
#include "service/data_directory.h"
#include "service/signals.h"

namespace plimsoll::cli {
namespace {

constexpr std::int64_t kDefaultSpeed = DemoOptions().speed;
constexpr Duration kStoryMax = std::chrono::minutes(5);
constexpr Duration kReadyMax = std::chrono::minutes(1);
constexpr Duration kSignalTick = std::chrono::milliseconds(100);
constexpr int kExitInterrupted = 130;  // like a program that SIGINT has ended

/// A directory that the destructor deletes.
class TemporaryData {
 public:
  static Result<TemporaryData> Make() {
    std::error_code error;
    std::string path =
        std::filesystem::temp_directory_path(error).string() + "/plimsoll-demo-XXXXXX";
    if (error || mkdtemp(path.data()) == nullptr) {
      return Fail(Reason::InternalError, "cannot make a temporary directory: " + path);
    }
    return TemporaryData(std::move(path));
  }
  TemporaryData(TemporaryData&& other) noexcept : path_(std::exchange(other.path_, "")) {}
  TemporaryData& operator=(TemporaryData&&) = delete;
  ~TemporaryData() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  explicit TemporaryData(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

/// Stops the story when a signal arrives or its time is over.
class Interrupter {
 public:
  Interrupter(service::ShutdownSignals& signals, std::shared_ptr<client::StopSignal> stop,
              Clock& clock)
      : stop_(std::move(stop)) {
    clock.At(clock.Now() + kStoryMax, [stop = stop_] { stop->Stop(); });
    waiter_.Run([this, &signals] {
      while (!is_over_) {
        if (!signals.WaitFor(kSignalTick)) continue;
        has_signal_ = true;
        stop_->Stop();
        return;
      }
    });
  }
  ~Interrupter() { is_over_ = true; }
  Interrupter(const Interrupter&) = delete;
  Interrupter& operator=(const Interrupter&) = delete;

  bool has_signal() const { return has_signal_; }

 private:
  const std::shared_ptr<client::StopSignal> stop_;
  std::atomic<bool> is_over_ = false;
  std::atomic<bool> has_signal_ = false;
  WorkerPool waiter_{1};  // last: its end is awaited while the rest is there
};

/// Cluster of the demo, which stops in the destructor.
struct OwnCluster {
  OwnCluster() = default;
  OwnCluster(OwnCluster&&) = default;
  ~OwnCluster() {
    if (plane != nullptr) plane->Stop(Duration::zero());
  }

  std::optional<TemporaryData> temporary;
  std::optional<service::DataDirectory> directory;
  std::unique_ptr<ControlPlane> plane;
};

Result<OwnCluster> StartCluster(const DemoOptions& options, Context& context) {
  UpOptions up;
  up.is_demo = true;
  up.time_scale = options.speed;
  up.apiserver.port = 0;
  up.apiserver.data_directory = options.data_directory;
  OwnCluster own;
  if (options.data_directory.empty()) {
    own.temporary.emplace(PL_TRY(TemporaryData::Make()));
    up.apiserver.data_directory = own.temporary->path();
    up.apiserver.store = "memory";
  }
  ControlPlaneConfig config = PL_TRY(CheckControlPlane(WithDemo(std::move(up)), context));
  ApiserverOptions claimed;
  claimed.data_directory = config.instance.data_directory;
  claimed.store = config.instance.is_stored_in_memory ? "memory" : "rocksdb";
  own.directory.emplace(PL_TRY(ClaimDirectory(claimed)));
  const std::string log =
      options.log_file.empty() ? own.directory->path() + "/plimsoll.log" : options.log_file;
  if (context.log_file != nullptr) PL_TRY(context.log_file->Open(log));
  own.plane = PL_TRY(ControlPlane::Start(std::move(config), context.log));
  PL_TRY(own.plane->CreateObjects(context));
  return own;
}

Status AwaitOwn(ControlPlane& plane, Duration time, Context& context) {
  Progress progress("Waiting for nodes", context);
  return plane.AwaitReady(time, plane.admin().NewStopSignal(),
                          [&](std::size_t done, std::size_t total) { progress.Set(done, total); });
}

/// Returns the kubeconfig of the cluster that runs already, or nullopt if the demo needs its own.
Result<std::optional<std::string>> FindRunning(const DemoOptions& options) {
  if (!options.kubeconfig.empty()) return options.kubeconfig;
  if (options.data_directory.empty()) return std::nullopt;
  const std::string directory = AbsoluteDirectory(options.data_directory);
  if (!PL_TRY(service::DataDirectory::FindOwner(directory))) return std::nullopt;
  return directory + "/admin.kubeconfig";
}

Status ExplainFor(const std::string& kubeconfig, const std::string& pod, const std::string& node,
                  Context& context) {
  ExplainOptions options;
  options.name = pod;
  options.namespace_ = "default";
  options.node = node;
  options.kubeconfig = kubeconfig;
  const int code = RunExplainPod(options, context);
  if (code == kExitOk) return {};
  return Fail(Reason::InternalError,
              "the explanation of " + pod + " says that it must not be there");
}

Status Play(const DemoOptions& options, service::ShutdownSignals& signals, Context& context,
            bool& has_signal) {
  const std::optional<std::string> running = PL_TRY(FindRunning(options));
  if (running && options.speed != kDefaultSpeed) {
    return FailAt(Reason::Invalid, "--speed", "only a cluster of the demo's own can run faster");
  }
  std::optional<OwnCluster> own;
  RealClock clock;
  if (!running) {
    context.out << "Starting a cluster for the demo.\n" << std::flush;
    own.emplace(PL_TRY(StartCluster(options, context)));
  }
  const std::string kubeconfig = running ? *running : own->plane->server().kubeconfig_path();
  const auto client = PL_TRY(ConnectForUser(kubeconfig, {}, clock));
  const auto story_stop = client->NewStopSignal();
  const Interrupter interrupter(signals, story_stop, clock);
  const auto told = [&]() -> Status {
    if (own) {
      PL_TRY(AwaitOwn(*own->plane, kReadyMax * options.speed, context));
    }
    context.out << "To look yourself, in another terminal:  export KUBECONFIG="
                << ShellWord(kubeconfig) << '\n';
    if (own && options.speed != 1) {
      context.out << fmt::format("Its time passes {} times as fast as yours.\n", options.speed);
    }
    Narrator narrator(context.out, {.look = context.out_look, .has_pauses = options.has_pauses},
                      clock, story_stop);
    return PlayStory({.client = *client,
                      .cluster_clock = own ? own->plane->clock() : clock,
                      .narrator = narrator,
                      .stop = story_stop,
                      .explain =
                          [&](const std::string& pod, const std::string& node) {
                            return ExplainFor(kubeconfig, pod, node, context);
                          },
                      .restores_taint = running.has_value()});
  }();
  has_signal = interrupter.has_signal();
  return told;
}

}  // namespace

void AddDemoFlags(CLI::App& command, DemoOptions& options) {
  AddKubeconfigFlag(command, options.kubeconfig);
  command.get_option("--kubeconfig")
      ->description(
          "Kubeconfig of a cluster of plimsoll up --demo to play on. Without this flag a temporary "
          "cluster");
  command
      .add_option("--data-dir", options.data_directory,
                  "Play on the cluster of this data directory. Start it if it does not run, and "
                  "keep its data")
      ->type_name("DIR");
  RequireInteger(
      command.add_option("--speed", options.speed,
                         "Seconds that pass in the demo's own cluster per second of real time"),
      1, 100);
  command.add_flag_function(
      "--no-pause", [&options](std::int64_t) { options.has_pauses = false; },
      "Do not pause between the steps");
}

int RunDemo(const DemoOptions& options, Context& context) {
  service::ShutdownSignals signals;
  bool has_signal = false;
  const Status played = Play(options, signals, context, has_signal);
  if (has_signal) {
    context.err << "\nStopped.\n";
    return kExitInterrupted;
  }
  return played ? kExitOk : ReportFailure(played.error(), context);
}

}  // namespace plimsoll::cli
