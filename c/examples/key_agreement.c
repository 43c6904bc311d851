/*
 * Two parties agree on a secret with X25519.
 *
 *   gcc key_agreement.c -llanner
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanner.h>

typedef struct party {
    unsigned char secret[LANNER_X25519_BYTES];
    unsigned char public_key[LANNER_X25519_BYTES];
    unsigned char shared[LANNER_X25519_BYTES];
} party;

static int prepare(party *p)
{
    int status = lanner_x25519_generate(p->secret);
    return status == LANNER_OK ? lanner_x25519_public(p->secret, p->public_key) : status;
}

static int agree(party *alice, party *bob)
{
    static const unsigned char small_order[LANNER_X25519_BYTES] = {1};
    int status, same;

    /* Each makes a key pair and sends the public key. */
    if ((status = prepare(alice)) != LANNER_OK || (status = prepare(bob)) != LANNER_OK) {
        fprintf(stderr, "cannot make keys: %s\n", lanner_strerror(status));
        return EXIT_FAILURE;
    }
    /* Each combines its own secret key with the other's public key. */
    status = lanner_x25519(alice->secret, bob->public_key, alice->shared);
    if (status == LANNER_OK)
        status = lanner_x25519(bob->secret, alice->public_key, bob->shared);
    if (status != LANNER_OK) {
        fprintf(stderr, "no agreement: %s\n", lanner_strerror(status));
        return EXIT_FAILURE;
    }
    same = memcmp(alice->shared, bob->shared, sizeof alice->shared) == 0;
    printf("both have the same secret: %s\n", same ? "yes" : "no");
    /* Not the secret itself but what a key derivation function makes of it, and of both public
     * keys, is a key for a cipher. */

    /* A key of small order would make the secret zero, whatever the own key. */
    status = lanner_x25519(alice->secret, small_order, alice->shared);
    printf("a key of small order: %s\n", lanner_strerror(status));
    return same && status == LANNER_ERROR_NON_CONTRIBUTORY ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(void)
{
    party alice, bob;
    int result = agree(&alice, &bob);
    /* However it went. A compiler may leave out a memset of what is not read again. */
    lanner_wipe(&alice, sizeof alice);
    lanner_wipe(&bob, sizeof bob);
    printf("done\n");
    return result;
}
