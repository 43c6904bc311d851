/*
 * A program's own ed25519-donna, curve25519-donna and Tor's additions: not the real thing, so that a mix-up
 * shows. Every output is filled with 0x55, and every verdict is 5.
 */
#include <string.h>

#include "beside.h"

#define FILL(out, length) memset(out, 0x55, length)

#if defined(OWN_ED25519)
void ed25519_publickey(const ed25519_secret_key sk, ed25519_public_key pk)
{
    (void)sk;
    FILL(pk, 32);
}

int ed25519_sign_open(const unsigned char *m, size_t mlen, const ed25519_public_key pk,
                      const ed25519_signature RS)
{
    (void)m, (void)mlen, (void)pk, (void)RS;
    return 5;
}

void ed25519_sign(const unsigned char *m, size_t mlen, const ed25519_secret_key sk,
                  const ed25519_public_key pk, ed25519_signature RS)
{
    (void)m, (void)mlen, (void)sk, (void)pk;
    FILL(RS, 64);
}

int ed25519_sign_open_batch(const unsigned char **m, size_t *mlen, const unsigned char **pk,
                            const unsigned char **RS, size_t num, int *valid)
{
    (void)m, (void)mlen, (void)pk, (void)RS, (void)num, (void)valid;
    return 5;
}

void ed25519_randombytes_unsafe(void *out, size_t count)
{
    FILL(out, count);
}

void curved25519_scalarmult_basepoint(curved25519_key pk, const curved25519_key e)
{
    (void)e;
    FILL(pk, 32);
}
#endif

#if defined(OWN_CURVE25519)
int curve25519_donna(curve25519_key mypublic, const curve25519_key secret,
                     const curve25519_key basepoint)
{
    (void)secret, (void)basepoint;
    FILL(mypublic, 32);
    return 5;
}

int curve25519_donna_basepoint(curve25519_key mypublic, const curve25519_key secret)
{
    (void)secret;
    FILL(mypublic, 32);
    return 5;
}
#endif

#if defined(OWN_TOR) || defined(OWN_SECKEY)
int ed25519_donna_seckey(unsigned char *sk)
{
    FILL(sk, 64);
    return 5;
}
#endif

#if defined(OWN_TOR)
int ed25519_donna_keygen(unsigned char *pk, unsigned char *sk)
{
    FILL(pk, 32);
    FILL(sk, 64);
    return 5;
}

int ed25519_donna_pubkey(unsigned char *pk, const unsigned char *sk)
{
    (void)sk;
    FILL(pk, 32);
    return 5;
}
#endif

/* So that a file without any of them is none too. */
int own_is_linked = 1;
