/*
 * curve25519.h: the API of curve25519-donna, by Lanner.
 *
 * A program written for curve25519-donna, agl's or floodyberry's, links unchanged and gets the same bytes, and compiles
 * unchanged, but for what the next paragraph says. Secret keys are any 32 bytes and are clamped inside, but by
 * curve25519_donna_raw; the top bit of a public key is ignored
 * (RFC 7748 section 5). Nothing is checked: a public key of small order gives 32 zeros. lanner_x25519
 * in lanner.h refuses that.
 *
 * curve25519_donna and curve25519_donna_basepoint return 0, always, as agl's do. Floodyberry's return nothing: a program
 * that declares them again as such functions, or points to them by such a type, defines CURVE25519_RETURNS_VOID before
 * this header is included. One that declares them itself, in the place of this header, may do so in either way.
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

#if defined(CURVE25519_RETURNS_VOID)
#define CURVE25519_RESULT void
#else
#define CURVE25519_RESULT int
#endif

#if defined(__cplusplus)
extern "C" {
#endif

typedef unsigned char curve25519_key[32];

/* The secret key times a point: the other party's public key, or the base point 9. */
CURVE25519_RESULT CURVE25519_FN(curve25519_donna)(curve25519_key mypublic,
                                                  const curve25519_key secret,
                                                  const curve25519_key basepoint);

/* The public key of a secret key. */
CURVE25519_RESULT CURVE25519_FN(curve25519_donna_basepoint)(curve25519_key mypublic,
                                                            const curve25519_key secret);

/* The secret as it is, not clamped, times a point: an integer of 256 bits, all of which count. */
void CURVE25519_FN(curve25519_donna_raw)(curve25519_key mypublic, const curve25519_key secret,
                                         const curve25519_key basepoint);

#if defined(__cplusplus)
}
#endif

#endif /* CURVE25519_H */
