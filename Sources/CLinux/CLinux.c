#include "CLinux.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

// syscall(2) hides behind _DEFAULT_SOURCE, prlimit(2) behind _GNU_SOURCE.
long syscall(long number, ...);
int prlimit(pid_t process, int resource, const struct rlimit *newLimit, struct rlimit *oldLimit);

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

int closeDescriptors(unsigned int first) {
#if defined(SYS_close_range)
    return (int)syscall(SYS_close_range, first, ~0U, 0U);
#else
    errno = ENOSYS;
    return -1;
#endif
}

static int setLimit(int resource, rlim_t value) {
    struct rlimit limit = {value, value};
    return setrlimit(resource, &limit);
}

int limitResources(unsigned long long addressSpace) {
    if (setLimit(RLIMIT_AS, addressSpace) != 0 || setLimit(RLIMIT_FSIZE, 0) != 0) return -1;
    return setLimit(RLIMIT_NPROC, 0) != 0 ? -1 : setLimit(RLIMIT_CORE, 0);
}

int forbidOpening(void) { return setLimit(RLIMIT_NOFILE, 0); }

int limitProcessorTime(pid_t process, unsigned long long seconds) {
    struct rlimit limit;
    if (prlimit(process, RLIMIT_CPU, NULL, &limit) != 0) return -1;
    // Only the soft limit: the hard one could not be raised for the next picture.
    limit.rlim_cur = seconds < limit.rlim_max ? seconds : limit.rlim_max;
    return prlimit(process, RLIMIT_CPU, &limit, NULL);
}

int giveUpPrivileges(void) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

int allowOnlyComputing(void) {
#if defined(ARCHITECTURE)
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_##action)
#define IF_NOT(value, skipped) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skipped)
#define IF(value, skipped) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, skipped, 0)
#define ALLOW(name) IF_NOT(SYS_##name, 1), RETURN(ALLOW)
    struct sock_filter rules[] = {
        // Numbers of system calls differ between architectures, and x86-64 can call those of i386.
        LOAD(arch), IF(ARCHITECTURE, 1), RETURN(KILL_PROCESS),
        LOAD(nr),
        ALLOW(read), ALLOW(write), ALLOW(exit), ALLOW(exit_group), ALLOW(brk), ALLOW(munmap), ALLOW(mremap),
        ALLOW(madvise), ALLOW(futex), ALLOW(rt_sigreturn), ALLOW(clock_gettime),
        // qsort of glibc before 2.37 asks how much memory there is. libwebp sorts, if a picture is transparent.
        ALLOW(sysinfo),
        // Memory, but none that can be executed.
        IF(SYS_mmap, 2), IF(SYS_mprotect, 1), RETURN(KILL_PROCESS),
        LOAD(args[2]), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0), RETURN(ALLOW),
        RETURN(KILL_PROCESS),
    };
    struct sock_fprog filter = {sizeof(rules) / sizeof(rules[0]), rules};
    // With TSYNC, the result may be the id of a thread that could not take the filter.
    long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter);
    if (result > 0) errno = ESRCH;
    return result == 0 ? 0 : -1;
#else
    errno = ENOSYS;
    return -1;
#endif
}
