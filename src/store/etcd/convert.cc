#include "store/etcd/convert.h"

#include <utility>

#include "store/etcd/rpc.pb.h"

namespace plimsoll::store::etcd {
namespace {

KeyValue FromWire(etcdserverpb::KeyValue& wire) {
  return {std::move(*wire.mutable_key()), MakeBytes(std::move(*wire.mutable_value())),
          Revision{wire.create_revision()}, Revision{wire.mod_revision()}};
}

}  // namespace

void ToWire(const SwapRequest& request, etcdserverpb::TxnRequest& wire) {
  etcdserverpb::Compare& compare = *wire.add_compare();
  compare.set_result(etcdserverpb::Compare::EQUAL);
  compare.set_target(etcdserverpb::Compare::MOD);
  compare.set_key(request.key);
  compare.set_mod_revision(Number(request.expected));
  etcdserverpb::RequestOp& then = *wire.add_success();
  if (request.value != nullptr) {
    then.mutable_request_put()->set_key(request.key);
    then.mutable_request_put()->set_value(*request.value);
  } else {
    then.mutable_request_delete_range()->set_key(request.key);
  }
  wire.add_failure()->mutable_request_range()->set_key(request.key);
}

void ToWire(const ReadRequest& request, etcdserverpb::RangeRequest& wire) {
  wire.set_key(request.keys.begin);
  wire.set_range_end(request.keys.end);
  wire.set_limit(request.limit);
  wire.set_revision(Number(request.at));
  wire.set_count_only(request.is_count_only);
}

void ToWire(const WatchRequest& request, etcdserverpb::WatchCreateRequest& wire) {
  wire.set_key(request.keys.begin);
  wire.set_range_end(request.keys.end);
  wire.set_start_revision(Number(request.start));
  wire.set_watch_id(request.id);
  wire.set_prev_kv(request.with_previous);
  wire.set_progress_notify(true);
  wire.set_fragment(true);
}

SwapReply FromWire(etcdserverpb::TxnResponse& wire) {
  SwapReply reply{wire.succeeded(), Revision{wire.header().revision()}, std::nullopt};
  if (reply.is_swapped || wire.responses().empty()) return reply;
  etcdserverpb::RangeResponse& found = *wire.mutable_responses(0)->mutable_response_range();
  if (!found.kvs().empty()) reply.found = FromWire(*found.mutable_kvs(0));
  return reply;
}

ReadReply FromWire(etcdserverpb::RangeResponse& wire) {
  ReadReply reply;
  reply.count = wire.count();
  reply.revision = Revision{wire.header().revision()};
  reply.records.reserve(static_cast<std::size_t>(wire.kvs_size()));
  for (etcdserverpb::KeyValue& kv : *wire.mutable_kvs()) reply.records.push_back(FromWire(kv));
  return reply;
}

StatusReply FromWire(etcdserverpb::StatusResponse& wire) {
  StatusReply reply;
  reply.version = wire.version();
  reply.errors.assign(wire.errors().begin(), wire.errors().end());
  return reply;
}

WatchReply FromWire(etcdserverpb::WatchResponse& wire) {
  WatchReply reply;
  reply.id = wire.watch_id();
  reply.is_created = wire.created();
  reply.is_cancelled = wire.canceled();
  reply.is_fragment = wire.fragment();
  reply.cancel_reason = wire.cancel_reason();
  reply.compacted = Revision{wire.compact_revision()};
  reply.revision = Revision{wire.header().revision()};
  reply.events.reserve(static_cast<std::size_t>(wire.events_size()));
  for (etcdserverpb::Event& event : *wire.mutable_events()) {
    KeyEvent& one = reply.events.emplace_back();
    one.now = FromWire(*event.mutable_kv());
    one.is_deletion = event.type() == etcdserverpb::Event::DELETE;
    if (event.has_prev_kv()) one.previous = FromWire(*event.mutable_prev_kv());
  }
  return reply;
}

}  // namespace plimsoll::store::etcd
