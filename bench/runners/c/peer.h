/*
 * What serve.c asks of a library. Every function gives 1 if the result is right, else 0: a wrong
 * result must not be reported as fast. NULL stands for what the library does not offer.
 */
#ifndef LANNER_BENCH_PEER_H
#define LANNER_BENCH_PEER_H

#include <stddef.h>
#include <stdint.h>

/* An entry of the pool (bench/kit/src/pool.rs). */
typedef struct entry {
    const unsigned char *seed, *public_key, *signature, *peer, *shared, *message;
} entry;

typedef struct pool {
    const entry *entries;
    size_t count;
    size_t message_length;
} pool;

/* One entry. */
typedef int single(const pool *p, size_t i);
/* The entries from first to first + count - 1. */
typedef int several(const pool *p, size_t first, size_t count);

typedef struct peer {
    const char *(*version)(void);
    /* Makes the objects that tasks hold: keys, contexts. */
    int (*prepare)(const pool *p);
    single *keygen, *sign, *verify, *verify_strict, *verify_prepared, *x25519_base, *x25519,
        *ristretto_decode, *ristretto_mul;
    several *batch, *batch_zip215, *each, *each_strict, *x25519_many;
} peer;

extern const peer the_peer;

#endif
