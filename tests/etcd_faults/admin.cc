#include "etcd_faults/admin.h"

#include <grpcpp/client_context.h>
#include <grpcpp/create_channel.h>

#include <chrono>
#include <optional>

#include "store/etcd/endpoint.h"
#include "store/etcd/rpc.grpc.pb.h"

namespace plimsoll::etcd_faults {
namespace {

namespace pb = etcdserverpb;

constexpr std::chrono::seconds kTimeout(2);

std::unique_ptr<pb::Maintenance::Stub> MaintenanceOf(const std::string& endpoint) {
  const store::etcd::Endpoint place = store::etcd::ParseEndpoint(endpoint).value();
  return pb::Maintenance::NewStub(
      grpc::CreateChannel(place.address, grpc::InsecureChannelCredentials()));
}

std::optional<pb::StatusResponse> StatusOf(const std::string& endpoint) {
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + kTimeout);
  pb::StatusResponse response;
  if (!MaintenanceOf(endpoint)->Status(&context, {}, &response).ok()) return std::nullopt;
  return response;
}

}  // namespace

bool IsLeader(const std::string& endpoint) {
  const std::optional<pb::StatusResponse> status = StatusOf(endpoint);
  return status.has_value() && status->leader() == status->header().member_id();
}

bool SetNoSpaceAlarm(const std::string& endpoint, bool is_raised) {
  const std::optional<pb::StatusResponse> status = StatusOf(endpoint);
  if (!status.has_value()) return false;
  pb::AlarmRequest request;
  request.set_action(is_raised ? pb::AlarmRequest::ACTIVATE : pb::AlarmRequest::DEACTIVATE);
  request.set_memberid(status->header().member_id());
  request.set_alarm(pb::NOSPACE);
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + kTimeout);
  pb::AlarmResponse response;
  return MaintenanceOf(endpoint)->Alarm(&context, request, &response).ok();
}

}  // namespace plimsoll::etcd_faults
