#include "apiserver/encryption/transformer.h"

#include <gtest/gtest.h>

namespace plimsoll::apiserver {
namespace {

constexpr std::string_view kTransformedKey = "/registry/secrets/default/a";

Transformer::Entry EntryOf(const std::string& provider, const std::string& name, char key) {
  const CipherKind kind = provider == "aescbc"   ? CipherKind::AesCbc
                          : provider == "aesgcm" ? CipherKind::AesGcm
                                                 : CipherKind::Secretbox;
  return {provider, name, MakeCipher(kind, std::string(32, key))};
}

TEST(TransformerTest, WritesUpstreamsPrefixAndReadsItBack) {
  for (const char* provider : {"aescbc", "aesgcm", "secretbox"}) {
    const Transformer transformer({EntryOf(provider, "key1", 'k')});
    const std::string stored = transformer.ToStorage("{}", kTransformedKey).value();
    EXPECT_TRUE(stored.starts_with(std::string("k8s:enc:") + provider + ":v1:key1:")) << stored;
    EXPECT_EQ(transformer.FromStorage(stored, kTransformedKey).value(), "{}");
    EXPECT_FALSE(transformer.IsStale(stored));
  }
}

TEST(TransformerTest, TheFirstKeyWritesAndAllRead) {
  const Transformer old({EntryOf("aescbc", "one", '1')});
  const Transformer both({EntryOf("aesgcm", "two", '2'), EntryOf("aescbc", "one", '1'), {}});
  const std::string stored = old.ToStorage("{}", kTransformedKey).value();
  EXPECT_EQ(both.FromStorage(stored, kTransformedKey).value(), "{}");
  EXPECT_TRUE(both.IsStale(stored));
  EXPECT_EQ(both.FromStorage(R"({"plain":1})", kTransformedKey).value(), R"({"plain":1})");
  EXPECT_TRUE(both.IsStale("{}"));
  EXPECT_FALSE(both.IsStale(both.ToStorage("{}", kTransformedKey).value()));
}

TEST(TransformerTest, IdentityFirstStoresPlainAndStillReadsWhatIsEncrypted) {
  const Transformer transformer({{}, EntryOf("secretbox", "one", '1')});
  EXPECT_EQ(transformer.ToStorage("{}", kTransformedKey).value(), "{}");
  EXPECT_FALSE(transformer.IsStale("{}"));
  const std::string stored =
      Transformer({EntryOf("secretbox", "one", '1')}).ToStorage("{}", kTransformedKey).value();
  EXPECT_EQ(transformer.FromStorage(stored, kTransformedKey).value(), "{}");
  EXPECT_TRUE(transformer.IsStale(stored));
}

TEST(TransformerTest, SaysInUpstreamsWordsWhyItCannotRead) {
  const std::string stored =
      Transformer({EntryOf("aescbc", "one", '1')}).ToStorage("{}", kTransformedKey).value();
  const struct {
    std::vector<Transformer::Entry> entries;
    std::string stored;
    const char* error;
  } cases[] = {
      {{EntryOf("secretbox", "one", '1')}, stored, "no matching prefix found"},
      {{EntryOf("secretbox", "one", '1')}, "{}", "no matching prefix found"},
      {{{}}, stored, "no matching prefix found"},
      {{EntryOf("aescbc", "other", '1')},
       stored,
       "no matching key was found for the provided AES transformer"},
      {{EntryOf("secretbox", "b", '1')},
       "k8s:enc:secretbox:v1:a:x",
       "no matching key was found for the provided Secretbox transformer"},
      {{EntryOf("aesgcm", "a", '1')},
       "k8s:enc:aesgcm:v1:a:x",
       "the stored data was shorter than the required size"},
  };
  for (const auto& one : cases) {
    EXPECT_EQ(Transformer(one.entries).FromStorage(one.stored, kTransformedKey).error().message,
              one.error);
  }
}

}  // namespace
}  // namespace plimsoll::apiserver
