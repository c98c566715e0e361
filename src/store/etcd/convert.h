#pragma once

#include "store/etcd/rpc.h"

namespace etcdserverpb {
class CompactionRequest;
class RangeRequest;
class RangeResponse;
class StatusResponse;
class TxnRequest;
class TxnResponse;
class WatchCreateRequest;
class WatchResponse;
}  // namespace etcdserverpb

/// Conversions between the store's requests and replies and etcd's protobuf messages. FromWire
/// moves the values out of the message instead of copying them.
namespace plimsoll::store::etcd {

void ToWire(const SwapRequest& request, etcdserverpb::TxnRequest& wire);
void ToWire(const ReadRequest& request, etcdserverpb::RangeRequest& wire);
void ToWire(const WatchRequest& request, etcdserverpb::WatchCreateRequest& wire);

SwapReply FromWire(etcdserverpb::TxnResponse& wire);
ReadReply FromWire(etcdserverpb::RangeResponse& wire);
StatusReply FromWire(etcdserverpb::StatusResponse& wire);
WatchReply FromWire(etcdserverpb::WatchResponse& wire);

}  // namespace plimsoll::store::etcd
