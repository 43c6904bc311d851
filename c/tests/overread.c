/*
 * A public key that is shorter than the library is told. It reads keys by instructions of its own, not by functions of the
 * system: a sanitizer of addresses sees it only where the library itself was compiled with it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "lanner.h"

int main(void)
{
    static const unsigned char secret[32] = {1};
    /* Compilers would see a number. */
    volatile size_t length = 31;
    unsigned char *public_key = (unsigned char *)calloc(length, 1);
    unsigned char shared[32];
    if (public_key == NULL)
        return 2;
    public_key[0] = 9;
    if (lanner_x25519(secret, public_key, shared) != LANNER_OK)
        return 2;
    puts("nobody saw it");
    free(public_key);
    return 0;
}
