/*
 * liblanner against libsodium and OpenSSL, called from C. All implementations do the same work on the
 * same keys and messages in one process; every round runs every cell once, in an order that is
 * shuffled anew; a ratio is taken within a round and then the median over the rounds.
 *
 *   bench [ROUNDS [BACKEND]]
 */
#define _POSIX_C_SOURCE 199309L
#include <time.h>

#include <openssl/evp.h>
#include <sodium.h>

#include "check.h"
#include "curve25519.h"
#include "ed25519.h"
#include "lanner.h"

enum { POOL = 64, LENGTH = 64, PEERS = 3, ROWS = 6, MAX_ROUNDS = 1000 };

static unsigned char seeds[POOL][32], publics[POOL][32], messages[POOL][LENGTH], sigs[POOL][64];
static unsigned char x_publics[POOL][32], pairs[POOL][64];
static lanner_ed25519_key keys[POOL];
static lanner_ed25519_item items[POOL];
static EVP_PKEY *evp[POOL], *evp_public[POOL], *evp_x[POOL], *evp_x_public[POOL];
/* What every operation adds to, so that none of them is left out. */
static unsigned long sum;

static void fail(const char *what)
{
    fprintf(stderr, "%s failed\n", what);
    exit(EXIT_FAILURE);
}

static void need(int holds, const char *what)
{
    if (!holds)
        fail(what);
}

typedef void operation(size_t i);

static void keygen_lanner(size_t i)
{
    unsigned char out[32];
    need(lanner_ed25519_public_from_seed(seeds[i], out) == LANNER_OK, "keygen");
    sum += out[0];
}

static void keygen_sodium(size_t i)
{
    unsigned char pk[32], sk[64];
    need(crypto_sign_seed_keypair(pk, sk, seeds[i]) == 0, "keygen");
    sum += pk[0];
}

static void keygen_openssl(size_t i)
{
    unsigned char out[32];
    size_t length = 32;
    EVP_PKEY *key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, seeds[i], 32);
    need(EVP_PKEY_get_raw_public_key(key, out, &length) == 1, "keygen");
    EVP_PKEY_free(key);
    sum += out[0];
}

static void sign_lanner(size_t i)
{
    unsigned char out[64];
    need(lanner_ed25519_sign(&keys[i], messages[i], LENGTH, out) == LANNER_OK, "sign");
    sum += out[63];
}

static void sign_sodium(size_t i)
{
    unsigned char out[64];
    need(crypto_sign_detached(out, NULL, messages[i], LENGTH, pairs[i]) == 0, "sign");
    sum += out[63];
}

static void sign_openssl(size_t i)
{
    unsigned char out[64];
    size_t length = 64;
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    need(EVP_DigestSignInit(ctx, NULL, NULL, NULL, evp[i]) == 1 &&
             EVP_DigestSign(ctx, out, &length, messages[i], LENGTH) == 1,
         "sign");
    EVP_MD_CTX_free(ctx);
    sum += out[63];
}

/* Derives the public key first, as liblanner's donna names do. */
static void donna_sign_lanner(size_t i)
{
    unsigned char out[64];
    ed25519_sign(messages[i], LENGTH, seeds[i], publics[i], out);
    sum += out[63];
}

static void verify_lanner(size_t i)
{
    need(ed25519_sign_open(messages[i], LENGTH, publics[i], sigs[i]) == 0, "verify");
}

static void verify_sodium(size_t i)
{
    need(crypto_sign_verify_detached(sigs[i], messages[i], LENGTH, publics[i]) == 0, "verify");
}

static void verify_openssl(size_t i)
{
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    need(EVP_DigestVerifyInit(ctx, NULL, NULL, NULL, evp_public[i]) == 1 &&
             EVP_DigestVerify(ctx, sigs[i], 64, messages[i], LENGTH) == 1,
         "verify");
    EVP_MD_CTX_free(ctx);
}

static void batch_lanner(size_t i)
{
    (void)i;
    need(lanner_ed25519_verify_batch(LANNER_ED25519_ZIP215, items, POOL, NULL) == LANNER_OK,
         "batch");
}

static void batch_sodium(size_t i)
{
    for (i = 0; i < POOL; i++)
        verify_sodium(i);
}

static void batch_openssl(size_t i)
{
    for (i = 0; i < POOL; i++)
        verify_openssl(i);
}

static void base_lanner(size_t i)
{
    unsigned char out[32];
    curve25519_donna_basepoint(out, seeds[i]);
    sum += out[0];
}

static void base_sodium(size_t i)
{
    unsigned char out[32];
    need(crypto_scalarmult_base(out, seeds[i]) == 0, "base");
    sum += out[0];
}

static void base_openssl(size_t i)
{
    unsigned char out[32];
    size_t length = 32;
    EVP_PKEY *key = EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, NULL, seeds[i], 32);
    need(EVP_PKEY_get_raw_public_key(key, out, &length) == 1, "base");
    EVP_PKEY_free(key);
    sum += out[0];
}

static void dh_lanner(size_t i)
{
    unsigned char out[32];
    need(lanner_x25519(seeds[i], x_publics[(i + 1) % POOL], out) == LANNER_OK, "dh");
    sum += out[0];
}

static void dh_sodium(size_t i)
{
    unsigned char out[32];
    need(crypto_scalarmult(out, seeds[i], x_publics[(i + 1) % POOL]) == 0, "dh");
    sum += out[0];
}

static void dh_openssl(size_t i)
{
    unsigned char out[32];
    size_t length = 32;
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(evp_x[i], NULL);
    need(EVP_PKEY_derive_init(ctx) == 1 &&
             EVP_PKEY_derive_set_peer(ctx, evp_x_public[(i + 1) % POOL]) == 1 &&
             EVP_PKEY_derive(ctx, out, &length) == 1,
         "dh");
    EVP_PKEY_CTX_free(ctx);
    sum += out[0];
}

static const char *const peers[PEERS] = {"liblanner", "libsodium", "OpenSSL"};
static const struct row {
    const char *name;
    double divisor;
    operation *run[PEERS];
} rows[ROWS + 1] = {
    {"Ed25519 public key", 1, {keygen_lanner, keygen_sodium, keygen_openssl}},
    {"Ed25519 sign, key at hand", 1, {sign_lanner, sign_sodium, sign_openssl}},
    {"Ed25519 sign, from the seed", 1, {donna_sign_lanner, NULL, NULL}},
    {"Ed25519 verify", 1, {verify_lanner, verify_sodium, verify_openssl}},
    {"Ed25519 verify, one of 64", POOL, {batch_lanner, batch_sodium, batch_openssl}},
    {"X25519 public key", 1, {base_lanner, base_sodium, base_openssl}},
    {"X25519", 1, {dh_lanner, dh_sodium, dh_openssl}},
};

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void prepare(void)
{
    size_t i;
    for (i = 0; i < POOL; i++) {
        check_random_bytes(seeds[i], 32);
        check_random_bytes(messages[i], LENGTH);
        need(lanner_ed25519_key_from_seed(&keys[i], seeds[i]) == LANNER_OK &&
                 lanner_ed25519_key_pair(&keys[i], pairs[i]) == LANNER_OK &&
                 lanner_ed25519_sign(&keys[i], messages[i], LENGTH, sigs[i]) == LANNER_OK,
             "setting up");
        memcpy(publics[i], pairs[i] + 32, 32);
        curve25519_donna_basepoint(x_publics[i], seeds[i]);
        items[i].public_key = publics[i];
        items[i].signature = sigs[i];
        items[i].message = messages[i];
        items[i].message_length = LENGTH;
        evp[i] = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, seeds[i], 32);
        evp_public[i] = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, publics[i], 32);
        evp_x[i] = EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, NULL, seeds[i], 32);
        evp_x_public[i] = EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, NULL, x_publics[i], 32);
    }
}

/* The time of one call, in microseconds, over a slice of two milliseconds. */
static double measure(operation *run)
{
    double begin, end;
    unsigned long calls = 0;
    size_t i = check_random() % POOL;
    run(i);
    begin = seconds();
    do {
        run(i);
        i = (i + 1) % POOL;
        calls++;
        end = seconds();
    } while (end - begin < 0.002);
    return (end - begin) * 1e6 / (double)calls;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare);
    return values[count / 2];
}

int main(int argc, char **argv)
{
    static double times[ROWS + 1][PEERS][MAX_ROUNDS];
    size_t rounds = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 101, round, r, p, i;
    size_t order[(ROWS + 1) * PEERS];
    if (rounds < 1 || rounds > MAX_ROUNDS || sodium_init() < 0 ||
        (argc > 2 && lanner_backend_force(argv[2]) != LANNER_OK))
        fail("setting up");
    prepare();
    for (i = 0; i < (ROWS + 1) * PEERS; i++)
        order[i] = i;
    for (round = 0; round < rounds; round++) {
        for (i = (ROWS + 1) * PEERS - 1; i > 0; i--) {
            size_t j = check_random() % (i + 1), swap = order[i];
            order[i] = order[j];
            order[j] = swap;
        }
        for (i = 0; i < (ROWS + 1) * PEERS; i++) {
            r = order[i] / PEERS;
            p = order[i] % PEERS;
            if (rows[r].run[p] != NULL)
                times[r][p][round] = measure(rows[r].run[p]) / rows[r].divisor;
        }
    }
    printf("liblanner %s on %s, libsodium %s, %s; %lu rounds; microseconds, and how many times "
           "the peer takes\n\n",
           lanner_version(), lanner_backend_active(), sodium_version_string(),
           OpenSSL_version(OPENSSL_VERSION), (unsigned long)rounds);
    printf("| | %s | %s | | %s | |\n|---|---:|---:|---:|---:|---:|\n", peers[0], peers[1],
           peers[2]);
    for (r = 0; r <= ROWS; r++) {
        static double ratios[MAX_ROUNDS], copy[MAX_ROUNDS];
        memcpy(copy, times[r][0], sizeof copy);
        printf("| %s | %.2f |", rows[r].name, median(copy, rounds));
        for (p = 1; p < PEERS; p++) {
            if (rows[r].run[p] == NULL) {
                printf(" | |");
                continue;
            }
            for (i = 0; i < rounds; i++)
                ratios[i] = times[r][p][i] / times[r][0][i];
            memcpy(copy, times[r][p], sizeof copy);
            printf(" %.2f | %.2f |", median(copy, rounds), median(ratios, rounds));
        }
        printf("\n");
    }
    return sum == 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
