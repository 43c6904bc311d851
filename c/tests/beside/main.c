/*
 * Lanner beside another library with some of donna's names. OWN_... say which of them are the other's; the
 * rest are Lanner's. NO_... say which are nobody's. SHIM_HASH and SHIM_RANDOM: Lanner's donna/ed25519.c with
 * these switches.
 */
#include "beside.h"
#include "check.h"
#include "lanner.h"

static int is_own(const unsigned char *bytes, size_t length)
{
    size_t i;
    for (i = 0; i < length; i++)
        if (bytes[i] != 0x55)
            return 0;
    return 1;
}

int main(void)
{
    /* RFC 8032 section 7.1, test 2. */
    static const unsigned char seed[32] = {
        0x4c, 0xcd, 0x08, 0x9b, 0x28, 0xff, 0x96, 0xda, 0x9d, 0xb6, 0xc3, 0x46, 0xec, 0x11, 0x4e, 0x0f,
        0x5b, 0x8a, 0x31, 0x9f, 0x35, 0xab, 0xa6, 0x24, 0xda, 0x8c, 0xf6, 0xed, 0x4f, 0xb8, 0xa6, 0xfb};
    static const unsigned char expected[32] = {
        0x3d, 0x40, 0x17, 0xc3, 0xe8, 0x43, 0x89, 0x5a, 0x92, 0xb7, 0x0a, 0xa7, 0x4d, 0x1b, 0x7e, 0xbc,
        0x9c, 0x98, 0x2c, 0xcf, 0x2e, 0xc4, 0x96, 0x8c, 0xc0, 0xcd, 0x55, 0xf1, 0x2a, 0xf4, 0x66, 0x0c};
    unsigned char pk[32], sk[64], sig[64], x[32], point[32], own[64];
    const unsigned char *m = seed, *pks, *sigs;
    size_t mlen = 32;
    int valid;

    /* Lanner's own names, whatever else is there. */
    CHECK_IS(own_is_linked, 1);
    CHECK_IS(lanner_ed25519_public_from_seed(seed, own), LANNER_OK);
    CHECK_BYTES(own, expected, 32);
    CHECK_IS(lanner_ed25519_sign_seed(seed, seed, 32, sig), LANNER_OK);
    CHECK_IS(lanner_ed25519_verify(LANNER_ED25519_STRICT, own, seed, 32, sig), LANNER_OK);
    CHECK_IS(lanner_x25519_public(seed, point), LANNER_OK);

    pks = expected;
    sigs = sig;
    memset(pk, 0, 32);
#if defined(OWN_ED25519)
    CHECK_IS(ed25519_sign_open(seed, 32, expected, sig), 5);
    CHECK_IS(ed25519_sign_open_batch(&m, &mlen, &pks, &sigs, 1, &valid), 5);
    ed25519_publickey(seed, pk);
    CHECK(is_own(pk, 32));
    ed25519_sign(seed, 32, seed, pk, own);
    CHECK(is_own(own, 64));
    ed25519_randombytes_unsafe(own, 64);
    CHECK(is_own(own, 64));
    curved25519_scalarmult_basepoint(x, seed);
    CHECK(is_own(x, 32));
#elif !defined(NO_ED25519)
    ed25519_publickey(seed, pk);
#if defined(SHIM_HASH)
    CHECK(memcmp(pk, expected, 32) != 0);
#else
    CHECK_BYTES(pk, expected, 32);
#endif
    ed25519_sign(seed, 32, seed, pk, own);
#if !defined(SHIM_HASH)
    CHECK_BYTES(own, sig, 64);
#endif
    CHECK_IS(ed25519_sign_open(seed, 32, pk, own), 0);
    pks = pk;
    sigs = own;
    CHECK_IS(ed25519_sign_open_batch(&m, &mlen, &pks, &sigs, 1, &valid), 0);
    CHECK_IS(valid, 1);
    ed25519_randombytes_unsafe(own, 64);
#if defined(SHIM_RANDOM)
    CHECK(own[0] == 4 && own[63] == 4);
#else
    CHECK(!is_own(own, 64) && own[0] + own[1] + own[2] + own[3] + own[63] != 20);
#endif
    curved25519_scalarmult_basepoint(x, seed);
    CHECK_BYTES(x, point, 32);
#endif

#if defined(OWN_CURVE25519)
    CHECK_IS(curve25519_donna_basepoint(x, seed), 5);
    CHECK(is_own(x, 32));
    CHECK_IS(curve25519_donna(x, seed, seed), 5);
    CHECK(is_own(x, 32));
#elif !defined(NO_CURVE25519)
    CHECK_IS(curve25519_donna_basepoint(x, seed), 0);
    CHECK_BYTES(x, point, 32);
    memset(x, 0, 32);
    x[0] = 9;
    CHECK_IS(curve25519_donna(x, seed, x), 0);
    CHECK_BYTES(x, point, 32);
#endif

#if defined(OWN_TOR)
    CHECK_IS(ed25519_donna_keygen(pk, sk), 5);
    CHECK(is_own(pk, 32) && is_own(sk, 64));
    CHECK_IS(ed25519_donna_seckey(sk), 5);
    CHECK_IS(ed25519_donna_pubkey(pk, sk), 5);
#elif !defined(NO_TOR)
    /* Not by way of a function of the program's that has the name of one of the library's. */
    CHECK_IS(ed25519_donna_keygen(pk, sk), 0);
    CHECK(!is_own(sk, 64) && !is_own(pk, 32));
    CHECK_IS(ed25519_donna_sign(own, seed, 32, sk, NULL), 0);
    CHECK_IS(ed25519_donna_open(own, seed, 32, pk), 0);
#if defined(OWN_SECKEY)
    CHECK_IS(ed25519_donna_seckey(sk), 5);
#endif
#endif
    (void)sk, (void)pk, (void)x, (void)mlen, (void)m, (void)valid, (void)is_own;
    return check_report("beside");
}
