/*
 * A test in the manner of ed25519-donna's test.c: first whether the results are right, then how many
 * cycles each operation takes. Build it against any library with these names:
 *
 *   gcc -O2 test.c -llanner && ./a.out
 */
#include "curve25519.h"
#include "ed25519.h"

#include "check.h"

#if defined(__x86_64__) || defined(__i386__)
#define UNIT "cycles"
static double ticks(void)
{
    unsigned low, high;
    __asm__ __volatile__("rdtsc" : "=a"(low), "=d"(high));
    return (double)high * 4294967296.0 + (double)low;
}
#else
#include <time.h>
#define UNIT "microseconds of processor time, in thousandths"
static double ticks(void)
{
    return (double)clock() * 1e9 / CLOCKS_PER_SEC;
}
#endif

enum { BATCH = 64, LENGTH = 128, REPEAT = 51 };

static ed25519_secret_key sk[BATCH];
static ed25519_public_key pk[BATCH];
static ed25519_signature sig[BATCH];
static unsigned char messages[BATCH][LENGTH];
static const unsigned char *m_at[BATCH], *pk_at[BATCH], *sig_at[BATCH];
static size_t length[BATCH];
static int valid[BATCH];

static void correctness(void)
{
    int i;
    for (i = 0; i < BATCH; i++) {
        ed25519_randombytes_unsafe(sk[i], 32);
        ed25519_randombytes_unsafe(messages[i], LENGTH);
        ed25519_publickey(sk[i], pk[i]);
        length[i] = (size_t)(i % 2 ? LENGTH : i);
        ed25519_sign(messages[i], length[i], sk[i], pk[i], sig[i]);
        CHECK_IS(ed25519_sign_open(messages[i], length[i], pk[i], sig[i]), 0);
        sig[i][i] ^= 0x20;
        CHECK(ed25519_sign_open(messages[i], length[i], pk[i], sig[i]) != 0);
        sig[i][i] ^= 0x20;
        m_at[i] = messages[i];
        pk_at[i] = pk[i];
        sig_at[i] = sig[i];
    }
    CHECK_IS(ed25519_sign_open_batch(m_at, length, pk_at, sig_at, BATCH, valid), 0);
    for (i = 0; i < BATCH; i++)
        CHECK_IS(valid[i], 1);
    messages[9][0] ^= 1;
    CHECK(ed25519_sign_open_batch(m_at, length, pk_at, sig_at, BATCH, valid) != 0);
    for (i = 0; i < BATCH; i++)
        CHECK_IS(valid[i], i != 9);
    messages[9][0] ^= 1;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of several single runs. */
#define MEASURE(what, operation, divisor)                                       \
    do {                                                                        \
        double runs[REPEAT];                                                    \
        int run;                                                                \
        for (run = 0; run < REPEAT; run++) {                                    \
            double begin = ticks();                                             \
            operation;                                                          \
            runs[run] = (ticks() - begin) / (divisor);                          \
        }                                                                       \
        qsort(runs, REPEAT, sizeof *runs, compare);                             \
        printf("%-36s %12.0f %s\n", what, runs[REPEAT / 2], UNIT);              \
    } while (0)

int main(void)
{
    curve25519_key shared, x_public;
    correctness();
    curve25519_donna_basepoint(x_public, sk[0]);
    MEASURE("ed25519_publickey", ed25519_publickey(sk[0], pk[0]), 1);
    MEASURE("ed25519_sign", ed25519_sign(messages[1], LENGTH, sk[1], pk[1], sig[1]), 1);
    MEASURE("ed25519_sign_open",
            (void)ed25519_sign_open(messages[1], LENGTH, pk[1], sig[1]), 1);
    MEASURE("ed25519_sign_open_batch, of 64, each",
            (void)ed25519_sign_open_batch(m_at, length, pk_at, sig_at, BATCH, valid), BATCH);
    MEASURE("curve25519_donna_basepoint", curve25519_donna_basepoint(x_public, sk[1]), 1);
    MEASURE("curve25519_donna", curve25519_donna(shared, sk[2], x_public), 1);
    return check_report("test");
}
