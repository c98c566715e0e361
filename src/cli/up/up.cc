#include "cli/up/up.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <sstream>
#include <utility>

#include "base/async.h"
#include "base/file.h"
#include "cli/apiserver/apiserver_flags.h"
#include "cli/components/component_flags.h"
#include "cli/components/component_metrics.h"
#include "cli/flags/number_checks.h"
#include "cli/lifecycle/kubeconfig_follower.h"
#include "cli/lifecycle/kubeconfig_merge.h"
#include "cli/lifecycle/run_record.h"
#include "cli/output/failure.h"
#include "cli/output/log_file.h"
#include "cli/output/progress.h"
#include "cli/output/tree_output.h"
#include "cli/up/control_plane.h"
#include "cli/up/demo.h"
#include "cli/up/start_screen.h"
#include "cli/version/version.h"
#include "service/background.h"
#include "service/data_directory.h"
#include "service/sd_notify.h"
#include "service/signals.h"

namespace plimsoll::cli {
namespace {

/// Time for the start in the background until everything is ready, and the time for each node.
constexpr Duration kReadyMax = std::chrono::minutes(2);
constexpr Duration kReadyMaxPerNode = std::chrono::milliseconds(20);

std::string LogPathOf(const UpOptions& options) {
  return options.log_file.empty()
             ? AbsoluteDirectory(options.apiserver.data_directory) + "/plimsoll.log"
             : options.log_file;
}

/// A user's kubeconfig that has, or is to have, the entries of the cluster.
struct MergeTarget {
  std::string path;  // empty: none
  KubeconfigEntries entries;
  std::string replaces;  // another file that has the entries of an earlier run; empty: none
};

/// Checks the file before anything starts. The entries of an earlier run are kept up to date
/// without the flag, too: they must not get an old certificate.
Result<MergeTarget> FindMergeTarget(const UpOptions& options) {
  MergeTarget target{.path = {},
                     .entries = {options.apiserver.cluster_name,
                                 AbsoluteDirectory(options.apiserver.data_directory)},
                     .replaces = {}};
  const auto before = ReadRunRecord(target.entries.data_directory);
  const std::string earlier = before ? before->merged_kubeconfig : std::string();
  if (options.merges_kubeconfig) {
    target.path = PL_TRY(FindUserKubeconfig());
    PL_TRY(CheckKubeconfigMerge(target.path, target.entries));
    if (earlier != target.path || before->cluster != target.entries.name) {
      target.replaces = earlier;
    }
  } else if (!earlier.empty() && before->cluster == target.entries.name &&
             HasKubeconfigEntries(earlier, target.entries).value_or(false)) {
    target.path = earlier;
  }
  return target;
}

Status Merge(const UpOptions& options, const MergeTarget& target, const std::string& kubeconfig) {
  const auto before = ReadRunRecord(target.entries.data_directory);
  if (!target.replaces.empty() && before) {
    PL_TRY(
        RemoveKubeconfigEntries(target.replaces, {before->cluster, target.entries.data_directory}));
  }
  if (target.path.empty()) return {};
  return MergeKubeconfig(target.path, target.entries, PL_TRY(ReadFile(kubeconfig)),
                         options.merges_kubeconfig ? CurrentContext::Set : CurrentContext::Keep);
}

std::string DownCommand(const UpOptions& options) {
  const std::string& directory = options.apiserver.data_directory;
  if (directory == kDefaultDataDirectory) return "plimsoll down";
  return "plimsoll down --data-dir " + ShellWord(directory);
}

constexpr const char* kCreating = "Creating objects";

/// A run of the control plane, in the foreground or in the background.
class UpRun {
 public:
  /// `report` tells another process that everything is ready; false: it has ended. Empty: this run
  /// is in the foreground. `on_progress` tells that process how far the start is.
  UpRun(UpOptions options, Context& context, std::function<bool()> report,
        service::OnStartProgress on_progress)
      : options_(std::move(options)),
        context_(context),
        report_(std::move(report)),
        on_progress_(std::move(on_progress)) {}

  Status Serve() {
    ControlPlaneConfig config = PL_TRY(CheckControlPlane(options_, context_));
    const MergeTarget target = PL_TRY(FindMergeTarget(options_));
    PL_TRY(service::DataDirectory::CheckUnclaimed(options_.apiserver.data_directory));
    const service::DataDirectory directory = PL_TRY(ClaimDirectory(options_.apiserver));
    PL_TRY(OpenLog());
    service::ShutdownSignals signals;
    StartScreenFacts facts = FactsOf(config, directory);
    const auto plane = PL_TRY(ControlPlane::Start(std::move(config), context_.log));
    facts.url = fmt::format("https://127.0.0.1:{}", plane->server().port());
    facts.kubeconfig = plane->server().kubeconfig_path();
    facts.merged_kubeconfig = target.path;
    WarnOfInsecurePort(plane->server(), context_.err);
    PL_TRY(CreateObjects(*plane));
    PL_TRY(Merge(options_, target, facts.kubeconfig));
    PL_TRY(WriteRecord(*plane, target));
    const KubeconfigFollower follower(
        {facts.kubeconfig, target.path, target.entries, options_.time_scale}, plane->clock(),
        context_.log);
    PrintScreen(facts);
    PL_TRY(AwaitEnd(*plane, signals));
    if (options_.apiserver.is_tour && !IsTree(options_.output)) {
      context_.out << "Stopped. The data stays in " << directory.path() << ".\n" << std::flush;
    }
    return {};
  }

 private:
  Status CreateObjects(ControlPlane& plane) {
    // A log on the terminal shows each object, and would tear the line.
    std::optional<Progress> line;
    if (!options_.log_file.empty()) line.emplace(kCreating, context_);
    return plane.CreateObjects(context_, [&](std::size_t done, std::size_t total) {
      if (line) line->Set(done, total);
      if (on_progress_) on_progress_({kCreating, done, total});
    });
  }

  void PrintScreen(const StartScreenFacts& facts) {
    if (IsTree(options_.output)) {
      codec::Document document;
      WriteTree(ToTree(facts, document), options_.output, context_.out);
    } else if (options_.apiserver.is_tour) {
      WriteStartScreen(StartScreenText(facts), context_.out_look, context_.out);
    }
  }

  Status OpenLog() {
    if (context_.log_file != nullptr && !options_.log_file.empty()) {
      PL_TRY(context_.log_file->Open(options_.log_file));
    }
    if (!report_) return {};
    return service::LeaveTerminal(LogPathOf(options_));
  }

  StartScreenFacts FactsOf(const ControlPlaneConfig& config,
                           const service::DataDirectory& directory) const {
    const match::Rules rules = match::Rules::From(config.gates, nullptr);
    return {.url = {},
            .kubeconfig = {},
            .merged_kubeconfig = {},
            .context = options_.apiserver.cluster_name,
            .directory = directory.path(),
            .stop_command = report_ ? DownCommand(options_) : "",
            .nodes = SurveyNodes(config.agents.agent.nodes, rules),
            .is_demo = options_.is_demo,
            .has_demo_nodes = options_.is_demo && options_.kubelet.node_template.empty(),
            .had_data = directory.had_data()};
  }

  Status WriteRecord(ControlPlane& plane, const MergeTarget& target) {
    return WriteRunRecord(target.entries.data_directory,
                          {.pid = getpid(),
                           .version = std::string(kVersion),
                           .started = FormatTime(plane.clock().Now()),
                           .cluster = target.entries.name,
                           .merged_kubeconfig = target.path});
  }

  /// Blocks until a signal. In the background it reports when everything is ready, and ends if that
  /// takes too long or if nobody waits for the report any more.
  Status AwaitEnd(ControlPlane& plane, service::ShutdownSignals& signals) {
    service::NotifyServiceManager("READY=1");
    Status ready;
    std::atomic<bool> has_signal = false;
    const auto stop = plane.admin().NewStopSignal();
    {
      WorkerPool waiter(1);
      if (report_) {
        waiter.Run([&] {
          ready = Report(plane, stop);
          if (ready || has_signal) return;
          PL_LOG(context_.log, Error(ready.error()), "The start failed");
          kill(getpid(), SIGTERM);
        });
      }
      const int signal = signals.Wait();
      PL_LOG(context_.log, Info(), "Shutting down", {"signal", signal});
      has_signal = true;
      stop->Stop();
    }
    service::NotifyServiceManager("STOPPING=1");
    plane.Stop(std::chrono::seconds(options_.apiserver.shutdown_seconds));
    return ready;
  }

  Status Report(ControlPlane& plane, const std::shared_ptr<client::StopSignal>& stop) {
    const auto nodes = static_cast<std::int64_t>(options_.kubelet.nodes);
    const Duration time = (kReadyMax + nodes * kReadyMaxPerNode) * options_.time_scale;
    PL_TRY(plane.AwaitReady(time, stop, [&](std::size_t done, std::size_t total) {
      if (on_progress_) on_progress_({"Waiting for nodes", done, total});
    }));
    if (report_()) return {};
    return Fail(Reason::InternalError, "the process that started this one has ended");
  }

  const UpOptions options_;
  Context& context_;
  const std::function<bool()> report_;
  const service::OnStartProgress on_progress_;
};

/// Shows the progress of a background process on the terminal, one line for each kind of work.
class StartProgressLine {
 public:
  explicit StartProgressLine(Context& context) : context_(context) {}

  void Show(const service::StartProgress& progress) {
    if (work_ != progress.work) line_.emplace(work_ = progress.work, context_);
    line_->Set(progress.done, progress.total);
  }

 private:
  Context& context_;
  std::string work_;
  std::optional<Progress> line_;
};

/// Runs the control plane in this process, which another one has started in the background.
int RunInBackground(const UpOptions& options, Context& context, service::StartReport& report) {
  std::ostringstream out;
  std::ostringstream err;
  Context own{
      .in = context.in, .out = out, .err = err, .log = context.log, .log_file = context.log_file};
  const Status status =
      UpRun(
          WithDemo(options), own,
          [&] {
            return report.Succeed(IsTree(options.output) ? out.str() : err.str() + out.str());
          },
          [&](const service::StartProgress& progress) { report.Advance(progress); })
          .Serve();
  if (status) return kExitOk;
  const int code = ReportFailure(status.error(), own);
  report.Fail(err.str());
  return code;
}

int StartDetached(const UpOptions& options, Context& context) {
  std::optional<StartProgressLine> line(context);
  const auto outcome = service::StartInBackground(
      options.arguments, [&](const service::StartProgress& progress) { line->Show(progress); });
  line.reset();  // before other texts
  if (!outcome) return ReportFailure(outcome.error(), context);
  if (outcome->exit_code == 0) {
    if (IsTree(options.output)) {
      context.out << outcome->text << std::flush;
    } else {
      WriteStartScreen(outcome->text, context.out_look, context.out);
    }
  } else if (outcome->is_cancelled) {
    context.err << "error: stopped before everything was ready\n";
  } else if (!outcome->text.empty()) {
    context.err << outcome->text;
  } else {
    context.err << "error: the control plane ended with code " << outcome->exit_code
                << " while it started; see its log " << LogPathOf(options) << '\n';
  }
  return outcome->exit_code;
}

}  // namespace

void AddUpFlags(CLI::App& command, UpOptions& options) {
  command.add_flag("-d,--detach", options.is_detached,
                   "Run in the background; return when all nodes are ready. The log goes to "
                   "plimsoll.log in the data directory");
  AddOutputFlag(command, options.output,
                {OutputFormat::Text, OutputFormat::Json, OutputFormat::Yaml});
  command.get_option("--output")->description("Output format of the screen that --detach prints");
  command.add_flag("--merge-kubeconfig", options.merges_kubeconfig,
                   "Add the cluster to the first file of $KUBECONFIG or ~/.kube/config, and make "
                   "it the current context; plimsoll down removes it");
  command.add_flag(
      "--demo,!--no-demo", options.is_demo,
      "Simulate nodes with different risks (20 unless --nodes is given) and create two workloads");
  AddNodeFlags(command, options.kubelet);
  command
      .add_option("--manifests", options.manifests,
                  "Manifests of objects that are created at the start if they do not exist")
      ->allow_extra_args(false)
      ->type_name("FILE|DIR");
  RequireInteger(command.add_option("--time-scale", options.time_scale,
                                    "Seconds that pass in the cluster per second of real time"),
                 1, 1'000);
  AddApiserverFlags(command, options.apiserver);
  AddSchedulingFlags(command, "--scheduler-config", options.scheduler);
  AddControllerFlags(command, options.controllers);
}

UpOptions WithDemo(UpOptions options) {
  if (!options.is_demo) return options;
  KubeletOptions& kubelet = options.kubelet;
  if (kubelet.nodes == 0) kubelet.nodes = kDemoNodes;
  if (kubelet.node_template.empty()) kubelet.node_template_text = kDemoNodeTemplate;
  return options;
}

int RunUp(const UpOptions& options, Context& context) {
  if (IsTree(options.output) && !options.is_detached) {
    return ReportFailure(FailAt(Reason::Invalid, "-o", "json and yaml are for --detach").error(),
                         context);
  }
  if (options.is_detached) {
    if (auto report = service::StartReport::Take()) {
      return RunInBackground(options, context, *report);
    }
    return StartDetached(options, context);
  }
  const Status status = UpRun(WithDemo(options), context, {}, {}).Serve();
  return status ? kExitOk : ReportFailure(status.error(), context);
}

}  // namespace plimsoll::cli
