/*
 * Signs with FN-DSA-512, first with memory from the stack, then with memory that the program lends,
 * as one does where the stack is small.
 *
 *   gcc fn_dsa.c -llanner
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanner.h>

static const unsigned char message[] = "The falcon has landed.";
static const unsigned char context[] = "example v1";

static int check(const char *what, int status)
{
    printf("%s: %s\n", what, lanner_strerror(status));
    return status;
}

/* Whatever happens, the key is the caller's to clear. */
static int show(lanner_fn_dsa_key *key)
{
    unsigned char secret[LANNER_FN_DSA_512_SECRET_BYTES];
    unsigned char public_bytes[LANNER_FN_DSA_512_PUBLIC_BYTES];
    unsigned char signature[LANNER_FN_DSA_512_SIGNATURE_BYTES];
    lanner_fn_dsa_public public_key;
    size_t need = lanner_fn_dsa_sign_scratch_bytes(512);
    void *scratch;
    int status;

    /* A key pair: the secret half is for a file that only its owner reads. */
    if (check("key pair", lanner_fn_dsa_keygen(LANNER_FN_DSA_MAIN, 512, secret, public_bytes, NULL,
                                               0)) != LANNER_OK)
        return EXIT_FAILURE;

    status = lanner_fn_dsa_key_from_bytes(key, LANNER_FN_DSA_MAIN, secret, sizeof secret, NULL, 0);
    lanner_wipe(secret, sizeof secret);
    if (status == LANNER_OK)
        status = lanner_fn_dsa_public_from_bytes(&public_key, LANNER_FN_DSA_MAIN, public_bytes,
                                                 sizeof public_bytes);
    if (status == LANNER_OK)
        status = lanner_fn_dsa_sign(key, context, sizeof context - 1, LANNER_FN_DSA_RAW, message,
                                    sizeof message - 1, signature, NULL, 0);
    if (check("signing", status) != LANNER_OK)
        return EXIT_FAILURE;
    status = lanner_fn_dsa_verify(&public_key, context, sizeof context - 1, LANNER_FN_DSA_RAW,
                                  message, sizeof message - 1, signature, sizeof signature);
    if (check("the same message", status) != LANNER_OK)
        return EXIT_FAILURE;
    status = lanner_fn_dsa_verify(&public_key, context, sizeof context - 1, LANNER_FN_DSA_RAW,
                                  message, sizeof message - 2, signature, sizeof signature);
    if (check("another message", status) != LANNER_ERROR_SIGNATURE)
        return EXIT_FAILURE;

    /* The same with lent memory. */
    scratch = malloc(need);
    if (scratch == NULL)
        return EXIT_FAILURE;
    status = lanner_fn_dsa_sign(key, NULL, 0, LANNER_FN_DSA_RAW, message, sizeof message - 1,
                                signature, scratch, need);
    free(scratch);
    if (status == LANNER_OK)
        status = lanner_fn_dsa_verify(&public_key, NULL, 0, LANNER_FN_DSA_RAW, message,
                                      sizeof message - 1, signature, sizeof signature);
    return check("with lent memory", status) == LANNER_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(void)
{
    lanner_fn_dsa_key key;
    int result = show(&key);
    lanner_fn_dsa_key_clear(&key);
    printf("done\n");
    return result;
}
