// What Linux has and Swift's Glibc module does not show.
#ifndef CLINUX_H
#define CLINUX_H

#if defined(__linux__)
// No _GNU_SOURCE here: with it, fd_set looks different from what Dispatch's module has seen, and Swift refuses both.
#include <malloc.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

// accept4(2) and memmem(3) hide behind _GNU_SOURCE.
int accept4(int socket, struct sockaddr *address, socklen_t *length, int flags);
void *memmem(const void *haystack, size_t haystackLength, const void *needle, size_t needleLength);
#endif

#endif
