/*
 * libsodium. It has one rule of verification, which is close to the strict one; no batches.
 */
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "peer.h"

/* Seed and public key, as libsodium signs with. */
static unsigned char (*pairs)[crypto_sign_SECRETKEYBYTES];

/* Elements of Ristretto255: the multiples of the base point by the seeds, and of those by the shared secrets. */
static unsigned char (*elements)[2][crypto_core_ristretto255_BYTES];

/* Scalars below L. */
static void scalar_of(unsigned char *out, const unsigned char *bytes)
{
    unsigned char wide[crypto_core_ristretto255_NONREDUCEDSCALARBYTES] = {0};
    memcpy(wide, bytes, 32);
    crypto_core_ristretto255_scalar_reduce(out, wide);
}

static int prepare_elements(const pool *p)
{
    size_t i;
    elements = malloc(p->count * sizeof *elements);
    if (elements == NULL)
        return 0;
    for (i = 0; i < p->count; i++) {
        unsigned char seed[32], shared[32], product[32];
        scalar_of(seed, p->entries[i].seed);
        scalar_of(shared, p->entries[i].shared);
        crypto_core_ristretto255_scalar_mul(product, seed, shared);
        if (crypto_scalarmult_ristretto255_base(elements[i][0], seed) != 0 ||
            crypto_scalarmult_ristretto255_base(elements[i][1], product) != 0)
            return 0;
    }
    return 1;
}

static int prepare(const pool *p)
{
    unsigned char public_key[crypto_sign_PUBLICKEYBYTES];
    size_t i;
    pairs = malloc(p->count * sizeof *pairs);
    if (pairs == NULL || sodium_init() < 0)
        return 0;
    for (i = 0; i < p->count; i++)
        if (crypto_sign_seed_keypair(public_key, pairs[i], p->entries[i].seed) != 0)
            return 0;
    return prepare_elements(p);
}

static int keygen(const pool *p, size_t i)
{
    unsigned char public_key[crypto_sign_PUBLICKEYBYTES], pair[crypto_sign_SECRETKEYBYTES];
    return crypto_sign_seed_keypair(public_key, pair, p->entries[i].seed) == 0 &&
           memcmp(public_key, p->entries[i].public_key, 32) == 0;
}

static int sign(const pool *p, size_t i)
{
    unsigned char out[crypto_sign_BYTES];
    return crypto_sign_detached(out, NULL, p->entries[i].message, p->message_length, pairs[i]) ==
               0 &&
           memcmp(out, p->entries[i].signature, 64) == 0;
}

static int verify(const pool *p, size_t i)
{
    const entry *e = &p->entries[i];
    return crypto_sign_verify_detached(e->signature, e->message, p->message_length,
                                       e->public_key) == 0;
}

static int x25519_base(const pool *p, size_t i)
{
    static unsigned char last[32];
    unsigned char out[32];
    int right = crypto_scalarmult_base(out, p->entries[i].seed) == 0 && memcmp(out, last, 32) != 0;
    memcpy(last, out, 32);
    return right;
}

static int x25519(const pool *p, size_t i)
{
    unsigned char out[32];
    return crypto_scalarmult(out, p->entries[i].seed, p->entries[i].peer) == 0 &&
           memcmp(out, p->entries[i].shared, 32) == 0;
}

/* It decodes to say whether the bytes are an element. */
static int ristretto_decode(const pool *p, size_t i)
{
    (void)p;
    return crypto_core_ristretto255_is_valid_point(elements[i][0]);
}

static int ristretto_mul(const pool *p, size_t i)
{
    unsigned char out[crypto_core_ristretto255_BYTES];
    return crypto_scalarmult_ristretto255(out, p->entries[i].shared, elements[i][0]) == 0 &&
           memcmp(out, elements[i][1], sizeof out) == 0;
}

const peer the_peer = {
    .version = sodium_version_string,
    .prepare = prepare,
    .keygen = keygen,
    .sign = sign,
    .verify = verify,
    .verify_strict = verify,
    .x25519_base = x25519_base,
    .x25519 = x25519,
    .ristretto_decode = ristretto_decode,
    .ristretto_mul = ristretto_mul,
};
