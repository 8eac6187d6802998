/*
 * A network link that is as bad as it is told to be: it joins this network namespace with that of another process, and
 * every packet goes through it. Kernels often lack netem; this needs nothing but TUN devices.
 *
 *   link PID NAME HERE THERE      addresses of the two ends, such as 10.99.1.254 and 10.99.1.1
 *
 * Each line of input sets how it is from then on; it ends with its input.
 *
 *   LOSS DELAY JITTER RATE        percent of packets lost, milliseconds, milliseconds, bits per second (0: any)
 *
 * Packets that jitter lets overtake each other do: that is what jitter is on the way through many routers.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define MOST_WAITING 4096
#define LARGEST 2048

struct packet {
    int64_t due;
    int to;
    int size;
    char bytes[LARGEST];
};

static struct packet *waiting[MOST_WAITING];
static int count;
static double loss;
static int64_t delay, jitter, rate;
static int64_t free_at[2];

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int device(const char *name) {
    int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) fail("/dev/net/tun");
    struct ifreq request;
    memset(&request, 0, sizeof request);
    request.ifr_flags = IFF_TUN | IFF_NO_PI;
    strncpy(request.ifr_name, name, IFNAMSIZ - 1);
    if (ioctl(fd, TUNSETIFF, &request) < 0) fail("TUNSETIFF");
    return fd;
}

static void run(const char *format, const char *a, const char *b, const char *c) {
    char command[256];
    snprintf(command, sizeof command, format, a, b, c);
    if (system(command) != 0) fail(command);
}

static void enter(const char *pid) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%s/ns/net", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || setns(fd, CLONE_NEWNET) < 0) fail(path);
    close(fd);
}

/* A binary heap by the time of delivery. */
static void push(struct packet *added) {
    int i = count++;
    while (i > 0 && waiting[(i - 1) / 2]->due > added->due) {
        waiting[i] = waiting[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    waiting[i] = added;
}

static struct packet *pop(void) {
    struct packet *first = waiting[0];
    struct packet *last = waiting[--count];
    int i = 0;
    for (;;) {
        int child = 2 * i + 1;
        if (child >= count) break;
        if (child + 1 < count && waiting[child + 1]->due < waiting[child]->due) child++;
        if (waiting[child]->due >= last->due) break;
        waiting[i] = waiting[child];
        i = child;
    }
    waiting[i] = last;
    return first;
}

static void receive(int *ends, int from) {
    char bytes[LARGEST];
    ssize_t size;
    while ((size = read(ends[from], bytes, sizeof bytes)) > 0) {
        if (drand48() * 100 < loss || count == MOST_WAITING) continue;
        int64_t leaves = now();
        if (rate > 0) {
            /* One after the other, and no more than half a second's worth at once. */
            if (free_at[from] < leaves) free_at[from] = leaves;
            if (free_at[from] - leaves > 500000000LL) continue;
            free_at[from] += size * 8 * 1000000000LL / rate;
            leaves = free_at[from];
        }
        struct packet *packet = malloc(sizeof *packet);
        if (!packet) fail("malloc");
        packet->due = leaves + delay + (int64_t) ((drand48() * 2 - 1) * jitter);
        packet->to = ends[1 - from];
        packet->size = (int) size;
        memcpy(packet->bytes, bytes, size);
        push(packet);
    }
}

static void deliver(void) {
    while (count > 0 && waiting[0]->due <= now()) {
        struct packet *packet = pop();
        /* A full device drops, as a router does. */
        ssize_t unused = write(packet->to, packet->bytes, packet->size);
        (void) unused;
        free(packet);
    }
}

static int command(void) {
    static char line[128];
    static int length;
    ssize_t size = read(0, line + length, sizeof line - 1 - length);
    if (size <= 0) return 0;
    length += size;
    line[length] = 0;
    char *end;
    while ((end = strchr(line, '\n'))) {
        double delay_ms, jitter_ms, bits;
        if (sscanf(line, "%lf %lf %lf %lf", &loss, &delay_ms, &jitter_ms, &bits) != 4) fail("input");
        delay = (int64_t) (delay_ms * 1e6);
        jitter = (int64_t) (jitter_ms * 1e6);
        rate = (int64_t) bits;
        length -= end + 1 - line;
        memmove(line, end + 1, length + 1);
        puts("ok");
        fflush(stdout);
    }
    return 1;
}

int main(int argc, char **argv) {
    if (argc != 5) return 2;
    int back = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
    int ends[2];
    ends[0] = device(argv[2]);
    run("ip address add %s peer %s dev %s", argv[3], argv[4], argv[2]);
    run("ip link set %s mtu 1400 up%s%s", argv[2], "", "");
    enter(argv[1]);
    ends[1] = device("eth0");
    run("ip address add %s peer %s dev %s", argv[4], argv[3], "eth0");
    run("ip link set %s mtu 1400 up && ip link set lo up && ip route add default via %s%s", "eth0", argv[3], "");
    if (setns(back, CLONE_NEWNET) < 0) fail("setns");
    srand48(now());
    puts("ok");
    fflush(stdout);
    for (;;) {
        struct pollfd polled[3] = {{0, POLLIN, 0}, {ends[0], POLLIN, 0}, {ends[1], POLLIN, 0}};
        struct timespec pause = {1, 0};
        if (count > 0) {
            int64_t left = waiting[0]->due - now();
            if (left < 0) left = 0;
            pause.tv_sec = left / 1000000000LL;
            pause.tv_nsec = left % 1000000000LL;
        }
        ppoll(polled, 3, &pause, NULL);
        if (polled[0].revents && !command()) return 0;
        if (polled[1].revents) receive(ends, 0);
        if (polled[2].revents) receive(ends, 1);
        deliver();
    }
}
