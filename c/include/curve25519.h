/*
 * curve25519.h: the API of curve25519-donna, by Lanner.
 *
 * A program written for curve25519-donna compiles and links unchanged and gets the same bytes.
 * Secret keys are any 32 bytes and are clamped inside; the top bit of a public key is ignored
 * (RFC 7748 section 5). Nothing is checked: a public key of small order gives 32 zeros. lanner_x25519
 * in lanner.h refuses that.
 *
 * The functions return 0, always, as those of curve25519-donna do. Where a program declares them itself, as
 * functions that return nothing, that does no harm.
 *
 * CURVE25519_SUFFIX, defined before this header is included, is appended to the names that it
 * declares. The library itself has the plain names; donna/curve25519.c makes suffixed ones.
 *
 * Pointers need no alignment, and outputs may overlap inputs. Every function runs in constant time
 * and may be called by any number of threads at once.
 */
#ifndef CURVE25519_H
#define CURVE25519_H

#if defined(CURVE25519_SUFFIX)
#define CURVE25519_PASTE_(name, suffix) name##suffix
#define CURVE25519_PASTE(name, suffix) CURVE25519_PASTE_(name, suffix)
#define CURVE25519_FN(name) CURVE25519_PASTE(name, CURVE25519_SUFFIX)
#else
#define CURVE25519_FN(name) name
#endif

#if defined(__cplusplus)
extern "C" {
#endif

typedef unsigned char curve25519_key[32];

/* The secret key times a point: the other party's public key, or the base point 9. */
int CURVE25519_FN(curve25519_donna)(curve25519_key mypublic, const curve25519_key secret,
                                    const curve25519_key basepoint);

/* The public key of a secret key. */
int CURVE25519_FN(curve25519_donna_basepoint)(curve25519_key mypublic,
                                              const curve25519_key secret);

#if defined(__cplusplus)
}
#endif

#endif /* CURVE25519_H */
