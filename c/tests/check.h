/*
 * Checks for the C tests: they count, say where they fail, and go on.
 */
#ifndef LANNER_TESTS_CHECK_H
#define LANNER_TESTS_CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__)
#define MAYBE_UNUSED __attribute__((unused))
#else
#define MAYBE_UNUSED
#endif

static unsigned long checks_passed;
static unsigned long checks_failed;

#define CHECK(condition)                                                        \
    do {                                                                        \
        if (condition) {                                                        \
            checks_passed++;                                                    \
        } else {                                                                \
            checks_failed++;                                                    \
            printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);      \
        }                                                                       \
    } while (0)

/* Says what was found where it is not what was expected. */
#define CHECK_IS(found, expected)                                               \
    do {                                                                        \
        long found_ = (long)(found), expected_ = (long)(expected);              \
        if (found_ == expected_) {                                              \
            checks_passed++;                                                    \
        } else {                                                                \
            checks_failed++;                                                    \
            printf("%s:%d: %s is %ld, not %ld\n", __FILE__, __LINE__, #found,   \
                   found_, expected_);                                          \
        }                                                                       \
    } while (0)

#define CHECK_BYTES(found, expected, length) CHECK(memcmp(found, expected, length) == 0)

/* Whether all bytes are zero. */
#define CHECK_ZERO(pointer, length) CHECK(is_zero((const unsigned char *)(pointer), length))

MAYBE_UNUSED static int is_zero(const unsigned char *bytes, size_t length)
{
    size_t i;
    for (i = 0; i < length; i++)
        if (bytes[i] != 0)
            return 0;
    return 1;
}

/* The closing line, in the words that the runner reads. */
MAYBE_UNUSED static int check_report(const char *name)
{
    printf("%s: test result: %s. %lu passed; %lu failed; 0 ignored\n", name,
           checks_failed == 0 && checks_passed > 0 ? "ok" : "FAILED", checks_passed,
           checks_failed);
    return checks_failed == 0 && checks_passed > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Numbers that look random and are always the same: a linear congruence modulo 2^32, of which the upper
 * bits are used. */
MAYBE_UNUSED static unsigned long check_seed = 1;

MAYBE_UNUSED static unsigned check_random(void)
{
    check_seed = (check_seed * 1664525ul + 1013904223ul) & 0xfffffffful;
    return (unsigned)(check_seed >> 8) & 0xffffu;
}

MAYBE_UNUSED static void check_random_bytes(unsigned char *out, size_t length)
{
    size_t i;
    for (i = 0; i < length; i++)
        out[i] = (unsigned char)check_random();
}

#endif
