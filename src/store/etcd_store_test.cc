// Tests of the store on a real etcd. Tests for all stores are in store_contract_test.cc.
#include "store/etcd_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "base/file.h"
#include "base/real_clock.h"
#include "base/virtual_clock.h"
#include "store/etcd/etcd_process_for_test.h"
#include "store/etcd/rebased_store_for_test.h"
#include "store/recording_sink_for_test.h"
#include "store/store_contract_for_test.h"
#include "store/temporary_directory_for_test.h"

namespace plimsoll::store {
namespace {

using etcd::EtcdCluster;
using etcd::EtcdProcess;
using testing::HasSubstr;

class EtcdStoreTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!EtcdProcess::Missing().empty()) GTEST_SKIP() << EtcdProcess::Missing();
  }

  Result<std::unique_ptr<Store>> TryOpen(EtcdOptions options) {
    return OpenEtcdStore(std::move(options), clock_, logger_, nullptr);
  }
  std::unique_ptr<Store> Open(const EtcdProcess& etcd, const std::string& prefix = "/registry") {
    return TryOpen({.endpoints = {etcd.endpoint()}, .prefix = prefix}).value();
  }
  static Revision Put(Store& store, const std::string& key, const std::string& value,
                      Revision expected = kNoRevision) {
    const Result<Revision> result = store.CommitAndWait({key, MakeBytes(value), expected});
    EXPECT_TRUE(result.has_value()) << result.error().Text();
    return result.value_or(kNoRevision);
  }
  /// Returns the output of etcd's own client.
  static std::string Etcdctl(const EtcdProcess& etcd, const std::string& arguments) {
    return Shell("ETCDCTL_API=3 etcdctl --endpoints=" + etcd.endpoint() + " " + arguments);
  }
  static std::string Shell(const std::string& line) {
    FILE* const pipe = popen((line + " 2>&1").c_str(), "r");
    std::string text;
    for (int c = 0; (c = fgetc(pipe)) != EOF;) text.push_back(static_cast<char>(c));
    pclose(pipe);
    return text;
  }

  VirtualClock clock_;
  VirtualClock still_;  // read by the store's threads while clock_ is advanced
  MemorySink log_;
  Logger logger_{still_, log_};
};

TEST_F(EtcdStoreTest, ToolsForEtcdSeeWhatTheyExpect) {
  const EtcdProcess etcd;
  const auto store = Open(etcd);
  Put(*store, "/registry/pods/default/a", R"({"kind":"Pod"})");
  EXPECT_EQ(Etcdctl(etcd, "get --prefix /registry/pods/"),
            "/registry/pods/default/a\n{\"kind\":\"Pod\"}\n");
  EXPECT_EQ(store->CommitAndWait({"/elsewhere", MakeBytes("v"), kNoRevision}).error().reason,
            Reason::Invalid);
}

TEST_F(EtcdStoreTest, ServersWithTheSamePrefixShareEverythingAndOthersNothing) {
  const EtcdProcess etcd;
  const auto one = Open(etcd, "/east");
  const auto two = Open(etcd, "/east");
  const auto other = Open(etcd, "/west");
  RecordingSink sink;
  const auto watch = two->WatchFrom("/registry/", two->latest(), sink).value();
  const Revision first = Put(*one, "/registry/a", "1");
  EXPECT_EQ(sink.WaitFor(1).front().revision, first);
  const Revision second = Put(*two, "/registry/a", "2", first);
  EXPECT_EQ(one->CommitAndWait({"/registry/a", MakeBytes("3"), first}).error().reason,
            Reason::Conflict);
  EXPECT_EQ(one->Get("/registry/a").value()->revision, second);
  EXPECT_FALSE(other->Get("/registry/a").value().has_value());
  EXPECT_TRUE(other->List({.prefix = ""}).value().records.empty());
}

TEST_F(EtcdStoreTest, WhoWatchesEverythingHearsOfTheRevisionThatItListed) {
  const EtcdProcess etcd;
  Etcdctl(etcd, "put /elsewhere 1");
  const auto store = Open(etcd);
  const Revision at = store->List({.prefix = ""}).value().at;
  RecordingSink sink;
  const auto watch = store->WatchFrom("", kNoRevision, sink).value();
  EXPECT_GE(sink.WaitFor(1).back().revision, at);
}

TEST_F(EtcdStoreTest, GoesOnWhereItWasAfterEtcdRestarts) {
  EtcdProcess etcd;
  RealClock clock;
  const auto store =
      OpenEtcdStore({.endpoints = {etcd.endpoint()}}, clock, logger_, nullptr).value();
  RecordingSink sink;
  const auto watch = store->WatchFrom("/registry/", store->latest(), sink).value();
  const Revision first = Put(*store, "/registry/a", "1");
  etcd.Restart();
  // The connection is lost: the write succeeds once or its outcome is unknown, but never twice.
  Result<Revision> second = Fail(Reason::Timeout, "");
  for (int i = 0; i < 10 && !second.has_value(); ++i) {
    second = store->CommitAndWait({"/registry/a", MakeBytes("2"), first});
    if (second.has_value()) break;
    const Record now = store->Get("/registry/a").value().value();
    if (now.revision != first) second = now.revision;
  }
  ASSERT_TRUE(second.has_value());
  const std::vector<Change> changes = sink.WaitFor(2);
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[1].revision, *second);
  EXPECT_EQ(changes[1].before_revision, first);
  EXPECT_FALSE(sink.end().has_value());
}

TEST_F(EtcdStoreTest, AFullDatabaseRefusesWritesAndServesReads) {
  const EtcdProcess etcd({"--quota-backend-bytes=1000000"});
  const auto store = Open(etcd);
  const Revision first = Put(*store, "/registry/a", "1");
  Result<Revision> result = kNoRevision;
  // etcd compares the quota with its committed size, which lags by a tenth of a second.
  for (int i = 0; i < 1'000 && result.has_value(); ++i) {
    result = store->CommitAndWait(
        {"/registry/fill/" + std::to_string(i), MakeBytes(std::string(200'000, 'x')), kNoRevision});
  }
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().reason, Reason::ServiceUnavailable);
  EXPECT_THAT(result.error().message, HasSubstr("quota"));
  EXPECT_FALSE(store->Health().has_value());
  EXPECT_EQ(store->Get("/registry/a").value()->revision, first);

  Etcdctl(etcd, "del --prefix /registry/fill/");
  ASSERT_TRUE(store->Compact(store->List({.prefix = ""}).value().at).has_value());
  Etcdctl(etcd, "defrag");
  Etcdctl(etcd, "alarm disarm");
  Put(*store, "/registry/a", "2", first);
  EXPECT_TRUE(store->Health().has_value());
}

TEST_F(EtcdStoreTest, AValueThatIsTooLargeIsRefused) {
  const EtcdProcess etcd;
  const auto store = Open(etcd);
  const auto result =
      store->CommitAndWait({"/registry/a", MakeBytes(std::string(10'000'000, 'x')), kNoRevision});
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().reason, Reason::RequestEntityTooLarge);
}

TEST_F(EtcdStoreTest, NamesItselfByUserAndPassword) {
  const EtcdProcess etcd;
  for (const char* command :
       {"user add root:secret", "role add root", "user grant-role root root", "auth enable"}) {
    Etcdctl(etcd, command);
  }
  EtcdOptions options{.endpoints = {etcd.endpoint()}};
  EXPECT_FALSE(TryOpen(options).has_value());
  options.user = "root";
  options.password = "wrong";
  EXPECT_THAT(TryOpen(options).error().message, HasSubstr("authentication failed"));
  options.password = "secret";
  const auto store = TryOpen(options).value();
  Put(*store, "/registry/a", "1");
}

TEST_F(EtcdStoreTest, NamesItselfByACertificateAndAsksForEtcds) {
  const TemporaryDirectory directory;
  const std::string at = directory.path() + "/";
  const etcd::EtcdAddress place = etcd::EtcdAddress::Next("https");
  const std::string_view host = std::string_view(place.client_url).substr(8);
  const std::string make =
      "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 ";
  Shell(make + "-subj /CN=authority -keyout " + at + "ca.key -out " + at + "ca.crt");
  Shell(make + "-subj /CN=member -CA " + at + "ca.crt -CAkey " + at + "ca.key -keyout " + at +
        "member.key -out " + at + "member.crt -addext basicConstraints=critical,CA:FALSE " +
        "-addext subjectAltName=IP:" + std::string(host.substr(0, host.find(':'))));
  EtcdProcess etcd(place, {},
                   {"--cert-file=" + at + "member.crt", "--key-file=" + at + "member.key",
                    "--client-cert-auth", "--trusted-ca-file=" + at + "ca.crt"});
  etcd.Start();

  EtcdOptions options{.endpoints = {etcd.endpoint()}};
  EXPECT_FALSE(TryOpen(options).has_value()) << "an authority that nobody named";
  options.authorities = ReadFile(at + "ca.crt").value();
  EXPECT_FALSE(TryOpen(options).has_value()) << "no certificate of our own";
  options.certificate = ReadFile(at + "member.crt").value();
  options.key = ReadFile(at + "member.key").value();
  const auto store = TryOpen(options).value();
  Put(*store, "/registry/a", "1");
}

TEST_F(EtcdStoreTest, FindsAMemberThatAnswers) {
  const EtcdProcess etcd;
  const auto store =
      TryOpen({.endpoints = {"http://127.0.0.1:1", "127.0.0.1:2", etcd.endpoint()}}).value();
  Put(*store, "/registry/a", "1");
}

TEST_F(EtcdStoreTest, SaysWhyItCannotOpen) {
  EXPECT_EQ(TryOpen({.endpoints = {}}).error().reason, Reason::Invalid);
  const auto nobody = TryOpen({.endpoints = {"http://127.0.0.1:1"}});
  EXPECT_EQ(nobody.error().reason, Reason::ServiceUnavailable);
  EXPECT_THAT(nobody.error().message, HasSubstr("cannot reach etcd"));
}

/// All tests of the program share one etcd. Each store has its own prefix, and its revisions count
/// from etcd's current one.
class EtcdStoreUnderTest final : public StoreUnderTest {
 public:
  EtcdStoreUnderTest(std::vector<std::string> endpoints, HistoryBounds bounds) {
    static int number = 0;
    store_ = std::make_unique<etcd::RebasedStore>(
        OpenEtcdStore({.endpoints = std::move(endpoints),
                       .prefix = "/contract/" + std::to_string(++number),
                       .root = "",
                       .history = bounds},
                      clock_, logger_, nullptr)
            .value());
  }
  Store& store() override { return *store_; }
  VirtualClock& clock() override { return clock_; }

 private:
  VirtualClock clock_;
  VirtualClock still_;  // read by the store's threads while clock_ is advanced
  MemorySink log_;
  Logger logger_{still_, log_};
  std::unique_ptr<Store> store_;
};

}  // namespace

std::unique_ptr<StoreUnderTest> MakeEtcdStoreUnderTest(HistoryBounds bounds) {
  static const EtcdProcess process;
  return std::make_unique<EtcdStoreUnderTest>(std::vector{process.endpoint()}, bounds);
}
std::unique_ptr<StoreUnderTest> MakeEtcdOfThreeUnderTest(HistoryBounds bounds) {
  static const EtcdCluster cluster(3);
  return std::make_unique<EtcdStoreUnderTest>(cluster.endpoints(), bounds);
}
std::string EtcdMissing() { return EtcdProcess::Missing(); }

}  // namespace plimsoll::store
