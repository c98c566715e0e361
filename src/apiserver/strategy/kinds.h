#pragma once

#include "apiserver/strategy/strategy.h"

/// Functions that prepare objects of certain kinds for a write; used by the table in strategy.cc.
namespace plimsoll::apiserver::kinds {

// pod.cc
api::Answer<void> CreatePod(const StrategyContext& context, ObjectEditor pod);
api::Answer<void> UpdatePodStatus(const StrategyContext& context, ObjectEditor pod,
                                  const codec::Value& before);

// node.cc
/// Sets timeAdded of NoExecute taints, so that a pod's toleration time starts there, however often
/// controllers restart. A taint whose value or effect changes is a new one.
void SetTaintTimes(Instant now, ObjectEditor node, const codec::Value* before);

// core.cc
api::Answer<void> CreateNamespace(const StrategyContext& context, ObjectEditor object);
api::Answer<void> UpdateNamespace(const StrategyContext& context, ObjectEditor object,
                                  const codec::Value& before);
api::Answer<void> CreateVolume(const StrategyContext& context, ObjectEditor volume);
api::Answer<void> UpdateVolumeStatus(const StrategyContext& context, ObjectEditor volume,
                                     const codec::Value& before);
api::Answer<void> CreateClaim(const StrategyContext& context, ObjectEditor claim);
api::Answer<void> CreateServiceAccount(const StrategyContext& context, ObjectEditor account);
api::Answer<void> UpdateServiceAccount(const StrategyContext& context, ObjectEditor account,
                                       const codec::Value& before);

// service.cc
api::Answer<void> CreateService(const StrategyContext& context, ObjectEditor service);
api::Answer<void> UpdateService(const StrategyContext& context, ObjectEditor service,
                                const codec::Value& before);

// workload.cc
api::Answer<void> CreateDaemonSet(const StrategyContext& context, ObjectEditor set);
api::Answer<void> UpdateDaemonSet(const StrategyContext& context, ObjectEditor set,
                                  const codec::Value& before);
api::Answer<void> CreateJob(const StrategyContext& context, ObjectEditor job);

// device.cc
api::Answer<void> CreateTaintRule(const StrategyContext& context, ObjectEditor rule);
api::Answer<void> UpdateTaintRule(const StrategyContext& context, ObjectEditor rule,
                                  const codec::Value& before);
api::Answer<void> CreateSlice(const StrategyContext& context, ObjectEditor slice);
api::Answer<void> UpdateSlice(const StrategyContext& context, ObjectEditor slice,
                              const codec::Value& before);
api::Answer<void> UpdateResourceClaimStatus(const StrategyContext& context, ObjectEditor claim,
                                            const codec::Value& before);

// lifecycle.cc
/// Warns of a requester that is reserved for Kubernetes.
api::Answer<void> CreateEvictionRequest(const StrategyContext& context, ObjectEditor request);
/// Checks times that responders report against the clock.
api::Answer<void> UpdateEvictionStatus(const StrategyContext& context, ObjectEditor eviction,
                                       const codec::Value& before);

}  // namespace plimsoll::apiserver::kinds
