/*
 * Keeps beside a server what a power cut would leave of its directory: of each file what it held when it was last
 * flushed, of each directory the names it had when it was last flushed. That is the least a file system promises; most
 * leave more.
 *
 *   POWER_ROOT  the server's directory, as the kernel spells it
 *   POWER_KEPT  the directory to keep this in. KEY.file is the content of a file; KEY.names, and root.names for
 *               POWER_ROOT, has a line "d KEY NAME" or "f KEY NAME" for each name in a directory
 *
 * A key is a file's inode and birth, as inodes are used again. What is there when the first process starts was kept
 * before it.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { KEY = 96, PATH = 4096, CHUNK = 1 << 16 };

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

static void give_up(const char *what, const char *path) {
  fprintf(stderr, "power.c: %s %s: %s\n", what, path, strerror(errno));
  abort();
}

/* Gives the file's type, 0 if it is gone. */
static int identify(int at, const char *name, char *key) {
  struct statx found;
  int flags = AT_SYMLINK_NOFOLLOW | (*name == '\0' ? AT_EMPTY_PATH : 0);
  if (statx(at, name, flags, STATX_INO | STATX_TYPE | STATX_BTIME, &found) != 0) {
    return 0;
  }
  snprintf(key, KEY, "%llu-%lld.%u", (unsigned long long)found.stx_ino, (long long)found.stx_btime.tv_sec,
           found.stx_btime.tv_nsec);
  return found.stx_mode & S_IFMT;
}

static int begin(char *fresh) {
  snprintf(fresh, PATH, "%s/fresh", getenv("POWER_KEPT"));
  int out = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (out < 0) {
    give_up("cannot write", fresh);
  }
  return out;
}

static void finish(int out, const char *fresh, const char *key, const char *kind) {
  char kept[PATH + KEY];
  close(out);
  snprintf(kept, sizeof kept, "%s/%s.%s", getenv("POWER_KEPT"), key, kind);
  if (rename(fresh, kept) != 0) {
    give_up("cannot rename to", kept);
  }
}

static void keep_content(const char *path, const char *key) {
  static char buffer[CHUNK];
  char fresh[PATH];
  int in = open(path, O_RDONLY | O_CLOEXEC);
  if (in < 0) {
    give_up("cannot read", path);
  }
  int out = begin(fresh);
  for (ssize_t length; (length = read(in, buffer, sizeof buffer)) > 0;) {
    if (write(out, buffer, (size_t)length) != length) {
      give_up("cannot write", fresh);
    }
  }
  close(in);
  finish(out, fresh, key, "file");
}

static void keep_names(const char *path, const char *key) {
  char fresh[PATH];
  char child[KEY];
  DIR *directory = opendir(path);
  if (directory == NULL) {
    give_up("cannot list", path);
  }
  int out = begin(fresh);
  for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
      continue;
    }
    int type = identify(dirfd(directory), entry->d_name, child);
    if (type != 0) {
      dprintf(out, "%c %s %s\n", type == S_IFDIR ? 'd' : 'f', child, entry->d_name);
    }
  }
  closedir(directory);
  finish(out, fresh, key, "names");
}

/* What was there before the first process. */
static void keep_all(const char *path, const char *key) {
  keep_names(path, key);
  DIR *directory = opendir(path);
  for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
    char child[PATH];
    char child_key[KEY];
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
      continue;
    }
    snprintf(child, sizeof child, "%s/%s", path, entry->d_name);
    if (identify(AT_FDCWD, child, child_key) == S_IFDIR) {
      keep_all(child, child_key);
    } else {
      keep_content(child, child_key);
    }
  }
  closedir(directory);
}

__attribute__((constructor)) static void start(void) {
  char kept[PATH];
  if (getenv("POWER_ROOT") == NULL || getenv("POWER_KEPT") == NULL) {
    return;
  }
  snprintf(kept, sizeof kept, "%s/root.names", getenv("POWER_KEPT"));
  if (access(kept, F_OK) != 0) {
    keep_all(getenv("POWER_ROOT"), "root");
  }
}

static int flushed(int fd, long call) {
  char link[64];
  char path[PATH];
  char key[KEY];
  const char *root = getenv("POWER_ROOT");
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  path[length < 0 ? 0 : length] = '\0';
  if (root != NULL && strncmp(path, root, strlen(root)) == 0) {
    pthread_mutex_lock(&one_at_a_time);
    if (identify(fd, "", key) == S_IFDIR) {
      keep_names(link, strcmp(path, root) == 0 ? "root" : key);
    } else {
      keep_content(link, key);
    }
    pthread_mutex_unlock(&one_at_a_time);
  }
  return (int)syscall(call, fd);
}

int fsync(int fd) { return flushed(fd, SYS_fsync); }

int fdatasync(int fd) { return flushed(fd, SYS_fdatasync); }
