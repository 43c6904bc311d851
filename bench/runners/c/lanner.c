/*
 * liblanner, called from C.
 */
#include <stdlib.h>
#include <string.h>

/* Of a key that is no point, a task says so. */
#define LANNER_CHECKED
#include <lanner.h>

#include "peer.h"

static lanner_ed25519_key *keys;
static lanner_ed25519_prepared *prepared;

static int prepare(const pool *p)
{
    size_t i;
    keys = malloc(p->count * sizeof *keys);
    prepared = malloc(p->count * sizeof *prepared);
    if (keys == NULL || prepared == NULL)
        return 0;
    for (i = 0; i < p->count; i++)
        if (lanner_ed25519_key_from_seed(&keys[i], p->entries[i].seed) != LANNER_OK)
            return 0;
    for (i = 0; i < p->count; i++)
        (void)lanner_ed25519_prepared_init(&prepared[i], p->entries[i].public_key);
    return 1;
}

static int keygen(const pool *p, size_t i)
{
    unsigned char out[32];
    return lanner_ed25519_public_from_seed(p->entries[i].seed, out) == LANNER_OK &&
           memcmp(out, p->entries[i].public_key, 32) == 0;
}

static int sign(const pool *p, size_t i)
{
    unsigned char out[64];
    return lanner_ed25519_sign(&keys[i], p->entries[i].message, p->message_length, out) ==
               LANNER_OK &&
           memcmp(out, p->entries[i].signature, 64) == 0;
}

static int verify_by(int profile, const pool *p, size_t i)
{
    const entry *e = &p->entries[i];
    return lanner_ed25519_verify(profile, e->public_key, e->message, p->message_length,
                                 e->signature) == LANNER_OK;
}

static int verify(const pool *p, size_t i)
{
    return verify_by(LANNER_ED25519_DALEK, p, i);
}

static int verify_strict(const pool *p, size_t i)
{
    return verify_by(LANNER_ED25519_STRICT, p, i);
}

static int verify_prepared(const pool *p, size_t i)
{
    return lanner_ed25519_prepared_verify(&prepared[i], LANNER_ED25519_DALEK,
                                          p->entries[i].message, p->message_length,
                                          p->entries[i].signature) == LANNER_OK;
}

static int x25519_base(const pool *p, size_t i)
{
    static unsigned char last[32];
    unsigned char out[32];
    int right = lanner_x25519_public(p->entries[i].seed, out) == LANNER_OK &&
                memcmp(out, last, 32) != 0;
    memcpy(last, out, 32);
    return right;
}

static int x25519(const pool *p, size_t i)
{
    unsigned char out[32];
    return lanner_x25519(p->entries[i].seed, p->entries[i].peer, out) == LANNER_OK &&
           memcmp(out, p->entries[i].shared, 32) == 0;
}

enum { LARGEST = 1024 };

static int batch_by(int profile, const pool *p, size_t first, size_t count,
                    unsigned char *verdicts)
{
    static lanner_ed25519_item items[LARGEST];
    size_t i;
    if (count > LARGEST)
        return 0;
    for (i = 0; i < count; i++) {
        items[i].public_key = p->entries[first + i].public_key;
        items[i].signature = p->entries[first + i].signature;
        items[i].message = p->entries[first + i].message;
        items[i].message_length = p->message_length;
    }
    return lanner_ed25519_verify_batch(profile, items, count, verdicts) == LANNER_OK;
}

static int batch(const pool *p, size_t first, size_t count)
{
    return batch_by(LANNER_ED25519_DALEK, p, first, count, NULL);
}

static int batch_zip215(const pool *p, size_t first, size_t count)
{
    return batch_by(LANNER_ED25519_ZIP215, p, first, count, NULL);
}

static int each_by(int profile, const pool *p, size_t first, size_t count)
{
    unsigned char verdicts[LARGEST];
    return batch_by(profile, p, first, count, verdicts) &&
           memchr(verdicts, 0, count) == NULL;
}

static int each(const pool *p, size_t first, size_t count)
{
    return each_by(LANNER_ED25519_DALEK, p, first, count);
}

static int each_strict(const pool *p, size_t first, size_t count)
{
    return each_by(LANNER_ED25519_STRICT, p, first, count);
}

static int x25519_many(const pool *p, size_t first, size_t count)
{
    unsigned char secrets[64 * 32], publics[64 * 32], shared[64 * 32];
    size_t i;
    int right = 1;
    if (count < 1 || count > 64)
        return 0;
    for (i = 0; i < count; i++) {
        memcpy(secrets + 32 * i, p->entries[first + i].seed, 32);
        memcpy(publics + 32 * i, p->entries[first + i].peer, 32);
    }
    if (lanner_x25519_each(secrets, publics, count, shared) != LANNER_OK)
        return 0;
    for (i = 0; i < count; i++)
        right &= memcmp(shared + 32 * i, p->entries[first + i].shared, 32) == 0;
    return right;
}

const peer the_peer = {
    .version = lanner_version,
    .prepare = prepare,
    .keygen = keygen,
    .sign = sign,
    .verify = verify,
    .verify_strict = verify_strict,
    .verify_prepared = verify_prepared,
    .x25519_base = x25519_base,
    .x25519 = x25519,
    .batch = batch,
    .batch_zip215 = batch_zip215,
    .each = each,
    .each_strict = each_strict,
    .x25519_many = x25519_many,
};
