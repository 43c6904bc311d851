/*
 * Signs a message that comes in pieces with Ed25519 and FN-DSA-512 in one, both of which must be valid: its SHA-512 is
 * signed, which any library computes. The key is written to a file and read again, as the command `lanner` has them.
 *
 *   gcc hybrid.c -llanner
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanner.h>

static const unsigned char context[] = "example v1";

/* SHA-512 of "abc" (FIPS 180-4), in the place of that of a large file. */
static const unsigned char digest[LANNER_HYBRID_DIGEST_BYTES] = {
    0xdd, 0xaf, 0x35, 0xa1, 0x93, 0x61, 0x7a, 0xba, 0xcc, 0x41, 0x73, 0x49, 0xae, 0x20, 0x41, 0x31,
    0x12, 0xe6, 0xfa, 0x4e, 0x89, 0xa9, 0x7e, 0xa2, 0x0a, 0x9e, 0xee, 0xe6, 0x4b, 0x55, 0xd3, 0x9a,
    0x21, 0x92, 0x99, 0x2a, 0x27, 0x4f, 0xc1, 0xa8, 0x36, 0xba, 0x3c, 0x23, 0xa3, 0xfe, 0xeb, 0xbd,
    0x45, 0x4d, 0x44, 0x23, 0x64, 0x3c, 0xe8, 0x0e, 0x2a, 0x9a, 0xc9, 0x4f, 0xa5, 0x4c, 0xa4, 0x9f};

static int check(const char *what, int status)
{
    printf("%s: %s\n", what, lanner_strerror(status));
    return status;
}

/* Whatever happens, the key and the text are the caller's to wipe. */
static int show(lanner_hybrid_key *key, char text[LANNER_HYBRID_SECRET_PEM_BYTES])
{
    unsigned char public_key[LANNER_HYBRID_512_PUBLIC_BYTES];
    unsigned char signature[LANNER_HYBRID_512_SIGNATURE_BYTES];
    size_t length = LANNER_HYBRID_SECRET_PEM_BYTES;
    int status = lanner_hybrid_key_generate(key, 512);

    /* The text is for a file that only its owner reads. */
    if (status == LANNER_OK)
        status = lanner_hybrid_key_to_pem(key, text, &length);
    if (status == LANNER_OK)
        status = lanner_hybrid_key_from_pem(key, text, length);
    if (check("key", status) != LANNER_OK)
        return EXIT_FAILURE;

    length = sizeof public_key;
    status = lanner_hybrid_key_public(key, public_key, &length);
    if (status == LANNER_OK)
        status = lanner_hybrid_sign_digest(key, context, sizeof context - 1, digest, signature, NULL,
                                           0);
    if (check("signing", status) != LANNER_OK)
        return EXIT_FAILURE;

    /* Who has the message in one piece need not hash it. */
    status = lanner_hybrid_verify(512, public_key, length, context, sizeof context - 1,
                                  (const unsigned char *)"abc", 3, signature, sizeof signature);
    if (check("the same message", status) != LANNER_OK)
        return EXIT_FAILURE;
    status = lanner_hybrid_verify(512, public_key, length, context, sizeof context - 1,
                                  (const unsigned char *)"abd", 3, signature, sizeof signature);
    return check("another message", status) == LANNER_ERROR_SIGNATURE ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(void)
{
    lanner_hybrid_key key;
    char text[LANNER_HYBRID_SECRET_PEM_BYTES] = "";
    int result = show(&key, text);
    lanner_hybrid_key_clear(&key);
    lanner_wipe(text, sizeof text);
    printf("done\n");
    return result;
}
