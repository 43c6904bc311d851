/*
 * ed25519_donna_tor.h: what Tor added to ed25519-donna, by Lanner.
 *
 * Secret keys here have 64 bytes: the scalar, clamped but not reduced (or reduced modulo the order of
 * the base point, in a blinded key), then the prefix that nonces are derived with. Functions return
 * 0 on success, and -1 otherwise: when a pointer is NULL, when bytes are no point, when there is no
 * randomness. Then their outputs are all zero.
 *
 * Two things differ from Tor's own, both on purpose: ed25519_donna_sign derives the public key and
 * ignores the one that it is given (see ed25519.h), and functions on public keys refuse bytes that
 * are no point of the curve instead of computing with them.
 *
 * Tor compiles ed25519-donna with the suffix "_donna", hence the names of the first two. The rest of
 * this header stands on its own: it does not follow ED25519_SUFFIX.
 */
#ifndef LANNER_ED25519_DONNA_TOR_H
#define LANNER_ED25519_DONNA_TOR_H

#include <stddef.h>

#if defined(__cplusplus)
extern "C" {
#endif

#ifndef LANNER_CURVED25519_KEY
#define LANNER_CURVED25519_KEY
typedef unsigned char curved25519_key[32];
#endif

/* Verifies num signatures by the rule of ed25519_sign_open: the function that ed25519.h calls
 * ed25519_sign_open_batch. valid[i] becomes 1 if signature i is valid, else 0; valid must not overlap what
 * it is about. Returns 0 if all are valid; otherwise bit 0 is set, and bit 1 as ed25519.h says. */
int ed25519_sign_open_batch_donna(const unsigned char **m, size_t *mlen, const unsigned char **pk,
                                  const unsigned char **RS, size_t num, int *valid);

/* The X25519 public key of a secret key, 32 bytes each, in constant time: the function that ed25519.h
 * calls curved25519_scalarmult_basepoint. */
void curved25519_scalarmult_basepoint_donna(curved25519_key pk, const curved25519_key e);

/* Signs and verifies a known answer (RFC 8032 section 7.1, test 3). */
int ed25519_donna_selftest(void);

/* A new random secret key, 64 bytes. */
int ed25519_donna_seckey(unsigned char *sk);

/* The secret key, 64 bytes, that a seed of 32 bytes expands to (RFC 8032 section 5.1.5). */
int ed25519_donna_seckey_expand(unsigned char *sk, const unsigned char *sk_seed);

/* The public key, 32 bytes, of a secret key of 64 bytes. Constant time. */
int ed25519_donna_pubkey(unsigned char *pk, const unsigned char *sk);

/* A new random key pair: 32 bytes public, 64 bytes secret. */
int ed25519_donna_keygen(unsigned char *pk, unsigned char *sk);

/* Whether a signature is valid: 0 if it is. The rule is that of ed25519_sign_open. */
int ed25519_donna_open(const unsigned char *signature, const unsigned char *m, size_t mlen,
                       const unsigned char *pk);

/* Signs with a secret key of 64 bytes. pk is ignored and may be NULL. Constant time in all but
 * mlen. */
int ed25519_donna_sign(unsigned char *sig, const unsigned char *m, size_t mlen,
                       const unsigned char *sk, const unsigned char *pk);

/* The secret key, 64 bytes, blinded by a parameter of 32 bytes, which is clamped
 * (rend-spec-v3, appendix A). Whoever knows the blinded key and the parameter knows the scalar of the
 * original. Constant time. */
int ed25519_donna_blind_secret_key(unsigned char *out, const unsigned char *inp,
                                   const unsigned char *param);

/* The public key that belongs to it. */
int ed25519_donna_blind_public_key(unsigned char *out, const unsigned char *inp,
                                   const unsigned char *param);

/* The Ed25519 public key with this X25519 public key and this sign of x (0 or not 0). -1 where the
 * curve has no such point, as for about half of all values. */
int ed25519_donna_pubkey_from_curve25519_pubkey(unsigned char *out, const unsigned char *inp,
                                                int signbit);

/* The public key times the order of the base point: the neutral element, 1 and 31 zeros, if and only
 * if it has no component of small order. */
int ed25519_donna_scalarmult_with_group_order(unsigned char *out, const unsigned char *pubkey);

#if defined(__cplusplus)
}
#endif

#endif /* LANNER_ED25519_DONNA_TOR_H */
