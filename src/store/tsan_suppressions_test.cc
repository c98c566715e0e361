// Debian's RocksDB is not built for the thread sanitizer, which therefore cannot see how its
// threads synchronize.
#ifdef __SANITIZE_THREAD__

extern "C" const char* __tsan_default_suppressions();  // NOLINT(bugprone-reserved-identifier)

// NOLINTNEXTLINE(bugprone-reserved-identifier): the sanitizer's name.
extern "C" const char* __tsan_default_suppressions() { return "race:librocksdb.so\n"; }

#endif
