// Measures the cost of the kernel alone: sends the same bytes for all that ends like a request. Usage: floor FOLDER PORT
//
// It parses nothing, checks nothing, and ignores deadlines and slow readers: no server can be faster on these sockets.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

static char answer[1 << 16];
static size_t length;
static int listener;

static size_t append(const char *folder, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    if (!file) { perror(path); exit(1); }
    size_t count = fread(answer + length, 1, sizeof answer - length, file);
    fclose(file);
    length += count;
    return count;
}

static void text(const char *text) { length += (size_t)snprintf(answer + length, sizeof answer - length, "%s", text); }

// Prepares a response with the fields of the peers, and those that every server generates by itself.
static void prepare(const char *folder) {
    char body[1 << 16];
    size_t count = append(folder, "fragment.gz");
    memcpy(body, answer, count);
    length = 0;
    append(folder, "fragment.fields");
    char lines[1 << 14];
    memcpy(lines, answer, length);
    lines[length] = 0;
    length = 0;
    text("HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\n");
    for (char *rest = lines, *line; (line = strsep(&rest, "\n"));) {
        if (*line) { text(line); text("\r\n"); }
    }
    text("Content-Type: text/html; charset=utf-8\r\nContent-Encoding: gzip\r\nETag: \"peer\"\r\nVary: Accept-Encoding\r\n");
    length += (size_t)snprintf(answer + length, sizeof answer - length, "Content-Length: %zu\r\n\r\n", count);
    memcpy(answer + length, body, count);
    length += count;
}

static void *serve(void *unused) {
    int set = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN | EPOLLEXCLUSIVE, .data.fd = listener};
    epoll_ctl(set, EPOLL_CTL_ADD, listener, &event);
    struct epoll_event events[64];
    char room[1 << 14];
    for (;;) {
        int ready = epoll_wait(set, events, 64, -1);
        for (int i = 0; i < ready; i++) {
            int fd = events[i].data.fd;
            if (fd == listener) {
                int connection = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
                if (connection < 0) continue;
                setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
                event = (struct epoll_event){.events = EPOLLIN, .data.fd = connection};
                epoll_ctl(set, EPOLL_CTL_ADD, connection, &event);
                continue;
            }
            ssize_t count = recv(fd, room, sizeof room, 0);
            if (count <= 0) { close(fd); continue; }
            if (count >= 4 && !memcmp(room + count - 4, "\r\n\r\n", 4)) send(fd, answer, length, MSG_NOSIGNAL);
        }
    }
    return unused;
}

int main(int count, char **arguments) {
    if (count != 3) { fprintf(stderr, "usage: floor FOLDER PORT\n"); return 1; }
    prepare(arguments[1]);
    listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(arguments[2])), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 4096)) { perror("floor"); return 1; }
    for (long more = sysconf(_SC_NPROCESSORS_ONLN) - 1; more > 0; more--) {
        pthread_t thread;
        pthread_create(&thread, NULL, serve, NULL);
    }
    serve(NULL);
}
