/*
 * Eight threads, one key object, one prepared key: everybody signs and verifies at once.
 */
#include <pthread.h>

#include "check.h"
#include "curve25519.h"
#include "ed25519.h"
#include "lanner.h"

enum { THREADS = 8, ROUNDS = 60 };

static lanner_ed25519_key key;
static lanner_ed25519_prepared prepared;
static unsigned char seed[32], public_key[32];
/* What one thread alone computes. */
static unsigned char expected[ROUNDS][64];

static void *work(void *argument)
{
    unsigned long *failures = (unsigned long *)argument;
    int i;
    for (i = 0; i < ROUNDS; i++) {
        unsigned char m[8] = {0}, sig[64], one[32], two[32], random[32];
        const unsigned char *mp[6], *pk[6], *rs[6];
        size_t mlen[6];
        int valid[6], j;
        m[0] = (unsigned char)i;
        *failures += lanner_ed25519_sign(&key, m, sizeof m, sig) != LANNER_OK;
        *failures += memcmp(sig, expected[i], 64) != 0;
        *failures += lanner_ed25519_prepared_verify(&prepared, 0, m, sizeof m, sig) != LANNER_OK;
        ed25519_sign(m, sizeof m, seed, public_key, sig);
        *failures += memcmp(sig, expected[i], 64) != 0;
        for (j = 0; j < 6; j++) {
            mp[j] = m;
            mlen[j] = sizeof m;
            pk[j] = public_key;
            rs[j] = sig;
        }
        *failures += ed25519_sign_open_batch(mp, mlen, pk, rs, 6, valid) != 0;
        *failures += lanner_ed25519_sign_hedged(&key, m, sizeof m, sig) != LANNER_OK;
        *failures += lanner_ed25519_verify(0, public_key, m, sizeof m, sig) != LANNER_OK;
        sig[5] ^= 2;
        *failures += ed25519_sign_open(m, sizeof m, public_key, sig) == 0;
        *failures += lanner_random_bytes(random, 32) != LANNER_OK;
        curve25519_donna_basepoint(one, random);
        curve25519_donna(two, seed, one);
        curve25519_donna_basepoint(one, seed);
        curve25519_donna(one, random, one);
        *failures += memcmp(one, two, 32) != 0;
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    unsigned long failures[THREADS] = {0};
    int i;
    check_random_bytes(seed, 32);
    ed25519_publickey(seed, public_key);
    CHECK_IS(lanner_ed25519_key_from_seed(&key, seed), LANNER_OK);
    CHECK_IS(lanner_ed25519_prepared_init(&prepared, public_key), LANNER_OK);
    for (i = 0; i < ROUNDS; i++) {
        unsigned char m[8] = {0};
        m[0] = (unsigned char)i;
        ed25519_sign(m, sizeof m, seed, public_key, expected[i]);
    }
    for (i = 0; i < THREADS; i++)
        CHECK_IS(pthread_create(&threads[i], NULL, work, &failures[i]), 0);
    for (i = 0; i < THREADS; i++) {
        CHECK_IS(pthread_join(threads[i], NULL), 0);
        CHECK_IS(failures[i], 0);
    }
    lanner_ed25519_key_clear(&key);
    return check_report("threads");
}
