#include "net/tls.h"

#include <array>

#include "net/limits.h"

namespace plimsoll::net {
namespace {

/// AES-128 first: the fastest with hardware support, and strong enough.
constexpr const char* kSuites13 =
    "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256";
/// Only suites with forward secrecy and authenticated encryption.
constexpr const char* kSuites12 =
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:"
    "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305";

constexpr std::size_t kClientReadBufferSize = 64u << 10;

/// ALPN protocols that we support, best first, each preceded by its length.
constexpr std::array<unsigned char, 9> kProtocols{8, 'h', 't', 't', 'p', '/', '1', '.', '1'};

int ChooseProtocol(SSL*, const unsigned char** chosen, unsigned char* size,
                   const unsigned char* offered, unsigned int offered_size, void*) {
  unsigned char* found = nullptr;
  if (SSL_select_next_proto(&found, size, kProtocols.data(), kProtocols.size(), offered,
                            offered_size) != OPENSSL_NPN_NEGOTIATED) {
    return SSL_TLSEXT_ERR_ALERT_FATAL;
  }
  *chosen = found;
  return SSL_TLSEXT_ERR_OK;
}

Result<SharedSslContext> MakeContext(const SSL_METHOD* method) {
  SharedSslContext context(SSL_CTX_new(method), SSL_CTX_free);
  SSL_CTX* const ctx = context.get();
  if (ctx == nullptr || SSL_CTX_set_min_proto_version(ctx, TLS1_2_VERSION) != 1 ||
      SSL_CTX_set_ciphersuites(ctx, kSuites13) != 1 ||
      SSL_CTX_set_cipher_list(ctx, kSuites12) != 1) {
    return Fail(Reason::InternalError, "cannot set up TLS: " + OpensslError());
  }
  // Idle connections keep no buffers: most of ten thousand watches are idle.
  SSL_CTX_set_mode(ctx, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE |
                            SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_NO_AUTO_CHAIN);
  SSL_CTX_set_options(ctx, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  // Read a record's head and body with one system call.
  SSL_CTX_set_read_ahead(ctx, 1);
  return context;
}

Status UseKeyPair(SSL_CTX* ctx, std::string_view chain_pem, std::string_view key_pem) {
  const OwnedBio bio = ReadFrom(chain_pem);
  const OwnedCertificate leaf(PEM_read_bio_X509_AUX(bio.get(), nullptr, nullptr, nullptr));
  if (leaf == nullptr || SSL_CTX_use_certificate(ctx, leaf.get()) != 1) {
    return Fail(Reason::Invalid, "cannot read the TLS certificate: " + OpensslError());
  }
  while (X509* const next = PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr)) {
    if (SSL_CTX_add0_chain_cert(ctx, next) != 1) {
      X509_free(next);
      return Fail(Reason::Invalid,
                  "cannot use the chain of the TLS certificate: " + OpensslError());
    }
  }
  ERR_clear_error();
  const OwnedKey key = ParseKeyPem(key_pem);
  if (key == nullptr) return Fail(Reason::Invalid, "cannot read the TLS key");
  if (SSL_CTX_use_PrivateKey(ctx, key.get()) != 1 || SSL_CTX_check_private_key(ctx) != 1) {
    ERR_clear_error();
    return Fail(Reason::Invalid, "the TLS key does not match the certificate");
  }
  return {};
}

/// Trusts the certificates in the text.
Status AddAuthorities(SSL_CTX* ctx, std::string_view pem, bool is_server) {
  const OwnedBio bio = ReadFrom(pem);
  int count = 0;
  while (
      const OwnedCertificate authority{PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr)}) {
    X509_STORE_add_cert(SSL_CTX_get_cert_store(ctx), authority.get());
    if (is_server) SSL_CTX_add_client_CA(ctx, authority.get());
    ++count;
  }
  ERR_clear_error();
  if (count == 0) return Fail(Reason::Invalid, "the CA data contains no certificate in PEM form");
  // Trust these certificates even if they are no roots, as Go does.
  X509_STORE_set_flags(SSL_CTX_get_cert_store(ctx), X509_V_FLAG_PARTIAL_CHAIN);
  return {};
}

}  // namespace

Result<SharedSslContext> MakeServerContext(const ServerTls& tls) {
  SharedSslContext context = PL_TRY(MakeContext(TLS_server_method()));
  SSL_CTX* const ctx = context.get();
  PL_TRY(UseKeyPair(ctx, tls.certificate_pem, tls.key_pem));
  SSL_CTX_set_options(ctx, SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA |
                               SSL_OP_IGNORE_UNEXPECTED_EOF);
  // Sessions are stored in tickets at the client, so the server needs no cache and no lock.
  SSL_CTX_set_session_cache_mode(ctx, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_num_tickets(ctx, 1);
  constexpr std::string_view kSessions = "plimsoll";
  SSL_CTX_set_session_id_context(ctx, reinterpret_cast<const unsigned char*>(kSessions.data()),
                                 kSessions.size());
  SSL_CTX_set_alpn_select_cb(ctx, ChooseProtocol, nullptr);
  SSL_CTX_set_max_cert_list(ctx, kClientCertificatesBytesMax);
  if (!tls.client_ca_pem.empty()) {
    PL_TRY(AddAuthorities(ctx, tls.client_ca_pem, /*is_server=*/true));
    // Accept any certificate here; CheckPeer verifies it. So a client with a bad certificate gets a
    // readable HTTP response instead of a failed handshake.
    SSL_CTX_set_verify(ctx, SSL_VERIFY_PEER, nullptr);
    SSL_CTX_set_cert_verify_callback(ctx, [](X509_STORE_CTX*, void*) { return 1; }, nullptr);
  }
  return context;
}

Result<SharedSslContext> MakeClientContext(const ClientTls& tls) {
  SharedSslContext context = PL_TRY(MakeContext(TLS_client_method()));
  SSL_CTX* const ctx = context.get();
  // Lists and watches have many records; read several of them from the socket at a time.
  SSL_CTX_set_default_read_buffer_len(ctx, kClientReadBufferSize);
  if (tls.ca_pem.empty()) {
    SSL_CTX_set_default_verify_paths(ctx);
  } else {
    PL_TRY(AddAuthorities(ctx, tls.ca_pem, /*is_server=*/false));
  }
  SSL_CTX_set_verify(ctx, tls.skip_verify ? SSL_VERIFY_NONE : SSL_VERIFY_PEER, nullptr);
  if (!tls.certificate_pem.empty()) PL_TRY(UseKeyPair(ctx, tls.certificate_pem, tls.key_pem));
  SSL_CTX_set_alpn_protos(ctx, kProtocols.data(), kProtocols.size());
  return context;
}

PeerIdentity CheckPeer(SSL* ssl) {
  const OwnedCertificate shown(SSL_get1_peer_certificate(ssl));
  if (shown == nullptr) return {};
  const std::unique_ptr<X509_STORE_CTX, Freed<X509_STORE_CTX_free>> check(X509_STORE_CTX_new());
  X509_STORE* const trusted = SSL_CTX_get_cert_store(SSL_get_SSL_CTX(ssl));
  const bool good =
      check != nullptr &&
      X509_STORE_CTX_init(check.get(), trusted, shown.get(), SSL_get_peer_cert_chain(ssl)) == 1 &&
      X509_STORE_CTX_set_default(check.get(), "ssl_client") == 1 &&
      X509_verify_cert(check.get()) == 1;
  ERR_clear_error();
  if (!good) return {.certificate = std::nullopt, .is_bad = true};
  PeerCertificate certificate;
  const std::vector<std::string> names = SubjectEntries(shown.get(), NID_commonName);
  if (!names.empty()) certificate.common_name = names.back();
  certificate.organizations = SubjectEntries(shown.get(), NID_organizationName);
  certificate.fingerprint = Fingerprint(shown.get());
  return {.certificate = std::move(certificate), .is_bad = false};
}

}  // namespace plimsoll::net
