/*
 * libsodium. It has one rule of verification, which is close to the strict one; no batches.
 */
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "peer.h"

/* Seed and public key, as libsodium signs with. */
static unsigned char (*pairs)[crypto_sign_SECRETKEYBYTES];

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
    return 1;
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

const peer the_peer = {
    .version = sodium_version_string,
    .prepare = prepare,
    .keygen = keygen,
    .sign = sign,
    .verify = verify,
    .verify_strict = verify,
    .x25519_base = x25519_base,
    .x25519 = x25519,
};
