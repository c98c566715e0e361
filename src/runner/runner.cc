#include "runner/runner.h"

#include <utility>
#include <variant>
#include <vector>

#include "base/overloaded.h"
#include "runner/calls.h"

namespace plimsoll::runner {
namespace {

const api::ObjectRef& TargetOf(const api::Action& action) {
  static const api::ObjectRef none;
  return std::visit(
      [](const auto& one) -> const api::ObjectRef& {
        if constexpr (requires { one.object; }) return one.object;
        if constexpr (requires { one.objects; }) return one.objects;
        if constexpr (requires { one.pod; }) return one.pod;
        return none;
      },
      action);
}

api::ActionId IdOf(const api::Action& action) {
  return std::visit(
      [](const auto& one) {
        if constexpr (requires { one.id; }) return one.id;
        return api::ActionId{0};
      },
      action);
}

/// Calls with the same key run one after the other. A new object without a name, a collection, a
/// read and a query of metrics need not wait for others.
std::string KeyOf(const api::Action& action) {
  const api::ObjectRef& target = TargetOf(action);
  if (target && !std::holds_alternative<api::GetObject>(action)) {
    if (!target.uid().empty()) return std::string(target.uid());
    if (!target.name().empty()) {
      return std::string(target.kind().kind)
          .append("/")
          .append(target.namespace_())
          .append("/")
          .append(target.name());
    }
  }
  return "action " + std::to_string(IdOf(action));
}

/// Verb of a write, for a metric; empty for a read.
std::string_view VerbOf(const api::Action& action) {
  return std::visit(
      Overloaded{[](const api::CreateObject&) { return std::string_view("create"); },
                 [](const api::UpdateObject&) { return std::string_view("update"); },
                 [](const api::DeleteObject&) { return std::string_view("delete"); },
                 [](const api::DeleteCollection&) { return std::string_view("deletecollection"); },
                 [](const api::EvictPod&) { return std::string_view("evict"); },
                 [](const api::PostEviction&) { return std::string_view("evict"); },
                 [](const api::BindPod&) { return std::string_view("bind"); },
                 [](const api::GetObject&) { return std::string_view(); },
                 [](const api::QueryMetrics&) { return std::string_view(); },
                 [](const auto&) { return std::string_view("patch"); }},
      action);
}

bool IsPodWrite(const api::Action& action) {
  const api::ObjectPtr& object = TargetOf(action).object();
  return object != nullptr && object->As<api::Pod>() != nullptr &&
         !std::holds_alternative<api::GetObject>(action);
}

client::EventToRecord ToRecord(api::RecordEvent event) {
  client::EventToRecord record{.regarding = client::ReferenceTo(event.regarding),
                               .type = event.type,
                               .reason = std::move(event.reason),
                               .message = std::move(event.message),
                               .component = std::string(event.component),
                               .host = std::move(event.host),
                               .action = std::string(event.action)};
  record.regarding.field_path = std::move(event.field_path);
  if (event.related) record.related = client::ReferenceTo(event.related);
  return record;
}

}  // namespace

Runner::Runner(const client::Client& client, std::unique_ptr<api::PureCore> core,
               RunnerOptions options, Logger& log)
    : log_(log),
      faults_(options.faults),
      component_(options.events.source.component),
      yields_(options.yields_to != nullptr),
      client_(client),
      guard_(std::move(options.guard)),
      core_(std::move(core)),
      stop_(client.NewStopSignal()),
      events_(client, std::move(options.events), log),
      calls_({.calls_max = options.calls_max,
              .are_fibers = client.SuspendsFibers(),
              .only_wait = client.IsRemote(),
              .role = options.role,
              .backlog = std::move(options.backlog),
              .yields_to = std::move(options.yields_to)}),
      loop_(
          *core_, client.clock(), [this](api::Actions&& actions) { Perform(std::move(actions)); },
          options.role,
          [this](const api::CoreInput* input, std::string_view fault) { SetAside(input, fault); }),
      informers_(client, core_->watched(),
                 {.keeps_lean_objects = options.keeps_lean_objects,
                  .transform = std::move(options.transform),
                  .seed = options.seed},
                 log, [this](api::CoreInput input) { loop_.Post(std::move(input)); }) {}

Runner::~Runner() { Stop(); }

void Runner::Start() {
  loop_.Start();
  informers_.Start();
}

void Runner::Stop() {
  informers_.Stop();
  stop_->Stop();
  loop_.Stop();
  calls_.Stop();
  events_.Stop();
}

void Runner::Perform(api::Actions&& actions) {
  for (api::Action& action : actions) {
    if (auto* const event = std::get_if<api::RecordEvent>(&action)) {
      Record(std::move(*event));
    } else if (const auto* const line = std::get_if<api::WriteLog>(&action)) {
      Log(*line);
    } else {
      Call(std::move(action));
    }
  }
}

void Runner::Record(api::RecordEvent event) {
  // A warning describes a state, not an action, so it is always recorded.
  if (guard_ == nullptr || event.type == api::EventType::Warning) {
    return events_.Record(ToRecord(std::move(event)));
  }
  // In order with the actions on the object, so that the event is about one that was performed.
  std::string uid(event.regarding.uid());
  calls_.Run(uid, [this, uid, event = std::move(event)] {
    events_.Record(guard_->Adapt(guard_->Decide(client_, call()), uid, ToRecord(event)));
  });
}

void Runner::Log(const api::WriteLog& line) {
  std::vector<LogField> fields;
  for (const auto& [key, text] : line.fields) fields.push_back({key, text});
  const LogKind kind = line.error ? LogKind::Error(*line.error) : LogKind::Info();
  if (log_.Enabled(kind, __FILE__)) log_.Write(kind, __FILE__, __LINE__, line.message, fields);
}

void Runner::Call(api::Action action) {
  const CallPriority priority =
      yields_ && IsPodWrite(action) ? CallPriority::Yielding : CallPriority::Now;
  std::string key = KeyOf(action);
  calls_.Run(
      std::move(key), [this, action = std::move(action)] { loop_.Post(SendGuarded(action)); },
      priority);
}

api::ActionFinished Runner::SendGuarded(const api::Action& action) {
  const std::string_view verb = VerbOf(action);
  if (guard_ != nullptr && !verb.empty()) {
    const ActionGuard::Answer answer = guard_->Decide(client_, call());
    if (answer != ActionGuard::Answer::Act) {
      return {IdOf(action), guard_->Withhold(answer, verb)};
    }
  }
  const auto* const patch = std::get_if<api::PatchObject>(&action);
  api::ActionFinished finished = patch != nullptr && patch->form == api::PatchForm::Apply
                                     ? applies_.Send(client_, *patch, call())
                                     : Send(client_, action, call());
  const bool evicts = std::holds_alternative<api::EvictPod>(action) ||
                      std::holds_alternative<api::PostEviction>(action);
  if (guard_ != nullptr && finished.status && evicts) {
    if (auto event = guard_->PopWithheldEvent(TargetOf(action).uid()))
      events_.Record(*std::move(event));
  }
  return finished;
}

void Runner::SetAside(const api::CoreInput* input, std::string_view fault) {
  if (faults_) faults_->Add();
  const auto error = Fail(Reason::InternalError, std::string(fault)).error();
  const auto* const changed = input == nullptr ? nullptr : std::get_if<api::ObjectChanged>(input);
  if (changed == nullptr) {
    PL_LOG(log_, Error(error), "failed to process", {"component", component_});
    return;
  }
  const api::ObjectPtr& object = changed->new_object ? changed->new_object : changed->old_object;
  PL_LOG(log_, Error(error), "failed to process an object, set it aside", {"component", component_},
         {"kind", object->kind().kind}, {"namespace", object->metadata().namespace_},
         {"name", object->metadata().name});
  events_.Record(
      {.regarding = client::ReferenceTo(object),
       .type = api::EventType::Warning,
       .reason = "FailedProcessing",
       .message = component_ + " set the object aside until it changes: " + std::string(fault),
       .component = component_,
       .action = "Processing"});
}

}  // namespace plimsoll::runner
