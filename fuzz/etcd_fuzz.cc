// Drives the store on etcd with the answers of a hostile etcd: protobuf messages in place of those
// that gRPC would deliver, and gRPC faults. Every operation of the store must end with a result or
// an error. Watches must deliver keys of the store in the order of their revisions. No answer may
// cost more than its size allows.
//
// Input: a sequence of answers, each a type byte, a length byte and so many bytes. Calls take the
// answers in their order. Type 0 is a fault whose first byte chooses the text; any other type is
// parsed as the message that the call expects.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/assert.h"
#include "base/log.h"
#include "base/virtual_clock.h"
#include "cost_bound.h"
#include "store/etcd/convert.h"
#include "store/etcd/loop.h"
#include "store/etcd/offset_store.h"
#include "store/etcd/remote_store.h"
#include "store/etcd/rpc.pb.h"

namespace {

namespace store = plimsoll::store;
namespace etcd = plimsoll::store::etcd;
using store::Revision;

const etcd::Fault kNoAnswer{etcd::Fault::Kind::Unreachable, "failed to connect to all addresses"};

etcd::Fault FaultOf(std::string_view payload) {
  static constexpr std::array<std::string_view, 8> kTexts = {
      "Socket closed",
      "etcdserver: mvcc: required revision has been compacted",
      "etcdserver: mvcc: required revision is a future revision",
      "etcdserver: mvcc: database space exceeded",
      "etcdserver: too many requests",
      "etcdserver: no leader",
      "etcdserver: invalid auth token",
      "etcdserver: permission denied",
  };
  constexpr int kUnavailable = 14;
  const std::size_t choice = payload.empty() ? 0 : static_cast<unsigned char>(payload.front());
  return etcd::FaultOf(kUnavailable, kTexts[choice % kTexts.size()]);
}

/// Hands out the answers of the input one by one. Safe for use by many threads.
class Script {
 public:
  struct Answer {
    bool is_fault = false;
    std::string_view payload;
  };

  explicit Script(std::string_view rest) : rest_(rest) {}

  std::optional<Answer> Next() {
    const std::lock_guard lock(mutex_);
    if (rest_.size() < 2) return std::nullopt;
    const std::size_t size = static_cast<unsigned char>(rest_[1]);
    const Answer answer{rest_[0] == '\0', rest_.substr(2, size)};
    rest_.remove_prefix(std::min(rest_.size(), 2 + size));
    return answer;
  }

  /// Returns the next answer as a message, or a fault when it is one or cannot be parsed.
  template <class Wire>
  std::expected<Wire, etcd::Fault> NextMessage() {
    const std::optional<Answer> answer = Next();
    if (!answer) return std::unexpected(kNoAnswer);
    if (answer->is_fault) return std::unexpected(FaultOf(answer->payload));
    Wire wire;
    if (!wire.ParseFromArray(answer->payload.data(), static_cast<int>(answer->payload.size()))) {
      return std::unexpected(etcd::Fault{etcd::Fault::Kind::Unknown, "Failed parsing response"});
    }
    return wire;
  }

 private:
  std::mutex mutex_;
  std::string_view rest_;
};

/// Answers each call from the script, on the loop's thread, and lets no time pass.
class HostileRpc final : public etcd::Rpc {
 public:
  HostileRpc(Script& script, etcd::Loop& loop) : script_(script), loop_(loop) {}

  void Swap(etcd::SwapRequest /*request*/, etcd::RpcDone<etcd::SwapReply> done) override {
    Answer<etcdserverpb::TxnResponse>(std::move(done));
  }
  void Read(etcd::ReadRequest /*request*/, etcd::RpcDone<etcd::ReadReply> done) override {
    Answer<etcdserverpb::RangeResponse>(std::move(done));
  }
  void Compact(Revision /*revision*/, etcd::RpcDone<Revision> done) override {
    auto wire = script_.NextMessage<etcdserverpb::CompactionResponse>();
    loop_.Post([wire = std::move(wire), done = std::move(done)]() mutable {
      if (!wire) return done(std::unexpected(wire.error()));
      done(Revision{wire->header().revision()});
    });
  }
  void GetStatus(etcd::RpcDone<etcd::StatusReply> done) override {
    Answer<etcdserverpb::StatusResponse>(std::move(done));
  }
  std::unique_ptr<etcd::WatchLink> OpenWatch(etcd::WatchListener& listener) override {
    return std::make_unique<Link>(*this, listener);
  }
  void After(std::chrono::milliseconds /*time*/, std::move_only_function<void()> task) override {
    loop_.Post(std::move(task));
  }
  void Shutdown() override {}

 private:
  /// Shared by a link and its tasks, which may run after the link is gone.
  struct Listening {
    etcd::WatchListener* listener = nullptr;  // null: the link is gone
  };

  class Link final : public etcd::WatchLink {
   public:
    Link(HostileRpc& rpc, etcd::WatchListener& listener)
        : rpc_(rpc), listening_(std::make_shared<Listening>(&listener)) {}
    ~Link() override { listening_->listener = nullptr; }
    Link(const Link&) = delete;
    Link& operator=(const Link&) = delete;

    void Create(etcd::WatchRequest request) override {
      for (int i = 0; i < 4; ++i) {
        rpc_.loop_.Post([&script = rpc_.script_, listening = listening_, id = request.id] {
          Reply(script, *listening, id);
        });
      }
    }
    void Cancel(std::int64_t /*id*/) override {}

   private:
    static void Reply(Script& script, Listening& listening, std::int64_t id) {
      if (listening.listener == nullptr) return;
      const std::optional<Script::Answer> answer = script.Next();
      if (!answer) return;
      if (answer->is_fault) return listening.listener->OnBroken(FaultOf(answer->payload));
      etcdserverpb::WatchResponse wire;
      const auto size = static_cast<int>(answer->payload.size());
      if (!wire.ParseFromArray(answer->payload.data(), size)) return;
      if (wire.watch_id() == 0) wire.set_watch_id(id);
      listening.listener->OnReply(etcd::FromWire(wire));
    }

    HostileRpc& rpc_;
    const std::shared_ptr<Listening> listening_;
  };

  template <class Wire, class Reply>
  void Answer(etcd::RpcDone<Reply> done) {
    auto wire = script_.NextMessage<Wire>();
    loop_.Post([wire = std::move(wire), done = std::move(done)]() mutable {
      if (!wire) return done(std::unexpected(wire.error()));
      done(etcd::FromWire(*wire));
    });
  }

  Script& script_;
  etcd::Loop& loop_;
};

class CheckingSink final : public store::ChangeSink {
 public:
  void OnChanges(std::span<const store::Change> changes) override {
    PL_ASSERT(!changes.empty());
    for (const store::Change& change : changes) {
      PL_ASSERT(change.key.starts_with("/registry/"));
      PL_ASSERT(change.revision >= last_);
      last_ = change.revision;
    }
  }
  void OnEnd(const plimsoll::Error& error) override { PL_ASSERT(!error.message.empty()); }

 private:
  Revision last_{};
};

void CheckRange(store::Store& tested, const store::RangeRequest& request) {
  const auto range = tested.List(request);
  if (!range) {
    PL_ASSERT(!range.error().message.empty());
    return;
  }
  PL_ASSERT(range->has_more == (range->remaining > 0));
  PL_ASSERT(request.limit == 0 || range->records.size() <= request.limit);
  PL_ASSERT(!range->has_more || !range->records.empty());
  std::string_view before;
  for (const store::Record& record : range->records) {
    PL_ASSERT(record.key.starts_with(request.prefix) && record.key > before);
    PL_ASSERT(record.value != nullptr && record.revision > store::kNoRevision);
    before = record.key;
  }
}

void Commit(store::Store& tested, plimsoll::Bytes value, Revision expected) {
  tested.Commit({"/registry/pods/a", std::move(value), expected}, [](const auto& result) {
    PL_ASSERT(result.has_value() ? *result > store::kNoRevision : !result.error().message.empty());
  });
}

void Use(store::Store& tested) {
  CheckRange(tested, {.prefix = "/registry/pods/"});
  CheckRange(tested, {.prefix = "/registry/", .limit = 2});
  CheckingSink sink;
  {
    const auto watch = tested.WatchFrom("", Revision{1}, sink);
    Commit(tested, plimsoll::MakeBytes("one"), store::kNoRevision);
    Commit(tested, plimsoll::MakeBytes("two"), Revision{3});
    Commit(tested, nullptr, Revision{5});
    static_cast<void>(tested.ReadLatest());
    if (const auto record = tested.Get("/registry/pods/a"); record && record->has_value()) {
      PL_ASSERT((*record)->key == "/registry/pods/a");
    }
    static_cast<void>(tested.Compact(Revision{2}));
    CheckRange(tested, {.prefix = "/registry/pods/"});
  }
  static_cast<void>(tested.Health());
  PL_ASSERT(tested.compacted() >= store::kNoRevision && tested.latest() >= store::kNoRevision);
}

void Run(std::string_view input) {
  plimsoll::VirtualClock clock;
  plimsoll::MemorySink log;
  plimsoll::Logger logger(clock, log);
  Script script(input);
  auto loop = std::make_shared<etcd::Loop>();
  auto rpc = std::make_unique<HostileRpc>(script, *loop);
  auto remote = std::make_unique<etcd::RemoteStore>(std::move(loop), std::move(rpc),
                                                    etcd::KeyMap("/registry", "/e"),
                                                    store::HistoryBounds(), clock, logger, nullptr);
  if (!remote->Start()) return;
  etcd::OffsetStore tested(std::move(remote), "/registry/");
  if (tested.Start()) Use(tested);
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const plimsoll::fuzz::CostBound bound(size);
  Run({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
