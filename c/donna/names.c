/*
 * The names of ed25519-donna, curve25519-donna and Tor's additions, as the library itself has them.
 *
 * Each is a member of its own in liblanner.a, made by compiling this file with -DNAME_x for the name x, and
 * does nothing but go on to lanner_donna_x, which is with everything else in the member lanner.o. A linker
 * takes a member only for a name that nobody else has given, so a program may bring any of these
 * names itself.
 */
#include "curve25519.h"
#include "ed25519.h"
#include "ed25519_donna_tor.h"

#if defined(__GNUC__)
#define INSIDE __attribute__((visibility("hidden")))
#else
#define INSIDE
#endif

#if defined(NAME_ed25519_publickey)
INSIDE void lanner_donna_ed25519_publickey(const ed25519_secret_key sk, ed25519_public_key pk);
void ed25519_publickey(const ed25519_secret_key sk, ed25519_public_key pk)
{
    lanner_donna_ed25519_publickey(sk, pk);
}
#endif

#if defined(NAME_ed25519_sign_open)
INSIDE int lanner_donna_ed25519_sign_open(const unsigned char *m, size_t mlen,
                                          const ed25519_public_key pk, const ed25519_signature RS);
int ed25519_sign_open(const unsigned char *m, size_t mlen, const ed25519_public_key pk,
                      const ed25519_signature RS)
{
    return lanner_donna_ed25519_sign_open(m, mlen, pk, RS);
}
#endif

#if defined(NAME_ed25519_sign)
INSIDE void lanner_donna_ed25519_sign(const unsigned char *m, size_t mlen,
                                      const ed25519_secret_key sk, const ed25519_public_key pk,
                                      ed25519_signature RS);
void ed25519_sign(const unsigned char *m, size_t mlen, const ed25519_secret_key sk,
                  const ed25519_public_key pk, ed25519_signature RS)
{
    lanner_donna_ed25519_sign(m, mlen, sk, pk, RS);
}
#endif

#if defined(NAME_ed25519_sign_open_batch)
INSIDE int lanner_donna_ed25519_sign_open_batch(const unsigned char **m, size_t *mlen,
                                                const unsigned char **pk, const unsigned char **RS,
                                                size_t num, int *valid);
int ed25519_sign_open_batch(const unsigned char **m, size_t *mlen, const unsigned char **pk,
                            const unsigned char **RS, size_t num, int *valid)
{
    return lanner_donna_ed25519_sign_open_batch(m, mlen, pk, RS, num, valid);
}
#endif

#if defined(NAME_ed25519_randombytes_unsafe)
INSIDE void lanner_donna_ed25519_randombytes_unsafe(void *out, size_t count);
void ed25519_randombytes_unsafe(void *out, size_t count)
{
    lanner_donna_ed25519_randombytes_unsafe(out, count);
}
#endif

#if defined(NAME_curved25519_scalarmult_basepoint)
INSIDE void lanner_donna_curved25519_scalarmult_basepoint(curved25519_key pk,
                                                          const curved25519_key e);
void curved25519_scalarmult_basepoint(curved25519_key pk, const curved25519_key e)
{
    lanner_donna_curved25519_scalarmult_basepoint(pk, e);
}
#endif

#if defined(NAME_curve25519_donna)
INSIDE int lanner_donna_curve25519_donna(curve25519_key mypublic, const curve25519_key secret,
                                         const curve25519_key basepoint);
int curve25519_donna(curve25519_key mypublic, const curve25519_key secret,
                     const curve25519_key basepoint)
{
    return lanner_donna_curve25519_donna(mypublic, secret, basepoint);
}
#endif

#if defined(NAME_curve25519_donna_basepoint)
INSIDE int lanner_donna_curve25519_donna_basepoint(curve25519_key mypublic,
                                                   const curve25519_key secret);
int curve25519_donna_basepoint(curve25519_key mypublic, const curve25519_key secret)
{
    return lanner_donna_curve25519_donna_basepoint(mypublic, secret);
}
#endif

#if defined(NAME_curve25519_donna_raw)
INSIDE void lanner_donna_curve25519_donna_raw(curve25519_key mypublic, const curve25519_key secret,
                                              const curve25519_key basepoint);
void curve25519_donna_raw(curve25519_key mypublic, const curve25519_key secret,
                          const curve25519_key basepoint)
{
    lanner_donna_curve25519_donna_raw(mypublic, secret, basepoint);
}
#endif

#if defined(NAME_ed25519_sign_open_batch_donna)
INSIDE int lanner_donna_ed25519_sign_open_batch_donna(const unsigned char **m, size_t *mlen,
                                                      const unsigned char **pk,
                                                      const unsigned char **RS, size_t num,
                                                      int *valid);
int ed25519_sign_open_batch_donna(const unsigned char **m, size_t *mlen, const unsigned char **pk,
                                  const unsigned char **RS, size_t num, int *valid)
{
    return lanner_donna_ed25519_sign_open_batch_donna(m, mlen, pk, RS, num, valid);
}
#endif

#if defined(NAME_curved25519_scalarmult_basepoint_donna)
INSIDE void lanner_donna_curved25519_scalarmult_basepoint_donna(curved25519_key pk,
                                                                const curved25519_key e);
void curved25519_scalarmult_basepoint_donna(curved25519_key pk, const curved25519_key e)
{
    lanner_donna_curved25519_scalarmult_basepoint_donna(pk, e);
}
#endif

#if defined(NAME_ed25519_donna_selftest)
INSIDE int lanner_donna_ed25519_donna_selftest(void);
int ed25519_donna_selftest(void)
{
    return lanner_donna_ed25519_donna_selftest();
}
#endif

#if defined(NAME_ed25519_donna_seckey)
INSIDE int lanner_donna_ed25519_donna_seckey(unsigned char *sk);
int ed25519_donna_seckey(unsigned char *sk)
{
    return lanner_donna_ed25519_donna_seckey(sk);
}
#endif

#if defined(NAME_ed25519_donna_seckey_expand)
INSIDE int lanner_donna_ed25519_donna_seckey_expand(unsigned char *sk,
                                                    const unsigned char *sk_seed);
int ed25519_donna_seckey_expand(unsigned char *sk, const unsigned char *sk_seed)
{
    return lanner_donna_ed25519_donna_seckey_expand(sk, sk_seed);
}
#endif

#if defined(NAME_ed25519_donna_pubkey)
INSIDE int lanner_donna_ed25519_donna_pubkey(unsigned char *pk, const unsigned char *sk);
int ed25519_donna_pubkey(unsigned char *pk, const unsigned char *sk)
{
    return lanner_donna_ed25519_donna_pubkey(pk, sk);
}
#endif

#if defined(NAME_ed25519_donna_keygen)
INSIDE int lanner_donna_ed25519_donna_keygen(unsigned char *pk, unsigned char *sk);
int ed25519_donna_keygen(unsigned char *pk, unsigned char *sk)
{
    return lanner_donna_ed25519_donna_keygen(pk, sk);
}
#endif

#if defined(NAME_ed25519_donna_open)
INSIDE int lanner_donna_ed25519_donna_open(const unsigned char *signature, const unsigned char *m,
                                           size_t mlen, const unsigned char *pk);
int ed25519_donna_open(const unsigned char *signature, const unsigned char *m, size_t mlen,
                       const unsigned char *pk)
{
    return lanner_donna_ed25519_donna_open(signature, m, mlen, pk);
}
#endif

#if defined(NAME_ed25519_donna_sign)
INSIDE int lanner_donna_ed25519_donna_sign(unsigned char *sig, const unsigned char *m, size_t mlen,
                                           const unsigned char *sk, const unsigned char *pk);
int ed25519_donna_sign(unsigned char *sig, const unsigned char *m, size_t mlen,
                       const unsigned char *sk, const unsigned char *pk)
{
    return lanner_donna_ed25519_donna_sign(sig, m, mlen, sk, pk);
}
#endif

#if defined(NAME_ed25519_donna_blind_secret_key)
INSIDE int lanner_donna_ed25519_donna_blind_secret_key(unsigned char *out, const unsigned char *inp,
                                                       const unsigned char *param);
int ed25519_donna_blind_secret_key(unsigned char *out, const unsigned char *inp,
                                   const unsigned char *param)
{
    return lanner_donna_ed25519_donna_blind_secret_key(out, inp, param);
}
#endif

#if defined(NAME_ed25519_donna_blind_public_key)
INSIDE int lanner_donna_ed25519_donna_blind_public_key(unsigned char *out, const unsigned char *inp,
                                                       const unsigned char *param);
int ed25519_donna_blind_public_key(unsigned char *out, const unsigned char *inp,
                                   const unsigned char *param)
{
    return lanner_donna_ed25519_donna_blind_public_key(out, inp, param);
}
#endif

#if defined(NAME_ed25519_donna_pubkey_from_curve25519_pubkey)
INSIDE int lanner_donna_ed25519_donna_pubkey_from_curve25519_pubkey(unsigned char *out,
                                                                    const unsigned char *inp,
                                                                    int signbit);
int ed25519_donna_pubkey_from_curve25519_pubkey(unsigned char *out, const unsigned char *inp,
                                                int signbit)
{
    return lanner_donna_ed25519_donna_pubkey_from_curve25519_pubkey(out, inp, signbit);
}
#endif

#if defined(NAME_ed25519_donna_scalarmult_with_group_order)
INSIDE int lanner_donna_ed25519_donna_scalarmult_with_group_order(unsigned char *out,
                                                                  const unsigned char *pubkey);
int ed25519_donna_scalarmult_with_group_order(unsigned char *out, const unsigned char *pubkey)
{
    return lanner_donna_ed25519_donna_scalarmult_with_group_order(out, pubkey);
}
#endif
