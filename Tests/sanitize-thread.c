// What ThreadSanitizer has to know of the toolchain's `Mutex`, whose library is not instrumented: that a thread which had
// to wait for one comes after the thread that released it. All else of a `Mutex` is inlined, and so instrumented.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SELF __attribute__((swift_context)) void *mutex

typedef __attribute__((swiftcall)) void Lock(uint32_t thread, SELF);
typedef __attribute__((swiftcall)) void Unlock(SELF);

extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

Lock lock_slowly __asm__(LOCK);
Unlock unlock_slowly __asm__(UNLOCK);

__attribute__((swiftcall)) void lock_slowly(uint32_t thread, SELF) {
    ((Lock *)dlsym(RTLD_NEXT, LOCK))(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

__attribute__((swiftcall)) void unlock_slowly(SELF) {
    if (__tsan_release) __tsan_release(mutex);
    ((Unlock *)dlsym(RTLD_NEXT, UNLOCK))(mutex);
}
