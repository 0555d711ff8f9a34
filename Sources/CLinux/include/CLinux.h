// What Linux has and Swift's Glibc module does not show.
#ifndef CLINUX_H
#define CLINUX_H

// No _GNU_SOURCE here: with it, fd_set looks different from what Dispatch's module has seen, and Swift refuses both.
#include <malloc.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/types.h>

// These hide behind _GNU_SOURCE.
int accept4(int socket, struct sockaddr *address, socklen_t *length, int flags);
void *memmem(const void *haystack, size_t haystackLength, const void *needle, size_t needleLength);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);

// Closes all descriptors from `first` on. Returns 0, or -1 and sets errno.
int closeDescriptors(unsigned int first);

// The resources of setrlimit(2) have another type in each C library.

// Limits the address space of this process to `addressSpace` bytes, and forbids it to write files or a core dump, and to
// start processes. Returns 0, or -1 and sets errno.
int limitResources(unsigned long long addressSpace);

// Forbids this process to open anything. Returns 0, or -1 and sets errno.
int forbidOpening(void);

// Ends `process` by SIGXCPU when it has computed for `seconds` since its start. Returns 0, or -1 and sets errno.
int limitProcessorTime(pid_t process, unsigned long long seconds);

// Forbids this process to gain privileges, and other processes of the same user to look into it (prctl(2)).
// Returns 0, or -1 and sets errno.
int giveUpPrivileges(void);

// Allows all threads of this process to compute, to take and return memory, and to read and write open descriptors. Any
// other system call ends the process with SIGSYS. Needs `giveUpPrivileges`. Returns 0, or -1 and sets errno.
int allowOnlyComputing(void);

#endif
