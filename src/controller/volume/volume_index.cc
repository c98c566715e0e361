#include "controller/volume/volume_index.h"

#include <algorithm>

namespace plimsoll::controller {
namespace {

using api::PersistentVolume;

/// Key of volumes with the same access modes, the fewest modes first.
using ModeGroup = std::pair<std::size_t, std::string>;

ModeGroup GroupOf(const PersistentVolume& volume) {
  std::vector<std::string_view> modes = volume.spec.access_modes;
  std::ranges::sort(modes);
  std::string text;
  for (const std::string_view mode : modes) text.append(mode).append(",");
  return {modes.size(), std::move(text)};
}

struct Best {
  match::Fit fit = match::Fit::No;
  ObjectPtr object;
};

bool IsBetter(const PersistentVolume& volume, match::Fit fit, const Best& best) {
  if (best.fit == match::Fit::No) return true;
  if (fit != best.fit) return fit == match::Fit::Reserved;
  if (fit == match::Fit::Reserved) return false;
  return match::StorageOf(volume).Compare(match::StorageOf(*best.object->As<PersistentVolume>())) <
         0;
}

}  // namespace

ClaimKey KeyOf(const api::ObjectMeta& claim) {
  return {std::string(claim.namespace_), std::string(claim.name)};
}

std::optional<api::ObjectReference> VolumeIndex::ClaimRefOf(const Entry& entry) const {
  if (!entry.assumed) return View(entry).spec.claim_ref;
  return api::ObjectReference{.kind = "PersistentVolumeClaim",
                              .namespace_ = entry.assumed->first,
                              .name = entry.assumed->second,
                              .uid = entry.assumed_uid};
}

void VolumeIndex::AddToSets(const std::string& name, const Entry& entry) {
  if (const auto reference = ClaimRefOf(entry)) {
    reserved_[{std::string(reference->namespace_), std::string(reference->name)}].insert(name);
  } else {
    free_[std::string(match::ClassOf(View(entry)))].insert(name);
  }
}

void VolumeIndex::RemoveFromSets(const std::string& name, const Entry& entry) {
  const auto take = [&](auto& sets, const auto& key) {
    const auto at = sets.find(key);
    at->second.erase(name);
    if (at->second.empty()) sets.erase(at);
  };
  if (const auto reference = ClaimRefOf(entry)) {
    take(reserved_, ClaimKey{reference->namespace_, reference->name});
  } else {
    take(free_, match::ClassOf(View(entry)));
  }
}

void VolumeIndex::Put(const ObjectPtr& volume) {
  const std::string name(volume->metadata().name);
  const auto [at, is_new] = volumes_.try_emplace(name);
  if (!is_new) RemoveFromSets(name, at->second);
  at->second = Entry{volume, std::nullopt, {}};
  AddToSets(name, at->second);
}

void VolumeIndex::Erase(std::string_view name) {
  const auto at = volumes_.find(name);
  if (at == volumes_.end()) return;
  RemoveFromSets(at->first, at->second);
  volumes_.erase(at);
}

ObjectPtr VolumeIndex::Find(std::string_view name) const {
  const auto at = volumes_.find(name);
  return at == volumes_.end() ? nullptr : at->second.object;
}

void VolumeIndex::Assume(std::string_view name, const ClaimKey& claim, std::string_view uid) {
  const auto at = volumes_.find(name);
  RemoveFromSets(at->first, at->second);
  at->second.assumed = claim;
  at->second.assumed_uid = uid;
  AddToSets(at->first, at->second);
}

void VolumeIndex::Release(std::string_view name) {
  const auto at = volumes_.find(name);
  if (at == volumes_.end() || !at->second.assumed) return;
  RemoveFromSets(at->first, at->second);
  at->second.assumed.reset();
  AddToSets(at->first, at->second);
}

ObjectPtr VolumeIndex::FindBest(const match::ClaimMatcher& matcher, bool only_reserved) const {
  std::map<ModeGroup, Best> groups;
  const auto consider = [&](const std::string& name) {
    const Entry& entry = volumes_.find(name)->second;
    const PersistentVolume& volume = View(entry);
    const match::Fit fit = matcher.Check(volume, ClaimRefOf(entry));
    if (fit == match::Fit::No || (fit == match::Fit::Free && only_reserved)) return;
    if (!match::HasAccessModes(volume, matcher.claim())) return;
    Best& best = groups[GroupOf(volume)];
    if (IsBetter(volume, fit, best)) best = {fit, entry.object};
  };
  const auto reserved = reserved_.find(KeyOf(matcher.claim().metadata));
  if (reserved != reserved_.end()) std::ranges::for_each(reserved->second, consider);
  const auto free = free_.find(match::ClassOf(matcher.claim()));
  if (free != free_.end() && !only_reserved) std::ranges::for_each(free->second, consider);
  return groups.empty() ? nullptr : groups.begin()->second.object;
}

std::vector<std::string> VolumeIndex::ReservedFor(const ClaimKey& claim) const {
  const auto at = reserved_.find(claim);
  if (at == reserved_.end()) return {};
  return {at->second.begin(), at->second.end()};
}

}  // namespace plimsoll::controller
