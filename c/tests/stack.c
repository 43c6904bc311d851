/*
 * How much stack functions take, those of FN-DSA, Falcon and hybrid signatures beside the scratch that is lent to them: each
 * runs on a stack of its own, painted before, on every backend. The most is held against the tables in lanner.h, whose path is
 * the first argument, and for Ed25519 and X25519 against the table in README.md, the third one; the second is
 * vectors/data/hybrid.json.
 *
 * Only for a build with the released optimisation.
 */
#define _GNU_SOURCE
#include <ucontext.h>

#include "check.h"
#include "ed25519.h"
#include "hybrid_vectors.h"
#include "lanner.h"

typedef unsigned char byte;

enum { STACK = 1 << 18, PAINT = 0xa5, ROWS = 10 };

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

static void sign_as_checked(void)
{
    size_t room = lanner_fn_dsa_sign_scratch_bytes(degree);
    if (variant == LANNER_FALCON) {
        signature_length = sizeof signature;
        CHECK_IS(lanner_falcon_sign_checked(&key, LANNER_FALCON_PADDED, message, sizeof message,
                                            signature, &signature_length, scratch, room),
                 LANNER_OK);
    } else {
        signature_length = lanner_fn_dsa_signature_bytes(degree);
        CHECK_IS(lanner_fn_dsa_sign_checked(&key, NULL, 0, LANNER_FN_DSA_RAW, message,
                                            sizeof message, signature, scratch, room),
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

static lanner_hybrid_key hybrid_key;

static void make_hybrid(void)
{
    CHECK_IS(lanner_hybrid_key_from_seed(&hybrid_key, degree, seed), LANNER_OK);
}

static void sign_hybrid(void)
{
    static byte made[LANNER_HYBRID_1024_SIGNATURE_BYTES];
    CHECK_IS(lanner_hybrid_sign(&hybrid_key, NULL, 0, message, sizeof message, made, scratch,
                                lanner_fn_dsa_sign_scratch_bytes(degree)),
             LANNER_OK);
}

static void sign_hybrid_checked(void)
{
    static byte made[LANNER_HYBRID_1024_SIGNATURE_BYTES];
    CHECK_IS(lanner_hybrid_sign_checked(&hybrid_key, NULL, 0, message, sizeof message, made,
                                        scratch, lanner_fn_dsa_sign_scratch_bytes(degree)),
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
    {"signing, checked", sign_as_checked},
    {"decoding a public key", decode_public},
    {"verification", verify},
    {"hybrid key of a seed", make_hybrid},
    {"hybrid signing", sign_hybrid},
    {"hybrid signing, checked", sign_hybrid_checked},
    {"hybrid verification", verify_hybrid},
};

/* Many keys, messages and signatures; batches of every size up to it go different ways. */
enum { MANY = 130 };
static byte seeds[MANY][32], publics[MANY][32], signatures[MANY][64], results[MANY * 64];
static lanner_ed25519_key keys[MANY];
static lanner_ed25519_prepared prepared;
static lanner_ed25519_message messages[MANY];
static lanner_ed25519_item items[MANY];
static lanner_ed25519_prepared_item prepared_items[MANY];
static lanner_ed25519_verifier verifier;
static const byte *ms[MANY], *pks[MANY], *sigs[MANY];
static size_t lengths[MANY], count;
static int valid[MANY], profile;

static void key_from_seed(void)
{
    CHECK_IS(lanner_ed25519_key_from_seed(&keys[0], seeds[0]), LANNER_OK);
}

static void keys_from_seeds(void)
{
    CHECK_IS(lanner_ed25519_key_from_seed_each(keys, seeds[0], count), LANNER_OK);
}

static void sign_one(void)
{
    CHECK_IS(lanner_ed25519_sign(&keys[0], message, sizeof message, signatures[0]), LANNER_OK);
}

static void sign_checked(void)
{
    CHECK_IS(lanner_ed25519_sign_checked(&keys[0], message, sizeof message, signatures[0]),
             LANNER_OK);
}

static void sign_each(void)
{
    CHECK_IS(lanner_ed25519_sign_each(messages, count, signatures[0]), LANNER_OK);
}

static void donna_public(void)
{
    ed25519_publickey(seeds[0], publics[0]);
}

static void donna_sign(void)
{
    ed25519_sign(message, sizeof message, seeds[0], NULL, signatures[0]);
}

static void verify_one(void)
{
    CHECK_IS(lanner_ed25519_verify(profile, publics[0], message, sizeof message, signatures[0]),
             LANNER_OK);
}

static void verify_stream(void)
{
    CHECK_IS(lanner_ed25519_verifier_init(&verifier, profile, publics[0], signatures[0]),
             LANNER_OK);
    CHECK_IS(lanner_ed25519_verifier_update(&verifier, message, sizeof message), LANNER_OK);
    CHECK_IS(lanner_ed25519_verifier_final(&verifier), LANNER_OK);
}

static void verify_batch(void)
{
    CHECK_IS(lanner_ed25519_verify_batch(profile, items, count, results), LANNER_OK);
}

static void donna_open(void)
{
    CHECK_IS(ed25519_sign_open(message, sizeof message, publics[0], signatures[0]), 0);
}

static void donna_batch(void)
{
    CHECK_IS(ed25519_sign_open_batch(ms, lengths, pks, sigs, count, valid), 0);
}

static void prepare(void)
{
    CHECK_IS(lanner_ed25519_prepared_init(&prepared, publics[0]), LANNER_OK);
}

static void verify_prepared(void)
{
    CHECK_IS(lanner_ed25519_prepared_verify(&prepared, profile, message, sizeof message,
                                            signatures[0]),
             LANNER_OK);
}

static void verify_prepared_batch(void)
{
    CHECK_IS(lanner_ed25519_prepared_verify_batch(profile, prepared_items, count, results),
             LANNER_OK);
}

static void exchange_public(void)
{
    CHECK_IS(lanner_x25519_public(seeds[0], results), LANNER_OK);
}

static void exchange_public_each(void)
{
    CHECK_IS(lanner_x25519_public_each(seeds[0], count, results), LANNER_OK);
}

static void exchange(void)
{
    CHECK_IS(lanner_x25519(seeds[0], seeds[1], results), LANNER_OK);
}

static void exchange_each(void)
{
    CHECK_IS(lanner_x25519_each(seeds[0], seeds[0], count, results), LANNER_OK);
}

/* What README.md has a row for. */
static struct {
    const char *name;
    void (*run)(void);
    int is_of_many;
    /* On all backends but avx512, and on that one. */
    size_t most[2];
} curve[] = {
    {"lanner_ed25519_key_from_seed", key_from_seed, 0, {0, 0}},
    {"lanner_ed25519_key_from_seed_each", keys_from_seeds, 1, {0, 0}},
    {"lanner_ed25519_sign", sign_one, 0, {0, 0}},
    {"lanner_ed25519_sign_checked", sign_checked, 0, {0, 0}},
    {"lanner_ed25519_sign_each", sign_each, 1, {0, 0}},
    {"lanner_ed25519_verify", verify_one, 0, {0, 0}},
    {"lanner_ed25519_verifier_final", verify_stream, 0, {0, 0}},
    {"lanner_ed25519_verify_batch", verify_batch, 1, {0, 0}},
    {"lanner_ed25519_prepared_init", prepare, 0, {0, 0}},
    {"lanner_ed25519_prepared_verify", verify_prepared, 0, {0, 0}},
    {"lanner_ed25519_prepared_verify_batch", verify_prepared_batch, 1, {0, 0}},
    {"ed25519_publickey", donna_public, 0, {0, 0}},
    {"ed25519_sign", donna_sign, 0, {0, 0}},
    {"ed25519_sign_open", donna_open, 0, {0, 0}},
    {"ed25519_sign_open_batch", donna_batch, 1, {0, 0}},
    {"lanner_x25519_public", exchange_public, 0, {0, 0}},
    {"lanner_x25519_public_each", exchange_public_each, 1, {0, 0}},
    {"lanner_x25519", exchange, 0, {0, 0}},
    {"lanner_x25519_each", exchange_each, 1, {0, 0}},
};
enum { CURVE = sizeof curve / sizeof *curve };

/* Everything is made once, without a look at the stack. */
static void prepare_many(void)
{
    size_t i;
    check_random_bytes(seeds[0], sizeof seeds);
    CHECK_IS(lanner_ed25519_key_from_seed_each(keys, seeds[0], MANY), LANNER_OK);
    CHECK_IS(lanner_ed25519_public_from_seed_each(seeds[0], MANY, publics[0]), LANNER_OK);
    for (i = 0; i < MANY; i++) {
        messages[i].key = &keys[i];
        messages[i].message = items[i].message = prepared_items[i].message = ms[i] = message;
        messages[i].message_length = items[i].message_length = sizeof message;
        prepared_items[i].message_length = lengths[i] = sizeof message;
        items[i].public_key = pks[i] = publics[i];
        items[i].signature = sigs[i] = signatures[i];
        prepared_items[i].key = &prepared;
        prepared_items[i].signature = signatures[0];
    }
    CHECK_IS(lanner_ed25519_sign_each(messages, MANY, signatures[0]), LANNER_OK);
    prepare();
}

/* On the backend at work. */
static void measure_curve(int is_avx512)
{
    static const size_t counts[] = {1, 2, 3, 4, 7, 8, 16, 40, MANY};
    size_t i, c;
    for (i = 0; i < CURVE; i++)
        for (c = 0; c < sizeof counts / sizeof *counts; c++)
            for (profile = 0; lanner_ed25519_profile_name(profile) != NULL; profile++) {
                size_t taken, *most = &curve[i].most[is_avx512];
                count = counts[c];
                if (c > 0 && !curve[i].is_of_many)
                    continue;
                taken = depth(curve[i].run);
                if (taken > *most)
                    *most = taken;
            }
}

/* The kilobytes of the line of a table that is about a function. */
static unsigned long row_of(const char *path, const char *name)
{
    char line[512], start[64];
    unsigned long kilobytes = 0;
    FILE *file = fopen(path, "r");
    int read = 0;
    if (file == NULL)
        return 0;
    sprintf(start, "| `%s` | ", name);
    /* Other tables have lines about functions, too, with other units. */
    while (read == 0 && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, start, strlen(start)) == 0)
            (void)sscanf(line + strlen(start), "%lu kB%n", &kilobytes, &read);
    fclose(file);
    return read == 0 ? 0 : kilobytes;
}

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
    int has_avx2 = 0;
    if (argc != 4 || !read_hybrids(argv[2])) {
        printf("usage: stack <lanner.h> <hybrid.json> <README.md>\n");
        return 2;
    }
    prepare_many();
    for (b = 0; (backend = lanner_backend_name(b)) != NULL; b++) {
        CHECK_IS(lanner_backend_force(backend), LANNER_OK);
        measure_curve(strcmp(backend, "avx512") == 0);
        has_avx2 |= strcmp(backend, "avx2") == 0;
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
    for (i = 0; i < CURVE; i++) {
        unsigned long kilobytes = row_of(argv[3], curve[i].name);
        size_t taken = curve[i].most[0];
        printf("%s: %lu bytes (avx512: %lu), and README.md says %lu kB\n", curve[i].name,
               (unsigned long)taken, (unsigned long)curve[i].most[1], kilobytes);
        CHECK(taken <= 1000 * kilobytes);
        /* Without lanes most functions take less. */
        CHECK(!has_avx2 || 4 * taken + 4000 >= 3000 * kilobytes);
    }
    lanner_fn_dsa_key_clear(&key);
    return check_report("stack");
}
