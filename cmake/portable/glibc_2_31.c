// What the portable programs ask of glibc that 2.31 does not have under that name (docs/how-it-works.md, "Packages").
// old_glibc.sh leaves these names out of what is linked with, so none can be forgotten.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <linux/close_range.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define HIDDEN __attribute__((visibility("hidden")))

// Before 2.33 these were inline calls of functions that newer libraries still have.
extern int __xstat(int version, const char* path, struct stat* out);
extern int __lxstat(int version, const char* path, struct stat* out);
extern int __fxstat(int version, int file, struct stat* out);
extern int __fxstatat(int version, int folder, const char* path, struct stat* out, int flags);
#ifdef __x86_64__
enum { kStatVersion = 1 };
#else
enum { kStatVersion = 0 };  // of aarch64
#endif

HIDDEN int stat(const char* path, struct stat* out) { return __xstat(kStatVersion, path, out); }
HIDDEN int lstat(const char* path, struct stat* out) { return __lxstat(kStatVersion, path, out); }
HIDDEN int fstat(int file, struct stat* out) { return __fxstat(kStatVersion, file, out); }
HIDDEN int fstatat(int folder, const char* path, struct stat* out, int flags) {
  return __fxstatat(kStatVersion, folder, path, out, flags);
}
// A 64-bit struct stat64 is the same as struct stat.
HIDDEN int stat64(const char* path, struct stat64* out) { return stat(path, (struct stat*)out); }
HIDDEN int lstat64(const char* path, struct stat64* out) { return lstat(path, (struct stat*)out); }
HIDDEN int fstat64(int file, struct stat64* out) { return fstat(file, (struct stat*)out); }
HIDDEN int fstatat64(int folder, const char* path, struct stat64* out, int flags) {
  return fstatat(folder, path, (struct stat*)out, flags);
}

// 2.36; seeds std::random_device.
HIDDEN uint32_t arc4random(void) {
  uint32_t number;
  if (getentropy(&number, sizeof number) != 0) abort();
  return number;
}

// 2.34; the kernels of that time do not have it either (5.9, CLOSE_RANGE_CLOEXEC 5.11): then one by one.
HIDDEN int close_range(unsigned first, unsigned last, int flags) {
  if (syscall(SYS_close_range, first, last, flags) == 0) return 0;
  struct rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur > 65536) files.rlim_cur = 65536;
  for (unsigned file = first; file <= last && file < files.rlim_cur; ++file) {
    if ((flags & CLOSE_RANGE_CLOEXEC) != 0) {
      fcntl((int)file, F_SETFD, FD_CLOEXEC);
    } else {
      close((int)file);
    }
  }
  return 0;
}

// 2.32; false is always right: shared pointers then count with atomic instructions from the start.
HIDDEN char __libc_single_threaded = 0;

// 2.35; how libgcc finds the tables of a function that an exception passes through. Before, it went through
// the loaded objects, as here.
struct search {
  uintptr_t address;
  struct dl_find_object* found;
};

static int holds_address(struct dl_phdr_info* object, size_t size, void* data) {
  (void)size;
  const struct search* wanted = data;
  const ElfW(Phdr)* segment = NULL;
  const ElfW(Phdr)* tables = NULL;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)* one = &object->dlpi_phdr[i];
    if (one->p_type == PT_GNU_EH_FRAME) tables = one;
    if (one->p_type == PT_LOAD && wanted->address - (object->dlpi_addr + one->p_vaddr) < one->p_memsz) segment = one;
  }
  if (segment == NULL) return 0;
  if (tables == NULL) return 1;
  wanted->found->dlfo_flags = 0;
  wanted->found->dlfo_map_start = (void*)(object->dlpi_addr + segment->p_vaddr);
  wanted->found->dlfo_map_end = (char*)wanted->found->dlfo_map_start + segment->p_memsz;
  wanted->found->dlfo_link_map = NULL;
  wanted->found->dlfo_eh_frame = (void*)(object->dlpi_addr + tables->p_vaddr);
  return 2;
}

HIDDEN int _dl_find_object(void* address, struct dl_find_object* found) {
  struct search wanted = {(uintptr_t)address, found};
  return dl_iterate_phdr(holds_address, &wanted) == 2 ? 0 : -1;
}

// 2.34; the start-up code of this machine leaves it to libc to run the program's constructors, which
// an older libc leaves to the program. Linked with --wrap=__libc_start_main.
typedef void (*constructor)(int, char**, char**);
extern constructor __preinit_array_start[] HIDDEN;
extern constructor __preinit_array_end[] HIDDEN;
extern constructor __init_array_start[] HIDDEN;
extern constructor __init_array_end[] HIDDEN;
extern void _init(void);

static void construct(int argc, char** argv, char** env) {
  for (constructor* one = __preinit_array_start; one < __preinit_array_end; ++one) (*one)(argc, argv, env);
  _init();
  for (constructor* one = __init_array_start; one < __init_array_end; ++one) (*one)(argc, argv, env);
}

extern int __real___libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, constructor init,
                                    void (*fini)(void), void (*loader_fini)(void), void* stack_end);

HIDDEN int __wrap___libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, constructor init,
                                    void (*fini)(void), void (*loader_fini)(void), void* stack_end) {
  (void)init;
  return __real___libc_start_main(main, argc, argv, construct, fini, loader_fini, stack_end);
}
