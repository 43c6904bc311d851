/*
 * Randomness of the program's own: a test that repeats itself.
 */
void ED25519_FN(ed25519_randombytes_unsafe)(void *p, size_t len);
void ED25519_FN(ed25519_randombytes_unsafe)(void *p, size_t len)
{
    unsigned char *bytes = (unsigned char *)p;
    while (len > 0)
        bytes[--len] = 4;
}
