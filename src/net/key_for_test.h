#pragma once

#include <openssl/pem.h>
#include <openssl/rsa.h>

#include <string>

#include "base/assert.h"
#include "net/openssl.h"

/// Private keys in PEM form, for tests.
namespace plimsoll::net {

inline std::string PemOf(const OwnedKey& key) {
  const OwnedBio bio(BIO_new(BIO_s_mem()));
  PL_ASSERT(PEM_write_bio_PrivateKey(bio.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) ==
            1);
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

inline std::string PublicPemOf(const std::string& private_pem) {
  const OwnedKey key = ParseKeyPem(private_pem);
  const OwnedBio bio(BIO_new(BIO_s_mem()));
  PL_ASSERT(PEM_write_bio_PUBKEY(bio.get(), key.get()) == 1);
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

/// Cached per number of bits, because generating a key is slow.
inline const std::string& RsaPem(unsigned bits = 2048) {
  static const std::string k2048 = PemOf(OwnedKey(EVP_RSA_gen(2048)));
  static const std::string k512 = PemOf(OwnedKey(EVP_RSA_gen(512)));
  return bits == 2048 ? k2048 : k512;
}

inline std::string EcPem(const char* curve) { return PemOf(OwnedKey(EVP_EC_gen(curve))); }

}  // namespace plimsoll::net
