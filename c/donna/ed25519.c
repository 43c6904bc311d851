/*
 * Names of ed25519-donna that the library does not have itself: compile this file in the place of
 * ed25519-donna's ed25519.c, with the same switches, and link with liblanner.
 *
 *   -DED25519_SUFFIX=_x      ed25519_sign_x and so on, so that two versions can live in one program
 *   -DED25519_CUSTOMHASH     with the hash function of your ed25519-hash-custom.h instead of SHA-512
 *   -DED25519_CUSTOMRANDOM   with the random bytes of your ed25519-randombytes-custom.h
 *
 * The two headers are the ones that ed25519-donna asks for; they are looked up on your include path.
 * ED25519_REFHASH, ED25519_SSE2, ED25519_FORCE_32BIT and ED25519_NO_INLINE_ASM have no meaning here,
 * and do no harm: the library chooses at run time what suits the processor. ED25519_TEST, which makes
 * ed25519-donna's randomness predictable, is refused.
 */
#if defined(ED25519_TEST)
#error "ED25519_TEST: use lanner_set_random_source for randomness that a test can repeat"
#endif

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "ed25519.h"
#include "lanner.h"

#if defined(ED25519_CUSTOMRANDOM)

#include "ed25519-randombytes-custom.h"

#else

void ED25519_FN(ed25519_randombytes_unsafe)(void *out, size_t count)
{
    if (lanner_random_bytes(out, count) == LANNER_ERROR_RANDOM)
        abort();
}

#endif

#if defined(ED25519_CUSTOMHASH)

#include "ed25519-hash-custom.h"

static void custom_init(void *state)
{
    ed25519_hash_init((ed25519_hash_context *)state);
}

static void custom_update(void *state, const unsigned char *data, size_t length)
{
    ed25519_hash_update((ed25519_hash_context *)state, data, length);
}

static void custom_final(void *state, unsigned char *output)
{
    ed25519_hash_final((ed25519_hash_context *)state, output);
}

static const lanner_hash custom = {sizeof(ed25519_hash_context), custom_init, custom_update,
                                   custom_final};

void ED25519_FN(ed25519_publickey)(const ed25519_secret_key sk, ed25519_public_key pk)
{
    (void)lanner_ed25519_hash_public(&custom, sk, pk);
}

void ED25519_FN(ed25519_sign)(const unsigned char *m, size_t mlen, const ed25519_secret_key sk,
                              const ed25519_public_key pk, ed25519_signature RS)
{
    (void)pk;
    (void)lanner_ed25519_hash_sign(&custom, sk, m, mlen, RS);
}

int ED25519_FN(ed25519_sign_open)(const unsigned char *m, size_t mlen, const ed25519_public_key pk,
                                  const ed25519_signature RS)
{
    return lanner_ed25519_hash_verify(&custom, pk, m, mlen, RS) == LANNER_OK ? 0 : -1;
}

int ED25519_FN(ed25519_sign_open_batch)(const unsigned char **m, size_t *mlen,
                                        const unsigned char **pk, const unsigned char **RS,
                                        size_t num, int *valid)
{
    size_t i;
    int result = 0;
    for (i = 0; i < num; i++) {
        valid[i] = ED25519_FN(ed25519_sign_open)(m[i], mlen[i], pk[i], RS[i]) == 0;
        result |= !valid[i];
    }
    return result;
}

#else

void ED25519_FN(ed25519_publickey)(const ed25519_secret_key sk, ed25519_public_key pk)
{
    (void)lanner_ed25519_public_from_seed(sk, pk);
}

void ED25519_FN(ed25519_sign)(const unsigned char *m, size_t mlen, const ed25519_secret_key sk,
                              const ed25519_public_key pk, ed25519_signature RS)
{
    (void)pk;
    (void)lanner_ed25519_sign_seed(sk, m, mlen, RS);
}

int ED25519_FN(ed25519_sign_open)(const unsigned char *m, size_t mlen, const ed25519_public_key pk,
                                  const ed25519_signature RS)
{
    int status = lanner_ed25519_verify(lanner_ed25519_donna_profile(), pk, m, mlen, RS);
    return status == LANNER_OK ? 0 : -1;
}

/* How many signatures are handed on at a time. */
#define GROUP 64

int ED25519_FN(ed25519_sign_open_batch)(const unsigned char **m, size_t *mlen,
                                        const unsigned char **pk, const unsigned char **RS,
                                        size_t num, int *valid)
{
    lanner_ed25519_item items[GROUP];
    unsigned char verdicts[GROUP];
    int result = 0;
    while (num > 0) {
        size_t i, size = num < GROUP ? num : GROUP;
        for (i = 0; i < size; i++) {
            items[i].public_key = pk[i];
            items[i].signature = RS[i];
            items[i].message = m[i];
            items[i].message_length = mlen[i];
        }
        (void)lanner_ed25519_verify_batch(lanner_ed25519_donna_profile(), items, size, verdicts);
        for (i = 0; i < size; i++) {
            valid[i] = verdicts[i];
            result |= !verdicts[i];
        }
        m += size;
        mlen += size;
        pk += size;
        RS += size;
        valid += size;
        num -= size;
    }
    return result;
}

#endif

void ED25519_FN(curved25519_scalarmult_basepoint)(curved25519_key pk, const curved25519_key e)
{
    (void)lanner_x25519_public(e, pk);
}
