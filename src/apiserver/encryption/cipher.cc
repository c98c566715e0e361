#include "apiserver/encryption/cipher.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <sodium.h>

#include <climits>

#include "base/assert.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::size_t kAesBlock = 16;
constexpr std::size_t kGcmNonce = 12;
constexpr std::size_t kGcmTag = 16;

// Upstream's texts.
constexpr const char* kTooShort = "the stored data was shorter than the required size";
constexpr const char* kNotAuthentic = "cipher: message authentication failed";

std::unexpected<Error> Refuse(const char* text) { return Fail(Reason::InternalError, text); }

unsigned char* Raw(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }
const unsigned char* Raw(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

/// A key in memory, which is erased on destruction.
class KeyBytes {
 public:
  explicit KeyBytes(std::string_view key) : bytes_(key) {}
  ~KeyBytes() { OPENSSL_cleanse(bytes_.data(), bytes_.size()); }
  KeyBytes(const KeyBytes&) = delete;
  KeyBytes& operator=(const KeyBytes&) = delete;
  const unsigned char* data() const { return Raw(std::string_view(bytes_)); }
  std::size_t size() const { return bytes_.size(); }

 private:
  std::string bytes_;
};

/// One encryption or decryption with AES, over OpenSSL.
class AesRun {
 public:
  AesRun(bool is_sealing, bool is_gcm, const KeyBytes& key, std::string_view nonce)
      : context_(EVP_CIPHER_CTX_new()) {
    is_good_ =
        context_ != nullptr && EVP_CipherInit_ex(context_, Algorithm(is_gcm, key.size()), nullptr,
                                                 key.data(), Raw(nonce), is_sealing ? 1 : 0) == 1;
  }
  ~AesRun() { EVP_CIPHER_CTX_free(context_); }
  AesRun(const AesRun&) = delete;
  AesRun& operator=(const AesRun&) = delete;

  /// Adds data that is authenticated, but not encrypted.
  void Authenticate(std::string_view text) { Feed(text, nullptr); }
  void Process(std::string_view text, std::string& out) { Feed(text, &out); }
  void SetTag(std::string_view tag) {
    std::string copy(tag);
    Note(EVP_CIPHER_CTX_ctrl(context_, EVP_CTRL_AEAD_SET_TAG, static_cast<int>(copy.size()),
                             copy.data()));
  }
  void AppendTag(std::string& out) {
    std::string tag(kGcmTag, '\0');
    Note(EVP_CIPHER_CTX_ctrl(context_, EVP_CTRL_AEAD_GET_TAG, kGcmTag, tag.data()));
    out += tag;
  }
  /// Returns false if the library failed, or the data is not authentic or badly padded.
  bool Finish(std::string& out) {
    std::string rest(kAesBlock, '\0');
    int length = 0;
    if (is_good_) Note(EVP_CipherFinal_ex(context_, Raw(rest), &length));
    if (is_good_) out.append(rest, 0, static_cast<std::size_t>(length));
    return is_good_;
  }
  bool is_good() const { return is_good_; }

 private:
  static const EVP_CIPHER* Algorithm(bool is_gcm, std::size_t key_bytes) {
    switch (key_bytes) {
      case 16:
        return is_gcm ? EVP_aes_128_gcm() : EVP_aes_128_cbc();
      case 24:
        return is_gcm ? EVP_aes_192_gcm() : EVP_aes_192_cbc();
      default:
        return is_gcm ? EVP_aes_256_gcm() : EVP_aes_256_cbc();
    }
  }
  void Feed(std::string_view text, std::string* out) {
    if (text.size() > INT_MAX - kAesBlock) is_good_ = false;
    if (!is_good_) return;
    std::string made(out == nullptr ? 0 : text.size() + kAesBlock, '\0');
    int length = 0;
    Note(EVP_CipherUpdate(context_, out == nullptr ? nullptr : Raw(made), &length, Raw(text),
                          static_cast<int>(text.size())));
    if (out != nullptr && is_good_) out->append(made, 0, static_cast<std::size_t>(length));
  }
  void Note(int code) { is_good_ = is_good_ && code == 1; }

  EVP_CIPHER_CTX* context_;
  bool is_good_ = false;
};

Result<std::string> RandomBytes(std::size_t count) {
  std::string bytes(count, '\0');
  if (RAND_bytes(Raw(bytes), static_cast<int>(count)) != 1) {
    return Refuse("unable to read sufficient random bytes");
  }
  return bytes;
}

class AesCbc final : public Cipher {
 public:
  explicit AesCbc(std::string_view key) : key_(key) {}

  Result<std::string> Seal(std::string_view plain, std::string_view /*context*/) const override {
    std::string out = PL_TRY(RandomBytes(kAesBlock));
    AesRun run(true, false, key_, out);
    run.Process(plain, out);
    if (!run.Finish(out)) return Refuse("AES-CBC encryption failed");
    return out;
  }
  Result<std::string> Open(std::string_view sealed, std::string_view /*context*/) const override {
    if (sealed.size() < kAesBlock) return Refuse(kTooShort);
    const std::string_view nonce = sealed.substr(0, kAesBlock);
    sealed.remove_prefix(kAesBlock);
    if (sealed.size() % kAesBlock != 0) {
      return Refuse("the stored data is not a multiple of the block size");
    }
    std::string out;
    AesRun run(false, false, key_, nonce);
    run.Process(sealed, out);
    if (!run.Finish(out)) return Refuse("invalid padding on input");
    return out;
  }

 private:
  const KeyBytes key_;
};

class AesGcm final : public Cipher {
 public:
  explicit AesGcm(std::string_view key) : key_(key) {}

  Result<std::string> Seal(std::string_view plain, std::string_view context) const override {
    std::string out = PL_TRY(RandomBytes(kGcmNonce));
    AesRun run(true, true, key_, out);
    run.Authenticate(context);
    run.Process(plain, out);
    if (!run.Finish(out)) return Refuse("AES-GCM encryption failed");
    run.AppendTag(out);
    if (!run.is_good()) return Refuse("AES-GCM encryption failed");
    return out;
  }
  Result<std::string> Open(std::string_view sealed, std::string_view context) const override {
    if (sealed.size() < kGcmNonce) return Refuse(kTooShort);
    const std::string_view nonce = sealed.substr(0, kGcmNonce);
    sealed.remove_prefix(kGcmNonce);
    if (sealed.size() < kGcmTag) return Refuse(kNotAuthentic);
    std::string out;
    AesRun run(false, true, key_, nonce);
    run.Authenticate(context);
    run.SetTag(sealed.substr(sealed.size() - kGcmTag));
    run.Process(sealed.substr(0, sealed.size() - kGcmTag), out);
    if (!run.Finish(out)) return Refuse(kNotAuthentic);
    return out;
  }

 private:
  const KeyBytes key_;
};

/// XSalsa20 and Poly1305, over libsodium, since OpenSSL has no XSalsa20.
class Secretbox final : public Cipher {
 public:
  explicit Secretbox(std::string_view key) : key_(key) {
    const int code = sodium_init();
    PL_ASSERT(code >= 0);
  }

  Result<std::string> Seal(std::string_view plain, std::string_view /*context*/) const override {
    std::string out = PL_TRY(RandomBytes(crypto_secretbox_NONCEBYTES));
    std::string box(plain.size() + crypto_secretbox_MACBYTES, '\0');
    if (crypto_secretbox_easy(Raw(box), Raw(plain), plain.size(), Raw(std::string_view(out)),
                              key_.data()) != 0) {
      return Refuse("secretbox encryption failed");
    }
    return out + box;
  }
  Result<std::string> Open(std::string_view sealed, std::string_view /*context*/) const override {
    if (sealed.size() < crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES) {
      return Refuse(kTooShort);
    }
    const std::string_view nonce = sealed.substr(0, crypto_secretbox_NONCEBYTES);
    sealed.remove_prefix(crypto_secretbox_NONCEBYTES);
    std::string out(sealed.size() - crypto_secretbox_MACBYTES, '\0');
    if (crypto_secretbox_open_easy(Raw(out), Raw(sealed), sealed.size(), Raw(nonce), key_.data()) !=
        0) {
      return Refuse("output array was not large enough for encryption");
    }
    return out;
  }

 private:
  const KeyBytes key_;
};

}  // namespace

std::unique_ptr<Cipher> MakeCipher(CipherKind kind, std::string_view key) {
  const bool is_aes_key = key.size() == 16 || key.size() == 24 || key.size() == 32;
  PL_ASSERT(kind == CipherKind::Secretbox ? key.size() == crypto_secretbox_KEYBYTES : is_aes_key);
  switch (kind) {
    case CipherKind::AesCbc:
      return std::make_unique<AesCbc>(key);
    case CipherKind::AesGcm:
      return std::make_unique<AesGcm>(key);
    case CipherKind::Secretbox:
      break;
  }
  return std::make_unique<Secretbox>(key);
}

}  // namespace plimsoll::apiserver
