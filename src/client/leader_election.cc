#include "client/leader_election.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"

namespace plimsoll::client {
namespace {

constexpr double kJitter = 1.2;
constexpr Duration kReleaseTimeout = std::chrono::seconds(5);

const api::KindDesc& LeaseKind() {
  const api::KindDesc* kind = api::FindKind("coordination.k8s.io", "v1", "Lease");
  PL_ASSERT(kind != nullptr);
  return *kind;
}

}  // namespace

LeaderElector::LeaderElector(const Client& client, LeaderElectionOptions options,
                             LeaderCallbacks callbacks, std::shared_ptr<LeaderFence> fence,
                             Logger& log)
    : client_(client),
      options_(std::move(options)),
      callbacks_(std::move(callbacks)),
      fence_(std::move(fence)),
      log_(log),
      kind_(LeaseKind()),
      stop_(client.NewStopSignal()),
      random_(options_.seed),
      thread_(std::make_unique<WorkerPool>(1)) {
  PL_ASSERT(Check(options_).has_value());
}

LeaderElector::~LeaderElector() { Stop(); }

void LeaderElector::Start() {
  const std::scoped_lock lock(stopping_);
  if (thread_ != nullptr) thread_->Run([this] { Run(); });
}

void LeaderElector::Stop() {
  stop_->Stop();
  const std::scoped_lock lock(stopping_);
  thread_.reset();
}

void LeaderElector::SetLeading(bool is_leading) {
  if (is_leading) {
    PL_LOG(log_, Info(), "Became leader", {"lease", options_.lease_name});
    callbacks_.on_started_leading();
  } else {
    fence_->Close();
    PL_LOG(log_, Info(), "Stopped leading", {"lease", options_.lease_name});
    callbacks_.on_stopped_leading();
  }
}

void LeaderElector::Run() {
  while (const std::optional<Instant> sure_until = Acquire()) {
    SetLeading(true);
    Renew(*sure_until);
    SetLeading(false);
    if (options_.release_on_stop && stop_->is_stopped()) Release();
    if (!options_.runs_again) return;
  }
}

bool LeaderElector::TryAndFence(Instant call_deadline, Instant& sure_until) {
  // Count from before the call: for other candidates the lease may begin then, even if the answer
  // was slow.
  const Duration asked = fence_->Now();
  const Instant now = client_.clock().Now();
  if (!TryOnce(call_deadline)) return false;
  sure_until = now + options_.renew_deadline;
  fence_->OpenUntil(asked + options_.renew_deadline);
  return true;
}

std::optional<Instant> LeaderElector::Acquire() {
  while (!stop_->is_stopped()) {
    Instant sure_until{};
    if (TryAndFence(client_.clock().Now() + options_.renew_deadline, sure_until)) return sure_until;
    const double stretch = 1 + kJitter * random_.Unit();
    const Duration delay(
        static_cast<Duration::rep>(static_cast<double>(options_.retry_period.count()) * stretch));
    if (!stop_->WaitUntil(client_.clock(), client_.clock().Now() + delay)) break;
  }
  return std::nullopt;
}

void LeaderElector::Renew(Instant deadline) {
  while (true) {
    const Instant next = client_.clock().Now() + options_.retry_period;
    if (!stop_->WaitUntil(client_.clock(), std::min(next, deadline))) return;
    // Check two clocks: others use the first one, and the second cannot be set back.
    if (client_.clock().Now() >= deadline || !fence_->IsOpen()) return;
    if (!TryAndFence(deadline, deadline) && core_.leader() != options_.identity) {
      return;  // another candidate leads; there is nothing to renew
    }
  }
}

bool LeaderElector::TryOnce(Instant deadline) {
  const auto call = [&] {
    const Duration left = deadline - client_.clock().Now();
    // No retries by the client, because they ignore the deadline.
    return Call{.stop = stop_,
                .timeout = std::max<Duration>(left, std::chrono::milliseconds(1)),
                .retries_max = 0};
  };
  const Instant now = client_.clock().Now();
  // The leader knows the lease, and only it may write a live lease, so it need not read it first.
  if (core_.MayRenewUnread(now) && Write(*core_.Claim(now), call())) return true;
  api::Answer<ObjectPtr> read = client_.Get(Lease(), {}, call());
  if (read) {
    OnLease(*std::move(read));
  } else if (read.error().code == 404) {
    OnLease(nullptr);
  } else {
    PL_LOG(log_, Info(2), "Could not read the lease", {"lease", options_.lease_name},
           {"reason", read.error().message});
    return false;
  }
  const std::optional<LeaseRecord> claim = core_.Claim(client_.clock().Now());
  return claim && Write(*claim, call());
}

bool LeaderElector::Write(const LeaseRecord& record, const Call& call) {
  const std::string json = LeaseJson(options_, record, lease_.get());
  api::Answer<ObjectPtr> written = lease_ != nullptr ? client_.Update(Lease(), json, {}, call)
                                                     : client_.Create(Lease(), json, {}, call);
  if (written) {
    OnLease(*std::move(written));
    return true;
  }
  PL_LOG(log_, Info(2), "Could not write the lease", {"lease", options_.lease_name},
         {"reason", written.error().message});
  return false;
}

void LeaderElector::OnLease(ObjectPtr lease) {
  lease_ = std::move(lease);
  if (lease_ != nullptr) {
    core_.Observe(ReadLease(*lease_), client_.clock().Now());
  } else {
    core_.Forget();
  }
  if (reported_ == core_.leader()) return;
  reported_ = core_.leader();
  if (!reported_.empty() && callbacks_.on_new_leader) callbacks_.on_new_leader(reported_);
}

void LeaderElector::Release() {
  // Without the stop signal, which would also end these calls.
  const Call call{.timeout = kReleaseTimeout, .retries_max = 0};
  if (!core_.is_leader() || Write(core_.Release(client_.clock().Now()), call)) return;
  // An interrupted renewal may still have been written, so that our version is out of date.
  api::Answer<ObjectPtr> read = client_.Get(Lease(), {}, call);
  if (!read) return;
  OnLease(*std::move(read));
  if (core_.is_leader()) Write(core_.Release(client_.clock().Now()), call);
}

Resource LeaderElector::Lease() const {
  return {kind_, options_.lease_namespace, options_.lease_name};
}

}  // namespace plimsoll::client
