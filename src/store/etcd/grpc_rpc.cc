#include "store/etcd/grpc_rpc.h"

#include <grpcpp/alarm.h>
#include <grpcpp/client_context.h>
#include <grpcpp/support/async_unary_call.h>

#include <utility>

#include "store/etcd/answers.h"
#include "store/etcd/convert.h"
#include "store/etcd/grpc_members.h"
#include "store/etcd/grpc_watch.h"
#include "store/etcd/rpc.grpc.pb.h"

namespace plimsoll::store::etcd {
namespace {

const Fault kClosing{Fault::Kind::Unreachable, "the store is closing"};

template <class Response>
class UnaryCall final : public Pending {
 public:
  using Done = std::move_only_function<void(UnaryCall*)>;  // argument: the call itself

  explicit UnaryCall(Done done) : done_(std::move(done)) {}
  void Complete(bool /*is_good*/) override { done_(this); }
  void Cancel() override { context.TryCancel(); }

  grpc::ClientContext context;
  Response response;
  grpc::Status status;
  std::unique_ptr<grpc::ClientAsyncResponseReader<Response>> reader;

 private:
  Done done_;
};

class AlarmCall final : public Pending {
 public:
  explicit AlarmCall(std::move_only_function<void()> done) : done_(std::move(done)) {}
  void Complete(bool /*is_good*/) override { done_(); }
  void Cancel() override { alarm.Cancel(); }

  grpc::Alarm alarm;

 private:
  std::move_only_function<void()> done_;
};

gpr_timespec In(std::chrono::milliseconds time) {
  return gpr_time_from_millis(time.count(), GPR_TIMESPAN);
}

}  // namespace

/// State shared by all calls; each call keeps it alive.
class GrpcRpc::Caller : public std::enable_shared_from_this<GrpcRpc::Caller> {
 public:
  Caller(GrpcOptions options, Loop& loop)
      : timeout_(options.timeout),
        user_(options.user),
        password_(options.password),
        loop_(loop),
        members_(options) {}

  /// Makes a call with the user's token. `prepare` returns gRPC's reader for a member, `convert`
  /// the reply.
  template <class Response, class Reply>
  void Call(auto prepare, Reply (*convert)(Response&), RpcDone<Reply> done) {
    // Either branch of the callback uses `done`, so it is shared.
    auto shared = std::make_shared<RpcDone<Reply>>(std::move(done));
    WithToken([self = shared_from_this(), prepare = std::move(prepare), convert, shared](
                  const std::string& token, const Fault* fault) {
      if (fault != nullptr) return self->PostAnswer<Reply>(shared, std::unexpected(*fault));
      self->Send<Response, Reply>(prepare, convert, shared, token);
    });
  }

  void After(std::chrono::milliseconds time, std::move_only_function<void()> task) {
    auto shared = std::make_shared<std::move_only_function<void()>>(std::move(task));
    const auto run = [this, shared] { loop_.Post([shared] { (*shared)(); }); };
    auto call = std::make_unique<AlarmCall>(run);
    AlarmCall& alarm = *call;
    if (!answers_.Start(std::move(call), [&](grpc::CompletionQueue& queue, void* tag) {
          alarm.alarm.Set(&queue, In(time), tag);
        })) {
      run();
    }
  }

  std::unique_ptr<WatchLink> OpenWatch(WatchListener& listener) {
    const std::size_t member = members_.current();
    auto link = std::make_unique<GrpcWatchLink>(
        answers_, loop_, listener, [self = weak_from_this(), member](const Fault& fault) {
          const auto caller = self.lock();
          if (caller) caller->Note(member, fault, {});
        });
    {
      const std::lock_guard lock(mutex_);
      watch_ = link->stream();
      watch_member_ = member;
    }
    WithToken([self = shared_from_this(), member, stream = link->stream()](const std::string& token,
                                                                           const Fault* fault) {
      if (fault != nullptr) return GrpcWatchLink::Break(self->loop_, stream, *fault);
      GrpcWatchLink::Begin(self->loop_, stream, self->members_.at(member).watch, token);
    });
    return link;
  }

  void Shutdown() { answers_.Shutdown(); }

 private:
  using TokenDone = std::move_only_function<void(const std::string& token, const Fault* fault)>;

  void WithToken(TokenDone done) {
    if (user_.empty()) return done({}, nullptr);
    std::unique_lock lock(mutex_);
    if (has_token_) {
      const std::string token = token_;
      lock.unlock();
      return done(token, nullptr);
    }
    waiting_.push_back(std::move(done));
    if (waiting_.size() > 1) return;
    lock.unlock();
    Authenticate();
  }

  void Authenticate() {
    etcdserverpb::AuthenticateRequest request;
    request.set_name(user_);
    request.set_password(password_);
    auto done = std::make_shared<RpcDone<std::string>>(
        [this](const std::expected<std::string, Fault>& token) { Authenticated(token); });
    Send<etcdserverpb::AuthenticateResponse, std::string>(
        [request](const Member& member, grpc::ClientContext& context,
                  grpc::CompletionQueue& queue) {
          return member.auth->PrepareAsyncAuthenticate(&context, request, &queue);
        },
        +[](etcdserverpb::AuthenticateResponse& response) { return response.token(); }, done, {});
  }

  void Authenticated(const std::expected<std::string, Fault>& token) {
    std::vector<TokenDone> waiting;
    // An etcd with authentication disabled accepts everybody.
    const bool is_open = !token.has_value() && token.error().kind == Fault::Kind::AuthDisabled;
    {
      const std::lock_guard lock(mutex_);
      has_token_ = token.has_value() || is_open;
      token_ = token.value_or("");
      waiting.swap(waiting_);
    }
    const Fault* const fault = token.has_value() || is_open ? nullptr : &token.error();
    for (TokenDone& done : waiting) done(token.value_or(""), fault);
  }

  template <class Response, class Reply>
  void Send(const auto& prepare, Reply (*convert)(Response&), std::shared_ptr<RpcDone<Reply>> done,
            const std::string& token) {
    const std::size_t member = members_.current();
    auto call = std::make_unique<UnaryCall<Response>>(
        [self = shared_from_this(), convert, done, member, token,
         answers = members_.answers(member)](UnaryCall<Response>* answered) {
          if (answered->status.ok()) {
            self->members_.CountAnswer(member);
            return self->PostAnswer<Reply>(done, convert(answered->response));
          }
          const Fault fault =
              FaultOf(answered->status.error_code(), answered->status.error_message());
          if (answered->status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED) {
            self->NoteSilence(member, answers);
          } else {
            self->Note(member, fault, token);
          }
          self->PostAnswer<Reply>(done, std::unexpected(fault));
        });
    UnaryCall<Response>& made = *call;
    made.context.set_deadline(In(timeout_));
    AddHeaders(made.context, token);
    if (!answers_.Start(std::move(call), [&](grpc::CompletionQueue& queue, void* tag) {
          made.reader = prepare(members_.at(member), made.context, queue);
          made.reader->StartCall();
          made.reader->Finish(&made.response, &made.status, tag);
        })) {
      PostAnswer<Reply>(done, std::unexpected(kClosing));
    }
  }

  template <class Reply>
  void PostAnswer(std::shared_ptr<RpcDone<Reply>> done, std::expected<Reply, Fault> reply) {
    loop_.Post([done = std::move(done), reply = std::move(reply)]() mutable {
      (*done)(std::move(reply));
    });
  }

  void Note(std::size_t member, const Fault& fault, const std::string& token) {
    if (fault.IsMemberFault()) members_.SwitchFrom(member);
    if (fault.kind != Fault::Kind::TokenInvalid) return;
    const std::lock_guard lock(mutex_);
    if (token.empty() || token == token_) has_token_ = false;
  }

  /// Records that a call timed out. `answers` is the member's answer count when the call was sent.
  /// A member that has answered since is alive; only a request to a lost leader got lost.
  void NoteSilence(std::size_t member, std::uint64_t answers) {
    if (members_.answers(member) != answers) return;
    members_.SwitchFrom(member);
    if (members_.current() == member) return;  // there is no other member
    // If the member is cut off, the watch would hang until the connection times out. So would every
    // writer that waits for the watch.
    std::shared_ptr<GrpcWatchLink::Stream> stream;
    {
      const std::lock_guard lock(mutex_);
      if (watch_member_ == member) stream = watch_.lock();
    }
    if (stream == nullptr) return;
    GrpcWatchLink::Break(loop_, stream, {Fault::Kind::Unknown, "its member does not answer"});
  }

  const std::chrono::milliseconds timeout_;
  const std::string user_;
  const std::string password_;
  Loop& loop_;
  Members members_;
  std::mutex mutex_;
  bool has_token_ = false;
  std::string token_;
  std::vector<TokenDone> waiting_;
  std::weak_ptr<GrpcWatchLink::Stream> watch_;  // latest stream; guarded by mutex_
  std::size_t watch_member_ = 0;                // its member; guarded by mutex_
  Answers answers_;
};

GrpcRpc::GrpcRpc(GrpcOptions options, Loop& loop)
    : caller_(std::make_shared<Caller>(std::move(options), loop)) {}

GrpcRpc::~GrpcRpc() { Shutdown(); }

void GrpcRpc::Shutdown() { caller_->Shutdown(); }

void GrpcRpc::Swap(SwapRequest request, RpcDone<SwapReply> done) {
  auto wire = std::make_shared<etcdserverpb::TxnRequest>();
  ToWire(request, *wire);
  caller_->Call<etcdserverpb::TxnResponse, SwapReply>(
      [wire](const Member& member, grpc::ClientContext& context, grpc::CompletionQueue& queue) {
        return member.kv->PrepareAsyncTxn(&context, *wire, &queue);
      },
      &FromWire, std::move(done));
}

void GrpcRpc::Read(ReadRequest request, RpcDone<ReadReply> done) {
  etcdserverpb::RangeRequest wire;
  ToWire(request, wire);
  caller_->Call<etcdserverpb::RangeResponse, ReadReply>(
      [wire](const Member& member, grpc::ClientContext& context, grpc::CompletionQueue& queue) {
        return member.kv->PrepareAsyncRange(&context, wire, &queue);
      },
      &FromWire, std::move(done));
}

void GrpcRpc::Compact(Revision revision, RpcDone<Revision> done) {
  etcdserverpb::CompactionRequest wire;
  wire.set_revision(Number(revision));
  caller_->Call<etcdserverpb::CompactionResponse, Revision>(
      [wire](const Member& member, grpc::ClientContext& context, grpc::CompletionQueue& queue) {
        return member.kv->PrepareAsyncCompact(&context, wire, &queue);
      },
      +[](etcdserverpb::CompactionResponse& response) {
        return Revision{response.header().revision()};
      },
      std::move(done));
}

void GrpcRpc::GetStatus(RpcDone<StatusReply> done) {
  caller_->Call<etcdserverpb::StatusResponse, StatusReply>(
      [](const Member& member, grpc::ClientContext& context, grpc::CompletionQueue& queue) {
        return member.maintenance->PrepareAsyncStatus(&context, etcdserverpb::StatusRequest(),
                                                      &queue);
      },
      &FromWire, std::move(done));
}

std::unique_ptr<WatchLink> GrpcRpc::OpenWatch(WatchListener& listener) {
  return caller_->OpenWatch(listener);
}

void GrpcRpc::After(std::chrono::milliseconds time, std::move_only_function<void()> task) {
  caller_->After(time, std::move(task));
}

}  // namespace plimsoll::store::etcd
