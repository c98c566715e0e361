#include "service/elected_service.h"

#include <unistd.h>

#include <csignal>
#include <utility>

namespace plimsoll::service {

ElectedService::ElectedService(const Election* election, Work work, Logger& log)
    : work_(std::move(work)), log_(log) {
  if (election == nullptr) return;
  client::LeaderCallbacks callbacks;
  callbacks.on_started_leading = [this] { work_.start(); };
  callbacks.on_stopped_leading = [this] { OnLost(); };
  elector_ = std::make_unique<client::LeaderElector>(
      election->client, election->leadership.options(), std::move(callbacks),
      election->leadership.fence(), log);
}

void ElectedService::Start() {
  if (elector_ != nullptr) {
    elector_->Start();
  } else {
    work_.start();
  }
}

void ElectedService::Stop() {
  is_ending_ = true;
  work_.stop();
  if (elector_ != nullptr) elector_->Stop();
}

void ElectedService::OnLost() {
  if (is_ending_) return;
  PL_LOG(log_, Error(), "Leaderelection lost");
  has_lost_ = true;
  kill(getpid(), SIGTERM);
}

}  // namespace plimsoll::service
