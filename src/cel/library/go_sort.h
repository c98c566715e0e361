#pragma once

#include <bit>
#include <cstdint>
#include <utility>

namespace plimsoll::cel {

/// Go's sort.Slice. It is not stable, and expressions can observe the order of equal elements. So
/// this must be the same algorithm, pattern-defeating quicksort, step by step. It sorts up to 12
/// elements by insertion. Otherwise it partitions around a median, with a few swaps against bad
/// patterns, and uses heap sort when partitions stay unbalanced.
///
/// `less(i, j)` and `swap(i, j)` take indices into the sorted range.
template <class Less, class Swap>
class GoSorter {
 public:
  GoSorter(Less less, Swap swap) : less_(less), swap_(swap) {}

  void Sort(int count) {
    SortRange(0, count, static_cast<int>(std::bit_width(static_cast<unsigned>(count))));
  }

 private:
  enum class Hint : std::uint8_t { Unknown, Increasing, Decreasing };

  void SortRange(int a, int b, int limit) {
    constexpr int kInsertionMax = 12;
    bool was_balanced = true;
    bool was_partitioned = true;
    while (true) {
      const int length = b - a;
      if (length <= kInsertionMax) return InsertionSort(a, b);
      if (limit == 0) return HeapSort(a, b);
      if (!was_balanced) {
        BreakPatterns(a, b);
        --limit;
      }
      auto [pivot, hint] = ChoosePivot(a, b);
      if (hint == Hint::Decreasing) {
        Reverse(a, b);
        pivot = (b - 1) - (pivot - a);
        hint = Hint::Increasing;
      }
      if (was_balanced && was_partitioned && hint == Hint::Increasing && SortNearlySorted(a, b)) {
        return;
      }
      // If the previous part ends with an element equal to the pivot, move equal ones to the left.
      if (a > 0 && !less_(a - 1, pivot)) {
        a = PartitionEqual(a, b, pivot);
        continue;
      }
      const auto [middle, is_partitioned] = Partition(a, b, pivot);
      was_partitioned = is_partitioned;
      const int left = middle - a;
      const int right = b - middle;
      // Recursing only into the shorter part keeps the stack depth logarithmic.
      if (left < right) {
        was_balanced = left >= length / 8;
        SortRange(a, middle, limit);
        a = middle + 1;
      } else {
        was_balanced = right >= length / 8;
        SortRange(middle + 1, b, limit);
        b = middle;
      }
    }
  }

  void InsertionSort(int a, int b) {
    for (int i = a + 1; i < b; ++i) {
      for (int j = i; j > a && less_(j, j - 1); --j) swap_(j, j - 1);
    }
  }

  void SiftDown(int root, int end, int first) {
    while (true) {
      int child = 2 * root + 1;
      if (child >= end) return;
      if (child + 1 < end && less_(first + child, first + child + 1)) ++child;
      if (!less_(first + root, first + child)) return;
      swap_(first + root, first + child);
      root = child;
    }
  }

  void HeapSort(int a, int b) {
    const int count = b - a;
    for (int i = (count - 1) / 2; i >= 0; --i) SiftDown(i, count, a);
    for (int i = count - 1; i >= 0; --i) {
      swap_(a, a + i);
      SiftDown(0, i, a);
    }
  }

  std::pair<int, bool> Partition(int a, int b, int pivot) {
    swap_(a, pivot);
    int i = a + 1;
    int j = b - 1;
    bool is_partitioned = true;
    while (true) {
      while (i <= j && less_(i, a)) ++i;
      while (i <= j && !less_(j, a)) --j;
      if (i > j) break;
      swap_(i++, j--);
      is_partitioned = false;
    }
    swap_(j, a);
    return {j, is_partitioned};
  }

  int PartitionEqual(int a, int b, int pivot) {
    swap_(a, pivot);
    int i = a + 1;
    int j = b - 1;
    while (true) {
      while (i <= j && !less_(a, i)) ++i;
      while (i <= j && less_(a, j)) --j;
      if (i > j) return i;
      swap_(i++, j--);
    }
  }

  /// Fixes up to five pairs that are out of order. Returns true if the range is sorted then.
  bool SortNearlySorted(int a, int b) {
    constexpr int kPairsMax = 5;
    constexpr int kShiftedMin = 50;
    int i = a + 1;
    for (int pair = 0; pair < kPairsMax; ++pair) {
      while (i < b && !less_(i, i - 1)) ++i;
      if (i == b) return true;
      if (b - a < kShiftedMin) return false;
      swap_(i, i - 1);
      if (i - a >= 2) {
        for (int j = i - 1; j >= 1 && less_(j, j - 1); --j) swap_(j, j - 1);
      }
      if (b - i >= 2) {
        for (int j = i + 1; j < b && less_(j, j - 1); ++j) swap_(j, j - 1);
      }
    }
    return false;
  }

  /// Swaps three elements around the middle with positions that depend only on the length.
  void BreakPatterns(int a, int b) {
    const int length = b - a;
    if (length < 8) return;
    auto random = static_cast<std::uint64_t>(length);
    const std::uint64_t mask =
        (std::uint64_t{1} << std::bit_width(static_cast<unsigned>(length))) - 1;
    const int first = a + length / 4 * 2 - 1;
    for (int i = 0; i < 3; ++i) {
      random ^= random << 13;
      random ^= random >> 7;
      random ^= random << 17;
      int other = static_cast<int>(random & mask);
      if (other >= length) other -= length;
      swap_(first + i, a + other);
    }
  }

  std::pair<int, Hint> ChoosePivot(int a, int b) {
    constexpr int kNintherMin = 50;
    constexpr int kSwapsMax = 12;
    const int length = b - a;
    int swaps = 0;
    int i = a + length / 4;
    int j = a + length / 4 * 2;
    int k = a + length / 4 * 3;
    if (length >= 8) {
      if (length >= kNintherMin) {
        i = Median(i - 1, i, i + 1, swaps);
        j = Median(j - 1, j, j + 1, swaps);
        k = Median(k - 1, k, k + 1, swaps);
      }
      j = Median(i, j, k, swaps);
    }
    if (swaps == 0) return {j, Hint::Increasing};
    return {j, swaps == kSwapsMax ? Hint::Decreasing : Hint::Unknown};
  }

  int Median(int a, int b, int c, int& swaps) {
    const auto order = [&](int& x, int& y) {
      if (!less_(y, x)) return;
      ++swaps;
      std::swap(x, y);
    };
    order(a, b);
    order(b, c);
    order(a, b);
    return b;
  }

  void Reverse(int a, int b) {
    for (int i = a, j = b - 1; i < j; ++i, --j) swap_(i, j);
  }

  Less less_;
  Swap swap_;
};

}  // namespace plimsoll::cel
