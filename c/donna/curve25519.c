/*
 * Names of curve25519-donna, with a suffix or without: compile this file in the place of
 * curve25519-donna's curve25519.c, with -DCURVE25519_SUFFIX=_x or without, and link with liblanner.
 *
 * CURVE25519_SSE2 and CURVE25519_FORCE_32BIT have no meaning here, and do no harm.
 */
/* What the callers were told that these functions return does not matter to them. */
#undef CURVE25519_RETURNS_VOID
#include "curve25519.h"
/* Fails for NULL alone, which donna does not tell either. */
#define LANNER_CHECKED
#include "lanner.h"

int CURVE25519_FN(curve25519_donna)(curve25519_key mypublic, const curve25519_key secret,
                                    const curve25519_key basepoint)
{
    (void)lanner_x25519_unchecked(secret, basepoint, mypublic);
    return 0;
}

int CURVE25519_FN(curve25519_donna_basepoint)(curve25519_key mypublic,
                                              const curve25519_key secret)
{
    (void)lanner_x25519_public(secret, mypublic);
    return 0;
}

void CURVE25519_FN(curve25519_donna_raw)(curve25519_key mypublic, const curve25519_key secret,
                                         const curve25519_key basepoint)
{
    (void)lanner_x25519_unclamped(secret, basepoint, mypublic);
}
