/*
 * FN-DSA and Falcon through lanner.h. The argument is the directory of the test data.
 */
#include <fenv.h>

#include "check.h"
#include "lanner.h"
#include "lines.h"

static const unsigned char text[] = "a message for the lattice";
#define TEXT_LENGTH (sizeof text - 1)
static const unsigned char context[] = "context";
#define CONTEXT_LENGTH (sizeof context - 1)

static const unsigned degrees[2] = {512, 1024};

/* Memory that is lent, misaligned by one. */
static unsigned char lent[200000];

static void sizes(void)
{
    CHECK_IS(lanner_fn_dsa_secret_bytes(LANNER_FN_DSA_MAIN, 512), LANNER_FN_DSA_512_SECRET_BYTES);
    CHECK_IS(lanner_fn_dsa_secret_bytes(LANNER_FN_DSA_MAIN, 1024),
             LANNER_FN_DSA_1024_SECRET_BYTES);
    CHECK_IS(lanner_fn_dsa_secret_bytes(LANNER_FN_DSA_DRAFT2026, 512),
             LANNER_FN_DSA_DRAFT2026_512_SECRET_BYTES);
    CHECK_IS(lanner_fn_dsa_secret_bytes(LANNER_FN_DSA_DRAFT2026, 1024),
             LANNER_FN_DSA_DRAFT2026_1024_SECRET_BYTES);
    CHECK_IS(lanner_fn_dsa_public_bytes(512), LANNER_FN_DSA_512_PUBLIC_BYTES);
    CHECK_IS(lanner_fn_dsa_public_bytes(1024), LANNER_FN_DSA_1024_PUBLIC_BYTES);
    CHECK_IS(lanner_fn_dsa_signature_bytes(512), LANNER_FN_DSA_512_SIGNATURE_BYTES);
    CHECK_IS(lanner_fn_dsa_signature_bytes(1024), LANNER_FN_DSA_1024_SIGNATURE_BYTES);
    CHECK_IS(lanner_fn_dsa_secret_bytes(LANNER_FALCON, 512), LANNER_FN_DSA_512_SECRET_BYTES);
    CHECK_IS(lanner_fn_dsa_secret_bytes(3, 512), 0);
    CHECK_IS(lanner_fn_dsa_secret_bytes(0, 256), 0);
    CHECK_IS(lanner_fn_dsa_public_bytes(9), 0);
    CHECK_IS(lanner_fn_dsa_signature_bytes(0), 0);
    CHECK_IS(lanner_falcon_signature_bytes(LANNER_FALCON_PADDED, 512), 666);
    CHECK_IS(lanner_falcon_signature_bytes(LANNER_FALCON_COMPRESSED, 1024), 1462);
    CHECK_IS(lanner_falcon_signature_bytes(LANNER_FALCON_CONSTANT_TIME, 512), 809);
    CHECK_IS(lanner_falcon_signature_bytes(3, 512), 0);
    CHECK(lanner_fn_dsa_keygen_scratch_bytes(1024) < sizeof lent);
    CHECK(lanner_fn_dsa_sign_scratch_bytes(512) < lanner_fn_dsa_sign_scratch_bytes(1024));
    CHECK_IS(lanner_fn_dsa_sign_scratch_bytes(100), 0);
    CHECK(lanner_fn_dsa_key_scratch_bytes(512) < lanner_fn_dsa_key_scratch_bytes(1024));
    CHECK_IS(lanner_fn_dsa_key_scratch_bytes(100), 0);
}

static int feed_whole(void *user, lanner_sink *sink)
{
    int *calls = (int *)user;
    ++*calls;
    CHECK_IS(lanner_sink_update(sink, text, 7), LANNER_OK);
    return lanner_sink_update(sink, text + 7, TEXT_LENGTH - 7);
}

static int feed_nothing(void *user, lanner_sink *sink)
{
    (void)user;
    (void)sink;
    return 3;
}

/* A message in pieces: valid if the last piece is. */
static int verify_in_pieces(const lanner_fn_dsa_public *public_key, const unsigned char *sig,
                            size_t sig_length, size_t length)
{
    lanner_fn_dsa_verifier verifier, copy;
    int status = lanner_fn_dsa_verifier_init(&verifier, public_key, context, CONTEXT_LENGTH,
                                             LANNER_FN_DSA_RAW, sig, sig_length);
    if (status != LANNER_OK)
        return status;
    CHECK_IS(lanner_fn_dsa_verifier_update(&verifier, text, length / 2), LANNER_OK);
    CHECK_IS(lanner_fn_dsa_verifier_update(&verifier, NULL, 0), LANNER_OK);
    /* A copy goes on where the original was. */
    memcpy(&copy, &verifier, sizeof verifier);
    lanner_fn_dsa_verifier_clear(&verifier);
    CHECK_ZERO(&verifier, sizeof verifier);
    CHECK_IS(lanner_fn_dsa_verifier_update(&copy, text + length / 2, length - length / 2),
             LANNER_OK);
    status = lanner_fn_dsa_verifier_final(&copy);
    CHECK_IS(lanner_fn_dsa_verifier_final(&copy), LANNER_ERROR_STATE);
    return status;
}

static void one_kind(int variant, unsigned degree)
{
    static const size_t lengths[] = {TEXT_LENGTH, 32, 48, 64, 32, 32, 48, 64, 19, 77};
    unsigned char seed[32], secret[2400], public_bytes[1800], public_again[1800], again[2400];
    unsigned char sig[1300], other[1300];
    unsigned char hashed[100];
    size_t secret_length = lanner_fn_dsa_secret_bytes(variant, degree);
    size_t public_length = lanner_fn_dsa_public_bytes(degree);
    size_t sig_length = lanner_fn_dsa_signature_bytes(degree), length, i;
    size_t need = lanner_fn_dsa_keygen_scratch_bytes(degree);
    lanner_fn_dsa_key key;
    lanner_fn_dsa_public public_key;
    int calls = 0, hash;
    check_random_bytes(seed, sizeof seed);

    /* Keys: the same one from the same seed, with lent memory and without. */
    CHECK_IS(lanner_fn_dsa_keygen_seeded(variant, degree, seed, secret, public_bytes, NULL, 0),
             LANNER_OK);
    memset(lent, 0xee, sizeof lent);
    CHECK_IS(lanner_fn_dsa_keygen_seeded(variant, degree, seed, again, public_again, lent + 1,
                                         need),
             LANNER_OK);
    CHECK_BYTES(again, secret, secret_length);
    CHECK_BYTES(public_again, public_bytes, public_length);
    CHECK_IS(lanner_fn_dsa_keygen_seeded(variant, degree, seed, again, public_again, lent, 1000),
             LANNER_ERROR_BUFFER);
    CHECK_ZERO(again, secret_length);

    /* The same object, with lent memory and without; and none if it is too small. */
    need = lanner_fn_dsa_key_scratch_bytes(degree);
    CHECK_IS(lanner_fn_dsa_key_from_bytes(&key, variant, secret, secret_length, lent, 1000),
             LANNER_ERROR_BUFFER);
    CHECK_ZERO(&key, sizeof key);
    CHECK_IS(lanner_fn_dsa_key_from_bytes(&key, variant, secret, secret_length, NULL, 0),
             LANNER_OK);
    length = sizeof again;
    CHECK_IS(lanner_fn_dsa_key_secret(&key, again, &length), LANNER_OK);
    CHECK_BYTES(again, secret, secret_length);
    memset(lent, 0xee, sizeof lent);
    CHECK_IS(lanner_fn_dsa_key_from_bytes(&key, variant, secret, secret_length, lent + 1, need),
             LANNER_OK);
    length = sizeof again;
    CHECK_IS(lanner_fn_dsa_key_secret(&key, again, &length), LANNER_OK);
    CHECK_IS(length, secret_length);
    CHECK_BYTES(again, secret, secret_length);
    length = 0;
    CHECK_IS(lanner_fn_dsa_key_public(&key, NULL, &length), LANNER_OK);
    CHECK_IS(length, public_length);
    length--;
    CHECK_IS(lanner_fn_dsa_key_public(&key, again, &length), LANNER_ERROR_BUFFER);
    length = sizeof again;
    CHECK_IS(lanner_fn_dsa_key_public(&key, again, &length), LANNER_OK);
    CHECK_BYTES(again, public_bytes, public_length);
    CHECK_IS(lanner_fn_dsa_public_from_bytes(&public_key, variant, public_bytes, public_length),
             LANNER_OK);
    length = sizeof again;
    CHECK_IS(lanner_fn_dsa_public_to_bytes(&public_key, again, &length), LANNER_OK);
    CHECK_BYTES(again, public_bytes, public_length);

    /* Signatures of messages and of hashes. */
    check_random_bytes(hashed, sizeof hashed);
    for (hash = 0; hash < 10; hash++) {
        const unsigned char *m = hash == 0 ? text : hashed;
        length = lengths[hash];
        CHECK_IS(lanner_fn_dsa_sign(&key, context, CONTEXT_LENGTH, hash, m, length, sig, NULL, 0),
                 LANNER_OK);
        CHECK_IS(lanner_fn_dsa_verify(&public_key, context, CONTEXT_LENGTH, hash, m, length, sig,
                                      sig_length),
                 LANNER_OK);
        CHECK_IS(lanner_fn_dsa_verify(&public_key, context, CONTEXT_LENGTH - 1, hash, m, length,
                                      sig, sig_length),
                 LANNER_ERROR_SIGNATURE);
        CHECK_IS(lanner_fn_dsa_verify(&public_key, context, CONTEXT_LENGTH, hash == 1 ? 5 : 1,
                                      hashed, 32, sig, sig_length),
                 LANNER_ERROR_SIGNATURE);
        if (hash >= 1 && hash <= 7) {
            CHECK_IS(lanner_fn_dsa_sign(&key, context, CONTEXT_LENGTH, hash, m, length - 1, sig,
                                        NULL, 0),
                     LANNER_ERROR_LENGTH);
            CHECK_ZERO(sig, sig_length);
            CHECK_IS(lanner_fn_dsa_verify(&public_key, NULL, 0, hash, m, length + 1, sig,
                                          sig_length),
                     LANNER_ERROR_LENGTH);
        }
    }
    CHECK_IS(lanner_fn_dsa_sign(&key, NULL, 0, 11, text, 5, sig, NULL, 0),
             LANNER_ERROR_UNSUPPORTED);
    CHECK_IS(lanner_fn_dsa_sign(&key, text, 256, 0, text, 5, sig, NULL, 0), LANNER_ERROR_CONTEXT);

    /* Seeded: the same twice, another one under another seed; with lent memory. */
    need = lanner_fn_dsa_sign_scratch_bytes(degree);
    CHECK_IS(lanner_fn_dsa_sign_seeded(&key, seed, 32, context, CONTEXT_LENGTH, 0, text,
                                       TEXT_LENGTH, sig, NULL, 0),
             LANNER_OK);
    CHECK_IS(lanner_fn_dsa_sign_seeded(&key, seed, 32, context, CONTEXT_LENGTH, 0, text,
                                       TEXT_LENGTH, other, lent + 1, need),
             LANNER_OK);
    CHECK_BYTES(sig, other, sig_length);
    CHECK_IS(lanner_fn_dsa_sign_seeded(&key, seed, 31, context, CONTEXT_LENGTH, 0, text,
                                       TEXT_LENGTH, other, lent, need),
             LANNER_OK);
    CHECK(memcmp(sig, other, sig_length) != 0);
    CHECK_IS(lanner_fn_dsa_sign_seeded(&key, seed, 0, NULL, 0, 0, text, 1, other, NULL, 0),
             LANNER_ERROR_LENGTH);
    CHECK_IS(lanner_fn_dsa_sign(&key, NULL, 0, 0, text, 1, other, lent, 100),
             LANNER_ERROR_BUFFER);
    CHECK_ZERO(other, sig_length);

    /* Checked. */
    CHECK_IS(lanner_fn_dsa_sign_checked(&key, context, CONTEXT_LENGTH, 0, text, TEXT_LENGTH, other,
                                        lent, need),
             LANNER_OK);
    CHECK_IS(verify_in_pieces(&public_key, other, sig_length, TEXT_LENGTH), LANNER_OK);
    CHECK_IS(lanner_fn_dsa_sign_checked(&key, text, 256, 0, text, 5, other, NULL, 0),
             LANNER_ERROR_CONTEXT);
    CHECK_ZERO(other, sig_length);

    /* In pieces. */
    CHECK_IS(verify_in_pieces(&public_key, sig, sig_length, TEXT_LENGTH), LANNER_OK);
    CHECK_IS(verify_in_pieces(&public_key, sig, sig_length, TEXT_LENGTH - 1),
             LANNER_ERROR_SIGNATURE);
    CHECK_IS(verify_in_pieces(&public_key, sig, sig_length - 1, TEXT_LENGTH),
             LANNER_ERROR_SIGNATURE);
    CHECK_IS(lanner_fn_dsa_sign_feed(&key, context, CONTEXT_LENGTH, feed_whole, &calls, other),
             LANNER_OK);
    CHECK(calls >= 1);
    CHECK_IS(verify_in_pieces(&public_key, other, sig_length, TEXT_LENGTH), LANNER_OK);
    CHECK_IS(lanner_fn_dsa_sign_feed(&key, NULL, 0, feed_nothing, NULL, other),
             LANNER_ERROR_CALLBACK);
    CHECK_ZERO(other, sig_length);
    CHECK_IS(lanner_fn_dsa_sign_feed(&key, NULL, 0, NULL, NULL, other), LANNER_ERROR_NULL);

    /* Over the message itself. */
    memcpy(again, text, TEXT_LENGTH);
    CHECK_IS(lanner_fn_dsa_sign_seeded(&key, seed, 32, context, CONTEXT_LENGTH, 0, again,
                                       TEXT_LENGTH, again, NULL, 0),
             LANNER_OK);
    CHECK_BYTES(again, sig, sig_length);

    /* Every signature of one bit more or less is refused, and so is one of another length. */
    for (i = 0; i < 60; i++) {
        size_t at = check_random() % (sig_length * 8);
        sig[at / 8] ^= (unsigned char)(1u << at % 8);
        CHECK_IS(lanner_fn_dsa_verify(&public_key, context, CONTEXT_LENGTH, 0, text, TEXT_LENGTH,
                                      sig, sig_length),
                 LANNER_ERROR_SIGNATURE);
        sig[at / 8] ^= (unsigned char)(1u << at % 8);
    }
    for (i = 0; i < sig_length; i += 37)
        CHECK_IS(lanner_fn_dsa_verify(&public_key, context, CONTEXT_LENGTH, 0, text, TEXT_LENGTH,
                                      sig, i),
                 LANNER_ERROR_SIGNATURE);

    /* Keys that are none. */
    for (i = 0; i < 40; i++) {
        size_t at = check_random() % 8;
        public_bytes[0] ^= (unsigned char)(1u << at);
        CHECK_IS(lanner_fn_dsa_public_from_bytes(&public_key, variant, public_bytes,
                                                 public_length),
                 LANNER_ERROR_KEY);
        public_bytes[0] ^= (unsigned char)(1u << at);
        CHECK_IS(lanner_fn_dsa_key_from_bytes(&key, variant, secret, check_random() % 1200, NULL, 0),
                 LANNER_ERROR_KEY);
        at = 8 + check_random() % (secret_length * 8 - 8);
        secret[at / 8] ^= (unsigned char)(1u << at % 8);
        CHECK_IS(lanner_fn_dsa_key_from_bytes(&key, variant, secret, secret_length, NULL, 0),
                 LANNER_ERROR_KEY);
        secret[at / 8] ^= (unsigned char)(1u << at % 8);
    }
    CHECK_ZERO(&public_key, sizeof public_key);
    CHECK_ZERO(&key, sizeof key);
    CHECK_IS(lanner_fn_dsa_verify(&public_key, NULL, 0, 0, text, 1, sig, sig_length),
             LANNER_ERROR_STATE);
    CHECK_IS(lanner_fn_dsa_sign(&key, NULL, 0, 0, text, 1, sig, NULL, 0), LANNER_ERROR_STATE);
    /* The other variant takes none of them. */
    CHECK_IS(lanner_fn_dsa_key_from_bytes(&key, !variant, secret, secret_length, NULL, 0),
             LANNER_ERROR_KEY);

    /* A random key. */
    CHECK_IS(lanner_fn_dsa_keygen(variant, degree, secret, again, NULL, 0), LANNER_OK);
    CHECK(memcmp(again, public_bytes, public_length) != 0);
    CHECK_IS(lanner_fn_dsa_key_from_bytes(&key, variant, secret, secret_length, NULL, 0), LANNER_OK);
    lanner_fn_dsa_key_clear(&key);
    CHECK_ZERO(&key, sizeof key);
}

/* Makes the objects of a key pair. */
static void make_objects(int variant, unsigned degree, lanner_fn_dsa_key *key,
                         lanner_fn_dsa_public *public_key)
{
    unsigned char seed[32], secret[2400], public_bytes[1800];
    check_random_bytes(seed, sizeof seed);
    CHECK_IS(lanner_fn_dsa_keygen_seeded(variant, degree, seed, secret, public_bytes, NULL, 0),
             LANNER_OK);
    CHECK_IS(lanner_fn_dsa_key_from_bytes(key, variant, secret,
                                          lanner_fn_dsa_secret_bytes(variant, degree), NULL, 0),
             LANNER_OK);
    CHECK_IS(lanner_fn_dsa_public_from_bytes(public_key, variant, public_bytes,
                                             lanner_fn_dsa_public_bytes(degree)),
             LANNER_OK);
}

/* A padded signature is a compressed one with zeros behind it: who takes any encoding takes both, and
 * who demands one takes one. */
static void malleable(const lanner_fn_dsa_public *public_key, int encoding,
                      const unsigned char *sig, size_t length)
{
    size_t cut = length;
    if (encoding != LANNER_FALCON_PADDED)
        return;
    while (sig[cut - 1] == 0)
        cut--;
    /* The compressed form may end in a byte of zeros. */
    while (cut < length &&
           lanner_falcon_verify_as(public_key, LANNER_FALCON_COMPRESSED, text, TEXT_LENGTH, sig,
                                   cut) != LANNER_OK)
        cut++;
    CHECK(cut < length);
    CHECK_IS(lanner_falcon_verify(public_key, text, TEXT_LENGTH, sig, cut), LANNER_OK);
    CHECK_IS(lanner_falcon_verify_as(public_key, LANNER_FALCON_PADDED, text, TEXT_LENGTH, sig, cut),
             LANNER_ERROR_SIGNATURE);
}

/* One scheme's keys are refused by the functions of the other, whoever has the bytes. */
static void apart(unsigned degree)
{
    static unsigned char der[8000], sig[1600];
    static char pem[12000];
    size_t length = sizeof sig;
    const unsigned char *inside;
    int variant;
    lanner_fn_dsa_key fn_dsa, falcon_key, read;
    lanner_fn_dsa_public fn_dsa_public, falcon_public, read_public;
    lanner_fn_dsa_verifier verifier;
    make_objects(LANNER_FN_DSA_MAIN, degree, &fn_dsa, &fn_dsa_public);
    make_objects(LANNER_FALCON, degree, &falcon_key, &falcon_public);

    memset(sig, 1, sizeof sig);
    CHECK_IS(lanner_fn_dsa_sign(&falcon_key, NULL, 0, 0, text, 1, sig, NULL, 0),
             LANNER_ERROR_UNSUPPORTED);
    CHECK_ZERO(sig, lanner_fn_dsa_signature_bytes(degree));
    CHECK_IS(lanner_fn_dsa_sign_seeded(&falcon_key, text, 8, NULL, 0, 0, text, 1, sig, NULL, 0),
             LANNER_ERROR_UNSUPPORTED);
    CHECK_IS(lanner_fn_dsa_sign_from_random(&falcon_key, sig, 1000, NULL, 0, 0, text, 1, sig),
             LANNER_ERROR_UNSUPPORTED);
    CHECK_IS(lanner_fn_dsa_sign_feed(&falcon_key, NULL, 0, feed_nothing, NULL, sig),
             LANNER_ERROR_UNSUPPORTED);
    CHECK_IS(lanner_falcon_sign(&fn_dsa, 0, text, 1, sig, &length, NULL, 0), LANNER_ERROR_UNSUPPORTED);
    length = sizeof sig;
    CHECK_IS(lanner_falcon_seal(&fn_dsa, text, 1, sig, &length), LANNER_ERROR_UNSUPPORTED);
    length = sizeof sig;
    CHECK_IS(lanner_falcon_det1024_sign(&fn_dsa, text, 1, sig, &length), LANNER_ERROR_UNSUPPORTED);

    CHECK_IS(lanner_fn_dsa_sign(&fn_dsa, NULL, 0, 0, text, 1, sig, NULL, 0), LANNER_OK);
    length = lanner_fn_dsa_signature_bytes(degree);
    CHECK_IS(lanner_fn_dsa_verify(&fn_dsa_public, NULL, 0, 0, text, 1, sig, length), LANNER_OK);
    CHECK_IS(lanner_fn_dsa_verify(&falcon_public, NULL, 0, 0, text, 1, sig, length),
             LANNER_ERROR_UNSUPPORTED);
    CHECK_IS(lanner_fn_dsa_verifier_init(&verifier, &falcon_public, NULL, 0, 0, sig, length),
             LANNER_ERROR_UNSUPPORTED);
    CHECK_IS(lanner_falcon_verify(&fn_dsa_public, text, 1, sig, length), LANNER_ERROR_UNSUPPORTED);
    CHECK_IS(lanner_falcon_verify_as(&fn_dsa_public, 0, text, 1, sig, length),
             LANNER_ERROR_UNSUPPORTED);
    CHECK_IS(lanner_falcon_verifier_init(&verifier, &fn_dsa_public, sig, length),
             LANNER_ERROR_UNSUPPORTED);
    CHECK_IS(lanner_falcon_verifier_init_as(&verifier, &fn_dsa_public, 0, sig, length),
             LANNER_ERROR_UNSUPPORTED);
    CHECK_IS(lanner_falcon_det1024_verify(&fn_dsa_public, text, 1, sig, length),
             LANNER_ERROR_UNSUPPORTED);
    CHECK_IS(lanner_falcon_det1024_verify_as(&fn_dsa_public, 1, text, 1, sig, length),
             LANNER_ERROR_UNSUPPORTED);
    CHECK_IS(lanner_falcon_open(&fn_dsa_public, sig, length, &inside, &length),
             LANNER_ERROR_UNSUPPORTED);

    /* What a file is for, the object that is read from it is for. */
    for (variant = 0; variant < 3; variant += 2) {
        int is_falcon = variant == LANNER_FALCON;
        const lanner_fn_dsa_key *secret = is_falcon ? &falcon_key : &fn_dsa;
        const lanner_fn_dsa_public *its_public = is_falcon ? &falcon_public : &fn_dsa_public;
        int pass;
        for (pass = 0; pass < 2; pass++) {
            if (pass == 0) {
                length = sizeof der;
                CHECK_IS(lanner_fn_dsa_key_to_der(secret, der, &length), LANNER_OK);
                CHECK_IS(lanner_fn_dsa_key_from_der(&read, der, length), LANNER_OK);
                length = sizeof der;
                CHECK_IS(lanner_fn_dsa_public_to_der(its_public, der, &length), LANNER_OK);
                CHECK_IS(lanner_fn_dsa_public_from_der(&read_public, der, length), LANNER_OK);
            } else {
                length = sizeof pem;
                CHECK_IS(lanner_fn_dsa_key_to_pem(secret, pem, &length), LANNER_OK);
                CHECK_IS(lanner_fn_dsa_key_from_pem(&read, pem, length - 1), LANNER_OK);
                length = sizeof pem;
                CHECK_IS(lanner_fn_dsa_public_to_pem(its_public, pem, &length), LANNER_OK);
                CHECK_IS(lanner_fn_dsa_public_from_pem(&read_public, pem, length - 1), LANNER_OK);
            }
            length = sizeof sig;
            CHECK_IS(lanner_falcon_sign(&read, 0, text, 1, sig, &length, NULL, 0),
                     is_falcon ? LANNER_OK : LANNER_ERROR_UNSUPPORTED);
            CHECK_IS(lanner_falcon_verify(&read_public, text, 1, sig, length),
                     is_falcon ? LANNER_OK : LANNER_ERROR_UNSUPPORTED);
            CHECK_IS(lanner_fn_dsa_sign(&read, NULL, 0, 0, text, 1, sig, NULL, 0),
                     is_falcon ? LANNER_ERROR_UNSUPPORTED : LANNER_OK);
        }
    }
    lanner_fn_dsa_key_clear(&fn_dsa);
    lanner_fn_dsa_key_clear(&falcon_key);
    lanner_fn_dsa_key_clear(&read);
}

static void falcon(unsigned degree)
{
    unsigned char sig[1600], sealed[1600];
    const unsigned char *inside;
    size_t length, inside_length;
    int encoding;
    lanner_fn_dsa_key key;
    lanner_fn_dsa_public public_key;
    lanner_fn_dsa_verifier verifier;
    make_objects(LANNER_FALCON, degree, &key, &public_key);
    /* With lent memory, and with too little of it. */
    length = sizeof sig;
    CHECK_IS(lanner_falcon_sign(&key, 0, text, TEXT_LENGTH, sig, &length, lent + 1,
                                lanner_fn_dsa_sign_scratch_bytes(degree)),
             LANNER_OK);
    CHECK_IS(lanner_falcon_verify_as(&public_key, 0, text, TEXT_LENGTH, sig, length), LANNER_OK);
    CHECK_IS(lanner_falcon_sign(&key, 0, text, TEXT_LENGTH, sig, &length, lent, 1000),
             LANNER_ERROR_BUFFER);
    for (encoding = 0; encoding < 3; encoding++) {
        int demanded, status;
        /* Once in some hundred signatures of degree 1024 the compressed form has the padded one's length: then
         * it is both. With one byte of padding, a padded signature that is cut short by it is a compressed one. */
        do {
            length = lanner_falcon_signature_bytes(encoding, degree);
            CHECK_IS(lanner_falcon_sign(&key, encoding, text, TEXT_LENGTH, sig, &length, NULL, 0),
                     LANNER_OK);
        } while (length == lanner_falcon_signature_bytes(LANNER_FALCON_PADDED, degree) &&
                 (sig[length - 1] != 0 || sig[length - 2] != 0));
        if (encoding == LANNER_FALCON_COMPRESSED)
            CHECK(length < lanner_falcon_signature_bytes(encoding, degree));
        else
            CHECK_IS(length, lanner_falcon_signature_bytes(encoding, degree));
        CHECK_IS(sig[0] >> 4, encoding == LANNER_FALCON_CONSTANT_TIME ? 5 : 3);
        CHECK_IS(lanner_falcon_verify(&public_key, text, TEXT_LENGTH, sig, length), LANNER_OK);
        CHECK_IS(lanner_falcon_verify(&public_key, text, TEXT_LENGTH - 1, sig, length),
                 LANNER_ERROR_SIGNATURE);
        /* Under one demanded encoding, and no other. */
        for (demanded = 0; demanded < 3; demanded++) {
            int wanted = demanded == encoding ? LANNER_OK : LANNER_ERROR_SIGNATURE;
            CHECK_IS(lanner_falcon_verify_as(&public_key, demanded, text, TEXT_LENGTH, sig, length),
                     wanted);
            /* In pieces it may be told at the end only. */
            status = lanner_falcon_verifier_init_as(&verifier, &public_key, demanded, sig, length);
            if (status == LANNER_OK) {
                CHECK_IS(lanner_fn_dsa_verifier_update(&verifier, text, TEXT_LENGTH), LANNER_OK);
                status = lanner_fn_dsa_verifier_final(&verifier);
            }
            CHECK_IS(status, wanted);
        }
        CHECK_IS(lanner_falcon_verify_as(&public_key, 3, text, TEXT_LENGTH, sig, length),
                 LANNER_ERROR_UNSUPPORTED);
        CHECK_IS(lanner_falcon_verifier_init_as(&verifier, &public_key, -1, sig, length),
                 LANNER_ERROR_UNSUPPORTED);
        CHECK_IS(lanner_falcon_verify(&public_key, text, TEXT_LENGTH, sig, length - 1),
                 LANNER_ERROR_SIGNATURE);
        CHECK_IS(lanner_falcon_verifier_init(&verifier, &public_key, sig, length), LANNER_OK);
        CHECK_IS(lanner_fn_dsa_verifier_update(&verifier, text, TEXT_LENGTH), LANNER_OK);
        CHECK_IS(lanner_fn_dsa_verifier_final(&verifier), LANNER_OK);
        malleable(&public_key, encoding, sig, length);
        length = sizeof sig;
        CHECK_IS(lanner_falcon_sign_checked(&key, encoding, text, TEXT_LENGTH, sig, &length, NULL, 0),
                 LANNER_OK);
        CHECK_IS(lanner_falcon_verify_as(&public_key, encoding, text, TEXT_LENGTH, sig, length),
                 LANNER_OK);
        length = 100;
        CHECK_IS(lanner_falcon_sign(&key, encoding, text, TEXT_LENGTH, sig, &length, NULL, 0),
                 LANNER_ERROR_BUFFER);
        CHECK(length > 100);
        CHECK_ZERO(sig, 100);
    }
    CHECK_IS(lanner_falcon_sign(&key, 3, text, 1, sig, &length, NULL, 0), LANNER_ERROR_UNSUPPORTED);

    /* The signed message; in place, too. */
    memcpy(sealed, text, TEXT_LENGTH);
    length = sizeof sealed;
    CHECK_IS(lanner_falcon_seal(&key, sealed, TEXT_LENGTH, sealed, &length), LANNER_OK);
    CHECK_IS(lanner_falcon_open(&public_key, sealed, length, &inside, &inside_length), LANNER_OK);
    CHECK_IS(inside_length, TEXT_LENGTH);
    CHECK_BYTES(inside, text, TEXT_LENGTH);
    CHECK(inside == sealed + 42);
    sealed[50] ^= 1;
    CHECK_IS(lanner_falcon_open(&public_key, sealed, length, &inside, &inside_length),
             LANNER_ERROR_SIGNATURE);
    CHECK(inside == NULL && inside_length == 0);
    for (inside_length = 0; length-- > 0;)
        if (length % 41 == 0)
            CHECK_IS(lanner_falcon_open(&public_key, sealed, length, &inside, &inside_length),
                     LANNER_ERROR_SIGNATURE);

    if (degree == 1024) {
        unsigned char twice[1600];
        size_t twice_length = sizeof twice;
        length = sizeof sig;
        CHECK_IS(lanner_falcon_det1024_sign(&key, text, TEXT_LENGTH, sig, &length), LANNER_OK);
        CHECK_IS(lanner_falcon_det1024_sign(&key, text, TEXT_LENGTH, twice, &twice_length),
                 LANNER_OK);
        CHECK(length == twice_length && memcmp(sig, twice, length) == 0);
        memset(twice, 0, sizeof twice);
        twice_length = sizeof twice;
        CHECK_IS(lanner_falcon_det1024_sign_checked(&key, text, TEXT_LENGTH, twice, &twice_length),
                 LANNER_OK);
        CHECK(length == twice_length && memcmp(sig, twice, length) == 0);
        CHECK_IS(lanner_falcon_det1024_verify(&public_key, text, TEXT_LENGTH, sig, length),
                 LANNER_OK);
        for (encoding = 0; encoding < 3; encoding++)
            CHECK_IS(lanner_falcon_det1024_verify_as(&public_key, encoding, text, TEXT_LENGTH, sig,
                                                     length),
                     encoding == LANNER_FALCON_COMPRESSED ? LANNER_OK : LANNER_ERROR_SIGNATURE);
        CHECK_IS(lanner_falcon_det1024_verify(&public_key, text, 3, sig, length),
                 LANNER_ERROR_SIGNATURE);
    } else {
        length = sizeof sig;
        CHECK_IS(lanner_falcon_det1024_sign(&key, text, TEXT_LENGTH, sig, &length),
                 LANNER_ERROR_UNSUPPORTED);
        CHECK_IS(lanner_falcon_det1024_sign_checked(&key, text, TEXT_LENGTH, sig, &length),
                 LANNER_ERROR_UNSUPPORTED);
        CHECK_IS(lanner_falcon_det1024_verify(&public_key, text, TEXT_LENGTH, sig, length),
                 LANNER_ERROR_UNSUPPORTED);
    }
    lanner_fn_dsa_key_clear(&key);
}

static void draft(void)
{
    unsigned char mu[64], sig[1300];
    size_t length = sizeof sig;
    lanner_fn_dsa_key key;
    lanner_fn_dsa_public public_key;
    make_objects(LANNER_FN_DSA_DRAFT2026, 512, &key, &public_key);
    CHECK_IS(lanner_fn_dsa_draft2026_mu(&public_key, context, CONTEXT_LENGTH, 0, text,
                                        TEXT_LENGTH, mu),
             LANNER_OK);
    /* Signed as mu, verified as a message, and the reverse. */
    CHECK_IS(lanner_fn_dsa_sign(&key, NULL, 0, LANNER_FN_DSA_EXTERNAL_MU, mu, 64, sig, NULL, 0),
             LANNER_OK);
    CHECK_IS(lanner_fn_dsa_verify(&public_key, context, CONTEXT_LENGTH, 0, text, TEXT_LENGTH, sig,
                                  LANNER_FN_DSA_512_SIGNATURE_BYTES),
             LANNER_OK);
    CHECK_IS(lanner_fn_dsa_sign(&key, NULL, 0, LANNER_FN_DSA_EXTERNAL_MU, mu, 63, sig, NULL, 0),
             LANNER_ERROR_LENGTH);
    CHECK_IS(lanner_falcon_sign(&key, 0, text, 1, sig, &length, NULL, 0), LANNER_ERROR_UNSUPPORTED);
    CHECK_IS(lanner_fn_dsa_key_to_der(&key, NULL, &length), LANNER_ERROR_UNSUPPORTED);
    make_objects(LANNER_FN_DSA_MAIN, 512, &key, &public_key);
    CHECK_IS(lanner_fn_dsa_sign(&key, NULL, 0, LANNER_FN_DSA_EXTERNAL_MU, mu, 64, sig, NULL, 0),
             LANNER_ERROR_UNSUPPORTED);
    CHECK_IS(lanner_fn_dsa_draft2026_mu(&public_key, NULL, 0, 0, text, 1, mu),
             LANNER_ERROR_UNSUPPORTED);
}

/* The same PEM with lines of another width; its length. */
static size_t wrapped_anew(const char *pem, size_t width, char *out)
{
    const char *from = strchr(pem, '\n') + 1;
    size_t column = 0, length = (size_t)(from - pem);
    memcpy(out, pem, length);
    for (; *from != '-'; from++) {
        if (*from == '\n')
            continue;
        if (column == width) {
            out[length++] = '\n';
            column = 0;
        }
        out[length++] = *from;
        column++;
    }
    out[length++] = '\n';
    memcpy(out + length, from, strlen(from) + 1);
    return length + strlen(from);
}

static void key_files(unsigned degree)
{
    static const struct {
        size_t width;
        int status;
    } widths[] = {{64, LANNER_OK},
                  {76, LANNER_OK},
                  {12000, LANNER_OK},
                  {60, LANNER_ERROR_ENCODING},
                  {75, LANNER_ERROR_ENCODING}};
    static unsigned char der[8000];
    static char pem[12000], anew[12000];
    size_t i;
    unsigned char one[2400], two[2400];
    size_t length, one_length, two_length;
    lanner_fn_dsa_key key, read_key;
    lanner_fn_dsa_public public_key, read_public;
    make_objects(LANNER_FN_DSA_MAIN, degree, &key, &public_key);
    one_length = sizeof one;
    CHECK_IS(lanner_fn_dsa_key_secret(&key, one, &one_length), LANNER_OK);

    length = sizeof der;
    CHECK_IS(lanner_fn_dsa_key_to_der(&key, der, &length), LANNER_OK);
    CHECK_IS(lanner_fn_dsa_key_from_der(&read_key, der, length), LANNER_OK);
    two_length = sizeof two;
    CHECK_IS(lanner_fn_dsa_key_secret(&read_key, two, &two_length), LANNER_OK);
    CHECK(one_length == two_length && memcmp(one, two, one_length) == 0);
    CHECK_IS(lanner_fn_dsa_key_from_der(&read_key, der, length - 1), LANNER_ERROR_ENCODING);
    length = sizeof pem;
    CHECK_IS(lanner_fn_dsa_key_to_pem(&key, pem, &length), LANNER_OK);
    CHECK_IS(strlen(pem), length - 1);
    CHECK_IS(lanner_fn_dsa_key_from_pem(&read_key, pem, length), LANNER_OK);
    two_length = sizeof two;
    CHECK_IS(lanner_fn_dsa_key_secret(&read_key, two, &two_length), LANNER_OK);
    CHECK_BYTES(one, two, one_length);
    CHECK_IS(lanner_fn_dsa_public_from_pem(&read_public, pem, length - 1), LANNER_ERROR_ENCODING);
    for (i = 0; i < sizeof widths / sizeof *widths; i++) {
        size_t anew_length = wrapped_anew(pem, widths[i].width, anew);
        CHECK_IS(lanner_fn_dsa_key_from_pem(&read_key, anew, anew_length), widths[i].status);
        memset(two, 0, sizeof two);
        two_length = sizeof two;
        CHECK_IS(lanner_fn_dsa_key_secret(&read_key, two, &two_length) == LANNER_OK,
                 widths[i].status == LANNER_OK);
        if (widths[i].status == LANNER_OK)
            CHECK_BYTES(one, two, one_length);
    }
    /* A line that differs from the others. */
    i = wrapped_anew(pem, 76, anew);
    memmove(anew + 300, anew + 301, i - 300);
    CHECK_IS(lanner_fn_dsa_key_from_pem(&read_key, anew, i - 1), LANNER_ERROR_ENCODING);

    one_length = sizeof one;
    CHECK_IS(lanner_fn_dsa_public_to_bytes(&public_key, one, &one_length), LANNER_OK);
    length = sizeof der;
    CHECK_IS(lanner_fn_dsa_public_to_der(&public_key, der, &length), LANNER_OK);
    CHECK_IS(lanner_fn_dsa_public_from_der(&read_public, der, length), LANNER_OK);
    two_length = sizeof two;
    CHECK_IS(lanner_fn_dsa_public_to_bytes(&read_public, two, &two_length), LANNER_OK);
    CHECK(one_length == two_length && memcmp(one, two, one_length) == 0);
    length = sizeof pem;
    CHECK_IS(lanner_fn_dsa_public_to_pem(&public_key, pem, &length), LANNER_OK);
    CHECK_IS(lanner_fn_dsa_public_from_pem(&read_public, pem, length - 1), LANNER_OK);
    two_length = sizeof two;
    CHECK_IS(lanner_fn_dsa_public_to_bytes(&read_public, two, &two_length), LANNER_OK);
    CHECK_BYTES(one, two, one_length);
    lanner_fn_dsa_key_clear(&key);
    lanner_fn_dsa_key_clear(&read_key);
}

/* The constants are the room that always suffices, and no more: one kind of key needs all of it. */
static void room_for_files(void)
{
    static unsigned char der[LANNER_FN_DSA_SECRET_DER_BYTES];
    static unsigned char public_der[LANNER_FN_DSA_PUBLIC_DER_BYTES];
    static char pem[LANNER_FN_DSA_SECRET_PEM_BYTES], public_pem[LANNER_FN_DSA_PUBLIC_PEM_BYTES];
    size_t lengths[4], most[4] = {0};
    lanner_fn_dsa_key key;
    lanner_fn_dsa_public public_key;
    unsigned degree;
    int variant, i;
    for (variant = LANNER_FN_DSA_MAIN; variant <= LANNER_FALCON; variant += LANNER_FALCON)
        for (degree = 512; degree <= 1024; degree *= 2) {
            make_objects(variant, degree, &key, &public_key);
            lengths[0] = sizeof der;
            lengths[1] = sizeof pem;
            lengths[2] = sizeof public_der;
            lengths[3] = sizeof public_pem;
            CHECK_IS(lanner_fn_dsa_key_to_der(&key, der, &lengths[0]), LANNER_OK);
            CHECK_IS(lanner_fn_dsa_key_to_pem(&key, pem, &lengths[1]), LANNER_OK);
            CHECK_IS(lanner_fn_dsa_public_to_der(&public_key, public_der, &lengths[2]), LANNER_OK);
            CHECK_IS(lanner_fn_dsa_public_to_pem(&public_key, public_pem, &lengths[3]), LANNER_OK);
            for (i = 0; i < 4; i++)
                if (lengths[i] > most[i])
                    most[i] = lengths[i];
        }
    CHECK_IS(most[0], LANNER_FN_DSA_SECRET_DER_BYTES);
    CHECK_IS(most[1], LANNER_FN_DSA_SECRET_PEM_BYTES);
    CHECK_IS(most[2], LANNER_FN_DSA_PUBLIC_DER_BYTES);
    CHECK_IS(most[3], LANNER_FN_DSA_PUBLIC_PEM_BYTES);
    lanner_fn_dsa_key_clear(&key);
}

/* A short key in the place of a long one leaves nothing of it. */
static void replaced(void)
{
    lanner_fn_dsa_key key, fresh;
    lanner_fn_dsa_public public_key;
    unsigned char secret[1281];
    size_t length = sizeof secret;
    memset(&fresh, 0, sizeof fresh);
    make_objects(LANNER_FN_DSA_MAIN, 1024, &key, &public_key);
    make_objects(LANNER_FN_DSA_MAIN, 512, &fresh, &public_key);
    CHECK_IS(lanner_fn_dsa_key_secret(&fresh, secret, &length), LANNER_OK);
    CHECK_IS(lanner_fn_dsa_key_from_bytes(&key, LANNER_FN_DSA_MAIN, secret, length, NULL, 0), LANNER_OK);
    CHECK_ZERO((unsigned char *)&key + 4096, sizeof key - 4096);
    lanner_fn_dsa_key_clear(&key);
    lanner_fn_dsa_key_clear(&fresh);
}

/* The functions that take scratch, what they read, and how long that is. */
enum { KEYGEN, DECODE, SIGN, SIGN_CHECKED, SIGN_SEEDED, SIGN_FALCON };
enum { SEED, SECRET, CONTEXT, MESSAGE, KEY, INPUTS };

static int with_scratch(int call, int variant, const unsigned char *const in[INPUTS],
                        unsigned char *out, void *scratch, size_t scratch_length)
{
    const lanner_fn_dsa_key *key = (const lanner_fn_dsa_key *)(const void *)in[KEY];
    size_t length = 666;
    switch (call) {
    case KEYGEN:
        return lanner_fn_dsa_keygen_seeded(variant, 512, in[SEED], out, out + 1400, scratch,
                                           scratch_length);
    case DECODE:
        return lanner_fn_dsa_key_from_bytes((lanner_fn_dsa_key *)(void *)out, variant, in[SECRET],
                                            lanner_fn_dsa_secret_bytes(variant, 512), scratch,
                                            scratch_length);
    case SIGN:
        return lanner_fn_dsa_sign(key, in[CONTEXT], CONTEXT_LENGTH, 0, in[MESSAGE], TEXT_LENGTH,
                                  out, scratch, scratch_length);
    case SIGN_CHECKED:
        return lanner_fn_dsa_sign_checked(key, in[CONTEXT], CONTEXT_LENGTH, 0, in[MESSAGE],
                                          TEXT_LENGTH, out, scratch, scratch_length);
    case SIGN_SEEDED:
        return lanner_fn_dsa_sign_seeded(key, in[SEED], 32, in[CONTEXT], CONTEXT_LENGTH, 0,
                                         in[MESSAGE], TEXT_LENGTH, out, scratch, scratch_length);
    default:
        return lanner_falcon_sign(key, 0, in[MESSAGE], TEXT_LENGTH, out, &length, scratch,
                                  scratch_length);
    }
}

/* What a call reads must not lie in the scratch, not with one byte, nor is it changed when it does; what it writes may,
 * since that comes last. */
static void scratch_apart(int variant, int call, unsigned reads)
{
    enum { AROUND = 48000, MOST = sizeof(lanner_fn_dsa_key) };
    static uint64_t arena[(2 * AROUND + MOST) / 8], object[MOST / 8], results[2][MOST / 8];
    unsigned char *const middle = (unsigned char *)arena + AROUND;
    unsigned char *out = (unsigned char *)results[0], *other = (unsigned char *)results[1];
    unsigned char seed[32], secret[2400], public_bytes[900];
    const unsigned char *in[INPUTS];
    size_t lengths[INPUTS] = {32, 0, CONTEXT_LENGTH, TEXT_LENGTH, MOST};
    lanner_fn_dsa_public public_key;
    int input;
    lengths[SECRET] = lanner_fn_dsa_secret_bytes(variant, 512);
    check_random_bytes(seed, sizeof seed);
    CHECK_IS(lanner_fn_dsa_keygen_seeded(variant, 512, seed, secret, public_bytes, NULL, 0),
             LANNER_OK);
    CHECK_IS(lanner_fn_dsa_public_from_bytes(&public_key, variant, public_bytes, 897), LANNER_OK);
    CHECK_IS(lanner_fn_dsa_key_from_bytes((lanner_fn_dsa_key *)object, variant, secret,
                                          lengths[SECRET], NULL, 0),
             LANNER_OK);
    in[SEED] = seed;
    in[SECRET] = secret;
    in[CONTEXT] = context;
    in[MESSAGE] = text;
    in[KEY] = (const unsigned char *)object;
    for (input = 0; input < INPUTS; input++) {
        const unsigned char *was = in[input];
        size_t length = lengths[input];
        struct {
            unsigned char *scratch;
            size_t length;
            int status;
        } cases[6];
        int i;
        if ((reads >> input & 1) == 0)
            continue;
        cases[0].scratch = cases[1].scratch = middle - AROUND;
        cases[0].length = AROUND;
        cases[1].length = AROUND + 1;
        cases[2].scratch = middle + length;
        cases[3].scratch = middle + length - 1;
        cases[2].length = cases[3].length = AROUND;
        /* All of it, and a part. */
        cases[4].scratch = middle - AROUND / 2;
        cases[4].length = AROUND + length;
        cases[5].scratch = middle + 1;
        cases[5].length = AROUND;
        for (i = 0; i < 6; i++) {
            cases[i].status = i == 0 || i == 2 ? LANNER_OK : LANNER_ERROR_BUFFER;
            memset(arena, 0xee, sizeof arena);
            memcpy(middle, was, length);
            in[input] = middle;
            memset(out, 1, MOST);
            CHECK_IS(with_scratch(call, variant, in, out, cases[i].scratch, cases[i].length),
                     cases[i].status);
            CHECK_BYTES(middle, was, length);
            if (cases[i].status != LANNER_OK)
                CHECK_ZERO(out, 666);
        }
        in[input] = was;
    }
    /* A length that no memory has. */
    CHECK_IS(with_scratch(call, variant, in, out, arena, (size_t)-1), LANNER_ERROR_LENGTH);
    /* The results, in the scratch and elsewhere. */
    memset(results, 0, sizeof results);
    CHECK_IS(with_scratch(call, variant, in, out, NULL, 0), LANNER_OK);
    CHECK_IS(with_scratch(call, variant, in, middle, arena, sizeof arena), LANNER_OK);
    memcpy(other, middle, MOST);
    if (call == SIGN || call == SIGN_CHECKED)
        CHECK_IS(lanner_fn_dsa_verify(&public_key, context, CONTEXT_LENGTH, 0, text, TEXT_LENGTH,
                                      other, 666),
                 LANNER_OK);
    else if (call == SIGN_FALCON)
        CHECK_IS(lanner_falcon_verify_as(&public_key, 0, text, TEXT_LENGTH, other, 666), LANNER_OK);
    else if (call == DECODE)
        CHECK_BYTES(out, other, MOST);
    else
        CHECK_BYTES(out, other, 666);
}

static void scratch_apart_in_all(void)
{
    int variant;
    for (variant = LANNER_FN_DSA_MAIN; variant <= LANNER_FALCON; variant++) {
        scratch_apart(variant, KEYGEN, 1 << SEED);
        scratch_apart(variant, DECODE, 1 << SECRET);
        if (variant == LANNER_FALCON) {
            scratch_apart(variant, SIGN_FALCON, 1 << MESSAGE | 1 << KEY);
            continue;
        }
        scratch_apart(variant, SIGN, 1 << CONTEXT | 1 << MESSAGE | 1 << KEY);
        scratch_apart(variant, SIGN_CHECKED, 1 << CONTEXT | 1 << MESSAGE | 1 << KEY);
        scratch_apart(variant, SIGN_SEEDED, 1 << SEED | 1 << CONTEXT | 1 << MESSAGE | 1 << KEY);
    }
}

/* A hash that comes in pieces must have its length as one that comes at once: of those whose length is not given, and of
 * messages, any will do. */
static void hashes_in_pieces(int variant)
{
    static const size_t lengths[] = {0, 32, 48, 64, 32, 32, 48, 64, 0, 0, 64};
    unsigned char hashed[200], sig[666];
    lanner_fn_dsa_key key;
    lanner_fn_dsa_public public_key;
    lanner_fn_dsa_verifier verifier;
    int hash, most = variant == LANNER_FN_DSA_DRAFT2026 ? 10 : 9;
    make_objects(variant, 512, &key, &public_key);
    check_random_bytes(hashed, sizeof hashed);
    for (hash = 0; hash <= most; hash++) {
        size_t length = lengths[hash] ? lengths[hash] : 20, given;
        CHECK_IS(lanner_fn_dsa_sign(&key, NULL, 0, hash, hashed, length, sig, NULL, 0), LANNER_OK);
        for (given = 0; given <= sizeof hashed; given++) {
            int status = given == length           ? LANNER_OK
                         : lengths[hash] ? LANNER_ERROR_LENGTH
                                                   : LANNER_ERROR_SIGNATURE;
            CHECK_IS(lanner_fn_dsa_verifier_init(&verifier, &public_key, NULL, 0, hash, sig, 666),
                     LANNER_OK);
            CHECK_IS(lanner_fn_dsa_verifier_update(&verifier, hashed, given / 3), LANNER_OK);
            CHECK_IS(lanner_fn_dsa_verifier_update(&verifier, hashed + given / 3,
                                                   given - given / 3),
                     LANNER_OK);
            CHECK_IS(lanner_fn_dsa_verifier_final(&verifier), status);
            CHECK_ZERO(&verifier, sizeof verifier);
        }
        if (lengths[hash] != 0) {
            /* As many pieces as let a counter begin again. */
            static unsigned char zeros[65536];
            memcpy(zeros, hashed, length);
            CHECK_IS(lanner_fn_dsa_verifier_init(&verifier, &public_key, NULL, 0, hash, sig, 666),
                     LANNER_OK);
            CHECK_IS(lanner_fn_dsa_verifier_update(&verifier, zeros, length), LANNER_OK);
            CHECK_IS(lanner_fn_dsa_verifier_update(&verifier, zeros, sizeof zeros), LANNER_OK);
            CHECK_IS(lanner_fn_dsa_verifier_final(&verifier), LANNER_ERROR_LENGTH);
        }
    }
}

/* A piece that is refused is missing, so no verdict comes of the rest. */
static void refused_pieces(void)
{
    unsigned char sig[1300];
    size_t length = sizeof sig;
    lanner_fn_dsa_key key;
    lanner_fn_dsa_public public_key;
    lanner_fn_dsa_verifier verifier;
    int variant, i;
    for (variant = LANNER_FN_DSA_MAIN; variant <= LANNER_FALCON; variant++) {
        make_objects(variant, 512, &key, &public_key);
        if (variant == LANNER_FALCON)
            CHECK_IS(lanner_falcon_sign(&key, 0, text, TEXT_LENGTH, sig, &length, NULL, 0),
                     LANNER_OK);
        else
            CHECK_IS(lanner_fn_dsa_sign(&key, NULL, 0, 0, text, TEXT_LENGTH, sig, NULL, 0),
                     LANNER_OK);
        for (i = 0; i < 3; i++) {
            if (variant == LANNER_FALCON)
                CHECK_IS(lanner_falcon_verifier_init(&verifier, &public_key, sig, length),
                         LANNER_OK);
            else
                CHECK_IS(lanner_fn_dsa_verifier_init(&verifier, &public_key, NULL, 0, 0, sig, 666),
                         LANNER_OK);
            CHECK_IS(lanner_fn_dsa_verifier_update(&verifier, text, TEXT_LENGTH), LANNER_OK);
            if (i == 0) {
                CHECK_IS(lanner_fn_dsa_verifier_final(&verifier), LANNER_OK);
                continue;
            }
            if (i == 1)
                CHECK_IS(lanner_fn_dsa_verifier_update(&verifier, NULL, 5), LANNER_ERROR_NULL);
            else
                CHECK_IS(lanner_fn_dsa_verifier_update(&verifier, text, (size_t)-1),
                         LANNER_ERROR_LENGTH);
            CHECK_ZERO(&verifier, sizeof verifier);
            CHECK_IS(lanner_fn_dsa_verifier_update(&verifier, text, 1), LANNER_ERROR_STATE);
            CHECK_IS(lanner_fn_dsa_verifier_final(&verifier), LANNER_ERROR_STATE);
        }
    }
}

/* What the caller lends to a verification under way: it may lie right behind the program's code. */
typedef struct {
    const lanner_fn_dsa_public *key;
    const unsigned char *sig;
    size_t sig_size;
} lent_data;

static int is_lent(const lent_data *data, uintptr_t word)
{
    return data != NULL &&
           ((word >= (uintptr_t)data->key && word <= (uintptr_t)(data->key + 1)) ||
            (word >= (uintptr_t)data->sig && word <= (uintptr_t)(data->sig + data->sig_size)));
}

/* Whether a word of an object is an address near the library's code, other than those in lent data. Only where
 * addresses have 64 bits: in 32, a random word of a key may look like one. */
static int has_code(const void *object, size_t size, const lent_data *data)
{
    typedef void (*function)(void);
    function ends[2];
    uintptr_t low, high, word;
    size_t i;
    if (sizeof word < 8)
        return 0;
    ends[0] = (function)lanner_version;
    ends[1] = (function)lanner_fn_dsa_verifier_update;
    memcpy(&low, &ends[0], sizeof low);
    memcpy(&high, &ends[1], sizeof high);
    if (low > high) {
        word = low;
        low = high;
        high = word;
    }
    /* Valgrind loads programs so low that small numbers look like addresses. */
    if (low < 0x10000000)
        return 0;
    /* The whole of the library's code is no further away. */
    low -= low < 0x400000 ? low : 0x400000;
    high += 0x400000;
    for (i = 0; i + sizeof word <= size; i += sizeof word) {
        memcpy(&word, (const unsigned char *)object + i, sizeof word);
        if (word >= low && word < high && !is_lent(data, word))
            return 1;
    }
    return 0;
}

/* A verification under way holds the addresses of the key and of the signature, and no others. */
static void no_code_in_objects(void)
{
    static unsigned char sig[700];
    static lanner_fn_dsa_key key;
    static lanner_fn_dsa_public public_key;
    lanner_fn_dsa_verifier *verifier = (lanner_fn_dsa_verifier *)malloc(sizeof *verifier);
    lanner_fn_dsa_public *held = (lanner_fn_dsa_public *)malloc(sizeof *held);
    unsigned char *held_sig = (unsigned char *)malloc(sizeof sig);
    size_t length = sizeof sig;
    lent_data lent_here;
    int variant;
    lent_here.key = held;
    lent_here.sig = held_sig;
    lent_here.sig_size = sizeof sig;
    if (verifier == NULL || held == NULL || held_sig == NULL)
        abort();
    for (variant = 0; variant < 2; variant++) {
        make_objects(variant, 512, &key, &public_key);
        CHECK_IS(lanner_fn_dsa_sign(&key, NULL, 0, 0, text, 1, sig, NULL, 0), LANNER_OK);
        memcpy(held, &public_key, sizeof public_key);
        memcpy(held_sig, sig, sizeof sig);
        CHECK_IS(lanner_fn_dsa_verifier_init(verifier, held, NULL, 0, 0, held_sig, 666),
                 LANNER_OK);
        CHECK(!has_code(verifier, sizeof *verifier, &lent_here));
        CHECK(!has_code(held, sizeof *held, NULL));
        CHECK(!has_code(&key, sizeof key, NULL));
    }
    make_objects(LANNER_FALCON, 512, &key, held);
    CHECK_IS(lanner_falcon_sign(&key, 0, text, 1, held_sig, &length, NULL, 0), LANNER_OK);
    CHECK_IS(lanner_falcon_verifier_init(verifier, held, held_sig, length), LANNER_OK);
    CHECK(!has_code(verifier, sizeof *verifier, &lent_here));
    free(verifier);
    free(held);
    free(held_sig);
}

static void null_pointers(void)
{
    unsigned char out[2400];
    size_t length = sizeof out;
    const unsigned char *inside;
    lanner_fn_dsa_key key;
    lanner_fn_dsa_public public_key;
    lanner_fn_dsa_verifier verifier;
    make_objects(LANNER_FN_DSA_MAIN, 512, &key, &public_key);
    CHECK_IS(lanner_fn_dsa_keygen(0, 512, NULL, out, NULL, 0), LANNER_ERROR_NULL);
    CHECK_IS(lanner_fn_dsa_keygen(0, 512, out, NULL, NULL, 0), LANNER_ERROR_NULL);
    CHECK_IS(lanner_fn_dsa_keygen(7, 512, out, out, NULL, 0), LANNER_ERROR_UNSUPPORTED);
    CHECK_IS(lanner_fn_dsa_keygen(0, 256, out, out, NULL, 0), LANNER_ERROR_UNSUPPORTED);
    CHECK_IS(lanner_fn_dsa_keygen_seeded(0, 512, NULL, out, out + 1300, NULL, 0),
             LANNER_ERROR_NULL);
    CHECK_ZERO(out, 1281);
    CHECK_IS(lanner_fn_dsa_key_from_bytes(NULL, 0, out, 1281, NULL, 0), LANNER_ERROR_NULL);
    /* No bytes are no key, wherever they are. */
    CHECK_IS(lanner_fn_dsa_key_from_bytes(&key, 0, NULL, 1281, NULL, 0), LANNER_ERROR_NULL);
    CHECK_IS(lanner_fn_dsa_key_from_bytes(&key, 0, NULL, 0, NULL, 0), LANNER_ERROR_KEY);
    CHECK_IS(lanner_fn_dsa_key_from_bytes(&key, 0, out, 0, NULL, 0), LANNER_ERROR_KEY);
    CHECK_IS(lanner_fn_dsa_public_from_bytes(&public_key, 0, NULL, 0), LANNER_ERROR_KEY);
    make_objects(LANNER_FN_DSA_MAIN, 512, &key, &public_key);
    CHECK_IS(lanner_fn_dsa_key_secret(NULL, out, &length), LANNER_ERROR_NULL);
    CHECK_IS(lanner_fn_dsa_key_secret(&key, out, NULL), LANNER_ERROR_NULL);
    CHECK_IS(lanner_fn_dsa_public_from_bytes(&public_key, 0, NULL, 897), LANNER_ERROR_NULL);
    CHECK_IS(lanner_fn_dsa_public_to_bytes(NULL, out, &length), LANNER_ERROR_NULL);
    CHECK_IS(lanner_fn_dsa_sign(NULL, NULL, 0, 0, text, 1, out, NULL, 0), LANNER_ERROR_NULL);
    CHECK_IS(lanner_fn_dsa_sign(&key, NULL, 1, 0, text, 1, out, NULL, 0), LANNER_ERROR_NULL);
    CHECK_ZERO(out, 666);
    CHECK_IS(lanner_fn_dsa_sign(&key, NULL, 0, 0, NULL, 1, out, NULL, 0), LANNER_ERROR_NULL);
    CHECK_IS(lanner_fn_dsa_sign(&key, NULL, 0, 0, text, 1, NULL, NULL, 0), LANNER_ERROR_NULL);
    CHECK_IS(lanner_fn_dsa_sign(&key, NULL, 0, 0, NULL, 0, out, NULL, 0), LANNER_OK);
    CHECK_IS(lanner_fn_dsa_verify(NULL, NULL, 0, 0, text, 1, out, 666), LANNER_ERROR_NULL);
    CHECK_IS(lanner_fn_dsa_verifier_init(&verifier, NULL, NULL, 0, 0, out, 666),
             LANNER_ERROR_NULL);
    CHECK_IS(lanner_fn_dsa_verifier_update(&verifier, text, 1), LANNER_ERROR_STATE);
    CHECK_IS(lanner_fn_dsa_verifier_update(NULL, text, 1), LANNER_ERROR_NULL);
    CHECK_IS(lanner_fn_dsa_verifier_final(NULL), LANNER_ERROR_NULL);
    CHECK_IS(lanner_falcon_sign(NULL, 0, text, 1, out, &length, NULL, 0), LANNER_ERROR_NULL);
    CHECK_IS(lanner_falcon_sign(&key, 0, text, 1, out, NULL, NULL, 0), LANNER_ERROR_NULL);
    CHECK_IS(lanner_falcon_verify(NULL, text, 1, out, 666), LANNER_ERROR_NULL);
    CHECK_IS(lanner_falcon_verifier_init(NULL, NULL, out, 666), LANNER_ERROR_NULL);
    CHECK_IS(lanner_falcon_open(NULL, out, 700, &inside, &length), LANNER_ERROR_NULL);
    CHECK_IS(lanner_falcon_open(NULL, out, 700, NULL, &length), LANNER_ERROR_NULL);
    CHECK_IS(lanner_falcon_seal(NULL, text, 1, out, &length), LANNER_ERROR_NULL);
    CHECK_IS(lanner_fn_dsa_draft2026_mu(NULL, NULL, 0, 0, text, 1, out), LANNER_ERROR_NULL);
    lanner_fn_dsa_key_clear(NULL);
    lanner_fn_dsa_public_clear(NULL);
    lanner_fn_dsa_verifier_clear(NULL);
    lanner_fn_dsa_public_clear(&public_key);
}

/* Outside data: key pairs with a signature each, of both variants. */
static void known_answers(const char *dir)
{
    lines *data = lines_open(dir, "fn_dsa");
    unsigned long cases = 0, signed_cases[2] = {0, 0};
    if (data == NULL) {
        printf("SKIPPED: the FN-DSA vectors are outside data and not here\n");
        return;
    }
    /* variant:degree:seed:secret:public:context:hash:message:signature:random */
    while (lines_next(data)) {
        static unsigned char secret[2400], public_bytes[1800];
        static unsigned char made[1300];
        const unsigned char *seed, *sk, *pk, *ctx, *m, *sig, *random;
        int variant = atoi(data->field[0]), hash = atoi(data->field[6]);
        unsigned degree = (unsigned)atoi(data->field[1]);
        size_t seed_length = lines_octets(data, 2, &seed);
        size_t sk_length = lines_octets(data, 3, &sk);
        size_t pk_length = lines_octets(data, 4, &pk);
        size_t ctx_length = lines_octets(data, 5, &ctx);
        size_t m_length = lines_octets(data, 7, &m);
        size_t sig_length = lines_octets(data, 8, &sig);
        size_t random_length = lines_octets(data, 9, &random);
        lanner_fn_dsa_public public_key;
        lanner_fn_dsa_key key;
        if (seed_length == 32) {
            CHECK_IS(lanner_fn_dsa_keygen_seeded(variant, degree, seed, secret, public_bytes,
                                                 NULL, 0),
                     LANNER_OK);
            CHECK(sk_length == 0 || memcmp(secret, sk, sk_length) == 0);
            CHECK_BYTES(public_bytes, pk, pk_length);
        }
        if (sig_length > 0) {
            CHECK_IS(lanner_fn_dsa_public_from_bytes(&public_key, variant, pk, pk_length),
                     LANNER_OK);
            CHECK_IS(lanner_fn_dsa_verify(&public_key, ctx, ctx_length, hash, m, m_length, sig,
                                          sig_length),
                     LANNER_OK);
        }
        /* The very signature, from the very random bytes; not from fewer. */
        if (sk_length > 0 && sig_length > 0) {
            CHECK_IS(lanner_fn_dsa_key_from_bytes(&key, variant, sk, sk_length, NULL, 0), LANNER_OK);
            CHECK_IS(lanner_fn_dsa_sign_from_random(&key, random, random_length, ctx, ctx_length,
                                                    hash, m, m_length, made),
                     LANNER_OK);
            CHECK_BYTES(made, sig, sig_length);
            CHECK_IS(lanner_fn_dsa_sign_from_random(&key, random, random_length - 1, ctx,
                                                    ctx_length, hash, m, m_length, made),
                     LANNER_ERROR_RANDOM);
            CHECK_ZERO(made, sig_length);
            lanner_fn_dsa_key_clear(&key);
            signed_cases[variant]++;
        }
        cases++;
    }
    CHECK(cases > 5);
    CHECK(signed_cases[0] > 2 && signed_cases[1] > 2);
    lines_close(data);
}

/* Signatures of the same by all that signs from what the test gives. */
#define ROUNDED 4
static unsigned char rounded[ROUNDED][1500];

static const unsigned char zeros[96 * 8] = {0};

static void sign_all(const lanner_fn_dsa_key *keys, unsigned char out[ROUNDED][1500])
{
    size_t length = 1500;
    memset(out, 0, sizeof rounded);
    CHECK_IS(lanner_fn_dsa_sign_seeded(&keys[0], zeros, 32, context, CONTEXT_LENGTH, 0, text,
                                       TEXT_LENGTH, out[0], NULL, 0),
             LANNER_OK);
    CHECK_IS(lanner_fn_dsa_sign_seeded(&keys[1], zeros, 32, context, CONTEXT_LENGTH, 0, text,
                                       TEXT_LENGTH, out[1], NULL, 0),
             LANNER_OK);
    CHECK_IS(lanner_fn_dsa_sign_from_random(&keys[0], zeros, sizeof zeros, NULL, 0, 0, text,
                                            TEXT_LENGTH, out[2]),
             LANNER_OK);
    CHECK_IS(lanner_falcon_det1024_sign(&keys[2], text, TEXT_LENGTH, out[3], &length), LANNER_OK);
}

/* A thread that rounds in another direction signs the same, and goes on rounding as it did. */
static void any_rounding(void)
{
    static const int directions[] = {
#ifdef FE_UPWARD
        FE_UPWARD,
#endif
#ifdef FE_DOWNWARD
        FE_DOWNWARD,
#endif
#ifdef FE_TOWARDZERO
        FE_TOWARDZERO,
#endif
        -1};
    static const int variants[] = {LANNER_FN_DSA_MAIN, LANNER_FN_DSA_DRAFT2026, LANNER_FALCON};
    static unsigned char expected[ROUNDED][1500];
    static unsigned char secret[2400], public_bytes[1800];
    static lanner_fn_dsa_key keys[3];
    int i, before, changed, after;
    for (i = 0; i < 3; i++) {
        CHECK_IS(lanner_fn_dsa_keygen_seeded(variants[i], 1024, zeros, secret, public_bytes, NULL,
                                             0),
                 LANNER_OK);
        CHECK_IS(lanner_fn_dsa_key_from_bytes(&keys[i], variants[i], secret,
                                              lanner_fn_dsa_secret_bytes(variants[i], 1024), NULL,
                                              0),
                 LANNER_OK);
    }
    sign_all(keys, expected);
    before = fegetround();
    for (i = 0; directions[i] != -1; i++) {
        changed = fesetround(directions[i]) == 0;
        sign_all(keys, rounded);
        after = fegetround();
        fesetround(before);
        if (changed)
            CHECK_IS(after, directions[i]);
        CHECK_BYTES(rounded, expected, sizeof expected);
    }
    for (i = 0; i < 3; i++)
        lanner_fn_dsa_key_clear(&keys[i]);
}

int main(int argc, char **argv)
{
    int variant, i;
    sizes();
    for (variant = LANNER_FN_DSA_MAIN; variant <= LANNER_FN_DSA_DRAFT2026; variant++)
        for (i = 0; i < 2; i++)
            one_kind(variant, degrees[i]);
    for (i = 0; i < 2; i++) {
        falcon(degrees[i]);
        apart(degrees[i]);
        key_files(degrees[i]);
    }
    room_for_files();
    draft();
    replaced();
    scratch_apart_in_all();
    hashes_in_pieces(LANNER_FN_DSA_MAIN);
    hashes_in_pieces(LANNER_FN_DSA_DRAFT2026);
    refused_pieces();
    no_code_in_objects();
    null_pointers();
    any_rounding();
    if (argc > 1)
        known_answers(argv[1]);
    return check_report("fn_dsa");
}
