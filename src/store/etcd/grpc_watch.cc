#include "store/etcd/grpc_watch.h"

#include <grpcpp/client_context.h>
#include <grpcpp/support/async_stream.h>

#include <deque>
#include <mutex>
#include <utility>
#include <vector>

#include "store/etcd/convert.h"
#include "store/etcd/grpc_members.h"
#include "store/limits.h"

namespace plimsoll::store::etcd {

/// State of a stream. gRPC's completions are posted to the loop, and each keeps the stream alive.
/// Only reads are handled on the completion thread, which starts the next read at once. Waiting for
/// the loop after every change would limit a stream to 2,000 to 3,000 of them a second.
class GrpcWatchLink::Stream : public std::enable_shared_from_this<GrpcWatchLink::Stream> {
 public:
  Stream(Answers& answers, Loop& loop, WatchListener& listener, NoteFault note)
      : answers_(answers), loop_(loop), listener_(&listener), note_(std::move(note)) {}

  void Begin(std::shared_ptr<etcdserverpb::Watch::Stub> stub, const std::string& token) {
    if (listener_ == nullptr) return;
    stub_ = std::move(stub);
    AddHeaders(context_, token);
    StartStep(&Stream::OnStarted, [this](grpc::CompletionQueue& queue, void* tag) {
      stream_ = stub_->PrepareAsyncWatch(&context_, &queue);
      stream_->StartCall(tag);
    });
  }

  void Break(const Fault& fault) {
    note_(fault);
    if (listener_ != nullptr) std::exchange(listener_, nullptr)->OnBroken(fault);
  }

  void Send(etcdserverpb::WatchRequest request) {
    requests_.push_back(std::move(request));
    Write();
  }

  void Leave() {
    listener_ = nullptr;
    context_.TryCancel();
  }

 private:
  using Step = void (Stream::*)(bool is_good);

  class Tag final : public Pending {
   public:
    Tag(std::shared_ptr<Stream> stream, Step step) : stream_(std::move(stream)), step_(step) {}
    void Complete(bool is_good) override {
      Loop& loop = stream_->loop_;
      loop.Post(
          [stream = std::move(stream_), step = step_, is_good] { ((*stream).*step)(is_good); });
    }
    void Cancel() override { stream_->context_.TryCancel(); }

   private:
    std::shared_ptr<Stream> stream_;
    Step step_;
  };

  /// Completion of a read, on the completion thread.
  class ReadTag final : public Pending {
   public:
    explicit ReadTag(std::shared_ptr<Stream> stream) : stream_(std::move(stream)) {}
    void Complete(bool is_good) override { stream_->OnArrived(is_good); }
    void Cancel() override { stream_->context_.TryCancel(); }

   private:
    std::shared_ptr<Stream> stream_;
  };

  void StartStep(Step step, const Answers::Begin& begin) {
    answers_.Start(std::make_unique<Tag>(shared_from_this(), step), begin);
  }

  void OnStarted(bool is_good) {
    if (!is_good) return Finish();
    is_started_ = true;
    Read();
    Write();
  }

  void Read() {
    answers_.Start(std::make_unique<ReadTag>(shared_from_this()),
                   [this](grpc::CompletionQueue&, void* tag) { stream_->Read(&response_, tag); });
  }

  void OnArrived(bool is_good) {
    if (!is_good) return loop_.Post([self = shared_from_this()] { self->Finish(); });
    bool is_first = false;
    bool reads_on = false;
    {
      const std::lock_guard lock(mutex_);
      is_first = arrived_.empty();
      arrived_.push_back(std::move(response_));
      response_.Clear();  // before the loop can start the next read
      // Backpressure: a slow sink pauses the stream instead of filling memory.
      reads_on = arrived_.size() < kEtcdRepliesMax;
      is_paused_ = !reads_on;
    }
    if (is_first) loop_.Post([self = shared_from_this()] { self->TellArrived(); });
    if (reads_on) Read();
  }

  void TellArrived() {
    std::vector<etcdserverpb::WatchResponse> arrived;
    bool was_paused = false;
    {
      const std::lock_guard lock(mutex_);
      arrived.swap(arrived_);
      was_paused = std::exchange(is_paused_, false);
    }
    for (etcdserverpb::WatchResponse& response : arrived) {
      if (listener_ != nullptr) listener_->OnReply(FromWire(response));
    }
    if (was_paused) Read();
  }

  void Write() {
    if (!is_started_ || is_writing_ || requests_.empty() || is_finishing_) return;
    is_writing_ = true;
    StartStep(&Stream::OnWritten, [this](grpc::CompletionQueue&, void* tag) {
      stream_->Write(requests_.front(), tag);
    });
  }

  void OnWritten(bool is_good) {
    is_writing_ = false;
    requests_.pop_front();
    // A failure also fails the pending read, which ends the stream.
    if (is_good) Write();
  }

  void Finish() {
    if (std::exchange(is_finishing_, true)) return;
    StartStep(&Stream::OnFinished,
              [this](grpc::CompletionQueue&, void* tag) { stream_->Finish(&status_, tag); });
  }

  void OnFinished(bool /*is_good*/) {
    Break(FaultOf(status_.error_code(),
                  status_.ok() ? "etcd closed the stream" : status_.error_message()));
  }

  Answers& answers_;
  Loop& loop_;
  WatchListener* listener_;  // null: there is no listener any more
  NoteFault note_;
  std::shared_ptr<etcdserverpb::Watch::Stub> stub_;
  grpc::ClientContext context_;
  std::unique_ptr<
      grpc::ClientAsyncReaderWriter<etcdserverpb::WatchRequest, etcdserverpb::WatchResponse>>
      stream_;
  std::deque<etcdserverpb::WatchRequest> requests_;  // the first is being written, if any is
  etcdserverpb::WatchResponse response_;             // used by the one pending read
  std::mutex mutex_;
  std::vector<etcdserverpb::WatchResponse> arrived_;  // not delivered yet; guarded by mutex_
  bool is_paused_ = false;                            // no read is pending; guarded by mutex_
  grpc::Status status_;
  bool is_started_ = false;
  bool is_writing_ = false;
  bool is_finishing_ = false;
};

GrpcWatchLink::GrpcWatchLink(Answers& answers, Loop& loop, WatchListener& listener, NoteFault note)
    : stream_(std::make_shared<Stream>(answers, loop, listener, std::move(note))) {}

GrpcWatchLink::~GrpcWatchLink() { stream_->Leave(); }

void GrpcWatchLink::Create(WatchRequest request) {
  etcdserverpb::WatchRequest wire;
  ToWire(request, *wire.mutable_create_request());
  stream_->Send(std::move(wire));
}

void GrpcWatchLink::Cancel(std::int64_t id) {
  etcdserverpb::WatchRequest wire;
  wire.mutable_cancel_request()->set_watch_id(id);
  stream_->Send(std::move(wire));
}

void GrpcWatchLink::Begin(Loop& loop, const std::shared_ptr<Stream>& stream,
                          std::shared_ptr<etcdserverpb::Watch::Stub> stub,
                          const std::string& token) {
  loop.Post(
      [stream, stub = std::move(stub), token]() mutable { stream->Begin(std::move(stub), token); });
}

void GrpcWatchLink::Break(Loop& loop, const std::shared_ptr<Stream>& stream, const Fault& fault) {
  loop.Post([stream, fault] { stream->Break(fault); });
}

}  // namespace plimsoll::store::etcd
