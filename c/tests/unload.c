/*
 * A program that loads the shared library and unloads it, again and again, as hosts of plugins do. The library takes a
 * key of the thread's variables, of which a process has 1024 (PTHREAD_KEYS_MAX) with glibc: it may do so once.
 *
 *   unload FILE
 */
#include <dlfcn.h>
#include <pthread.h>

#include "check.h"
#include "lanner.h"

#define ROUNDS 2000

typedef int public_function(const lanner_hash *, const unsigned char *, unsigned char *);

/* No good hash function. */
static void init(void *state)
{
    memset(state, 1, 64);
}

static void update(void *state, const unsigned char *data, size_t length)
{
    size_t i;
    for (i = 0; i < length; i++)
        ((unsigned char *)state)[i % 64] ^= data[i];
}

static void final(void *state, unsigned char *output)
{
    memcpy(output, state, 64);
}

int main(int argc, char **argv)
{
    static const unsigned char seed[32] = {7};
    lanner_hash hash;
    pthread_key_t key;
    int round;
    hash.state_size = 64;
    hash.init = init;
    hash.update = update;
    hash.final = final;
    if (argc != 2)
        return EXIT_FAILURE;
    for (round = 0; round < ROUNDS; round++) {
        unsigned char public_key[32];
        public_function *function;
        void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL), *symbol;
        CHECK(library != NULL);
        if (library == NULL)
            break;
        symbol = dlsym(library, "lanner_ed25519_hash_public");
        CHECK(symbol != NULL);
        if (symbol == NULL)
            break;
        /* C has no cast from a pointer to data to one to a function. */
        memcpy(&function, &symbol, sizeof function);
        CHECK_IS(function(&hash, seed, public_key), LANNER_OK);
        CHECK_IS(dlclose(library), 0);
    }
    /* There is one left for others. */
    CHECK_IS(pthread_key_create(&key, NULL), 0);
    return check_report("unload");
}
