/*
 * A panic ends the process with a message; it never returns into C. The one way to bring one about
 * from outside is a function that fails to give randomness, and cannot say so.
 */
#include <signal.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "ed25519.h"
#include "lanner.h"

static int broken(void *out, size_t length)
{
    (void)out;
    (void)length;
    return -1;
}

/* What ed25519_randombytes_unsafe cannot do, and cannot say: every such call ends the process. */
static void ends(void *out, size_t length, lanner_random_source source, const char *why)
{
    int ends[2], status = 0;
    char message[1000];
    ssize_t size, total = 0;
    pid_t child;
    CHECK_IS(pipe(ends), 0);
    child = fork();
    if (child == 0) {
        close(ends[0]);
        dup2(ends[1], 2);
        lanner_set_random_source(source);
        ed25519_randombytes_unsafe(out, length);
        /* Not reached. */
        _exit(0);
    }
    close(ends[1]);
    while (total < (ssize_t)sizeof message - 1 &&
           (size = read(ends[0], message + total, sizeof message - 1 - (size_t)total)) > 0)
        total += size;
    message[total] = '\0';
    close(ends[0]);
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    CHECK(strstr(message, "panicked") != NULL);
    CHECK(strstr(message, "no randomness") != NULL);
    CHECK(strstr(message, why) != NULL);
    if (checks_failed)
        printf("the child said: %s\n", message);
}

int main(void)
{
    unsigned char out[32];
    ends(out, sizeof out, broken, "lanner_set_random_source");
    ends(NULL, sizeof out, NULL, "NULL");
    ends(out, (size_t)-1, NULL, "a length");
    return check_report("panic");
}
