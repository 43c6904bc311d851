/*
 * Ed25519ph: a message that is read once, in pieces, and signed at the end.
 *
 *   gcc streaming.c -llanner
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanner.h>

static const unsigned char context[] = "example v1";

/* Hashes three pieces; the last one is the caller's. */
static int absorb(lanner_ed25519ph_state *state, const char *last)
{
    static const unsigned char first[] = "first piece, ", second[] = "second piece, ";
    int status = lanner_ed25519ph_init(state);
    if (status == LANNER_OK)
        status = lanner_ed25519ph_update(state, first, sizeof first - 1);
    if (status == LANNER_OK)
        status = lanner_ed25519ph_update(state, second, sizeof second - 1);
    if (status == LANNER_OK)
        status = lanner_ed25519ph_update(state, (const unsigned char *)last, strlen(last));
    return status;
}

int main(void)
{
    lanner_ed25519_key key;
    lanner_ed25519ph_state state;
    unsigned char public_key[LANNER_ED25519_PUBLIC_BYTES];
    unsigned char signature[LANNER_ED25519_SIGNATURE_BYTES];
    int signing, same, other;

    signing = lanner_ed25519_key_generate(&key);
    if (signing == LANNER_OK)
        signing = lanner_ed25519_key_public(&key, public_key);
    if (signing == LANNER_OK)
        signing = absorb(&state, "third piece");
    if (signing == LANNER_OK)
        signing = lanner_ed25519ph_final_sign(&state, &key, context, sizeof context - 1, signature);
    lanner_ed25519_key_clear(&key);
    printf("signing: %s\n", lanner_strerror(signing));

    if (signing != LANNER_OK || absorb(&state, "third piece") != LANNER_OK)
        return EXIT_FAILURE;
    same = lanner_ed25519ph_final_verify(&state, LANNER_ED25519_STRICT, public_key, context,
                                         sizeof context - 1, signature);
    printf("the same message: %s\n", lanner_strerror(same));

    if (absorb(&state, "another piece") != LANNER_OK)
        return EXIT_FAILURE;
    other = lanner_ed25519ph_final_verify(&state, LANNER_ED25519_STRICT, public_key, context,
                                          sizeof context - 1, signature);
    printf("another message: %s\n", lanner_strerror(other));
    printf("done\n");
    return signing == LANNER_OK && same == LANNER_OK && other == LANNER_ERROR_SIGNATURE
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
