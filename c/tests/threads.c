/*
 * Eight threads, one key object, one prepared key: everybody signs and verifies at once. And one thread that
 * writes to memory while it is read. `threads [ROUNDS]`
 */
#include <pthread.h>
#include <sched.h>

#include "check.h"
#include "curve25519.h"
#include "ed25519.h"
/* A race may give any result. */
#define LANNER_CHECKED
#include "lanner.h"

enum { THREADS = 8, MOST_ROUNDS = 60 };

static int rounds = MOST_ROUNDS;

static lanner_ed25519_key key;
static lanner_ed25519_prepared prepared;
static unsigned char seed[32], public_key[32];
/* What one thread alone computes. */
static unsigned char expected[MOST_ROUNDS][64];

static void *work(void *argument)
{
    unsigned long *failures = (unsigned long *)argument;
    int i;
    for (i = 0; i < rounds; i++) {
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

/* Memory that another thread writes all the time: two key pairs in turn, byte by byte. */
enum { SHARED = 2400, RACES_IN_A_ROUND = 300 };
static volatile unsigned char shared[SHARED];
static unsigned char kinds[2][SHARED];
static size_t shared_length;
static volatile int stop;

static void *write_all_the_time(void *argument)
{
    size_t i, kind = 0;
    unsigned long whole = 0;
    (void)argument;
    while (!stop) {
        for (i = 0; i < shared_length; i++)
            shared[i] = kinds[kind][i];
        kind ^= 1;
        /* Where threads take turns (under valgrind), the reader must also see whole pairs. */
        if (++whole % 16 == 0)
            sched_yield();
    }
    return NULL;
}

/* What was checked is what is kept: a key never has the halves of two pairs, whenever its bytes were
 * read. (Who has such a pair and signs with it elsewhere gives the key away.) */
static void racing(void)
{
    unsigned char one[64], two[64], public_again[32];
    unsigned char *volatile bytes = (unsigned char *)shared;
    unsigned long made = 0;
    pthread_t writer;
    int i;
    for (i = 0; i < 2; i++) {
        check_random_bytes(kinds[i], 32);
        ed25519_publickey(kinds[i], kinds[i] + 32);
    }
    shared_length = 64;
    stop = 0;
    CHECK_IS(pthread_create(&writer, NULL, write_all_the_time, NULL), 0);
    for (i = 0; i < rounds * RACES_IN_A_ROUND; i++) {
        lanner_ed25519_key mixed;
        if (lanner_ed25519_key_from_seed(&mixed, bytes) != LANNER_OK)
            checks_failed++;
        (void)lanner_ed25519_key_pair(&mixed, one);
        ed25519_publickey(one, public_again);
        if (memcmp(one + 32, public_again, 32) != 0)
            checks_failed++;
        if (lanner_ed25519_key_from_pair(&mixed, bytes) == LANNER_OK) {
            made++;
            (void)lanner_ed25519_key_pair(&mixed, two);
            ed25519_publickey(two, public_again);
            if (memcmp(two + 32, public_again, 32) != 0)
                checks_failed++;
        }
    }
    stop = 1;
    CHECK_IS(pthread_join(writer, NULL), 0);
    CHECK(made > 0);
}

/* The same for FN-DSA, whose secret keys hold a hash of the public key (or none). */
static void racing_lattice(int variant)
{
    unsigned char *volatile bytes = (unsigned char *)shared;
    static unsigned char encoded[SHARED], public_bytes[900], sig[666];
    size_t length, public_length;
    unsigned long made = 0;
    pthread_t writer;
    int i;
    shared_length = lanner_fn_dsa_secret_bytes(variant, 512);
    for (i = 0; i < 2; i++) {
        seed[0] ^= 1;
        CHECK_IS(lanner_fn_dsa_keygen_seeded(variant, 512, seed, kinds[i], public_bytes, NULL, 0),
                 LANNER_OK);
    }
    for (i = 0; i < (int)shared_length; i++)
        shared[i] = kinds[0][i];
    stop = 0;
    CHECK_IS(pthread_create(&writer, NULL, write_all_the_time, NULL), 0);
    for (i = 0; i < rounds; i++) {
        lanner_fn_dsa_key mixed;
        lanner_fn_dsa_public its_public;
        if (lanner_fn_dsa_key_from_bytes(&mixed, variant, bytes, shared_length, NULL, 0) != LANNER_OK)
            continue;
        made++;
        length = sizeof encoded;
        public_length = sizeof public_bytes;
        CHECK_IS(lanner_fn_dsa_key_secret(&mixed, encoded, &length), LANNER_OK);
        CHECK(memcmp(encoded, kinds[0], length) == 0 || memcmp(encoded, kinds[1], length) == 0);
        CHECK_IS(lanner_fn_dsa_key_public(&mixed, public_bytes, &public_length), LANNER_OK);
        CHECK_IS(lanner_fn_dsa_public_from_bytes(&its_public, variant, public_bytes, public_length),
                 LANNER_OK);
        CHECK_IS(lanner_fn_dsa_sign(&mixed, NULL, 0, 0, seed, 32, sig, NULL, 0), LANNER_OK);
        CHECK_IS(lanner_fn_dsa_verify(&its_public, NULL, 0, 0, seed, 32, sig, 666), LANNER_OK);
    }
    stop = 1;
    CHECK_IS(pthread_join(writer, NULL), 0);
    checks_passed += made;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    unsigned long failures[THREADS] = {0};
    int i;
    if (argc > 1)
        rounds = (int)strtol(argv[1], NULL, 10);
    if (rounds < 1 || rounds > MOST_ROUNDS) {
        fprintf(stderr, "threads: rounds are from 1 to %d\n", MOST_ROUNDS);
        return 2;
    }
    check_random_bytes(seed, 32);
    ed25519_publickey(seed, public_key);
    CHECK_IS(lanner_ed25519_key_from_seed(&key, seed), LANNER_OK);
    CHECK_IS(lanner_ed25519_prepared_init(&prepared, public_key), LANNER_OK);
    for (i = 0; i < rounds; i++) {
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
    racing();
    racing_lattice(LANNER_FN_DSA_MAIN);
    racing_lattice(LANNER_FN_DSA_DRAFT2026);
    return check_report("threads");
}
