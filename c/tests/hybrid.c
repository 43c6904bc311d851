/*
 * Hybrid signatures through lanner.h. The argument is vectors/data/hybrid.json, of which each field has a line.
 */
#include "check.h"
#include "hybrid_vectors.h"
#include "lanner.h"

static struct hybrid_vector vector;

static int verify(void)
{
    return lanner_hybrid_verify(vector.degree, vector.public_key.bytes, vector.public_key.length,
                                vector.context.bytes, vector.context.length, vector.message.bytes,
                                vector.message.length, vector.signature.bytes,
                                vector.signature.length);
}

/* Everything counts, and what is wrong is said. */
static void one(void)
{
    size_t i;
    CHECK_IS(verify(), LANNER_OK);
    for (i = 0; i < vector.signature.length; i += 31) {
        vector.signature.bytes[i] ^= 0x40;
        CHECK_IS(verify(), LANNER_ERROR_SIGNATURE);
        vector.signature.bytes[i] ^= 0x40;
    }
    vector.signature.length--;
    CHECK_IS(verify(), LANNER_ERROR_SIGNATURE);
    vector.signature.length += 2;
    CHECK_IS(verify(), LANNER_ERROR_SIGNATURE);
    vector.signature.length--;
    vector.message.length++;
    CHECK_IS(verify(), LANNER_ERROR_SIGNATURE);
    vector.message.length--;
    vector.context.length++;
    CHECK_IS(verify(), LANNER_ERROR_SIGNATURE);
    vector.context.length--;
    vector.public_key.bytes[32] ^= 3;
    CHECK_IS(verify(), LANNER_ERROR_KEY);
    vector.public_key.bytes[32] ^= 3;
    vector.public_key.length--;
    CHECK_IS(verify(), LANNER_ERROR_KEY);
    vector.public_key.length++;
    vector.degree = 1536 - vector.degree;
    CHECK_IS(verify(), LANNER_ERROR_KEY);
    vector.degree = 1536 - vector.degree;
    CHECK_IS(verify(), LANNER_OK);
}

static void calls(void)
{
    const unsigned char *key = vector.public_key.bytes, *sig = vector.signature.bytes;
    size_t key_length = vector.public_key.length, sig_length = vector.signature.length;
    size_t length = vector.context.length;
    vector.context.length = 256;
    CHECK_IS(verify(), LANNER_ERROR_CONTEXT);
    vector.context.length = length;
    CHECK_IS(lanner_hybrid_verify(256, key, key_length, NULL, 0, NULL, 0, sig, sig_length),
             LANNER_ERROR_UNSUPPORTED);
    CHECK_IS(lanner_hybrid_verify(vector.degree, NULL, key_length, NULL, 0, NULL, 0, sig,
                                  sig_length),
             LANNER_ERROR_NULL);
    CHECK_IS(lanner_hybrid_verify_digest(vector.degree, key, key_length, NULL, 0, NULL, sig,
                                         sig_length),
             LANNER_ERROR_NULL);
}

/* SHA-512 of nothing (FIPS 180-4). */
static const unsigned char hash_of_nothing[64] = {
    0xcf, 0x83, 0xe1, 0x35, 0x7e, 0xef, 0xb8, 0xbd, 0xf1, 0x54, 0x28, 0x50, 0xd6, 0x6d, 0x80, 0x07,
    0xd6, 0x20, 0xe4, 0x05, 0x0b, 0x57, 0x15, 0xdc, 0x83, 0xf4, 0xa9, 0x21, 0xd3, 0x6c, 0xe9, 0xce,
    0x47, 0xd0, 0xd1, 0x3c, 0x5d, 0x85, 0xf2, 0xb0, 0xff, 0x83, 0x18, 0xd2, 0x87, 0x7e, 0xec, 0x2f,
    0x63, 0xb9, 0x31, 0xbd, 0x47, 0x41, 0x7a, 0x81, 0xa5, 0x38, 0x32, 0x7a, 0xf9, 0x27, 0xda, 0x3e};

static int of_digest(const unsigned char *digest)
{
    return lanner_hybrid_verify_digest(vector.degree, vector.public_key.bytes,
                                       vector.public_key.length, vector.context.bytes,
                                       vector.context.length, digest, vector.signature.bytes,
                                       vector.signature.length);
}

static lanner_hybrid_key key;
/* Aligned as it pleases. */
static unsigned char scratch[80000];
static unsigned char made[LANNER_HYBRID_1024_SIGNATURE_BYTES + 1];

/* Whether the signature that was made is one of this message, and its half of Ed25519, of which there is one, the vector's.
 * Nothing is written behind it. */
static void check_made(int status)
{
    CHECK_IS(status, LANNER_OK);
    CHECK_IS(lanner_hybrid_verify(vector.degree, vector.public_key.bytes, vector.public_key.length,
                                  vector.context.bytes, vector.context.length,
                                  vector.message.bytes, vector.message.length, made,
                                  vector.signature.length),
             LANNER_OK);
    CHECK_BYTES(made, vector.signature.bytes, 64);
    CHECK_IS(made[vector.signature.length], 0xee);
    memset(made, 0xee, sizeof made);
}

static int is_whole(int status, int wanted)
{
    int zeros = is_zero(made, vector.signature.length);
    CHECK_IS(made[vector.signature.length], 0xee);
    memset(made, 0xee, sizeof made);
    return status == wanted && zeros;
}

/* Keys of the vectors' seeds, and what they sign. */
static void signing(void)
{
    const unsigned char *m = vector.message.bytes, *c = vector.context.bytes;
    size_t ml = vector.message.length, cl = vector.context.length, length;
    size_t room = lanner_fn_dsa_sign_scratch_bytes(vector.degree);
    unsigned char seed[LANNER_HYBRID_SEED_BYTES], public_key[LANNER_HYBRID_1024_PUBLIC_BYTES];
    lanner_hybrid_key other;
    CHECK_IS(vector.seed.length, sizeof seed);
    CHECK_IS(lanner_hybrid_key_from_seed(&key, vector.degree, vector.seed.bytes), LANNER_OK);
    CHECK_IS(lanner_hybrid_key_seed(&key, seed), LANNER_OK);
    CHECK_BYTES(seed, vector.seed.bytes, sizeof seed);
    CHECK_IS(lanner_hybrid_key_public(&key, NULL, &length), LANNER_OK);
    CHECK_IS(length, vector.public_key.length);
    length--;
    CHECK_IS(lanner_hybrid_key_public(&key, public_key, &length), LANNER_ERROR_BUFFER);
    CHECK_IS(length, vector.public_key.length);
    CHECK_IS(lanner_hybrid_key_public(&key, public_key, &length), LANNER_OK);
    CHECK_BYTES(public_key, vector.public_key.bytes, length);
    memset(made, 0xee, sizeof made);

    check_made(lanner_hybrid_sign(&key, c, cl, m, ml, made, NULL, 0));
    check_made(lanner_hybrid_sign(&key, c, cl, m, ml, made, scratch + 1, room));
    check_made(lanner_hybrid_sign_checked(&key, c, cl, m, ml, made, NULL, 0));
    check_made(lanner_hybrid_sign_checked(&key, c, cl, m, ml, made, scratch + 1, room));
    if (ml == 0) {
        const unsigned char *digest = hash_of_nothing;
        check_made(lanner_hybrid_sign_digest(&key, c, cl, digest, made, NULL, 0));
        check_made(lanner_hybrid_sign_digest_checked(&key, c, cl, digest, made, NULL, 0));
        check_made(lanner_hybrid_sign_digest(&key, c, cl, digest, made, scratch, room));
        check_made(lanner_hybrid_sign_digest_checked(&key, c, cl, digest, made, scratch, room));
    }
    /* A copy of an object is one, wherever it lies. */
    memcpy(&other, &key, sizeof key);
    lanner_hybrid_key_clear(&key);
    CHECK_ZERO(&key, sizeof key);
    check_made(lanner_hybrid_sign(&other, c, cl, m, ml, made, NULL, 0));

    /* A signature of one message is none of another, and none under another context. */
    CHECK_IS(lanner_hybrid_sign(&other, (const unsigned char *)"x", 1, m, ml, made, NULL, 0),
             LANNER_OK);
    CHECK_IS(lanner_hybrid_verify(vector.degree, vector.public_key.bytes, vector.public_key.length,
                                  c, cl, m, ml, made, vector.signature.length),
             LANNER_ERROR_SIGNATURE);
    memset(made, 0xee, sizeof made);

    /* Less scratch than is needed, scratch on what is signed, contexts that are too long. */
    CHECK(is_whole(lanner_hybrid_sign(&other, c, cl, m, ml, made, scratch, room / 2),
                   LANNER_ERROR_BUFFER));
    CHECK(is_whole(lanner_hybrid_sign_checked(&other, c, cl, m, ml, made, scratch, room / 2),
                   LANNER_ERROR_BUFFER));
    memcpy(scratch + 99, &other, sizeof other);
    CHECK(is_whole(lanner_hybrid_sign(&other, scratch + 9, 9, m, ml, made, scratch, room),
                   LANNER_ERROR_BUFFER));
    CHECK(is_whole(lanner_hybrid_sign(&other, c, cl, scratch + room - 1, 99, made, scratch, room),
                   LANNER_ERROR_BUFFER));
    CHECK(is_whole(lanner_hybrid_sign_digest(&other, c, cl, scratch + 7, made, scratch, room),
                   LANNER_ERROR_BUFFER));
    CHECK(is_whole(lanner_hybrid_sign_digest_checked(&other, c, cl, scratch, made, scratch, room),
                   LANNER_ERROR_BUFFER));
    CHECK_BYTES(scratch + 99, &other, sizeof other);
    CHECK(is_whole(lanner_hybrid_sign(&other, c, cl, m, ml, made, &other, sizeof other),
                   LANNER_ERROR_BUFFER));
    CHECK(is_whole(lanner_hybrid_sign(&other, m, 256, m, ml, made, NULL, 0),
                   LANNER_ERROR_CONTEXT));
    CHECK(is_whole(lanner_hybrid_sign_digest_checked(&other, m, 256, m, made, NULL, 0),
                   LANNER_ERROR_CONTEXT));
    check_made(lanner_hybrid_sign(&other, c, cl, m, ml, made, NULL, 0));
    lanner_hybrid_key_clear(&other);
}

/* Random keys differ, and a seed is another key with the other degree. */
static void generation(void)
{
    static unsigned char one[LANNER_HYBRID_1024_PUBLIC_BYTES],
        two[LANNER_HYBRID_1024_PUBLIC_BYTES];
    unsigned char seeds[2][LANNER_HYBRID_SEED_BYTES];
    size_t length = sizeof one;
    CHECK_IS(lanner_hybrid_key_generate(&key, vector.degree), LANNER_OK);
    CHECK_IS(lanner_hybrid_key_seed(&key, seeds[0]), LANNER_OK);
    CHECK_IS(lanner_hybrid_key_public(&key, one, &length), LANNER_OK);
    CHECK_IS(length, vector.public_key.length);
    CHECK_IS(lanner_hybrid_key_generate(&key, vector.degree), LANNER_OK);
    CHECK_IS(lanner_hybrid_key_seed(&key, seeds[1]), LANNER_OK);
    CHECK(memcmp(seeds[0], seeds[1], sizeof *seeds) != 0);
    CHECK_IS(lanner_hybrid_key_from_seed(&key, vector.degree, seeds[0]), LANNER_OK);
    CHECK_IS(lanner_hybrid_key_public(&key, two, &length), LANNER_OK);
    CHECK_BYTES(one, two, length);
    CHECK_IS(lanner_hybrid_key_from_seed(&key, 1536 - vector.degree, seeds[0]), LANNER_OK);
    length = sizeof two;
    CHECK_IS(lanner_hybrid_key_public(&key, two, &length), LANNER_OK);
    CHECK(length != vector.public_key.length && memcmp(one, two, 32) != 0);
    CHECK_IS(lanner_hybrid_key_generate(&key, 256), LANNER_ERROR_UNSUPPORTED);
    CHECK_ZERO(&key, sizeof key);
}

#if !defined(LANNER_BARE_METAL)
/* PKCS#8 and SubjectPublicKeyInfo, byte for byte as docs/hybrid.md has them. */
static void files(void)
{
    static const unsigned char head[] = {0x30, 0x30, 0x02, 0x01, 0x00, 0x30, 0x09, 0x06, 0x07, 0x69,
                                         0x87, 0xcd, 0xd8, 0xf2, 0x54, 0x6d, 0x04, 0x20};
    static unsigned char bytes[2000], der[2000];
    static char pem[3000];
    unsigned char expected[LANNER_HYBRID_SECRET_DER_BYTES];
    size_t length = sizeof der, got = sizeof bytes, text = sizeof pem, i;
    CHECK_IS(lanner_hybrid_key_from_seed(&key, vector.degree, vector.seed.bytes), LANNER_OK);
    memcpy(expected, head, sizeof head);
    expected[15] = vector.degree == 512 ? 0x6d : 0x6e;
    memcpy(expected + sizeof head, vector.seed.bytes, 32);
    CHECK_IS(lanner_hybrid_key_to_der(&key, der, &length), LANNER_OK);
    CHECK_IS(length, sizeof expected);
    CHECK_BYTES(der, expected, sizeof expected);
    CHECK_IS(lanner_hybrid_key_to_pem(&key, pem, &text), LANNER_OK);
    CHECK_IS(text, LANNER_HYBRID_SECRET_PEM_BYTES);
    CHECK_IS(strlen(pem) + 1, text);

    lanner_hybrid_key_clear(&key);
    CHECK_IS(lanner_hybrid_key_from_der(&key, der, length), LANNER_OK);
    CHECK_IS(lanner_hybrid_key_public(&key, bytes, &got), LANNER_OK);
    CHECK_BYTES(bytes, vector.public_key.bytes, vector.public_key.length);
    for (i = 0; i < length; i++) {
        int status;
        CHECK_IS(lanner_hybrid_key_from_der(&key, der, i), LANNER_ERROR_ENCODING);
        CHECK_ZERO(&key, sizeof key);
        if (i >= sizeof head)
            continue;
        der[i] ^= 2;
        status = lanner_hybrid_key_from_der(&key, der, length);
        CHECK_IS(status, LANNER_ERROR_ENCODING);
        der[i] ^= 2;
    }
    CHECK_IS(lanner_hybrid_key_from_pem(&key, pem, text), LANNER_OK);
    got = sizeof bytes;
    CHECK_IS(lanner_hybrid_key_public(&key, bytes, &got), LANNER_OK);
    CHECK_IS(got, vector.public_key.length);
    CHECK_BYTES(bytes, vector.public_key.bytes, got);
    CHECK_IS(lanner_hybrid_key_from_pem(&key, pem, text - 9), LANNER_ERROR_ENCODING);

    length = sizeof der;
    text = sizeof pem;
    CHECK_IS(lanner_hybrid_public_to_der(bytes, got, der, &length), LANNER_OK);
    CHECK_IS(lanner_hybrid_public_to_pem(bytes, got, pem, &text), LANNER_OK);
    CHECK_IS(length, got + 20);
    CHECK_BYTES(der + 20, bytes, got);
    CHECK(vector.degree == 512 || (length == LANNER_HYBRID_PUBLIC_DER_BYTES &&
                                   text == LANNER_HYBRID_PUBLIC_PEM_BYTES));
    CHECK_IS(strlen(pem) + 1, text);
    memset(bytes, 0, sizeof bytes);
    got = vector.public_key.length - 1;
    CHECK_IS(lanner_hybrid_public_from_der(bytes, &got, der, length), LANNER_ERROR_BUFFER);
    CHECK_IS(got, vector.public_key.length);
    CHECK_ZERO(bytes, sizeof bytes);
    CHECK_IS(lanner_hybrid_public_from_der(bytes, &got, der, length), LANNER_OK);
    CHECK_BYTES(bytes, vector.public_key.bytes, got);
    memset(bytes, 0, sizeof bytes);
    CHECK_IS(lanner_hybrid_public_from_pem(bytes, &got, pem, text), LANNER_OK);
    CHECK_BYTES(bytes, vector.public_key.bytes, got);
    /* The identifier of the other degree; a key that is none. */
    der[14] ^= 3;
    CHECK_IS(lanner_hybrid_public_from_der(bytes, &got, der, length), LANNER_ERROR_ENCODING);
    CHECK_IS(got, 0);
    der[14] ^= 3;
    bytes[0] = 2;
    memset(bytes + 1, 0, 31);
    text = sizeof pem;
    CHECK_IS(lanner_hybrid_public_to_der(bytes, vector.public_key.length, der, &length),
             LANNER_ERROR_KEY);
    CHECK_IS(lanner_hybrid_public_to_pem(vector.public_key.bytes, vector.public_key.length - 1, pem,
                                         &text),
             LANNER_ERROR_KEY);
}
#endif

int main(int argc, char **argv)
{
    FILE *file;
    int cases = 0, empty = 0;
    if (argc != 2 || (file = fopen(argv[1], "r")) == NULL) {
        printf("usage: hybrid <hybrid.json>\n");
        return 2;
    }
    while (hybrid_next(file, &vector)) {
        int small = vector.degree == 512;
        CHECK_IS(vector.signature.length, small ? LANNER_HYBRID_512_SIGNATURE_BYTES
                                                : LANNER_HYBRID_1024_SIGNATURE_BYTES);
        CHECK_IS(vector.public_key.length, small ? LANNER_HYBRID_512_PUBLIC_BYTES
                                                 : LANNER_HYBRID_1024_PUBLIC_BYTES);
        if (vector.message.length == 0) {
            empty++;
            CHECK_IS(of_digest(hash_of_nothing), LANNER_OK);
        } else {
            CHECK_IS(of_digest(hash_of_nothing), LANNER_ERROR_SIGNATURE);
        }
        one();
        calls();
        signing();
        if (vector.message.length == 0) {
            generation();
#if !defined(LANNER_BARE_METAL)
            files();
#endif
        }
        cases++;
    }
    fclose(file);
    CHECK(cases >= 4 && empty >= 2);
    return check_report("hybrid");
}
