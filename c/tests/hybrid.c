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
        cases++;
    }
    fclose(file);
    CHECK(cases >= 4 && empty >= 2);
    return check_report("hybrid");
}
