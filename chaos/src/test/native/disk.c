/*
 * Stands between a server process and its disk: tells which files were flushed and renamed, and fails flushes of the
 * log while a trigger file exists, or lets all flushes wait.
 *
 *   DISK_EVENTS   file to append "fsync PATH" and "rename PATH" lines to
 *   DISK_TRIGGER  while this file exists, flushing an open segment of the log gives EIO
 *   DISK_STALL    while this file exists, no flush of any file comes to an end
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void tell(const char *what, const char *path) {
  const char *events = getenv("DISK_EVENTS");
  if (events == NULL) {
    return;
  }
  int fd = open(events, O_WRONLY | O_CREAT | O_APPEND, 0644);
  if (fd >= 0) {
    dprintf(fd, "%s %s\n", what, path);
    close(fd);
  }
}

static int flushed(int fd, const char *name) {
  char link[64];
  char path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  path[length < 0 ? 0 : length] = '\0';
  const char *trigger = getenv("DISK_TRIGGER");
  if (trigger != NULL && access(trigger, F_OK) == 0 && strstr(path, "log_inprogress") != NULL) {
    errno = EIO;
    return -1;
  }
  const char *stall = getenv("DISK_STALL");
  while (stall != NULL && access(stall, F_OK) == 0) {
    usleep(10 * 1000);
  }
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  int result = real(fd);
  if (result == 0) {
    tell("fsync", path);
  }
  return result;
}

int fsync(int fd) { return flushed(fd, "fsync"); }

int fdatasync(int fd) { return flushed(fd, "fdatasync"); }

int rename(const char *from, const char *to) {
  int (*real)(const char *, const char *) = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
  int result = real(from, to);
  if (result == 0) {
    tell("rename", to);
  }
  return result;
}
