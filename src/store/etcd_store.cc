#include "store/etcd_store.h"

#include <utility>

#include "store/commit_metrics.h"
#include "store/etcd/endpoint.h"
#include "store/etcd/grpc_rpc.h"
#include "store/etcd/offset_store.h"
#include "store/etcd/remote_store.h"

namespace plimsoll::store {

Result<std::unique_ptr<Store>> OpenEtcdStore(EtcdOptions options, Clock& clock, Logger& logger,
                                             MetricsRegistry* metrics) {
  std::vector<etcd::Endpoint> endpoints = PL_TRY(etcd::ParseEndpoints(options.endpoints));
  auto loop = std::make_shared<etcd::Loop>();
  auto rpc = std::make_unique<etcd::GrpcRpc>(
      etcd::GrpcOptions{std::move(endpoints), std::move(options.authorities),
                        std::move(options.certificate), std::move(options.key),
                        std::move(options.user), std::move(options.password), options.timeout,
                        std::move(options.authorities_file), std::move(options.certificate_file),
                        std::move(options.key_file)},
      *loop);
  etcd::KeyMap keys(options.root, options.prefix);
  const std::string root = keys.root();
  auto remote = std::make_unique<etcd::RemoteStore>(
      std::move(loop), std::move(rpc), std::move(keys), options.history, clock, logger,
      metrics == nullptr ? nullptr : std::make_unique<CommitMetrics>(*metrics, clock));
  PL_TRY(remote->Start());
  auto store = std::make_unique<etcd::OffsetStore>(std::move(remote), root);
  PL_TRY(store->Start());
  PL_LOG(logger, Info(), "Opened the store", {"endpoints", options.endpoints.front()},
         {"prefix", options.prefix}, {"revision", Number(store->latest())},
         {"compacted", Number(store->compacted())});
  return store;
}

}  // namespace plimsoll::store
