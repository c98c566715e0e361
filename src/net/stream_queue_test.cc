#include "net/stream_queue.h"

#include <gtest/gtest.h>

namespace plimsoll::net {
namespace {

struct Fixture {
  int wakes = 0;
  std::shared_ptr<StreamQueue> queue = std::make_shared<StreamQueue>(1000, [this] { ++wakes; });
  std::vector<Piece> pieces;
};

Piece Text(std::size_t size) { return {MakeBytes(std::string(size, 'x')), nullptr}; }

TEST(StreamQueueTest, WakesOnceUntilTaken) {
  Fixture f;
  EXPECT_TRUE(f.queue->Write(Text(1)));
  EXPECT_TRUE(f.queue->Write(Text(1)));
  EXPECT_EQ(f.wakes, 1);
  EXPECT_EQ(f.queue->PopAll(f.pieces), StreamQueue::Outcome::Open);
  EXPECT_EQ(f.pieces.size(), 2u);
  f.queue->End();
  EXPECT_EQ(f.wakes, 2);
  f.pieces.clear();
  EXPECT_EQ(f.queue->PopAll(f.pieces), StreamQueue::Outcome::Ended);
  EXPECT_TRUE(f.pieces.empty());
}

TEST(StreamQueueTest, CutsWhenTooMuchIsPending) {
  Fixture f;
  bool is_closed = false;
  f.queue->OnClose([&] { is_closed = true; });
  const std::size_t own = StreamQueue::SizeOf(Text(0));
  EXPECT_TRUE(f.queue->Write(Text(500 - own)));
  EXPECT_TRUE(f.queue->Write(Text(500 - own)));
  EXPECT_EQ(f.queue->PopAll(f.pieces), StreamQueue::Outcome::Open);
  f.queue->Sent(500);
  EXPECT_TRUE(f.queue->Write(Text(500 - own)));
  EXPECT_FALSE(f.queue->Write(Text(0)));
  EXPECT_FALSE(is_closed) << "within Write the writers may hold locks of their own";
  EXPECT_EQ(f.queue->PopAll(f.pieces), StreamQueue::Outcome::Cut);
  f.queue->Close();
  EXPECT_TRUE(is_closed);
}

TEST(StreamQueueTest, OneLargePieceAlonePasses) {
  Fixture f;
  EXPECT_TRUE(f.queue->Write(Text(5000)));
  EXPECT_FALSE(f.queue->Write(Text(1)));
}

TEST(StreamQueueTest, EndsWhenTheLastWriterLetsGo) {
  Fixture f;
  {
    const auto handle = f.queue->MakeHandle();
    handle->Write(Text(1));
    handle->OnClose([] { FAIL(); });
  }
  EXPECT_EQ(f.queue->PopAll(f.pieces), StreamQueue::Outcome::Ended);
  f.queue->Close();
}

TEST(StreamQueueTest, EndsEarlyWithWhatWasWritten) {
  Fixture f;
  int closes = 0;
  f.queue->OnClose([&] { ++closes; });
  f.queue->Write(Text(1));
  f.queue->EndEarly();
  EXPECT_EQ(closes, 1);
  EXPECT_FALSE(f.queue->Write(Text(1)));
  EXPECT_EQ(f.queue->PopAll(f.pieces), StreamQueue::Outcome::Ended);
  EXPECT_EQ(f.pieces.size(), 1u);
  f.queue->OnClose([&] { ++closes; });
  EXPECT_EQ(closes, 2);
}

TEST(StreamQueueTest, SaysWhenThereIsRoomAgain) {
  Fixture f;  // limit of 1000 bytes
  int calls = 0;
  f.queue->OnWritable([&] { ++calls; });
  EXPECT_EQ(calls, 1);
  f.queue->Write(Text(500));
  f.queue->OnWritable([&] { ++calls; });
  f.queue->PopAll(f.pieces);
  EXPECT_EQ(calls, 1);
  f.queue->Sent(StreamQueue::SizeOf(f.pieces.front()));
  EXPECT_EQ(calls, 2);
  f.queue->Write(Text(500));
  f.queue->OnWritable([&] { ++calls; });
  f.queue->Close();
  EXPECT_EQ(calls, 2);
}

TEST(StreamQueueTest, TellsEveryoneWhoAsked) {
  Fixture f;
  int closes = 0;
  f.queue->OnClose([&] { ++closes; });
  f.queue->OnClose([&] { ++closes; });
  f.queue->Close();
  EXPECT_EQ(closes, 2);
}

}  // namespace
}  // namespace plimsoll::net
