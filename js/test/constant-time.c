/* A module, translated to C, under valgrind's memcheck with the secrets marked as undefined: memcheck
   reports every branch and every address that depends on one. Prints for each operation how many it
   reported and what came out; constant-time.mjs compiles this and reads it. */
#include <stdio.h>
#include <string.h>
#include <valgrind/memcheck.h>
#include "module.h"

static Z_module_instance_t module;
static u8 *io;
static unsigned before;

static void secret(size_t at, size_t length) {
    VALGRIND_MAKE_MEM_UNDEFINED(io + at, length);
}

/* What depends on the seed number: the same in every run. */
static void fill(size_t at, size_t length, unsigned number) {
    for (size_t i = 0; i < length; i++) {
        number = number * 1103515245u + 12345u;
        io[at + i] = (u8)(number >> 16);
    }
}

static void start(void) { before = VALGRIND_COUNT_ERRORS; }

static void result(const char *name, unsigned number, size_t length) {
    unsigned found = VALGRIND_COUNT_ERRORS - before;
    VALGRIND_MAKE_MEM_DEFINED(io, length);
    printf("%s %u %u ", name, number, found);
    for (size_t i = 0; i < length; i++) printf("%02x", io[i]);
    puts("");
}

#ifdef HAS_SIGN
/* The message is `length` octets that stand at the beginning of the input; secret, if asked for. */
static void message(size_t length, unsigned number, int marked) {
    fill(0, length, number + 1000);
    if (marked) secret(0, length);
    Z_moduleZ_u(&module, (u32)length);
}

static void sign(const char *name, unsigned number, size_t length, int marked, int check) {
    u8 public[32];
    fill(0, 32, number);
    Z_moduleZ_e(&module);
    Z_moduleZ_k(&module);
    memcpy(public, io + 32, 32);
    fill(0, 32, number);
    memcpy(io + 32, public, 32);
    secret(0, 32);
    start();
    Z_moduleZ_e(&module);
    Z_moduleZ_s(&module, 0);
    message(length, number, marked);
    u32 right = Z_moduleZ_c(&module, 0, (u32)check);
    /* R is public, and the verdict on the key pair: whoever calls is told of it. */
    VALGRIND_MAKE_MEM_DEFINED(io, 32);
    message(length, number, marked);
    Z_moduleZ_r(&module);
    result(name, number, 64);
    VALGRIND_MAKE_MEM_DEFINED(&right, sizeof right);
    if (!right) puts("wrong: the key pair");
}
#endif

#ifdef HAS_RISTRETTO
static u32 length_of_input;

/* Room for input. The memory may grow, and then lies elsewhere, in every call. */
static void room(u32 length) {
    length_of_input = Z_moduleZ_a(&module, length);
    io = Z_moduleZ_memory(&module)->data + length_of_input;
}

static void ended(const char *name, unsigned number) {
    io = Z_moduleZ_memory(&module)->data + length_of_input;
    result(name, number, 32);
}

/* The element that is public: a multiple of the base point. */
static void element(u8 *to, unsigned number) {
    room(64);
    fill(0, 32, number + 500);
    Z_moduleZ_m(&module, 1);
    memcpy(to, io, 32);
}

static u32 sum(unsigned number, int known) {
    enum { TERMS = 5 };
    u8 points[TERMS][32];
    for (unsigned i = 0; i < TERMS; i++) element(points[i], number + i);
    room(64 * TERMS);
    for (unsigned i = 0; i < TERMS; i++) {
        fill(64 * i, 32, number + 100 * i);
        secret(64 * i, 32);
        memcpy(io + 64 * i + 32, points[i], 32);
    }
    if (!known) secret(32, 32);
    start();
    return Z_moduleZ_s(&module, TERMS);
}

/* Whether a result is refused, the caller is told. */
static void told(u32 refusal) {
    VALGRIND_MAKE_MEM_DEFINED(&refusal, sizeof refusal);
    if (refusal) puts("wrong: refused");
}

int main(void) {
    wasm_rt_init();
    Z_module_init_module();
    Z_module_instantiate(&module);
    for (unsigned number = 1; number <= 3; number++) {
        u8 point[32];
        element(point, number);
        room(64);
        fill(0, 32, number);
        memcpy(io + 32, point, 32);
        secret(0, 32);
        start();
        told(Z_moduleZ_m(&module, 0));
        ended("multiply", number);
        room(64);
        fill(0, 32, number);
        secret(0, 32);
        start();
        told(Z_moduleZ_m(&module, 1));
        ended("multiplyBase", number);
        told(sum(number, 1));
        ended("multiscalar", number);
        for (u32 operation = 0; operation < 3; operation++) {
            const char *names[] = {"addScalars", "subtractScalars", "multiplyScalars"};
            room(64);
            fill(0, 64, number);
            secret(0, 64);
            start();
            Z_moduleZ_f(&module, operation);
            ended(names[operation], number);
        }
        room(64);
        fill(0, 32, number);
        secret(0, 32);
        start();
        told(Z_moduleZ_v(&module));
        ended("invertScalar", number);
        room(64);
        fill(0, 64, number);
        secret(0, 64);
        start();
        Z_moduleZ_r(&module);
        ended("reduceScalar", number);
        room(64);
        fill(0, 64, number);
        secret(0, 64);
        start();
        Z_moduleZ_u(&module);
        ended("elementFromHash", number);
        for (u32 suite = 0; suite < 6; suite++) {
            const char *names[] = {"hashToRistretto255", "hashToEdwards25519", "encodeToEdwards25519",
                                   "hashToCurve25519", "encodeToCurve25519", "hashToScalar"};
            /* In two pieces, each behind the hash. */
            room(HASH + 308);
            fill(HASH, 308, number);
            secret(HASH, 308);
            start();
            Z_moduleZ_h(&module, suite, 1, 100, 0);
            memmove(io + HASH, io + HASH + 100, 208);
            Z_moduleZ_h(&module, suite, 0, 200, 8);
            ended(names[suite], number);
        }
    }
    /* The control: whether the first bytes encode an element is told, and must be reported where they are secret. */
    told(sum(1, 0));
    ended("control", 1);
    return 0;
}
#else
int main(void) {
    wasm_rt_init();
    Z_module_init_module();
    Z_module_instantiate(&module);
    u32 at = Z_moduleZ_i(&module);
    io = Z_moduleZ_memory(&module)->data + at;
    for (unsigned number = 1; number <= 3; number++) {
#ifdef HAS_SIGN
        fill(0, 32, number);
        secret(0, 32);
        start();
        Z_moduleZ_e(&module);
        Z_moduleZ_k(&module);
        memmove(io, io + 32, 32);
        result("keypair", number, 32);
        sign("sign", number, 50, 0, 1);
        sign("signer", number, 300, 0, 0);
        sign("sign-secret-message", number, 200, 1, 1);
#endif
#ifdef HAS_X25519
        fill(0, 32, number);
        memset(io + 32, 0, 32);
        io[32] = 9;
        secret(0, 32);
        start();
        Z_moduleZ_x(&module);
        result("x25519-base", number, 32);
        fill(0, 32, number);
        fill(32, 32, number + 500);
        secret(0, 64);
        start();
        Z_moduleZ_x(&module);
        result("x25519", number, 32);
#endif
    }
    /* The control: verification may vary in time, and must be reported where its input is secret. */
    fill(0, 96, 7);
    io[63] = 0;
    secret(0, 96);
    start();
    Z_moduleZ_v(&module, 0, 2);
#ifdef HAS_SIGN
    Z_moduleZ_d(&module);
#endif
    u32 verdict = Z_moduleZ_f(&module);
    VALGRIND_MAKE_MEM_DEFINED(&verdict, sizeof verdict);
    result("control", verdict, 1);
    return 0;
}
#endif
