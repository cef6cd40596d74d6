/* The lower bound, with a child that writes at random moments: a polling wait must neither benefit
 * nor suffer from a fixed delay between the write and its next poll.
 *
 *   floor wait N            like "latency" of the included floor.c, with this child
 *   floor child-at-random   the child, for every contender
 */
#define main bare_main
#include "../../../crates/screentest/benches/floor.c"
#undef main

static void child_at_random(void) {
    struct termios raw;
    tcgetattr(0, &raw);
    cfmakeraw(&raw);
    tcsetattr(0, TCSANOW, &raw);
    write(1, "\033[2Jup", 6);
    char byte;
    int number = 0;
    unsigned seed = 7;
    while (read(0, &byte, 1) == 1) {
        /* 2 to 52 ms: after 2 ms the other side is waiting, and some peers poll every 50 ms. */
        struct timespec pause = {0, 2000000 + rand_r(&seed) % 50000000};
        nanosleep(&pause, NULL);
        char line[96];
        int n = snprintf(line, sizeof line, "\033[H%lld marker-%d;", now(), number++);
        write(1, line, n);
    }
}

static void wait_at_random(int count) {
    char *argv[] = {"/proc/self/exe", "child-at-random", NULL};
    pid_t pid;
    int master = open_and_start(argv, &pid);
    match(master, "up");
    struct timespec before, after;
    long long *taken = calloc(count, sizeof *taken);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    for (int i = 0; i < count; i++) {
        char marker[32], buffer[4096];
        snprintf(marker, sizeof marker, "marker-%d;", i);
        write(master, "g", 1);
        size_t kept = 0;
        do {
            struct pollfd p = {master, POLLIN, 0};
            poll(&p, 1, -1);
            ssize_t n = read(master, buffer + kept, sizeof buffer - kept - 1);
            if (n <= 0) exit(8);
            kept += n;
        } while (!memmem(buffer, kept, marker, strlen(marker)));
        long long t = now();
        buffer[kept] = 0;
        taken[i] = t - atoll(strstr(buffer, "\033[H") + 3);
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
    for (int i = 0; i < count; i++) printf("%lld\n", taken[i]);
    printf("cpu %lld\n", (after.tv_sec - before.tv_sec) * 1000000000LL + after.tv_nsec - before.tv_nsec);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

int main(int argc, char **argv) {
    if (argc > 2 && !strcmp(argv[1], "wait")) wait_at_random(atoi(argv[2]));
    else if (argc > 1 && !strcmp(argv[1], "child-at-random")) child_at_random();
    else return bare_main(argc, argv);
    return 0;
}
