/*
 * For a process whose clocks libfaketime lets run fast or slow. Two things about it are still true: the kernel's own
 * clock, which only the judge of a test asks, past all libraries; and /proc/uptime, which must not be: on a machine whose
 * clocks are wrong that one is as wrong as the others, and a client would notice by it. It is not there.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>

static long monotonic(struct timespec *now) {
#if defined(__x86_64__)
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "0"((long)SYS_clock_gettime), "D"((long)CLOCK_MONOTONIC), "S"(now)
                   : "rcx", "r11", "memory");
  return result;
#elif defined(__aarch64__)
  register long number __asm__("x8") = SYS_clock_gettime;
  register long first __asm__("x0") = CLOCK_MONOTONIC;
  register struct timespec *second __asm__("x1") = now;
  __asm__ volatile("svc 0" : "+r"(first) : "r"(number), "r"(second) : "memory");
  return first;
#else
#error "how does one call the kernel here?"
#endif
}

/* The native method of TrueClock. */
long Java_dev_holdfast_chaos_TrueClock_nanos(void *environment, void *type) {
  struct timespec now;
  (void)environment;
  (void)type;
  return monotonic(&now) == 0 ? now.tv_sec * 1000000000L + now.tv_nsec : -1;
}

typedef int opens(const char *, int, ...);

static int attempt(const char *name, const char *path, int flags, mode_t mode) {
  opens *next = (opens *)dlsym(RTLD_NEXT, name);
  if (strcmp(path, "/proc/uptime") == 0 || next == NULL) {
    errno = ENOENT;
    return -1;
  }
  return next(path, flags, mode);
}

int open(const char *path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(more, mode_t) : 0;
  va_end(more);
  return attempt("open", path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(more, mode_t) : 0;
  va_end(more);
  return attempt("open64", path, flags, mode);
}
