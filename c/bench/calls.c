/*
 * calls OPERATION COUNT [BACKEND]: so many calls of one function of liblanner, for counting
 * instructions. Its twin in Rust is calls.rs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "curve25519.h"
#include "ed25519.h"
#include "lanner.h"

static unsigned char seed[32], public_key[32], message[64], out[64];
static unsigned char lattice_secret[LANNER_FN_DSA_512_SECRET_BYTES];
static unsigned char lattice_bytes[LANNER_FN_DSA_512_PUBLIC_BYTES];
static unsigned char lattice_out[LANNER_FN_DSA_512_SIGNATURE_BYTES];
static lanner_ed25519_key key;
static lanner_fn_dsa_key lattice_key;
static lanner_fn_dsa_public lattice_public;

static int lattice_sign(void)
{
    return lanner_fn_dsa_sign_seeded(&lattice_key, seed, sizeof seed, NULL, 0, LANNER_FN_DSA_RAW,
                                     message, sizeof message, lattice_out, NULL, 0);
}

static int prepare(const char *operation)
{
    memset(seed, 7, sizeof seed);
    memset(message, 9, sizeof message);
    if (lanner_ed25519_key_from_seed(&key, seed) != LANNER_OK ||
        lanner_ed25519_key_public(&key, public_key) != LANNER_OK ||
        lanner_ed25519_sign(&key, message, sizeof message, out) != LANNER_OK)
        return 0;
    if (strncmp(operation, "fn-dsa", 6) != 0)
        return 1;
    return lanner_fn_dsa_keygen_seeded(LANNER_FN_DSA_MAIN, 512, seed, lattice_secret,
                                       lattice_bytes, NULL, 0) == LANNER_OK &&
           lanner_fn_dsa_key_from_bytes(&lattice_key, LANNER_FN_DSA_MAIN, lattice_secret,
                                        sizeof lattice_secret, NULL, 0) == LANNER_OK &&
           lanner_fn_dsa_public_from_bytes(&lattice_public, LANNER_FN_DSA_MAIN, lattice_bytes,
                                           sizeof lattice_bytes) == LANNER_OK &&
           lattice_sign() == LANNER_OK;
}

static int call(const char *operation)
{
    if (strcmp(operation, "sign") == 0)
        return lanner_ed25519_sign(&key, message, sizeof message, out);
    if (strcmp(operation, "sign-seed") == 0) {
        ed25519_sign(message, sizeof message, seed, public_key, out);
        return LANNER_OK;
    }
    if (strcmp(operation, "verify") == 0)
        return lanner_ed25519_verify(LANNER_ED25519_STRICT, public_key, message, sizeof message,
                                     out);
    if (strcmp(operation, "public") == 0)
        return lanner_ed25519_public_from_seed(seed, out);
    if (strcmp(operation, "x25519") == 0)
        return lanner_x25519(seed, public_key, out);
    if (strcmp(operation, "fn-dsa-sign") == 0)
        return lattice_sign();
    if (strcmp(operation, "fn-dsa-verify") == 0)
        return lanner_fn_dsa_verify(&lattice_public, NULL, 0, LANNER_FN_DSA_RAW, message,
                                    sizeof message, lattice_out, sizeof lattice_out);
    return LANNER_ERROR_UNSUPPORTED;
}

int main(int argc, char **argv)
{
    unsigned long count, i;
    if (argc < 3 || argc > 4 ||
        (argc == 4 && lanner_backend_force(argv[3]) != LANNER_OK) || !prepare(argv[1]))
        return EXIT_FAILURE;
    count = strtoul(argv[2], NULL, 10);
    for (i = 0; i < count; i++)
        if (call(argv[1]) != LANNER_OK)
            return EXIT_FAILURE;
    printf("%02x%02x\n", out[0], lattice_out[42]);
    return EXIT_SUCCESS;
}
