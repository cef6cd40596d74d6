/* The lower bound for sessions: bare system calls on a PTY, without a screen, threads or a library.
 *
 *   floor latency N    N waits for a marker that a child writes; one line each: nanoseconds from the
 *                      child's write to the match
 *   floor startup N    N starts of sh; one line each: nanoseconds from openpt to the first matched
 *                      output
 *   floor suite N T    N small tests of sh in T threads: nanoseconds in total
 *   floor cat FILE     nanoseconds until the marker at the end of FILE arrives through `cat`
 *   floor child        the child of "latency": for every byte read, it pauses and then writes the time
 *                      and a marker
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static long long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int open_and_start(char *const argv[], pid_t *pid) {
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (master < 0 || grantpt(master) || unlockpt(master)) exit(9);
    struct winsize size = {24, 80, 0, 0};
    ioctl(master, TIOCSWINSZ, &size);
    char name[64];
    if (ptsname_r(master, name, sizeof name)) exit(9);
    *pid = fork();
    if (*pid == 0) {
        setsid();
        int slave = open(name, O_RDWR);
        ioctl(slave, TIOCSCTTY, 0);
        dup2(slave, 0);
        dup2(slave, 1);
        dup2(slave, 2);
        if (slave > 2) close(slave);
        execvp(argv[0], argv);
        _exit(9);
    }
    return master;
}

/* Reads until the marker arrives. */
static void match(int master, const char *marker) {
    static _Thread_local char buffer[1 << 17];
    size_t kept = 0;
    size_t length = strlen(marker);
    for (;;) {
        struct pollfd p = {master, POLLIN, 0};
        poll(&p, 1, -1);
        ssize_t n = read(master, buffer + kept, sizeof buffer / 2);
        if (n <= 0) exit(8);
        kept += n;
        if (memmem(buffer, kept, marker, length)) return;
        if (kept > length) {
            memmove(buffer, buffer + kept - length, length);
            kept = length;
        }
    }
}

static void child(void) {
    struct termios raw;
    tcgetattr(0, &raw);
    cfmakeraw(&raw);
    tcsetattr(0, TCSANOW, &raw);
    write(1, "\033[2Jup", 6);
    char byte;
    int number = 0;
    while (read(0, &byte, 1) == 1) {
        /* Long enough that the parent is waiting by then. */
        struct timespec pause = {0, 1500000};
        nanosleep(&pause, NULL);
        char line[96];
        long long t = now();
        int n = snprintf(line, sizeof line, "\033[H%lld marker-%d;", t, number++);
        write(1, line, n);
    }
}

/* The child writes the time before the marker; the latency is the time since then. */
static void latency(const char *self, int count) {
    char *argv[] = {(char *)self, "child", NULL};
    pid_t pid;
    int master = open_and_start(argv, &pid);
    match(master, "up");
    for (int i = 0; i < count; i++) {
        char marker[32];
        snprintf(marker, sizeof marker, "marker-%d;", i);
        write(master, "g", 1);
        char buffer[4096];
        size_t kept = 0;
        for (;;) {
            struct pollfd p = {master, POLLIN, 0};
            poll(&p, 1, -1);
            ssize_t n = read(master, buffer + kept, sizeof buffer - kept - 1);
            if (n <= 0) exit(8);
            kept += n;
            if (memmem(buffer, kept, marker, strlen(marker))) break;
        }
        long long t = now();
        buffer[kept] = 0;
        printf("%lld\n", t - atoll(strstr(buffer, "\033[H") + 3));
    }
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

static void startup(int count) {
    for (int i = 0; i < count; i++) {
        char *argv[] = {"sh", "-c", "printf ready", NULL};
        pid_t pid;
        long long t = now();
        int master = open_and_start(argv, &pid);
        match(master, "ready");
        printf("%lld\n", now() - t);
        close(master);
        waitpid(pid, NULL, 0);
    }
}

/* A minimal test: start, type, check, exit, and check the exit status. */
static void test(void) {
    char *argv[] = {"sh", NULL};
    pid_t pid;
    int master = open_and_start(argv, &pid);
    match(master, "> ");
    write(master, "echo $((6*7))\r", 14);
    match(master, "42");
    write(master, "exit\r", 5);
    char rest[4096];
    while (read(master, rest, sizeof rest) > 0) {}
    int status;
    waitpid(pid, &status, 0);
    close(master);
    if (status != 0) exit(7);
}

static void *tests(void *count) {
    for (long i = 0; i < (long)count; i++) test();
    return NULL;
}

static void suite(long count, int threads) {
    setenv("PS1", "> ", 1);
    pthread_t thread[16];
    if (threads < 1 || threads > 16) exit(2);
    long long t = now();
    for (int i = 0; i < threads; i++) pthread_create(&thread[i], NULL, tests, (void *)(count / threads));
    for (int i = 0; i < threads; i++) pthread_join(thread[i], NULL);
    printf("%lld\n", now() - t);
}

static void cat(char *file) {
    char *argv[] = {"cat", file, NULL};
    pid_t pid;
    long long t = now();
    int master = open_and_start(argv, &pid);
    match(master, "the-end-marker");
    printf("%lld\n", now() - t);
    waitpid(pid, NULL, 0);
}

int main(int argc, char **argv) {
    if (argc > 2 && !strcmp(argv[1], "latency")) latency("/proc/self/exe", atoi(argv[2]));
    else if (argc > 2 && !strcmp(argv[1], "startup")) startup(atoi(argv[2]));
    else if (argc > 3 && !strcmp(argv[1], "suite")) suite(atol(argv[2]), atoi(argv[3]));
    else if (argc > 2 && !strcmp(argv[1], "cat")) cat(argv[2]);
    else if (argc > 1 && !strcmp(argv[1], "child")) child();
    else return 2;
    return 0;
}
