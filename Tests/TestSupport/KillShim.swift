// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A library that is loaded before all others and kills its process at the n-th call that changes a file
/// below a folder, or sends or receives something: each place at which a run can be cut off, one after the
/// other.
///
/// It is loaded with `LD_PRELOAD`. `KILL_AT` is the number of the call, from 1; `KILL_WHEN` is `before` or
/// `after`, or `fail` to let that call fail instead, or `stick` to let it and all later ones fail, as on a
/// disk that is gone, or `run` to run the command `KILL_RUN` before that call; `KILL_BELOW` is the folder, or `socket` to count what is sent and received, and nothing
/// else. To ask in vain whether something has come is not counted, because how often that happens is chance.
///
/// `WITHOUT` names what the file system does not support: `nameless` files, `exclusive` renaming, `links`,
/// and `folders` that can be made durable.
package struct KillShim: Sendable {
  /// Why it could not be built.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// The path of the library.
  package let path: String

  /// Builds the library in a folder.
  package init(in folder: String) throws {
    let source = folder + "/kill.c"
    try Data(Self.source.utf8).write(to: URL(filePath: source))
    path = folder + "/kill.so"
    let compiler = TestProgram(["cc", "-shared", "-fPIC", "-O1", "-o", path, source, "-ldl"])
    let status = try compiler.run()
    guard status == 0 else {
      throw Failure(description: "the C compiler ended with status \(status)")
    }
  }

  /// What comes before a command in a shell, so that it is killed.
  package func prefix(at call: Int, _ when: String, below place: String) -> String {
    "LD_PRELOAD='\(path)' KILL_AT=\(call) KILL_WHEN=\(when) KILL_BELOW='\(place)'"
  }

  private static let source = #"""
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <errno.h>
    #include <fcntl.h>
    #include <signal.h>
    #include <stdarg.h>
    #include <stdatomic.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/inotify.h>
    #include <sys/socket.h>
    #include <sys/stat.h>
    #include <sys/uio.h>
    #include <unistd.h>

    static atomic_int calls;

    static int below(const char *path) {
      const char *folder = getenv("KILL_BELOW");
      size_t length = folder ? strlen(folder) : 0;
      return length && !strncmp(path, folder, length) && (path[length] == '/' || !path[length]);
    }

    static int descriptor_counts(int descriptor) {
      char link[64], path[4096];
      snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
      ssize_t length = readlink(link, path, sizeof path - 1);
      if (length < 0) return 0;
      path[length] = 0;
      return below(path) || (!strncmp(path, "socket:", 7) && getenv("KILL_BELOW")
                             && !strcmp(getenv("KILL_BELOW"), "socket"));
    }

    static int name_counts(int folder, const char *name) {
      return name[0] == '/' ? below(name) : folder == AT_FDCWD || descriptor_counts(folder);
    }

    static int lacks(const char *call) {
      const char *list = getenv("WITHOUT");
      return list && strstr(list, call);
    }

    static int is_folder(int descriptor) {
      struct stat status;
      return !fstat(descriptor, &status) && S_ISDIR(status.st_mode);
    }

    #define UNLESS_LACKING(call, condition, error)                          \
      if (lacks(call) && (condition)) { errno = error; return -1; }

    static int makes_file(int flags) {
      return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE;
    }

    /* What happens to this call: nothing (0), or it is the one: the process is killed after it (1), or it
       fails (2). Kills at once if it is to be killed before it. */
    static int strike(int counts) {
      const char *at = getenv("KILL_AT"), *when = getenv("KILL_WHEN");
      if (!counts || !at || !when) return 0;
      int call = atomic_fetch_add(&calls, 1) + 1;
      if (!strcmp(when, "stick") && call > atoi(at)) return 2;
      if (call != atoi(at)) return 0;
      if (!strcmp(when, "run")) {
        unsetenv("LD_PRELOAD");
        return system(getenv("KILL_RUN")) ? 2 : 0;
      }
      if (!strcmp(when, "before")) kill(getpid(), SIGKILL);
      return !strcmp(when, "after") ? 1 : 2;
    }

    #define AROUND(type, name, counts, types, arguments)                    \
      static type (*real_##name) types;                                     \
      if (!real_##name) real_##name = (type (*) types)dlsym(RTLD_NEXT, #name); \
      int struck = strike(counts);                                          \
      if (struck == 2) { errno = EIO; return -1; }                          \
      type result = real_##name arguments;                                  \
      if (struck == 1) kill(getpid(), SIGKILL);                             \
      return result;

    int inotify_init1(int o) {
      if (getenv("WITHOUT_INOTIFY")) { errno = EMFILE; return -1; }
      AROUND(int, inotify_init1, 0, (int), (o)) }
    /* With WITH_OVERFLOW, every event of a folder becomes the report that events were lost. */
    ssize_t read(int f, void *b, size_t n) {
      static ssize_t (*real)(int, void *, size_t);
      if (!real) real = (ssize_t (*)(int, void *, size_t))dlsym(RTLD_NEXT, "read");
      ssize_t length = real(f, b, n);
      if (length < (ssize_t)sizeof(struct inotify_event) || !getenv("WITH_OVERFLOW")) return length;
      char link[64], path[64];
      snprintf(link, sizeof link, "/proc/self/fd/%d", f);
      ssize_t end = readlink(link, path, sizeof path - 1);
      path[end < 0 ? 0 : end] = 0;
      if (strcmp(path, "anon_inode:inotify")) return length;
      struct inotify_event lost = { .wd = -1, .mask = IN_Q_OVERFLOW };
      memcpy(b, &lost, sizeof lost);
      return sizeof lost;
    }
    ssize_t write(int f, const void *b, size_t n) {
      AROUND(ssize_t, write, descriptor_counts(f), (int, const void *, size_t), (f, b, n)) }
    ssize_t pwrite(int f, const void *b, size_t n, off_t o) {
      AROUND(ssize_t, pwrite, descriptor_counts(f), (int, const void *, size_t, off_t), (f, b, n, o)) }
    ssize_t pwrite64(int f, const void *b, size_t n, off64_t o) {
      AROUND(ssize_t, pwrite64, descriptor_counts(f), (int, const void *, size_t, off64_t), (f, b, n, o)) }
    ssize_t writev(int f, const struct iovec *v, int n) {
      AROUND(ssize_t, writev, descriptor_counts(f), (int, const struct iovec *, int), (f, v, n)) }
    int fsync(int f) {
      UNLESS_LACKING("folders", is_folder(f), EINVAL)
      AROUND(int, fsync, descriptor_counts(f), (int), (f)) }
    int syncfs(int f) {
      UNLESS_LACKING("folders", 1, ENOSYS)
      AROUND(int, syncfs, descriptor_counts(f), (int), (f)) }
    int fdatasync(int f) { AROUND(int, fdatasync, descriptor_counts(f), (int), (f)) }
    int ftruncate(int f, off_t n) { AROUND(int, ftruncate, descriptor_counts(f), (int, off_t), (f, n)) }
    int ftruncate64(int f, off64_t n) {
      AROUND(int, ftruncate64, descriptor_counts(f), (int, off64_t), (f, n)) }
    int fchmod(int f, mode_t m) { AROUND(int, fchmod, descriptor_counts(f), (int, mode_t), (f, m)) }
    int rename(const char *a, const char *b) {
      AROUND(int, rename, name_counts(AT_FDCWD, b), (const char *, const char *), (a, b)) }
    int renameat(int f, const char *a, int g, const char *b) {
      AROUND(int, renameat, name_counts(g, b), (int, const char *, int, const char *), (f, a, g, b)) }
    int renameat2(int f, const char *a, int g, const char *b, unsigned int o) {
      UNLESS_LACKING("exclusive", o, EINVAL)
      AROUND(int, renameat2, name_counts(g, b),
             (int, const char *, int, const char *, unsigned int), (f, a, g, b, o)) }
    int linkat(int f, const char *a, int g, const char *b, int o) {
      UNLESS_LACKING("links", 1, EPERM)
      AROUND(int, linkat, name_counts(g, b), (int, const char *, int, const char *, int), (f, a, g, b, o)) }
    int unlink(const char *a) { AROUND(int, unlink, name_counts(AT_FDCWD, a), (const char *), (a)) }
    int unlinkat(int f, const char *a, int o) {
      AROUND(int, unlinkat, name_counts(f, a), (int, const char *, int), (f, a, o)) }
    int mkdir(const char *a, mode_t m) {
      AROUND(int, mkdir, name_counts(AT_FDCWD, a), (const char *, mode_t), (a, m)) }
    int openat(int f, const char *a, int o, ...) {
      UNLESS_LACKING("nameless", (o & O_TMPFILE) == O_TMPFILE, EOPNOTSUPP)
      va_list list; va_start(list, o); mode_t m = makes_file(o) ? va_arg(list, mode_t) : 0; va_end(list);
      AROUND(int, openat, makes_file(o) && name_counts(f, a), (int, const char *, int, ...), (f, a, o, m)) }
    int open(const char *a, int o, ...) {
      va_list list; va_start(list, o); mode_t m = makes_file(o) ? va_arg(list, mode_t) : 0; va_end(list);
      AROUND(int, open, makes_file(o) && name_counts(AT_FDCWD, a), (const char *, int, ...), (a, o, m)) }
    int open64(const char *a, int o, ...) {
      va_list list; va_start(list, o); mode_t m = makes_file(o) ? va_arg(list, mode_t) : 0; va_end(list);
      AROUND(int, open64, makes_file(o) && name_counts(AT_FDCWD, a), (const char *, int, ...), (a, o, m)) }
    ssize_t send(int f, const void *b, size_t n, int o) {
      AROUND(ssize_t, send, descriptor_counts(f), (int, const void *, size_t, int), (f, b, n, o)) }
    ssize_t sendto(int f, const void *b, size_t n, int o, const struct sockaddr *s, socklen_t l) {
      AROUND(ssize_t, sendto, descriptor_counts(f),
             (int, const void *, size_t, int, const struct sockaddr *, socklen_t), (f, b, n, o, s, l)) }
    ssize_t recv(int f, void *b, size_t n, int o) {
      AROUND(ssize_t, recv, descriptor_counts(f) && real_recv(f, b, n, o | MSG_PEEK | MSG_DONTWAIT) > 0,
             (int, void *, size_t, int), (f, b, n, o)) }
    ssize_t sendmsg(int f, const struct msghdr *m, int o) {
      AROUND(ssize_t, sendmsg, descriptor_counts(f), (int, const struct msghdr *, int), (f, m, o)) }
    """#
}
