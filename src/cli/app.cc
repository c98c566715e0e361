#include "cli/app.h"

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <ostream>

#include "cli/apiserver/apiserver_flags.h"
#include "cli/cel/cel.h"
#include "cli/check/check.h"
#include "cli/completion/completion.h"
#include "cli/completion/scripts.h"
#include "cli/components/component_flags.h"
#include "cli/demo/demo.h"
#include "cli/devices/get_devices.h"
#include "cli/devices/taint_device.h"
#include "cli/explain/explain_commands.h"
#include "cli/flags/choice.h"
#include "cli/flags/cli11_arguments.h"
#include "cli/flags/command_tree.h"
#include "cli/flags/logging_flags.h"
#include "cli/flags/usage_error.h"
#include "cli/lifecycle/down.h"
#include "cli/lifecycle/status.h"
#include "cli/manual/help_text.h"
#include "cli/manual/manual.h"
#include "cli/match/match.h"
#include "cli/output/failure.h"
#include "cli/output/styled_text.h"
#include "cli/store/storage_rewrite.h"
#include "cli/store/store_commands.h"
#include "cli/tolerations/get_taints.h"
#include "cli/tolerations/get_tolerations.h"
#include "cli/up/up.h"
#include "cli/version/version.h"

namespace plimsoll::cli {
namespace {

constexpr std::string_view kPurpose =
    "A Kubernetes control plane whose pods choose nodes by thresholds: risk below 5, kernel from "
    "5.15";

/// The commands with their options. CLI11 writes into the options, so both live together.
struct Program {
  explicit Program(CalledAs name) : called_as(name) {}

  const CalledAs called_as;
  CLI::App app{std::string(kPurpose), std::string(ProgramName(called_as))};
  CheckOptions check;
  CelOptions cel;
  ApiserverOptions apiserver;
  SchedulerOptions scheduler;
  ControllerManagerOptions controller_manager;
  KubeletOptions kubelet;
  UpOptions up;
  StatusOptions status;
  DownOptions down;
  DemoOptions demo;
  MatchOptions match;
  MigrateOptions migrate;
  SnapshotOptions snapshot;
  StorageRewriteOptions storage_rewrite;
  ExplainOptions explain;
  GetDevicesOptions get_devices;
  GetTaintsOptions get_taints;
  GetTolerationsOptions get_tolerations;
  TaintDeviceOptions taint_device;
  VersionOptions version;
  std::vector<std::string> help_topic;
  std::string shell;
  std::vector<std::string> arguments;  // arguments of __complete
  std::string manual_form;
  std::string manual_directory = ".";
  LoggingFlags logging;
  bool opens_log = true;                  // false: the command opens its log file itself
  std::vector<std::string> command_line;  // all arguments, for a process in the background
  std::string colour = "auto";
  std::function<int(Context&)> run;
};

/// Makes the command call `run` with these options.
template <class Options>
void SetRun(Program& program, CLI::App& command, int (*run)(const Options&, Context&),
            const Options& options) {
  command.callback([&program, run, &options] {
    program.run = [run, &options](Context& context) { return run(options, context); };
  });
}

void AddCheck(Program& program) {
  CLI::App* command =
      AddGrouped(program.app, kPlacementGroup, "check",
                 "Validate manifests as the API server does, and warn of probable mistakes");
  AddCheckFlags(*command, program.check);
  SetRun(program, *command, RunCheck, program.check);
}

void AddMatch(Program& program) {
  CLI::App* command = AddGrouped(program.app, kPlacementGroup, "match",
                                 "Show which nodes accept a pod, and why the others refuse it");
  AddMatchFlags(*command, program.match);
  SetRun(program, *command, RunMatch, program.match);
}

void AddExplain(Program& program) {
  CLI::App* parent =
      AddGrouped(program.app, kPlacementGroup, "explain", "Explain decisions of the scheduler");
  parent->require_subcommand(1);
  for (const ExplainCommand& explain : ExplainCommands()) {
    CLI::App* command =
        parent->add_subcommand(std::string(explain.kind.word), std::string(explain.purpose));
    explain.add_flags(*command, explain.kind, program.explain);
    command->callback([&program, &explain] {
      program.run = [&program, &explain](Context& context) {
        return explain.run(explain.kind, program.explain, context);
      };
    });
  }
}

void AddGet(Program& program) {
  CLI::App* parent =
      AddGrouped(program.app, kPlacementGroup, "get", "List things that kubectl cannot list");
  parent->require_subcommand(1);
  CLI::App* command =
      parent->add_subcommand("devices", "List devices with their nodes, claims, pods and taints");
  AddGetDevicesFlags(*command, program.get_devices);
  SetRun(program, *command, RunGetDevices, program.get_devices);
  CLI::App* taints = parent->add_subcommand(
      "taints", "List the taints of nodes with their age, owner and number of tolerating pods");
  AddGetTaintsFlags(*taints, program.get_taints);
  SetRun(program, *taints, RunGetTaints, program.get_taints);
  CLI::App* tolerations = parent->add_subcommand(
      "tolerations", "List the tolerations of pods with their operators and margins");
  AddGetTolerationsFlags(*tolerations, program.get_tolerations);
  SetRun(program, *tolerations, RunGetTolerations, program.get_tolerations);
}

void AddTaint(Program& program) {
  CLI::App* parent =
      AddGrouped(program.app, kPlacementGroup, "taint", "Taint things that kubectl cannot taint");
  parent->require_subcommand(1);
  CLI::App* command = parent->add_subcommand(
      "device", "Taint one device by its name, or many by a selector, with a DeviceTaintRule");
  AddTaintDeviceFlags(*command, program.taint_device);
  command->callback([&program] {
    program.run = [&program](Context& context) {
      return RunTaintDevice(program.taint_device, context);
    };
  });
}

void AddCelCheck(CLI::App& parent, Program& program) {
  CLI::App* command =
      parent.add_subcommand("check", "Show the type and the static cost of CEL expressions");
  AddCelCheckFlags(*command, program.cel);
  SetRun(program, *command, RunCelCheck, program.cel);
}

void AddCelEval(CLI::App& parent, Program& program) {
  CLI::App* command =
      parent.add_subcommand("eval", "Evaluate CEL expressions for taints or devices");
  AddCelEvalFlags(*command, program.cel);
  SetRun(program, *command, RunCelEval, program.cel);
}

void AddCel(Program& program) {
  CLI::App* command =
      AddGrouped(program.app, kPlacementGroup, "cel",
                 "Check and evaluate the CEL expressions of tolerations and device selectors");
  command->require_subcommand(1);
  AddCelCheck(*command, program);
  AddCelEval(*command, program);
}

void AddApiserver(Program& program) {
  CLI::App* command =
      AddGrouped(program.app, kComponentsGroup, "apiserver", "Run the Kubernetes API server");
  AddApiserverFlags(*command, program.apiserver);
  SetRun(program, *command, RunApiserver, program.apiserver);
}

void AddControllerManager(Program& program) {
  CLI::App* command = AddGrouped(program.app, kComponentsGroup, "controller-manager",
                                 "Run controllers for this or any other Kubernetes API server");
  AddControllerManagerFlags(*command, program.controller_manager);
  SetRun(program, *command, RunControllerManager, program.controller_manager);
}

void AddKubelet(Program& program) {
  CLI::App* command = AddGrouped(program.app, kComponentsGroup, "kubelet",
                                 "Run the node agent of one or thousands of simulated nodes");
  AddKubeletFlags(*command, program.kubelet);
  SetRun(program, *command, RunKubelet, program.kubelet);
}

void AddScheduler(Program& program) {
  CLI::App* command = AddGrouped(program.app, kComponentsGroup, "scheduler",
                                 "Run the scheduler for this or any other Kubernetes API server");
  AddSchedulerFlags(*command, program.scheduler);
  SetRun(program, *command, RunScheduler, program.scheduler);
}

void AddUp(Program& program) {
  CLI::App* command = AddGrouped(program.app, kClusterGroup, "up",
                                 "Run a whole cluster with simulated nodes in one process");
  AddUpFlags(*command, program.up);
  command->callback([&program] {
    // Its log may be in the data directory, which a wrong flag must not create.
    program.opens_log = false;
    program.run = [&program](Context& context) {
      program.up.log_file = program.logging.file;
      program.up.arguments = program.command_line;
      return RunUp(program.up, context);
    };
  });
}

void AddLifecycle(Program& program) {
  CLI::App* status = AddGrouped(program.app, kClusterGroup, "status",
                                "Show if a cluster of plimsoll up runs, its nodes and its pods");
  AddStatusFlags(*status, program.status);
  SetRun(program, *status, RunStatus, program.status);
  CLI::App* down =
      AddGrouped(program.app, kClusterGroup, "down", "Stop the cluster of plimsoll up");
  AddDownFlags(*down, program.down);
  SetRun(program, *down, RunDown, program.down);
  CLI::App* demo = AddGrouped(program.app, kClusterGroup, "demo",
                              "Play a story: a risk rises, and a pod moves to another node");
  AddDemoFlags(*demo, program.demo);
  demo->callback([&program] {
    program.opens_log = false;
    program.run = [&program](Context& context) {
      program.demo.log_file = program.logging.file;
      return RunDemo(program.demo, context);
    };
  });
}

void AddMigrate(Program& program) {
  CLI::App* command = AddGrouped(program.app, kDataGroup, "migrate",
                                 "Copy all objects of a store to another, empty store");
  AddMigrateFlags(*command, program.migrate);
  SetRun(program, *command, RunMigrate, program.migrate);
}

void AddSnapshot(Program& program) {
  CLI::App* command =
      AddGrouped(program.app, kDataGroup, "snapshot", "Save and restore all objects of a store");
  command->require_subcommand(1);
  CLI::App* save = command->add_subcommand(
      "save", "Save all objects of a store or of a running server to a file");
  AddSnapshotSaveFlags(*save, program.snapshot);
  SetRun(program, *save, RunSnapshotSave, program.snapshot);
  CLI::App* restore =
      command->add_subcommand("restore", "Restore the objects of a snapshot to an empty store");
  AddSnapshotRestoreFlags(*restore, program.snapshot);
  SetRun(program, *restore, RunSnapshotRestore, program.snapshot);
}

void AddStorage(Program& program) {
  CLI::App* command =
      AddGrouped(program.app, kDataGroup, "storage", "Change how a store keeps its objects");
  command->require_subcommand(1);
  CLI::App* rewrite = command->add_subcommand(
      "rewrite", "Encrypt or decrypt the values of a store by an EncryptionConfiguration");
  AddStorageRewriteFlags(*rewrite, program.storage_rewrite);
  SetRun(program, *rewrite, RunStorageRewrite, program.storage_rewrite);
}

void AddVersion(Program& program) {
  CLI::App* command = AddGrouped(program.app, kOtherGroup, "version", "Show the version");
  AddOutputFlag(*command, program.version.output,
                {OutputFormat::Text, OutputFormat::Json, OutputFormat::Yaml});
  SetRun(program, *command, RunVersion, program.version);
}

/// Prints the help of a command, or of the program if the path is empty.
void PrintHelp(const Program& program, const std::vector<std::string>& path, const Look& look,
               std::ostream& out) {
  std::string name = program.app.get_name();
  for (const std::string& word : path) name += ' ' + word;
  Write(HelpText(DescribeCommands(program.app), name), look, out);
}

int RunHelp(const Program& program, Context& context) {
  const std::vector<std::string> path = CommandPath(program.app, program.help_topic);
  if (path.size() < program.help_topic.size()) {
    return PrintUnknownCommand(program.app, path, program.help_topic[path.size()], context.err_look,
                               context.err);
  }
  PrintHelp(program, path, context.out_look, context.out);
  return kExitOk;
}

void AddHelp(Program& program) {
  CLI::App* command = AddGrouped(program.app, kOtherGroup, "help", "Show the help of a command");
  command->add_option("command", program.help_topic, "Name of the command, such as cel eval")
      ->type_name("COMMAND");
  command->callback([&program] {
    program.run = [&program](Context& context) { return RunHelp(program, context); };
  });
}

void AddCompletion(Program& program) {
  CLI::App* command = AddGrouped(program.app, kOtherGroup, "completion",
                                 "Print the script that completes commands in a shell");
  RequireOneOf(command->add_option("shell", program.shell, "Shell that runs the script"),
               CompletionShells());
  command->get_option("shell")->required();
  command->callback([&program] {
    program.run = [&program](Context& context) {
      context.out << CompletionScript(program.shell);
      return static_cast<int>(kExitOk);
    };
  });
  CLI::App* arguments = program.app.add_subcommand("__complete")->group("");
  arguments->add_option("words", program.arguments);
  arguments->callback([&program] {
    program.run = [&program](Context& context) {
      const Candidates found =
          Complete(program.app, program.arguments,
                   [](const NamesRequest& request) { return FindNames(request); });
      for (const std::string& word : found.words) context.out << word << '\n';
      if (found.are_files) context.out << kFilesMark << '\n';
      return static_cast<int>(kExitOk);
    };
  });
}

int RunManual(const Program& program, Context& context) {
  const std::vector<CommandDoc> commands = DescribeCommands(program.app);
  if (program.manual_form == "markdown") {
    context.out << CommandsMarkdown(commands);
    return kExitOk;
  }
  const Status written = WriteManPages(commands, program.manual_directory);
  return written ? kExitOk : ReportFailure(written.error(), context);
}

void AddManual(Program& program) {
  CLI::App* command = program.app.add_subcommand("__manual")->group("");
  command->add_option("form", program.manual_form)
      ->required()
      ->check(CLI::IsMember({"man", "markdown"}));
  command->add_option("directory", program.manual_directory, "Where the pages for man go");
  command->callback([&program] {
    program.run = [&program](Context& context) { return RunManual(program, context); };
  });
}

void AddGlobalFlags(Program& program) {
  CLI::App& app = program.app;
  app.set_help_flag("-h,--help", "Show the help of a command");
  app.set_version_flag("-V,--version", VersionLine(), "Show the version");
  RequireOneOf(app.add_option("--color", program.colour,
                              "Colours in the output. `auto` uses them on terminals, unless "
                              "$NO_COLOR is set or $TERM is dumb"),
               {"auto", "always", "never"});
  AddLoggingFlags(app, program.logging);
}

/// Settings for all flags. If a flag is given twice, the last one counts, as everywhere in
/// Kubernetes: a script can append its caller's flags to its own. Help does not show empty lists as
/// defaults.
void ApplyFlagDefaults(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    if (option->get_expected_max() == 1) option->take_last();
    if (option->get_default_str() == "[]") option->default_str("");
  }
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; }))
    ApplyFlagDefaults(*command);
}

std::unique_ptr<Program> BuildProgram(CalledAs called_as) {
  auto program = std::make_unique<Program>(called_as);
  program->app.require_subcommand(1);
  program->app.option_defaults()->always_capture_default();
  program->app.fallthrough();  // logging flags may also follow the command
  AddGlobalFlags(*program);
  AddCheck(*program);
  AddMatch(*program);
  AddExplain(*program);
  AddCel(*program);
  AddGet(*program);
  AddTaint(*program);
  AddUp(*program);
  AddLifecycle(*program);
  AddApiserver(*program);
  AddScheduler(*program);
  AddControllerManager(*program);
  AddKubelet(*program);
  AddMigrate(*program);
  AddSnapshot(*program);
  AddStorage(*program);
  AddVersion(*program);
  AddHelp(*program);
  AddCompletion(*program);
  AddManual(*program);
  ApplyFlagDefaults(program->app);
  return program;
}

int RunCommand(const Program& program, const Streams& streams) {
  const ColourMode colour = ParseColourMode(program.colour);
  const Look err_look = LookOf(streams.err_device, colour);
  LoggingFlags logging = program.logging;
  if (!program.opens_log) logging.file.clear();
  const auto log = CommandLog::Open(logging, streams.err);
  if (!log) {
    PrintError(log.error().Text(), err_look, streams.err);
    return kExitUsage;
  }
  Context context{.in = streams.in,
                  .out = streams.out,
                  .err = streams.err,
                  .log = (*log)->log(),
                  .out_look = LookOf(streams.out_device, colour),
                  .err_look = err_look,
                  .log_file = &(*log)->file()};
  return program.run(context);
}

}  // namespace

int Run(const std::vector<std::string>& words, Streams streams, CalledAs called_as) {
  const std::vector<std::string> arguments = WithExplainedKind(words);
  const auto program = BuildProgram(called_as);
  if (called_as == CalledAs::KubectlCompletion) {
    const auto find_names = [](const NamesRequest& request) { return FindNames(request); };
    streams.out << KubectlCandidates(Complete(program->app, words, find_names));
    return kExitOk;
  }
  program->command_line = arguments;
  // The parser stops at an error, maybe before it has seen the flag.
  const ColourMode colour = ParseColourMode(LastValueOf("--color", arguments));
  const Look out_look = LookOf(streams.out_device, colour);
  if (arguments.empty()) {
    PrintHelp(*program, {}, out_look, streams.out);
    return kExitOk;
  }
  try {
    program->app.parse(ToCli11Arguments(arguments));
  } catch (const CLI::CallForHelp&) {
    PrintHelp(*program, CommandPath(program->app, arguments), out_look, streams.out);
    return kExitOk;
  } catch (const CLI::CallForVersion& version) {
    streams.out << version.what() << '\n';
    return kExitOk;
  } catch (const CLI::ParseError& error) {
    return PrintUsageError(program->app, arguments, error, LookOf(streams.err_device, colour),
                           streams.err);
  }
  return RunCommand(*program, streams);
}

}  // namespace plimsoll::cli
