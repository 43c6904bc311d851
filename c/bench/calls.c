/*
 * calls OPERATION COUNT: so many calls of one function of liblanner, for counting instructions. Its
 * twin in Rust is calls.rs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "curve25519.h"
#include "lanner.h"

int main(int argc, char **argv)
{
    unsigned char seed[32], public_key[32], message[64], out[64];
    lanner_ed25519_key key;
    unsigned long count, i, bad = 0;
    if (argc != 3)
        return EXIT_FAILURE;
    count = strtoul(argv[2], NULL, 10);
    memset(seed, 7, sizeof seed);
    memset(message, 9, sizeof message);
    if (lanner_ed25519_key_from_seed(&key, seed) != LANNER_OK ||
        lanner_ed25519_key_public(&key, public_key) != LANNER_OK ||
        lanner_ed25519_sign(&key, message, sizeof message, out) != LANNER_OK)
        return EXIT_FAILURE;
    if (strcmp(argv[1], "sign") == 0)
        for (i = 0; i < count; i++)
            bad += lanner_ed25519_sign(&key, message, sizeof message, out) != LANNER_OK;
    else if (strcmp(argv[1], "verify") == 0)
        for (i = 0; i < count; i++)
            bad += lanner_ed25519_verify(LANNER_ED25519_STRICT, public_key, message,
                                         sizeof message, out) != LANNER_OK;
    else if (strcmp(argv[1], "public") == 0)
        for (i = 0; i < count; i++)
            bad += lanner_ed25519_public_from_seed(seed, out) != LANNER_OK;
    else if (strcmp(argv[1], "x25519") == 0)
        for (i = 0; i < count; i++)
            bad += lanner_x25519(seed, public_key, out) != LANNER_OK;
    else
        return EXIT_FAILURE;
    printf("%02x\n", out[0]);
    return bad == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
