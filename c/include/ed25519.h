/*
 * ed25519.h: the API of ed25519-donna, by Lanner.
 *
 * A program written for ed25519-donna compiles and links unchanged and gets the same bytes. Two
 * things differ, both on purpose:
 *
 * - ed25519_sign derives the public key from the secret key and does not look at the one it is
 *   given. Two signatures of one message under two public keys reveal the secret key, so a public
 *   key that is taken on trust is a way to steal it. The signature of a correct program is the same
 *   as ever. The price: the public key's multiplication of the base point, in one pass and with one
 *   inversion together with the multiplication that a signature needs anyway, and the hash of the
 *   secret key. On a processor with AVX-512 IFMA that is half as much again as a signature with the
 *   public key at hand; with AVX2 or ADX three quarters; on others up to nine tenths (README.md has
 *   the figures). Programs that sign often with one key save it with the key object of lanner.h.
 *
 * - A signature whose second half S is not below the order of the base point is refused
 *   (RFC 8032 section 5.1.7), so that nobody can make a second valid signature out of a first one.
 *   A library that was built with the feature legacy_compatibility follows ed25519-donna's own
 *   rule, S < 2^253.
 *
 * ED25519_SUFFIX, defined before this header is included, is appended to the names that it declares.
 * The library itself has the plain names; donna/ed25519.c makes suffixed ones, and does what
 * ED25519_CUSTOMHASH and ED25519_CUSTOMRANDOM ask for. README.md says how.
 *
 * Messages may be NULL when their length is 0. Pointers need no alignment, and outputs may overlap
 * inputs; not so valid of ed25519_sign_open_batch, which must not overlap what it is about. Every function
 * may be called by any number of threads at once.
 */
#ifndef ED25519_H
#define ED25519_H

#include <stddef.h>
#include <stdlib.h>

#if defined(ED25519_SUFFIX)
#define ED25519_PASTE_(name, suffix) name##suffix
#define ED25519_PASTE(name, suffix) ED25519_PASTE_(name, suffix)
#define ED25519_FN(name) ED25519_PASTE(name, ED25519_SUFFIX)
#else
#define ED25519_FN(name) name
#endif

#if defined(__cplusplus)
extern "C" {
#endif

/* R, then S. */
typedef unsigned char ed25519_signature[64];
/* The encoding of a point (RFC 8032 section 5.1.2). */
typedef unsigned char ed25519_public_key[32];
/* 32 random bytes, from which everything else is derived (RFC 8032 section 5.1.5). */
typedef unsigned char ed25519_secret_key[32];

#ifndef LANNER_CURVED25519_KEY
#define LANNER_CURVED25519_KEY
/* A key of X25519 (RFC 7748 section 5). */
typedef unsigned char curved25519_key[32];
#endif

/* The public key of a secret key. If it fails (sk is NULL), pk becomes a 2 and 31 zeros, which is no point of the
 * curve: nothing is valid under it. Constant time. */
void ED25519_FN(ed25519_publickey)(const ed25519_secret_key sk, ed25519_public_key pk);

/* Whether RS is a valid signature of the message m of mlen bytes under pk: 0 if it is, -1 if it is
 * not, or if a pointer is NULL. Profile "dalek", or "donna" with legacy_compatibility. Variable
 * time: all of this is public. */
int ED25519_FN(ed25519_sign_open)(const unsigned char *m, size_t mlen, const ed25519_public_key pk,
                                  const ed25519_signature RS);

/* Signs the message m of mlen bytes. pk is ignored and may be NULL. If it fails (a pointer is NULL), RS becomes
 * zeros. Constant time in all but mlen. */
void ED25519_FN(ed25519_sign)(const unsigned char *m, size_t mlen, const ed25519_secret_key sk,
                              const ed25519_public_key pk, ed25519_signature RS);

/* Verifies num signatures, any number from 0 on. valid[i] becomes 1 if signature i is valid, else 0:
 * exactly the verdicts of ed25519_sign_open. Returns 0 if all are valid; otherwise bit 0 is set, and
 * bit 1 as well where ed25519-donna goes from its combined equation to single signatures: of more than
 * three that are left, all of whose points decode. No randomness is used. */
int ED25519_FN(ed25519_sign_open_batch)(const unsigned char **m, size_t *mlen,
                                        const unsigned char **pk, const unsigned char **RS,
                                        size_t num, int *valid);

/* Fills out with count bytes from the operating system's cryptographic generator, or from the
 * source that lanner_set_random_source (lanner.h) names. Ends the process with a message if that
 * fails: it has no other way to say so. */
void ED25519_FN(ed25519_randombytes_unsafe)(void *out, size_t count);

/* The X25519 public key of a secret key, which is clamped. Constant time. */
void ED25519_FN(curved25519_scalarmult_basepoint)(curved25519_key pk, const curved25519_key e);

#if defined(__cplusplus)
}
#endif

#endif /* ED25519_H */
