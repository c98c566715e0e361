#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apiserver/cache/cache_for_test.h"
#include "apiserver/read/reader.h"

namespace plimsoll::apiserver {

/// Stream that records what is written.
class FakeStream final : public net::Stream {
 public:
  bool Write(net::Piece piece) override {
    const std::scoped_lock lock(mutex_);
    if (is_gone_ || is_ended_) return false;
    if (!is_kept) return true;
    if (piece.text != nullptr) text_ += *piece.text;
    pieces_.push_back(std::move(piece));
    return true;
  }
  void End() override {
    const std::scoped_lock lock(mutex_);
    is_ended_ = true;
  }
  void OnClose(Task task) override {
    const std::scoped_lock lock(mutex_);
    on_close_ = std::move(task);
  }
  void OnWritable(Task task) override {
    if (!is_paced) return task();
    const std::scoped_lock lock(mutex_);
    when_room_ = std::move(task);
  }

  void Leave() {
    Task task;
    {
      const std::scoped_lock lock(mutex_);
      is_gone_ = true;
      task = std::move(on_close_);
    }
    if (task) task();
  }
  /// Makes room in the stream. Returns false if nothing waits for it.
  bool GiveRoom() {
    Task task;
    {
      const std::scoped_lock lock(mutex_);
      task = std::exchange(when_room_, nullptr);
    }
    if (!task) return false;
    task();
    return true;
  }
  std::string Take() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(text_, {});
  }
  std::vector<net::Piece> pieces() const {
    const std::scoped_lock lock(mutex_);
    return pieces_;
  }
  bool is_ended() const {
    const std::scoped_lock lock(mutex_);
    return is_ended_;
  }
  void set_gone() {
    const std::scoped_lock lock(mutex_);
    is_gone_ = true;
  }

  bool is_paced = false;  // has room only after GiveRoom
  bool is_kept = true;

 private:
  mutable std::mutex mutex_;
  std::string text_;
  std::vector<net::Piece> pieces_;
  bool is_ended_ = false;
  bool is_gone_ = false;
  Task on_close_;
  Task when_room_;
};

class FakeExchange final : public net::Exchange {
 public:
  void Respond(net::Response response) override {
    status = response.status;
    headers = response.headers;
    payload = response.payload;
    is_streamed = response.source != nullptr;
    body = response.body == nullptr ? "" : *response.body;
    while (response.source != nullptr && response.source->Read(body)) {
    }
    is_answered = true;
  }
  std::shared_ptr<net::Stream> Begin(int code, net::Headers fields) override {
    status = code;
    headers = std::move(fields);
    is_answered = true;
    return stream;
  }

  std::shared_ptr<FakeStream> stream = std::make_shared<FakeStream>();
  bool is_answered = false;
  bool is_streamed = false;
  int status = 0;
  net::Headers headers;
  std::string body;
  PayloadPtr payload;
};

/// Reader on an in-memory store.
class ReaderFixture : public CacheFixture {
 public:
  /// Sends an authorized request.
  std::shared_ptr<FakeExchange> Ask(std::string_view target, std::string_view accept = "",
                                    bool is_local = false) {
    auto exchange = std::make_shared<FakeExchange>();
    Ask(target, exchange, accept, is_local);
    return exchange;
  }
  std::shared_ptr<FakeExchange> Ask(std::string_view target, RequestSeat* seat) {
    auto exchange = std::make_shared<FakeExchange>();
    Ask(target, exchange, "", false, seat);
    return exchange;
  }
  void Ask(std::string_view target, const std::shared_ptr<FakeExchange>& exchange,
           std::string_view accept = "", bool is_local = false, RequestSeat* seat = nullptr) {
    auto request =
        std::make_shared<ApiRequest>(net::Request{.method = "GET", .target = std::string(target)},
                                     ParseRequest("GET", target, table()));
    request->seat = seat;
    if (!accept.empty()) request->http.headers.Add("Accept", std::string(accept));
    if (is_local) request->http.local.emplace();
    PL_ASSERT(request->is_verb_served);
    reader_.Serve(request, exchange);
  }
  Reader& reader() { return reader_; }

 private:
  Reader reader_{cache(), store(), clock(), metrics(), 7};
};

}  // namespace plimsoll::apiserver
