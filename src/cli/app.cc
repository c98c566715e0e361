#include "cli/app.h"

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <ostream>

#include "base/real_clock.h"
#include "cli/apiserver/apiserver_flags.h"
#include "cli/cel/cel.h"
#include "cli/check/check.h"
#include "cli/completion/completion.h"
#include "cli/components/component_flags.h"
#include "cli/demo/demo.h"
#include "cli/devices/get_devices.h"
#include "cli/devices/taint_device.h"
#include "cli/explain/explain_commands.h"
#include "cli/flags/cli11_arguments.h"
#include "cli/flags/command_tree.h"
#include "cli/flags/number_checks.h"
#include "cli/flags/usage_error.h"
#include "cli/lifecycle/down.h"
#include "cli/lifecycle/log_file.h"
#include "cli/lifecycle/status.h"
#include "cli/manual/manual.h"
#include "cli/match/match.h"
#include "cli/output/failure.h"
#include "cli/store/storage_rewrite.h"
#include "cli/store/store_commands.h"
#include "cli/tolerations/get_taints.h"
#include "cli/tolerations/get_tolerations.h"
#include "cli/up/up.h"
#include "cli/version/version.h"

namespace plimsoll::cli {
namespace {

constexpr std::string_view kPurpose =
    "Plimsoll places workloads on the right side of the line: nodes, volumes and devices say how\n"
    "risky, old or fast they are, pods say what they accept.";

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
  std::string help_topic;
  std::string shell;
  std::vector<std::string> arguments;  // arguments of __complete
  std::string manual_form;
  std::string manual_directory = ".";
  std::string log_format = "text";
  std::string vmodule;
  std::string log_file;
  int verbosity = 0;
  bool opens_log = true;                  // false: the command opens its log file itself
  std::vector<std::string> command_line;  // all arguments, for a process in the background
  std::function<int(Context&)> run;
};

void AddCheck(Program& program) {
  CLI::App* command = program.app.add_subcommand(
      "check",
      "Validate manifests as the API server would, and hint at what is probably not meant");
  AddCheckFlags(*command, program.check);
  command->callback([&program] {
    program.run = [&program](Context& context) { return RunCheck(program.check, context); };
  });
}

void AddMatch(Program& program) {
  CLI::App* command = program.app.add_subcommand(
      "match", "Show which nodes a pod accepts, and for every other why not");
  AddMatchFlags(*command, program.match);
  command->callback([&program] {
    program.run = [&program](Context& context) { return RunMatch(program.match, context); };
  });
}

void AddExplain(Program& program) {
  CLI::App* parent = program.app.add_subcommand("explain", "Say why something is where it is");
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
  CLI::App* parent = program.app.add_subcommand("get", "Show what kubectl does not");
  parent->require_subcommand(1);
  CLI::App* command = parent->add_subcommand(
      "devices", "List devices with their node, who uses them, and who tainted them");
  AddGetDevicesFlags(*command, program.get_devices);
  command->callback([&program] {
    program.run = [&program](Context& context) {
      return RunGetDevices(program.get_devices, context);
    };
  });
  CLI::App* taints = parent->add_subcommand(
      "taints", "List the taints of nodes with their age, their owner, and how many pods tolerate");
  AddGetTaintsFlags(*taints, program.get_taints);
  taints->callback([&program] {
    program.run = [&program](Context& context) {
      return RunGetTaints(program.get_taints, context);
    };
  });
  CLI::App* tolerations = parent->add_subcommand(
      "tolerations", "List the tolerations of pods with their operators, and how far they reach");
  AddGetTolerationsFlags(*tolerations, program.get_tolerations);
  tolerations->callback([&program] {
    program.run = [&program](Context& context) {
      return RunGetTolerations(program.get_tolerations, context);
    };
  });
}

void AddTaint(Program& program) {
  CLI::App* parent = program.app.add_subcommand("taint", "Taint what kubectl cannot");
  parent->require_subcommand(1);
  CLI::App* command = parent->add_subcommand(
      "device", "Taint devices, one by its name or many by what they are, with a DeviceTaintRule");
  AddTaintDeviceFlags(*command, program.taint_device);
  command->callback([&program] {
    program.run = [&program](Context& context) {
      return RunTaintDevice(program.taint_device, context);
    };
  });
}

void AddCelCheck(CLI::App& parent, Program& program) {
  CLI::App* command = parent.add_subcommand("check", "Print an expression's type and static cost");
  AddCelCheckFlags(*command, program.cel);
  command->callback([&program] {
    program.run = [&program](Context& context) { return RunCelCheck(program.cel, context); };
  });
}

void AddCelEval(CLI::App& parent, Program& program) {
  CLI::App* command =
      parent.add_subcommand("eval", "Evaluate an expression over taints or devices");
  AddCelEvalFlags(*command, program.cel);
  command->callback([&program] {
    program.run = [&program](Context& context) { return RunCelEval(program.cel, context); };
  });
}

void AddCel(Program& program) {
  CLI::App* command = program.app.add_subcommand(
      "cel", "Check and evaluate expressions of tolerations and devices");
  command->require_subcommand(1);
  AddCelCheck(*command, program);
  AddCelEval(*command, program);
}

void AddApiserver(Program& program) {
  CLI::App* command =
      program.app.add_subcommand("apiserver", "Serve the Kubernetes API until it is told to stop");
  AddApiserverFlags(*command, program.apiserver);
  command->callback([&program] {
    program.run = [&program](Context& context) { return RunApiserver(program.apiserver, context); };
  });
}

void AddControllerManager(Program& program) {
  CLI::App* command = program.app.add_subcommand(
      "controller-manager",
      "Keep a cluster, ours or any Kubernetes, as its objects say, until it is told to stop");
  AddControllerManagerFlags(*command, program.controller_manager);
  command->callback([&program] {
    program.run = [&program](Context& context) {
      return RunControllerManager(program.controller_manager, context);
    };
  });
}

void AddKubelet(Program& program) {
  CLI::App* command = program.app.add_subcommand(
      "kubelet", "Simulate nodes, one or thousands, that run pods until it is told to stop");
  AddKubeletFlags(*command, program.kubelet);
  command->callback([&program] {
    program.run = [&program](Context& context) { return RunKubelet(program.kubelet, context); };
  });
}

void AddScheduler(Program& program) {
  CLI::App* command = program.app.add_subcommand(
      "scheduler", "Place the pods of a cluster, ours or any Kubernetes, until it is told to stop");
  AddSchedulerFlags(*command, program.scheduler);
  command->callback([&program] {
    program.run = [&program](Context& context) { return RunScheduler(program.scheduler, context); };
  });
}

void AddUp(Program& program) {
  CLI::App* command = program.app.add_subcommand(
      "up", "Run the whole control plane in one process until it is told to stop");
  AddUpFlags(*command, program.up);
  command->callback([&program] {
    // Its log may be in the data directory, which a wrong flag must not create.
    program.opens_log = false;
    program.run = [&program](Context& context) {
      program.up.log_file = program.log_file;
      program.up.arguments = program.command_line;
      return RunUp(program.up, context);
    };
  });
}

void AddLifecycle(Program& program) {
  CLI::App* status = program.app.add_subcommand(
      "status", "Show whether a control plane of plimsoll up runs, and how it is");
  AddStatusFlags(*status, program.status);
  status->callback([&program] {
    program.run = [&program](Context& context) { return RunStatus(program.status, context); };
  });
  CLI::App* down = program.app.add_subcommand("down", "Stop the control plane of plimsoll up");
  AddDownFlags(*down, program.down);
  down->callback([&program] {
    program.run = [&program](Context& context) { return RunDown(program.down, context); };
  });
  CLI::App* demo = program.app.add_subcommand(
      "demo", "Play a story in a minute: a risk rises, pods leave their node and find another");
  AddDemoFlags(*demo, program.demo);
  demo->callback([&program] {
    program.opens_log = false;
    program.run = [&program](Context& context) {
      program.demo.log_file = program.log_file;
      return RunDemo(program.demo, context);
    };
  });
}

void AddMigrate(Program& program) {
  CLI::App* command = program.app.add_subcommand(
      "migrate", "Copy all objects from one store to another, which must be empty");
  AddMigrateFlags(*command, program.migrate);
  command->callback([&program] {
    program.run = [&program](Context& context) { return RunMigrate(program.migrate, context); };
  });
}

void AddSnapshot(Program& program) {
  CLI::App* command =
      program.app.add_subcommand("snapshot", "Keep all objects of a store in a file");
  command->require_subcommand(1);
  CLI::App* save = command->add_subcommand("save", "Write all objects to a file");
  AddSnapshotSaveFlags(*save, program.snapshot);
  save->callback([&program] {
    program.run = [&program](Context& context) {
      return RunSnapshotSave(program.snapshot, context);
    };
  });
  CLI::App* restore =
      command->add_subcommand("restore", "Read them back into a store, which must be empty");
  AddSnapshotRestoreFlags(*restore, program.snapshot);
  restore->callback([&program] {
    program.run = [&program](Context& context) {
      return RunSnapshotRestore(program.snapshot, context);
    };
  });
}

void AddStorage(Program& program) {
  CLI::App* command = program.app.add_subcommand("storage", "Work on the values of a store");
  command->require_subcommand(1);
  CLI::App* rewrite = command->add_subcommand(
      "rewrite", "Encrypt all values again as an EncryptionConfiguration wants them");
  AddStorageRewriteFlags(*rewrite, program.storage_rewrite);
  rewrite->callback([&program] {
    program.run = [&program](Context& context) {
      return RunStorageRewrite(program.storage_rewrite, context);
    };
  });
}

void AddVersion(Program& program) {
  CLI::App* command = program.app.add_subcommand("version", "Print the version");
  command->add_option("-o,--output", program.version.output, "text, json or yaml")
      ->check(CLI::IsMember({"text", "json", "yaml"}));
  command->callback([&program] {
    program.run = [&program](Context& context) { return RunVersion(program.version, context); };
  });
}

std::unique_ptr<Program> BuildProgram(CalledAs called_as);

/// Returns the help of a command, or of the program if the path is empty. Uses a fresh parser,
/// because CLI11 would return the help of the command that was parsed last.
std::string HelpOf(const std::vector<std::string>& path, CalledAs called_as) {
  const auto fresh = BuildProgram(called_as);
  const CLI::App* command = &fresh->app;
  std::string before;
  for (const std::string& name : path) {
    before += (before.empty() ? "" : " ") + command->get_name();
    command = FindCommand(*command, name);
  }
  return command->help(before);
}

void AddHelp(Program& program) {
  CLI::App* command = program.app.add_subcommand("help", "Explain a command");
  command->add_option("command", program.help_topic, "The command")
      ->check([&program](const std::string& argument) {
        const bool known = FindCommand(program.app, argument) != nullptr;
        return known ? std::string() : "unknown command \"" + argument + "\"";
      });
  command->callback([&program] {
    program.run = [&program](Context& context) {
      context.out << HelpOf(CommandPath(program.app, {program.help_topic}), program.called_as);
      return static_cast<int>(kExitOk);
    };
  });
}

int RunCompletion(Program& program, Context& context) {
  const Result<std::string> script = CompletionScript(program.shell);
  if (!script) {
    context.err << "error: " << script.error().Text() << '\n';
    return kExitUsage;
  }
  context.out << *script;
  return kExitOk;
}

void AddCompletion(Program& program) {
  CLI::App* command =
      program.app.add_subcommand("completion", "Print the completion script of a shell");
  command->add_option("shell", program.shell, "bash or zsh")->required();
  command->callback([&program] {
    program.run = [&program](Context& context) { return RunCompletion(program, context); };
  });
  CLI::App* arguments = program.app.add_subcommand("__complete")->group("");
  arguments->add_option("words", program.arguments);
  arguments->callback([&program] {
    program.run = [&program](Context& context) {
      for (const std::string& argument : Complete(program.app, program.arguments)) {
        context.out << argument << '\n';
      }
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

void AddLoggingFlags(Program& program) {
  RequireInteger(program.app.add_option("-v,--v", program.verbosity, "How much to log, from 0"), 0,
                 100);
  program.app.add_option("--vmodule", program.vmodule, "How much to log by file, as file=N,…");
  program.app.add_option("--log-file", program.log_file, "Where to log to; standard error without")
      ->type_name("FILE");
  program.app.add_option("--logging-format", program.log_format, "text or json")
      ->check(CLI::IsMember({"text", "json"}));
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
  AddLoggingFlags(*program);
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

Result<LogOptions> LogOptionsOf(const Program& program) {
  LogOptions options;
  options.format = PL_TRY(ParseLogFormat(program.log_format));
  options.verbosity = program.verbosity;
  options.modules = PL_TRY(ParseModuleVerbosity(program.vmodule));
  return options;
}

int RunCommand(const Program& program, Streams streams) {
  Result<LogOptions> options = LogOptionsOf(program);
  if (!options) {
    streams.err << "error: " << options.error().Text() << '\n';
    return kExitUsage;
  }
  LogFile sink(streams.err);
  if (program.opens_log && !program.log_file.empty()) {
    if (const Status opened = sink.Open(program.log_file); !opened) {
      streams.err << "error: " << opened.error().Text() << '\n';
      return kExitUsage;
    }
  }
  const RealClock clock;
  Logger log(clock, sink, *std::move(options));
  Context context{streams.in, streams.out, streams.err, log, &sink};
  return program.run(context);
}

}  // namespace

int Run(const std::vector<std::string>& words, Streams streams, CalledAs called_as) {
  if (called_as == CalledAs::KubectlCompletion) {
    streams.out << KubectlCandidates(Complete(BuildProgram(called_as)->app, words));
    return kExitOk;
  }
  if (words.empty()) {
    streams.out << HelpOf({}, called_as);
    return kExitOk;
  }
  const std::vector<std::string> arguments = WithExplainedKind(words);
  const auto program = BuildProgram(called_as);
  program->command_line = arguments;
  try {
    program->app.parse(ToCli11Arguments(arguments));
  } catch (const CLI::CallForHelp&) {
    streams.out << HelpOf(CommandPath(program->app, arguments), called_as);
    return kExitOk;
  } catch (const CLI::ParseError& error) {
    return PrintUsageError(program->app, arguments, error, streams.err);
  }
  return RunCommand(*program, streams);
}

}  // namespace plimsoll::cli
