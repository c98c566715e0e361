#pragma once

#include "apiserver/strategy/strategy.h"

/// Functions that prepare objects of certain kinds for a write; used by the table in strategy.cc.
namespace plimsoll::apiserver::kinds {

// pod.cc
api::Answer<void> CreatePod(const StrategyContext& context, Place pod);
api::Answer<void> UpdatePodStatus(const StrategyContext& context, Place pod,
                                  const codec::Value& before);

// node.cc
/// Sets timeAdded of NoExecute taints, so that a pod's toleration time starts there, however often
/// controllers restart. A taint whose value or effect changes is a new one.
void SetTaintTimes(Instant now, Place node, const codec::Value* before);

// core.cc
api::Answer<void> CreateNamespace(const StrategyContext& context, Place object);
api::Answer<void> UpdateNamespace(const StrategyContext& context, Place object,
                                  const codec::Value& before);
api::Answer<void> CreateVolume(const StrategyContext& context, Place volume);
api::Answer<void> UpdateVolumeStatus(const StrategyContext& context, Place volume,
                                     const codec::Value& before);
api::Answer<void> CreateClaim(const StrategyContext& context, Place claim);
api::Answer<void> CreateServiceAccount(const StrategyContext& context, Place account);
api::Answer<void> UpdateServiceAccount(const StrategyContext& context, Place account,
                                       const codec::Value& before);

// service.cc
api::Answer<void> CreateService(const StrategyContext& context, Place service);
api::Answer<void> UpdateService(const StrategyContext& context, Place service,
                                const codec::Value& before);

// workload.cc
api::Answer<void> CreateDaemonSet(const StrategyContext& context, Place set);
api::Answer<void> UpdateDaemonSet(const StrategyContext& context, Place set,
                                  const codec::Value& before);
api::Answer<void> CreateJob(const StrategyContext& context, Place job);

// device.cc
api::Answer<void> CreateTaintRule(const StrategyContext& context, Place rule);
api::Answer<void> UpdateTaintRule(const StrategyContext& context, Place rule,
                                  const codec::Value& before);
api::Answer<void> CreateSlice(const StrategyContext& context, Place slice);
api::Answer<void> UpdateSlice(const StrategyContext& context, Place slice,
                              const codec::Value& before);
api::Answer<void> UpdateResourceClaimStatus(const StrategyContext& context, Place claim,
                                            const codec::Value& before);

}  // namespace plimsoll::apiserver::kinds
