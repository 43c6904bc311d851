/*
 * BLAKE2b with 64 bytes of output (RFC 7693), as a program of ed25519-donna brings it: with a context that is aligned
 * to a cache line, and functions that look whether it is. MORE, if it is defined, is what the context has beside. It takes
 * <string.h> for granted, which ed25519-donna includes before it.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct ed25519_hash_context {
    uint64_t h[8];
    uint64_t length;
    unsigned char block[128];
    size_t used;
#if defined(MORE)
    unsigned char more[MORE];
#endif
} __attribute__((aligned(64))) ed25519_hash_context;

static void blake2b_look(const ed25519_hash_context *ctx)
{
    /* A compiler knows better where the context must lie, unless it does not see what is compared. */
    volatile uintptr_t at = (uintptr_t)ctx;
    if (at % 64 != 0) {
        fprintf(stderr, "a context is not aligned: it lies %u bytes behind a line\n", (unsigned)(at % 64));
        abort();
    }
}

static uint64_t blake2b_word(const unsigned char *bytes)
{
    uint64_t word = 0;
    int i;
    for (i = 7; i >= 0; i--)
        word = word << 8 | bytes[i];
    return word;
}

static uint64_t blake2b_rotate(uint64_t word, int by)
{
    return word >> by | word << (64 - by);
}

/* The fractional parts of the square roots of the first eight primes, as in SHA-512. */
static uint64_t blake2b_iv(int i)
{
    static const uint32_t halves[8][2] = {
        {0x6a09e667u, 0xf3bcc908u}, {0xbb67ae85u, 0x84caa73bu}, {0x3c6ef372u, 0xfe94f82bu},
        {0xa54ff53au, 0x5f1d36f1u}, {0x510e527fu, 0xade682d1u}, {0x9b05688cu, 0x2b3e6c1fu},
        {0x1f83d9abu, 0xfb41bd6bu}, {0x5be0cd19u, 0x137e2179u}};
    return (uint64_t)halves[i][0] << 32 | halves[i][1];
}

/* RFC 7693 section 3.2. */
static void blake2b_compress(ed25519_hash_context *ctx, int last)
{
    static const unsigned char sigma[10][16] = {
        {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
        {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
        {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
        {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
        {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
        {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
        {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
        {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
        {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
        {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};
    /* Columns, then diagonals. */
    static const unsigned char quads[8][4] = {{0, 4, 8, 12},  {1, 5, 9, 13}, {2, 6, 10, 14},
                                              {3, 7, 11, 15}, {0, 5, 10, 15}, {1, 6, 11, 12},
                                              {2, 7, 8, 13},  {3, 4, 9, 14}};
    uint64_t v[16], m[16];
    int i, round;
    for (i = 0; i < 16; i++)
        m[i] = blake2b_word(ctx->block + 8 * i);
    for (i = 0; i < 8; i++) {
        v[i] = ctx->h[i];
        v[i + 8] = blake2b_iv(i);
    }
    v[12] ^= ctx->length;
    if (last)
        v[14] = ~v[14];
    for (round = 0; round < 12; round++)
        for (i = 0; i < 8; i++) {
            uint64_t *a = &v[quads[i][0]], *b = &v[quads[i][1]];
            uint64_t *c = &v[quads[i][2]], *d = &v[quads[i][3]];
            *a += *b + m[sigma[round % 10][2 * i]];
            *d = blake2b_rotate(*d ^ *a, 32);
            *c += *d;
            *b = blake2b_rotate(*b ^ *c, 24);
            *a += *b + m[sigma[round % 10][2 * i + 1]];
            *d = blake2b_rotate(*d ^ *a, 16);
            *c += *d;
            *b = blake2b_rotate(*b ^ *c, 63);
        }
    for (i = 0; i < 8; i++)
        ctx->h[i] ^= v[i] ^ v[i + 8];
    ctx->used = 0;
}

static void ed25519_hash_init(ed25519_hash_context *ctx)
{
    int i;
    blake2b_look(ctx);
    memset(ctx, 0, sizeof *ctx);
    for (i = 0; i < 8; i++)
        ctx->h[i] = blake2b_iv(i);
    /* Parameters: no key, 64 bytes of output, one tree of one leaf. */
    ctx->h[0] ^= 0x01010040u;
}

static void ed25519_hash_update(ed25519_hash_context *ctx, const uint8_t *in, size_t inlen)
{
    blake2b_look(ctx);
    while (inlen > 0) {
        size_t room = sizeof ctx->block - ctx->used, size;
        /* The last block waits, because it is marked. */
        if (room == 0) {
            ctx->length += 128;
            blake2b_compress(ctx, 0);
            room = sizeof ctx->block;
        }
        size = inlen < room ? inlen : room;
        memcpy(ctx->block + ctx->used, in, size);
        ctx->used += size;
        in += size;
        inlen -= size;
    }
}

static void ed25519_hash_final(ed25519_hash_context *ctx, uint8_t *hash)
{
    int i;
    blake2b_look(ctx);
    ctx->length += ctx->used;
    memset(ctx->block + ctx->used, 0, sizeof ctx->block - ctx->used);
    blake2b_compress(ctx, 1);
    for (i = 0; i < 64; i++)
        hash[i] = (uint8_t)(ctx->h[i / 8] >> (8 * (i % 8)));
}

/* ed25519-donna asks for it too. */
static void ed25519_hash(uint8_t *hash, const uint8_t *in, size_t inlen)
{
    ed25519_hash_context ctx;
    ed25519_hash_init(&ctx);
    ed25519_hash_update(&ctx, in, inlen);
    ed25519_hash_final(&ctx, hash);
}
