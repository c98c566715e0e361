#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>
#include <list>
#include <string>
#include <string_view>
#include <utility>

namespace plimsoll::client {

/// A map from texts that evicts the least recently used entry when it is full. For one thread at a
/// time.
template <class T>
class LruMap {
 public:
  explicit LruMap(std::size_t size_max) : size_max_(size_max) {}

  /// Returns the value of the key, and adds one if missing. Valid until the next call.
  T& operator[](const std::string& key) {
    if (T* known = Find(key)) return *known;
    if (entries_.size() >= size_max_) {
      places_.erase(entries_.back().first);
      entries_.pop_back();
    }
    entries_.emplace_front(key, T());
    places_.emplace(entries_.front().first, entries_.begin());
    return entries_.front().second;
  }

  /// Returns null if there is none.
  T* Find(const std::string& key) {
    const auto place = places_.find(key);
    if (place == places_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, place->second);
    return &place->second->second;
  }

  std::size_t size() const { return entries_.size(); }

 private:
  using Entries = std::list<std::pair<std::string, T>>;

  const std::size_t size_max_;
  Entries entries_;  // most recently used first
  // The entries own the keys.
  boost::unordered_flat_map<std::string_view, typename Entries::iterator> places_;
};

}  // namespace plimsoll::client
