/*
 * Known answers, through both faces: RFC 8032 and RFC 7748, the project's own edge cases of
 * verification, of X25519 and of Ristretto255, and djb's sign.input; once on every backend that can run here.
 *
 *   vectors DIRECTORY [STRIDE]
 *
 * The directory is that of the data. With a stride, of the longer lists only every so manieth case
 * counts: for emulators. Backends other than the default one have a stride seven times as long.
 */
#include "check.h"
#include "curve25519.h"
#include "ed25519.h"
#include "lanner.h"
#include "lines.h"

/* Of the longer lists, the cases whose number is a multiple of this. */
static size_t stride = 1;

static lines *open_or_die(const char *dir, const char *name)
{
    lines *data = lines_open(dir, name);
    if (data == NULL) {
        fprintf(stderr, "cannot read %s/%s\n", dir, name);
        exit(EXIT_FAILURE);
    }
    return data;
}

/* The message in pieces: for lanner_ed25519_sign_feed. */
typedef struct message {
    const unsigned char *bytes;
    size_t length;
    size_t piece;
} message;

static int feed(void *user, lanner_sink *sink)
{
    const message *m = (const message *)user;
    size_t at = 0;
    while (at < m->length) {
        size_t size = m->length - at < m->piece ? m->length - at : m->piece;
        if (lanner_sink_update(sink, m->bytes + at, size) != LANNER_OK)
            return 1;
        at += size;
    }
    return 0;
}

static void sign_plain(const lanner_ed25519_key *key, const unsigned char *seed,
                       const unsigned char *pk, const unsigned char *m, size_t mlen,
                       const unsigned char *sig)
{
    unsigned char out[64];
    lanner_ed25519_verifier verifier;
    size_t at;

    ed25519_sign(m, mlen, seed, pk, out);
    CHECK_BYTES(out, sig, 64);
    CHECK_IS(ed25519_sign_open(m, mlen, pk, sig), 0);
    CHECK_IS(lanner_ed25519_sign(key, m, mlen, out), LANNER_OK);
    CHECK_BYTES(out, sig, 64);
    CHECK_IS(lanner_ed25519_sign_seed(seed, m, mlen, out), LANNER_OK);
    CHECK_BYTES(out, sig, 64);
    CHECK_IS(lanner_ed25519_verify(LANNER_ED25519_STRICT, pk, m, mlen, sig), LANNER_OK);

    CHECK_IS(lanner_ed25519_verifier_init(&verifier, LANNER_ED25519_STRICT, pk, sig), LANNER_OK);
    for (at = 0; at < mlen; at += 7)
        CHECK_IS(lanner_ed25519_verifier_update(&verifier, m + at, mlen - at < 7 ? mlen - at : 7),
                 LANNER_OK);
    CHECK_IS(lanner_ed25519_verifier_final(&verifier), LANNER_OK);
    if (mlen > 0)
        CHECK(ed25519_sign_open(m, mlen - 1, pk, sig) != 0);
}

static void signing(const char *dir)
{
    lines *data = open_or_die(dir, "ed25519_sign");
    unsigned long plain = 0, ctx = 0, ph = 0;
    while (lines_next(data)) {
        const char *scheme = data->field[0];
        const unsigned char *context, *m, *seed, *pk, *sig;
        size_t context_length = lines_octets(data, 1, &context);
        size_t mlen = lines_octets(data, 4, &m);
        unsigned char out[64];
        lanner_ed25519_key key;
        message parts;
        seed = lines_exactly(data, 2, 32);
        pk = lines_exactly(data, 3, 32);
        sig = lines_exactly(data, 5, 64);
        parts.bytes = m;
        parts.length = mlen;
        parts.piece = 13;

        CHECK_IS(lanner_ed25519_key_from_seed(&key, seed), LANNER_OK);
        CHECK_IS(lanner_ed25519_key_public(&key, out), LANNER_OK);
        CHECK_BYTES(out, pk, 32);
        ed25519_publickey(seed, out);
        CHECK_BYTES(out, pk, 32);
        if (strcmp(scheme, "ed25519") == 0) {
            plain++;
            sign_plain(&key, seed, pk, m, mlen, sig);
            CHECK_IS(lanner_ed25519_sign_feed(&key, NULL, 0, feed, &parts, out), LANNER_OK);
            CHECK_BYTES(out, sig, 64);
        } else if (strcmp(scheme, "ed25519ctx") == 0) {
            lanner_ed25519_verifier verifier;
            ctx++;
            CHECK_IS(lanner_ed25519_sign_ctx(&key, context, context_length, m, mlen, out),
                     LANNER_OK);
            CHECK_BYTES(out, sig, 64);
            CHECK_IS(
                lanner_ed25519_sign_feed(&key, context, context_length, feed, &parts, out),
                LANNER_OK);
            CHECK_BYTES(out, sig, 64);
            CHECK_IS(lanner_ed25519_verify_ctx(LANNER_ED25519_RFC8032, pk, context,
                                               context_length, m, mlen, sig),
                     LANNER_OK);
            CHECK_IS(lanner_ed25519_verify(LANNER_ED25519_RFC8032, pk, m, mlen, sig),
                     LANNER_ERROR_SIGNATURE);
            CHECK_IS(lanner_ed25519_verifier_init_ctx(&verifier, LANNER_ED25519_RFC8032, pk,
                                                      context, context_length, sig),
                     LANNER_OK);
            CHECK_IS(lanner_ed25519_verifier_update(&verifier, m, mlen), LANNER_OK);
            CHECK_IS(lanner_ed25519_verifier_final(&verifier), LANNER_OK);
        } else {
            lanner_ed25519ph_state state;
            ph++;
            CHECK_IS(lanner_ed25519ph_sign(&key, context, context_length, m, mlen, out),
                     LANNER_OK);
            CHECK_BYTES(out, sig, 64);
            CHECK_IS(lanner_ed25519ph_verify(LANNER_ED25519_STRICT, pk, context, context_length,
                                             m, mlen, sig),
                     LANNER_OK);
            CHECK_IS(lanner_ed25519ph_init(&state), LANNER_OK);
            CHECK_IS(lanner_ed25519ph_update(&state, m, mlen / 2), LANNER_OK);
            CHECK_IS(lanner_ed25519ph_update(&state, m + mlen / 2, mlen - mlen / 2), LANNER_OK);
            CHECK_IS(lanner_ed25519ph_final_sign(&state, &key, context, context_length, out),
                     LANNER_OK);
            CHECK_BYTES(out, sig, 64);
            CHECK_IS(lanner_ed25519ph_init(&state), LANNER_OK);
            CHECK_IS(lanner_ed25519ph_update(&state, m, mlen), LANNER_OK);
            CHECK_IS(lanner_ed25519ph_final_verify(&state, LANNER_ED25519_STRICT, pk, context,
                                                   context_length, sig),
                     LANNER_OK);
        }
        lanner_ed25519_key_clear(&key);
    }
    CHECK(plain >= 5 && ctx >= 4 && ph >= 1);
    lines_close(data);
}

/* Every profile's verdict on every edge case: single, streaming, prepared, and in one batch. */
static void verdicts(const char *dir)
{
    enum { ROOM = 4096 };
    static const int profiles[] = {LANNER_ED25519_STRICT,  LANNER_ED25519_DALEK,
                                   LANNER_ED25519_RFC8032, LANNER_ED25519_RFC8032_COFACTORLESS,
                                   LANNER_ED25519_ZIP215,  LANNER_ED25519_DONNA,
                                   LANNER_ED25519_LIBSODIUM};
    static unsigned char keys[ROOM][32], sigs[ROOM][64], messages[ROOM][256];
    static lanner_ed25519_item items[ROOM];
    static unsigned char accept[7][ROOM], found[ROOM];
    static const unsigned char *m[ROOM], *pk[ROOM], *rs[ROOM];
    static size_t mlen[ROOM];
    static int valid[ROOM];
    lines *data = open_or_die(dir, "ed25519_verify");
    size_t count = 0, line = 0, i, p;
    unsigned long accepted = 0;
    while (lines_next(data) && count < ROOM) {
        const unsigned char *octets;
        size_t length;
        if (line++ % stride != 0)
            continue;
        length = lines_octets(data, 1, &octets);
        if (length > sizeof messages[0]) {
            fprintf(stderr, "a message is too long\n");
            exit(EXIT_FAILURE);
        }
        memcpy(messages[count], octets, length);
        memcpy(keys[count], lines_exactly(data, 0, 32), 32);
        memcpy(sigs[count], lines_exactly(data, 2, 64), 64);
        items[count].public_key = pk[count] = keys[count];
        items[count].signature = rs[count] = sigs[count];
        items[count].message = m[count] = messages[count];
        items[count].message_length = mlen[count] = length;
        for (p = 0; p < 7; p++) {
            char name[64];
            sprintf(name, ",%s,", lanner_ed25519_profile_name(profiles[p]));
            accept[p][count] = strstr(data->field[3], name) != NULL;
        }
        count++;
    }
    CHECK(count > 1000 / stride && count < ROOM);
    for (p = 0; p < 7; p++) {
        unsigned long in_this = 0;
        for (i = 0; i < count; i++) {
            const lanner_ed25519_item *item = &items[i];
            lanner_ed25519_verifier verifier;
            lanner_ed25519_prepared prepared;
            int status, wanted = accept[p][i];
            status = lanner_ed25519_verify(profiles[p], item->public_key, item->message,
                                           item->message_length, item->signature);
            CHECK_IS(status == LANNER_OK, wanted);
            status = lanner_ed25519_verifier_init(&verifier, profiles[p], item->public_key,
                                                  item->signature);
            if (status == LANNER_OK) {
                CHECK_IS(lanner_ed25519_verifier_update(&verifier, item->message,
                                                        item->message_length),
                         LANNER_OK);
                status = lanner_ed25519_verifier_final(&verifier);
            }
            CHECK_IS(status == LANNER_OK, wanted);
            status = lanner_ed25519_prepared_init(&prepared, item->public_key);
            if (status == LANNER_OK)
                status = lanner_ed25519_prepared_verify(&prepared, profiles[p], item->message,
                                                        item->message_length, item->signature);
            CHECK_IS(status == LANNER_OK, wanted);
            in_this += (unsigned long)wanted;
        }
        CHECK_IS(lanner_ed25519_verify_batch(profiles[p], items, count, found),
                 LANNER_ERROR_SIGNATURE);
        for (i = 0; i < count; i++) {
            if (found[i] != accept[p][i])
                printf("profile %s, case %lu:\n", lanner_ed25519_profile_name(profiles[p]),
                       (unsigned long)i);
            CHECK_IS(found[i], accept[p][i]);
        }
        CHECK(in_this > 0 && in_this < count);
        accepted += in_this;
    }
    CHECK(accepted > 0);

    /* The donna names follow one of the profiles. */
    p = lanner_ed25519_donna_profile() == LANNER_ED25519_DALEK ? 1 : 5;
    for (i = 0; i < count; i++)
        CHECK_IS(ed25519_sign_open(m[i], mlen[i], pk[i], rs[i]), accept[p][i] ? 0 : -1);
    CHECK(ed25519_sign_open_batch(m, mlen, pk, rs, count, valid) != 0);
    for (i = 0; i < count; i++)
        CHECK_IS(valid[i], accept[p][i]);
    lines_close(data);
}

static void exchange(const char *dir)
{
    lines *data = open_or_die(dir, "x25519");
    unsigned long refused = 0, cases = 0;
    while (lines_next(data)) {
        const unsigned char *scalar = lines_exactly(data, 0, 32);
        const unsigned char *u = lines_exactly(data, 1, 32);
        const unsigned char *wanted = lines_exactly(data, 2, 32);
        int contributory = data->field[3][0] == '1';
        unsigned char out[32];
        curve25519_donna(out, scalar, u);
        CHECK_BYTES(out, wanted, 32);
        CHECK_IS(lanner_x25519_unchecked(scalar, u, out), LANNER_OK);
        CHECK_BYTES(out, wanted, 32);
        CHECK_IS(lanner_x25519(scalar, u, out),
                 contributory ? LANNER_OK : LANNER_ERROR_NON_CONTRIBUTORY);
        CHECK_BYTES(out, wanted, 32);
        refused += !contributory;
        cases++;
    }
    CHECK(cases > 100 && refused > 0 && refused < cases);
    lines_close(data);
}

/* Whether an element is the neutral one, 32 zeros. */
static int is_neutral(const unsigned char *element)
{
    static const unsigned char zero[32] = {0};
    return memcmp(element, zero, 32) == 0;
}

/* Ristretto255: encodings, the one-way map, the group. */
static void ristretto(const char *dir)
{
    static const unsigned char zero[32] = {0}, one[32] = {1};
    lines *data = open_or_die(dir, "ristretto255");
    unsigned long elements = 0, refused = 0, mapped = 0, groups = 0;
    unsigned char out[32];
    while (lines_next(data)) {
        if (strcmp(data->field[0], "encoding") == 0) {
            int valid = data->field[2][0] == '1';
            const unsigned char *bytes = lines_exactly(data, 1, 32);
            CHECK_IS(lanner_ristretto255_check(bytes), valid ? LANNER_OK : LANNER_ERROR_ELEMENT);
            if (!valid) {
                memset(out, 1, 32);
                CHECK_IS(lanner_ristretto255_add(bytes, zero, out), LANNER_ERROR_ELEMENT);
                CHECK_ZERO(out, 32);
                memset(out, 1, 32);
                CHECK_IS(lanner_ristretto255_sub(zero, bytes, out), LANNER_ERROR_ELEMENT);
                CHECK_ZERO(out, 32);
                memset(out, 1, 32);
                CHECK_IS(lanner_ristretto255_mul(one, bytes, out), LANNER_ERROR_ELEMENT);
                CHECK_ZERO(out, 32);
            }
            elements += (unsigned long)valid;
            refused += !valid;
        } else if (strcmp(data->field[0], "mapped") == 0) {
            CHECK_IS(lanner_ristretto255_from_hash(lines_exactly(data, 1, 64), out), LANNER_OK);
            CHECK_BYTES(out, lines_exactly(data, 2, 32), 32);
            mapped++;
        } else {
            const unsigned char *p = lines_exactly(data, 1, 32), *q = lines_exactly(data, 2, 32);
            const unsigned char *scalar = lines_exactly(data, 3, 32);
            const unsigned char *wanted = lines_exactly(data, 6, 32);
            CHECK_IS(lanner_ristretto255_add(p, q, out), LANNER_OK);
            CHECK_BYTES(out, lines_exactly(data, 4, 32), 32);
            CHECK_IS(lanner_ristretto255_sub(p, q, out), LANNER_OK);
            CHECK_BYTES(out, lines_exactly(data, 5, 32), 32);
            CHECK_IS(lanner_ristretto255_mul(scalar, p, out),
                     is_neutral(wanted) ? LANNER_ERROR_ZERO : LANNER_OK);
            CHECK_BYTES(out, wanted, 32);
            wanted = lines_exactly(data, 7, 32);
            CHECK_IS(lanner_ristretto255_mul_base(scalar, out),
                     is_neutral(wanted) ? LANNER_ERROR_ZERO : LANNER_OK);
            CHECK_BYTES(out, wanted, 32);
            groups++;
        }
    }
    CHECK(elements > 40 && refused > 100 && mapped > 100 && groups > 50);
    lines_close(data);
}

/* Integers that are not clamped, and all of whose bits count: products from the formulas of RFC 7748, section 5, without
 * its decodeScalar, in another program (points of the twist, of the curve, and of the twist); and of the base point, whose
 * order is L, 0, 1, L, L + 1, L - 1, 8L - 1 and 8L + 1 times, of which the last two have the highest bit. */
static void unclamped(void)
{
    static const unsigned char products[3][3][32] = {
        {{0x6f, 0xfa, 0x40, 0x47, 0x01, 0xae, 0x25, 0x18, 0x46, 0x53, 0x7b, 0x8b, 0x31, 0xd6, 0x96, 0x2a,
          0x88, 0x7b, 0xcd, 0xf4, 0x56, 0x2a, 0x07, 0xb2, 0x89, 0x13, 0x7f, 0x8c, 0x94, 0xd5, 0x3e, 0x8a},
         {0x6b, 0xb8, 0xd1, 0xae, 0x0f, 0x0c, 0x7f, 0x41, 0xea, 0x3f, 0x33, 0xb0, 0x8f, 0x14, 0x07, 0x5c,
          0x55, 0x05, 0xe1, 0x66, 0x67, 0xf9, 0xdd, 0x97, 0x5e, 0x74, 0xe9, 0xeb, 0xa4, 0xc8, 0xf7, 0x7c},
         {0xbc, 0x2b, 0xe1, 0x47, 0x59, 0x26, 0x44, 0x57, 0xb3, 0x05, 0xf6, 0x03, 0x14, 0xe7, 0xf9, 0xa4,
          0x07, 0x77, 0x28, 0xc6, 0xf5, 0x13, 0x99, 0x1f, 0x55, 0xaf, 0x36, 0xd8, 0x88, 0x29, 0xe0, 0x22}},
        {{0xa7, 0x42, 0x0f, 0x3c, 0xf8, 0x99, 0x5d, 0x84, 0x0e, 0xa7, 0x68, 0x8c, 0xf8, 0xc4, 0xff, 0x85,
          0xe8, 0xaa, 0xfc, 0xd7, 0xfd, 0xb2, 0xb6, 0xf1, 0x8b, 0xdc, 0xd6, 0x9e, 0x32, 0x1a, 0x41, 0x72},
         {0xaa, 0x17, 0xac, 0xcb, 0x6a, 0xce, 0x58, 0xe3, 0x95, 0xe3, 0x11, 0x1f, 0x21, 0x88, 0x5c, 0x39,
          0xa9, 0xe8, 0x8b, 0xdc, 0xca, 0x3c, 0x5a, 0xda, 0xb8, 0x05, 0xda, 0xba, 0x2f, 0x6c, 0x77, 0x78},
         {0xc9, 0xb8, 0x10, 0x2d, 0xe1, 0xac, 0x00, 0x21, 0x0c, 0xed, 0x07, 0x40, 0x3c, 0xd4, 0x10, 0xee,
          0xf7, 0xa9, 0x17, 0xba, 0xe1, 0x59, 0xf8, 0x4d, 0x59, 0x62, 0x64, 0xff, 0x13, 0x4c, 0x28, 0x50}},
        {{0x03, 0x84, 0xdf, 0xcc, 0x52, 0xc8, 0xbd, 0x65, 0xad, 0x0c, 0x6e, 0xdf, 0x63, 0xce, 0xd1, 0x70,
          0xd7, 0x10, 0x08, 0x01, 0x0c, 0x4f, 0x86, 0x7b, 0xb6, 0x16, 0xa5, 0x78, 0x31, 0x72, 0x8a, 0x96},
         {0x49, 0xc0, 0x4b, 0x85, 0xe9, 0x3b, 0x9e, 0x4d, 0x05, 0x0e, 0xaa, 0x91, 0xfc, 0xf4, 0x6f, 0xb9,
          0x1d, 0x1e, 0xca, 0x2e, 0xeb, 0x10, 0xb2, 0x17, 0xf1, 0xde, 0xd6, 0xdf, 0xd6, 0x91, 0xa7, 0x27},
         {0xf6, 0x1d, 0xfc, 0x95, 0x4a, 0xd6, 0x04, 0xff, 0x4a, 0x1c, 0xfa, 0xeb, 0x86, 0x79, 0x26, 0xa6,
          0xd6, 0x5c, 0xc3, 0xa5, 0xf5, 0x09, 0x0d, 0xab, 0xe3, 0x4e, 0x1a, 0x80, 0x4d, 0xdb, 0x8d, 0x09}},
    };
    static const struct {
        unsigned char times[32];
        unsigned char u;
    } of_base[] = {
        {{0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
          0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00}, 0},
        {{0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
          0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00}, 9},
        {{0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14,
          0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x10}, 0},
        {{0xee, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14,
          0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x10}, 9},
        {{0xec, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14,
          0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x10}, 9},
        {{0x67, 0x9f, 0xae, 0xe7, 0xd2, 0x18, 0x93, 0xc0, 0xb2, 0xe6, 0xbc, 0x17, 0xf5, 0xce, 0xf7, 0xa6,
          0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80}, 9},
        {{0x69, 0x9f, 0xae, 0xe7, 0xd2, 0x18, 0x93, 0xc0, 0xb2, 0xe6, 0xbc, 0x17, 0xf5, 0xce, 0xf7, 0xa6,
          0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80}, 9},
    };
    static const unsigned char nine[32] = {9};
    unsigned char k[32], u[32], out[32], other[32];
    size_t i;
    for (i = 0; i < 3; i++) {
        curve25519_donna_raw(out, products[i][0], products[i][1]);
        CHECK_BYTES(out, products[i][2], 32);
        /* The highest bit of the point does not count. */
        memcpy(u, products[i][1], 32);
        u[31] |= 0x80;
        CHECK_IS(lanner_x25519_unclamped(products[i][0], u, u), LANNER_OK);
        CHECK_BYTES(u, products[i][2], 32);
    }
    for (i = 0; i < sizeof of_base / sizeof *of_base; i++) {
        CHECK_IS(lanner_x25519_unclamped(of_base[i].times, nine, out), LANNER_OK);
        CHECK(out[0] == of_base[i].u && is_zero(out + 1, 31));
    }
    for (i = 0; i < 50; i++) {
        /* Clamped by hand it is the other one, and else it is not. */
        check_random_bytes(k, 32);
        check_random_bytes(u, 32);
        curve25519_donna(other, k, u);
        k[0] |= 1;
        curve25519_donna_raw(out, k, u);
        CHECK(memcmp(out, other, 32) != 0);
        k[0] &= 248;
        k[31] = (unsigned char)((k[31] & 127) | 64);
        curve25519_donna_raw(out, k, u);
        CHECK_BYTES(out, other, 32);
    }
}

/* RFC 7748 section 5.2: a thousand rounds, each on the result of the last. */
static void iterated(void)
{
    static const unsigned char wanted[32] = {
        0x68, 0x4c, 0xf5, 0x9b, 0xa8, 0x33, 0x09, 0x55, 0x28, 0x00, 0xef, 0x56, 0x6f, 0x2f, 0x4d, 0x3c,
        0x1c, 0x38, 0x87, 0xc4, 0x93, 0x60, 0xe3, 0x87, 0x5f, 0x2e, 0xb9, 0x4d, 0x99, 0x53, 0x2c, 0x51};
    static const unsigned char nine[32] = {9};
    unsigned char k[32], u[32], next[32], basepoint[32];
    int i;
    memcpy(k, nine, 32);
    memcpy(u, nine, 32);
    for (i = 0; i < 1000 && stride == 1; i++) {
        curve25519_donna(next, k, u);
        memcpy(u, k, 32);
        memcpy(k, next, 32);
    }
    if (stride == 1)
        CHECK_BYTES(k, wanted, 32);
    for (i = 0; i < 50; i++) {
        check_random_bytes(k, 32);
        curve25519_donna(next, k, nine);
        curve25519_donna_basepoint(u, k);
        CHECK_BYTES(u, next, 32);
        curved25519_scalarmult_basepoint(basepoint, k);
        CHECK_BYTES(basepoint, next, 32);
        CHECK_IS(lanner_x25519_public(k, u), LANNER_OK);
        CHECK_BYTES(u, next, 32);
    }
}

/* djb's set: seed and public key, public key, message, signature and message. */
static void sign_input(const char *dir)
{
    lines *data = lines_open(dir, "sign.input");
    unsigned long cases = 0;
    size_t line = 0;
    if (data == NULL) {
        printf("SKIPPED: sign.input is outside data and not here\n");
        return;
    }
    while (lines_next(data)) {
        const unsigned char *seed, *pk, *m, *sig;
        size_t mlen;
        unsigned char out[64];
        lanner_ed25519_key key;
        if (line++ % stride != 0)
            continue;
        seed = lines_exactly(data, 0, 64);
        pk = lines_exactly(data, 1, 32);
        mlen = lines_octets(data, 2, &m);
        sig = lines_exactly(data, 3, mlen + 64);
        ed25519_publickey(seed, out);
        CHECK_BYTES(out, pk, 32);
        ed25519_sign(m, mlen, seed, pk, out);
        CHECK_BYTES(out, sig, 64);
        CHECK_IS(ed25519_sign_open(m, mlen, pk, sig), 0);
        memcpy(out, sig, 64);
        out[cases % 64] ^= 1;
        CHECK(ed25519_sign_open(m, mlen, pk, out) != 0);
        /* The first field is the pair of 64 bytes. */
        CHECK_IS(lanner_ed25519_key_from_pair(&key, seed), LANNER_OK);
        CHECK_IS(lanner_ed25519_sign(&key, m, mlen, out), LANNER_OK);
        CHECK_BYTES(out, sig, 64);
        cases++;
    }
    CHECK(cases >= 128 / stride);
    lines_close(data);
}

/* Everything, on the backend at work. */
static void everything(const char *dir)
{
    printf("backend %s, every case of %lu\n", lanner_backend_active(), (unsigned long)stride);
    signing(dir);
    verdicts(dir);
    exchange(dir);
    ristretto(dir);
    iterated();
    unclamped();
    sign_input(dir);
}

int main(int argc, char **argv)
{
    const char *name;
    size_t i;
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: vectors DIRECTORY [STRIDE]\n");
        return EXIT_FAILURE;
    }
    if (argc == 3)
        stride = (size_t)strtoul(argv[2], NULL, 10);
    CHECK(stride > 0 && strcmp(lanner_backend_active(), lanner_backend_name(0)) == 0);
    everything(argv[1]);
    stride *= 7;
    for (i = 1; (name = lanner_backend_name(i)) != NULL; i++) {
        CHECK_IS(lanner_backend_force(name), LANNER_OK);
        CHECK(strcmp(lanner_backend_active(), name) == 0);
        everything(argv[1]);
    }
    return check_report("vectors");
}
