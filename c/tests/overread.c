/*
 * A message that is shorter than the library is told: what a sanitizer of addresses must see, and does only where the
 * library itself was compiled with it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "lanner.h"

int main(void)
{
    static const unsigned char seed[32] = {1};
    unsigned char *message = (unsigned char *)calloc(1000, 1);
    unsigned char signature[64];
    lanner_ed25519_key key;
    if (message == NULL || lanner_ed25519_key_from_seed(&key, seed) != LANNER_OK)
        return 2;
    if (lanner_ed25519_sign(&key, message, 1001, signature) != LANNER_OK)
        return 2;
    puts("nobody saw it");
    free(message);
    return 0;
}
