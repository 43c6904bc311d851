/*
 * How much stack the functions of FN-DSA, Falcon and hybrid signatures take beside the scratch that is lent to them: each runs
 * on a stack of its own, painted before, on every backend. The most is held against the tables in lanner.h, whose path is the
 * first argument; the second is vectors/data/hybrid.json.
 *
 * Only for a build with the released optimisation.
 */
#define _GNU_SOURCE
#include <ucontext.h>

#include "check.h"
#include "hybrid_vectors.h"
#include "lanner.h"

typedef unsigned char byte;

enum { STACK = 1 << 18, PAINT = 0xa5, ROWS = 6 };

static byte stack[STACK];
static ucontext_t here, there;
static void (*runs)(void);

static void enter(void)
{
    runs();
    /* Nothing more is called on this stack. */
    swapcontext(&there, &here);
}

/* The bytes of stack that a call takes. */
static size_t depth(void (*run)(void))
{
    size_t low = 0;
    memset(stack, PAINT, sizeof stack);
    runs = run;
    if (getcontext(&there) != 0)
        abort();
    there.uc_stack.ss_sp = stack;
    there.uc_stack.ss_size = sizeof stack;
    there.uc_link = NULL;
    makecontext(&there, enter, 0);
    swapcontext(&here, &there);
    while (low < sizeof stack && stack[low] == PAINT)
        low++;
    return sizeof stack - low;
}

/* What the calls are about. */
static int variant;
static unsigned degree;
static const byte seed[LANNER_FN_DSA_SEED_BYTES] = {7};
static byte secret[LANNER_FN_DSA_DRAFT2026_1024_SECRET_BYTES];
static byte public_bytes[LANNER_FN_DSA_1024_PUBLIC_BYTES];
static byte signature[LANNER_FN_DSA_1024_SIGNATURE_BYTES];
static size_t signature_length;
static lanner_fn_dsa_key key;
static lanner_fn_dsa_public public_key;
/* Aligned as it pleases. */
static byte scratch[100000];
static const byte message[] = "a message for the lattice";

static void generate(void)
{
    CHECK_IS(lanner_fn_dsa_keygen_seeded(variant, degree, seed, secret, public_bytes, scratch,
                                         lanner_fn_dsa_keygen_scratch_bytes(degree)),
             LANNER_OK);
}

static void decode(void)
{
    CHECK_IS(lanner_fn_dsa_key_from_bytes(&key, variant, secret,
                                          lanner_fn_dsa_secret_bytes(variant, degree), scratch,
                                          lanner_fn_dsa_key_scratch_bytes(degree)),
             LANNER_OK);
}

static void sign(void)
{
    size_t room = lanner_fn_dsa_sign_scratch_bytes(degree);
    if (variant == LANNER_FALCON) {
        signature_length = sizeof signature;
        CHECK_IS(lanner_falcon_sign(&key, LANNER_FALCON_PADDED, message, sizeof message, signature,
                                    &signature_length, scratch, room),
                 LANNER_OK);
    } else {
        signature_length = lanner_fn_dsa_signature_bytes(degree);
        CHECK_IS(lanner_fn_dsa_sign_seeded(&key, seed, sizeof seed, NULL, 0, LANNER_FN_DSA_RAW,
                                           message, sizeof message, signature, scratch, room),
                 LANNER_OK);
    }
}

static void decode_public(void)
{
    CHECK_IS(lanner_fn_dsa_public_from_bytes(&public_key, variant, public_bytes,
                                             lanner_fn_dsa_public_bytes(degree)),
             LANNER_OK);
}

static void verify(void)
{
    if (variant == LANNER_FALCON)
        CHECK_IS(lanner_falcon_verify_as(&public_key, LANNER_FALCON_PADDED, message,
                                         sizeof message, signature, signature_length),
                 LANNER_OK);
    else
        CHECK_IS(lanner_fn_dsa_verify(&public_key, NULL, 0, LANNER_FN_DSA_RAW, message,
                                      sizeof message, signature, signature_length),
                 LANNER_OK);
}

/* A signature of either degree. */
static struct hybrid_vector hybrids[2];

static void verify_hybrid(void)
{
    const struct hybrid_vector *it = &hybrids[degree == 1024];
    CHECK_IS(lanner_hybrid_verify(degree, it->public_key.bytes, it->public_key.length,
                                  it->context.bytes, it->context.length, it->message.bytes,
                                  it->message.length, it->signature.bytes, it->signature.length),
             LANNER_OK);
}

/* Reads the last vector of each degree, which has a context and a message. */
static int read_hybrids(const char *path)
{
    static struct hybrid_vector vector;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return 0;
    while (hybrid_next(file, &vector))
        hybrids[vector.degree == 1024] = vector;
    fclose(file);
    return hybrids[0].degree == 512 && hybrids[1].degree == 1024;
}

static const struct {
    const char *row;
    void (*run)(void);
} rows[ROWS] = {
    {"key generation", generate},
    {"decoding a secret key", decode},
    {"signing", sign},
    {"decoding a public key", decode_public},
    {"verification", verify},
    {"hybrid verification", verify_hybrid},
};

/* The last "x / y kB" of the line of the header that begins with a row's name. */
static int promised(const char *path, const char *row, unsigned long kilobytes[2])
{
    char line[256], start[64];
    FILE *file = fopen(path, "r");
    int found = 0;
    if (file == NULL)
        return 0;
    sprintf(start, " *    %s ", row);
    while (!found && fgets(line, sizeof line, file) != NULL) {
        char *at = strrchr(line, '/');
        if (strncmp(line, start, strlen(start)) != 0 || at == NULL)
            continue;
        while (at > line && at[-1] == ' ')
            at--;
        while (at > line && at[-1] >= '0' && at[-1] <= '9')
            at--;
        found = sscanf(at, "%lu / %lu kB", &kilobytes[0], &kilobytes[1]) == 2;
    }
    fclose(file);
    return found;
}

int main(int argc, char **argv)
{
    size_t most[ROWS][2] = {{0}};
    const char *backend;
    size_t b, i, j;
    if (argc != 3 || !read_hybrids(argv[2])) {
        printf("usage: stack <lanner.h> <hybrid.json>\n");
        return 2;
    }
    for (b = 0; (backend = lanner_backend_name(b)) != NULL; b++) {
        CHECK_IS(lanner_backend_force(backend), LANNER_OK);
        for (variant = 0; variant < 3; variant++)
            for (j = 0; j < 2; j++) {
                degree = j == 0 ? 512 : 1024;
                for (i = 0; i < ROWS; i++) {
                    size_t taken = depth(rows[i].run);
                    if (taken > most[i][j])
                        most[i][j] = taken;
                }
            }
    }
    for (i = 0; i < ROWS; i++) {
        unsigned long kilobytes[2] = {0, 0};
        CHECK(promised(argv[1], rows[i].row, kilobytes));
        for (j = 0; j < 2; j++) {
            printf("%s, %s: %lu bytes, and the header says %lu kB\n", rows[i].row,
                   j == 0 ? "512" : "1024", (unsigned long)most[i][j], kilobytes[j]);
            /* Within a kilobyte, and for other compilers a quarter. */
            CHECK(most[i][j] <= 1000 * kilobytes[j]);
            CHECK(4 * most[i][j] + 4000 >= 3000 * kilobytes[j]);
        }
    }
    lanner_fn_dsa_key_clear(&key);
    return check_report("stack");
}
