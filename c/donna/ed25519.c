/*
 * ed25519-donna's functions with its switches: compile this file in the place of ed25519-donna's
 * ed25519.c, with the same switches, and link with liblanner. Without a suffix, these names take the
 * place of the library's own.
 *
 *   -DED25519_SUFFIX=_x      ed25519_sign_x and so on, so that two versions can live in one program
 *   -DED25519_CUSTOMHASH     with the hash function of your ed25519-hash-custom.h instead of SHA-512, unless there is
 *                            ED25519_REFHASH as well, which goes first there too
 *   -DED25519_CUSTOMRANDOM   with the random bytes of your ed25519-randombytes-custom.h
 *
 * The two headers are the ones that ed25519-donna asks for; they are looked up on your include path. A context of
 * the hash may be aligned to as much as 64 bytes, and have 65473 of them.
 * ED25519_REFHASH by itself, ED25519_SSE2, ED25519_FORCE_32BIT and ED25519_NO_INLINE_ASM have no meaning
 * here, and do no harm: the library chooses at run time what suits the processor. ED25519_TEST, which makes
 * ed25519-donna's randomness predictable, is refused.
 */
#if defined(ED25519_TEST)
#error "ED25519_TEST: use lanner_set_random_source for randomness that a test can repeat"
#endif

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
/* The two headers may take it for granted, as donna includes it before them. */
#include <string.h>

#include "ed25519.h"
/* donna's functions have no way to say what these do. */
#define LANNER_CHECKED
#include "lanner.h"

/* ed25519-donna combines up to so many signatures: its result speaks of groups of this size. */
#define GROUP 64

/* Verdicts are asked for of so many at once, a multiple of GROUP: the more go together, the less each costs. */
#define VERDICTS 256

/* Whether a signature of a batch has all its parts. */
static int is_there(const unsigned char *m, size_t mlen, const unsigned char *pk,
                    const unsigned char *RS)
{
    return (m != NULL || mlen == 0) && mlen <= (size_t)-1 / 2 && pk != NULL && RS != NULL;
}

/* What stands for a public key where there is none: y = 2, which no point has, so that nothing is valid under it.
 * The zeros that the library leaves are a point, of order 4, under which anybody can sign. */
static void no_point(unsigned char *pk)
{
    if (pk != NULL)
        pk[0] = 2;
}

#if defined(ED25519_CUSTOMRANDOM)

#include "ed25519-randombytes-custom.h"

#else

void ED25519_FN(ed25519_randombytes_unsafe)(void *out, size_t count)
{
    /* It cannot say that it failed, and its callers make keys of what it leaves behind. */
    int status = lanner_random_bytes(out, count);
    if (status != LANNER_OK) {
        fputs(status == LANNER_ERROR_RANDOM
                  ? "no randomness: the source failed, or there is none (see lanner_set_random_source)\n"
                  : "no randomness: NULL, or a length that no memory has\n",
              stderr);
        abort();
    }
}

#endif

#if defined(ED25519_CUSTOMHASH) && !defined(ED25519_REFHASH)

/* donna calls four functions, and here three are enough: of the fourth, where it is static, nobody should be told. */
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#include "ed25519-hash-custom.h"
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

/* The library aligns a state to 16. Contexts of BLAKE2 ask for 64, a cache line, so a state has room for one
 * that begins at the next such address. */
#define LANNER_STATE_ALIGNMENT 64
#define LANNER_STATE_BYTES (sizeof(ed25519_hash_context) + LANNER_STATE_ALIGNMENT - 1)

/* Does not compile where the context is larger than the library takes, since nothing could be signed then, and
 * nobody would be told. */
typedef char context_is_not_too_large[LANNER_STATE_BYTES <= 65536 ? 1 : -1];

/* Nor where it asks for a larger alignment. */
struct lanner_after_a_byte {
    char byte;
    ed25519_hash_context context;
};
typedef char
    alignment_is_not_too_large[offsetof(struct lanner_after_a_byte, context) <= LANNER_STATE_ALIGNMENT ? 1 : -1];

/* The context in a state. A state does not move, so it is the same one each time. */
static ed25519_hash_context *context_in(void *state)
{
    size_t past = (size_t)((uintptr_t)state % LANNER_STATE_ALIGNMENT);
    void *context = (unsigned char *)state + (LANNER_STATE_ALIGNMENT - past) % LANNER_STATE_ALIGNMENT;
    return (ed25519_hash_context *)context;
}

static void custom_init(void *state)
{
    ed25519_hash_init(context_in(state));
}

static void custom_update(void *state, const unsigned char *data, size_t length)
{
    ed25519_hash_update(context_in(state), data, length);
}

static void custom_final(void *state, unsigned char *output)
{
    ed25519_hash_final(context_in(state), output);
}

static const lanner_hash custom = {LANNER_STATE_BYTES, custom_init, custom_update, custom_final};

void ED25519_FN(ed25519_publickey)(const ed25519_secret_key sk, ed25519_public_key pk)
{
    if (lanner_ed25519_hash_public(&custom, sk, pk) != LANNER_OK)
        no_point(pk);
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

/* The verdicts on some signatures. */
static void verdicts_on(const unsigned char **m, const size_t *mlen, const unsigned char **pk,
                        const unsigned char **RS, size_t size, int *valid)
{
    size_t i;
    for (i = 0; i < size; i++)
        valid[i] = ED25519_FN(ed25519_sign_open)(m[i], mlen[i], pk[i], RS[i]) == 0;
}

#else

void ED25519_FN(ed25519_publickey)(const ed25519_secret_key sk, ed25519_public_key pk)
{
    if (lanner_ed25519_public_from_seed(sk, pk) != LANNER_OK)
        no_point(pk);
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

/* The verdicts on at most VERDICTS signatures. What lacks a pointer is not valid, and does not go along with the others. */
static void verdicts_on(const unsigned char **m, const size_t *mlen, const unsigned char **pk,
                        const unsigned char **RS, size_t size, int *valid)
{
    lanner_ed25519_item items[VERDICTS];
    unsigned char verdicts[VERDICTS];
    size_t i, count = 0;
    for (i = 0; i < size; i++) {
        valid[i] = is_there(m[i], mlen[i], pk[i], RS[i]);
        if (valid[i]) {
            items[count].public_key = pk[i];
            items[count].signature = RS[i];
            items[count].message = m[i];
            items[count].message_length = mlen[i];
            count++;
        }
    }
    (void)lanner_ed25519_verify_batch(lanner_ed25519_donna_profile(), items, count, verdicts);
    count = 0;
    for (i = 0; i < size; i++)
        if (valid[i])
            valid[i] = verdicts[count++];
}

#endif

/* Whether 32 bytes are a point. */
static int decodes(const unsigned char *bytes)
{
    unsigned int properties;
    return lanner_ed25519_public_properties(bytes, &properties) == LANNER_OK;
}

/* ed25519-donna combines the signatures of a group where there are more than three, and looks at the
 * combined equation only if all their points decode: bit 1 of its result says that it failed. */
static int result_of(const unsigned char **m, const size_t *mlen, const unsigned char **pk,
                     const unsigned char **RS, size_t size, const int *valid)
{
    size_t i;
    int result = 0;
    for (i = 0; i < size; i++)
        if (!valid[i])
            result = 1;
    if (result == 0 || size <= 3)
        return result;
    for (i = 0; i < size; i++)
        if (!is_there(m[i], mlen[i], pk[i], RS[i]) || !decodes(pk[i]) || !decodes(RS[i]))
            return result;
    return result | 2;
}

int ED25519_FN(ed25519_sign_open_batch)(const unsigned char **m, size_t *mlen,
                                        const unsigned char **pk, const unsigned char **RS,
                                        size_t num, int *valid)
{
    size_t i, size, verdicts;
    int result = 0;
    if (num == 0)
        return 0;
    if (valid == NULL || num > (size_t)-1 / 2 / sizeof(*m))
        return 1;
    if (m == NULL || mlen == NULL || pk == NULL || RS == NULL) {
        for (i = 0; i < num; i++)
            valid[i] = 0;
        return 1;
    }
    for (verdicts = 0; num > 0; num -= size, verdicts -= size) {
        size = num < GROUP ? num : GROUP;
        if (verdicts == 0) {
            verdicts = num < VERDICTS ? num : VERDICTS;
            verdicts_on(m, mlen, pk, RS, verdicts, valid);
        }
        result |= result_of(m, mlen, pk, RS, size, valid);
        m += size;
        mlen += size;
        pk += size;
        RS += size;
        valid += size;
    }
    return result;
}

void ED25519_FN(curved25519_scalarmult_basepoint)(curved25519_key pk, const curved25519_key e)
{
    (void)lanner_x25519_public(e, pk);
}
