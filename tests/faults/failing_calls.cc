// A library to be preloaded that makes one call of the program fail: the disk is full, no memory,
// no thread, no file. The variables say which:
//
//   IFD_FAULT    "CALL NUMBER ERRNO HOW": the call of that number fails with that errno; "once", or
//                it and all that follow with "on". Calls are counted by kind from the start of
//                main() to its end, so that loading is none of it.
//   IFD_WITNESS  a file that tells afterwards "failed DESCRIPTOR MODULES..." (whose calls led to
//                it, the innermost first) and "counted NUMBER"
//   IFD_SERVE    a prefix of paths: the program is loaded once for many faults, since LibTorch
//   takes
//                a second to load. It stops before main(), where no thread is there yet but its
//                own, and for each line of standard input, which is an IFD_FAULT, a child of it
//                goes on, with what it says in PREFIXout and PREFIXerr. When the child is over, or
//                after kPatience when it is ended, how comes as a line: the status that waitpid()
//                gives.
//
// Kinds: write, fsync, close, rename, open, mmap, malloc, thread. The C library's own calls of
// itself pass by: what it maps (the stacks of threads, large blocks of memory) fails as malloc and
// thread.
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <unwind.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {
// What the C library's own malloc is also called.
void* __libc_malloc(std::size_t size);                           // NOLINT
void* __libc_calloc(std::size_t count, std::size_t size);        // NOLINT
void* __libc_realloc(void* memory, std::size_t size);            // NOLINT
void* __libc_memalign(std::size_t alignment, std::size_t size);  // NOLINT
}

namespace {

enum class Kind { kNone, kWrite, kFsync, kClose, kRename, kOpen, kMmap, kMalloc, kThread };
enum class How { kOnce, kFromThenOn };

struct Fault {
  Kind kind = Kind::kNone;
  long number = 0;
  int error = 0;
  How how = How::kOnce;
};

Fault fault;
std::atomic<bool> counting = false;
std::atomic<long> counted = 0;
std::atomic<bool> told = false;
thread_local bool telling __attribute__((tls_model("initial-exec"))) = false;

Kind kind_of(const char* name) {
  constexpr const char* kNames[] = {"none", "write", "fsync",  "close", "rename",
                                    "open", "mmap",  "malloc", "thread"};
  for (int i = 0; i < 9; ++i) {
    if (std::strcmp(name, kNames[i]) == 0) return static_cast<Kind>(i);
  }
  return Kind::kNone;
}

// Straight to the kernel: these must not be counted, nor need memory.
void append_to_witness(const char* text, std::size_t size) {
  const char* path = std::getenv("IFD_WITNESS");
  if (path == nullptr) return;
  const long file =
      ::syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) return;
  ::syscall(SYS_write, file, text, size);
  ::syscall(SYS_close, file);
}

struct Trace {
  char text[4096];
  std::size_t size = 0;
  const void* last = nullptr;
};

_Unwind_Reason_Code add_frame(_Unwind_Context* context, void* argument) {
  auto& trace = *static_cast<Trace*>(argument);
  Dl_info info{};
  // One back: a return address may lie behind the end of the function.
  const auto address = static_cast<std::uintptr_t>(_Unwind_GetIP(context)) - 1;
  if (::dladdr(reinterpret_cast<void*>(address), &info) == 0) return _URC_NO_REASON;
  if (info.dli_fname == nullptr || info.dli_fbase == trace.last) return _URC_NO_REASON;
  trace.last = info.dli_fbase;
  const char* slash = std::strrchr(info.dli_fname, '/');
  const char* name = slash == nullptr ? info.dli_fname : slash + 1;
  const std::size_t length = std::strlen(name);
  if (trace.size + length + 2 > sizeof trace.text) return _URC_END_OF_STACK;
  trace.text[trace.size++] = ' ';
  std::memcpy(trace.text + trace.size, name, length);
  trace.size += length;
  return _URC_NO_REASON;
}

void tell(int descriptor) {
  if (told.exchange(true)) return;
  telling = true;
  Trace trace;
  const int length = std::snprintf(trace.text, sizeof trace.text, "failed %d", descriptor);
  trace.size = static_cast<std::size_t>(length);
  _Unwind_Backtrace(add_frame, &trace);
  trace.text[trace.size++] = '\n';
  append_to_witness(trace.text, trace.size);
  telling = false;
}

// Counts the call; true where it must fail, with errno set.
bool fails(Kind kind, int descriptor = -1) {
  if (kind != fault.kind || !counting || telling) return false;
  const long number = ++counted;
  if (number < fault.number || (number > fault.number && fault.how == How::kOnce)) return false;
  tell(descriptor);
  errno = fault.error;
  return true;
}

void tell_count() {
  if (!counting.exchange(false)) return;
  char text[64];
  const int length = std::snprintf(text, sizeof text, "counted %ld\n", counted.load());
  append_to_witness(text, static_cast<std::size_t>(length));
}

template <typename Function>
Function next_of(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

constexpr int kPatience = 20;  // seconds

[[noreturn]] void give_up(const char* why) {
  std::fprintf(stderr, "failing_calls: %s\n", why);
  ::_exit(70);
}

int threads() {
  int count = -2;  // "." and ".."
  DIR* folder = ::opendir("/proc/self/task");
  if (folder == nullptr) give_up("/proc is not there");
  while (::readdir(folder) != nullptr) ++count;
  ::closedir(folder);
  return count;
}

void open_as(int descriptor, const char* prefix, const char* name) {
  char path[4096];
  std::snprintf(path, sizeof path, "%s%s", prefix, name);
  const long file = ::syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_TRUNC, 0666);
  if (file < 0 || ::dup2(static_cast<int>(file), descriptor) < 0) give_up("no output");
  ::syscall(SYS_close, file);
}

// The status of a child that is over; one that does not end is ended, and what it started too.
int status_of(pid_t child) {
  int status = 0;
  for (int waited = 0; ::waitpid(child, &status, WNOHANG) == 0; ++waited) {
    if (waited == kPatience * 1000) ::kill(child, SIGKILL);
    ::usleep(1000);
  }
  ::kill(-child, SIGKILL);
  return status;
}

// Returns in a child only.
void serve(const char* prefix) {
  if (threads() != 1) give_up("a thread was started before main");
  // Whoever is waited for by nobody any more ends, also where a point makes it wait for ever.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  char line[256];
  while (std::fgets(line, sizeof line, stdin) != nullptr) {
    line[std::strcspn(line, "\n")] = '\0';
    const pid_t child = ::fork();
    if (child < 0) give_up("no child");
    if (child == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      ::setpgid(0, 0);
      ::setenv("IFD_FAULT", line, 1);
      open_as(1, prefix, "out");
      open_as(2, prefix, "err");
      ::unsetenv("IFD_SERVE");
      open_as(0, "/dev/", "null");
      return;
    }
    std::printf("%d\n", status_of(child));
    std::fflush(stdout);
  }
  ::_exit(0);
}

using Main = int (*)(int, char**, char**);
Main real_main = nullptr;

int counted_main(int argc, char** argv, char** environment) {
  const char* prefix = std::getenv("IFD_SERVE");
  if (prefix != nullptr) serve(prefix);
  char name[16] = {}, how[8] = {};
  const char* text = std::getenv("IFD_FAULT");
  if (text != nullptr &&
      std::sscanf(text, "%15s %ld %d %7s", name, &fault.number, &fault.error, how) == 4) {
    fault.kind = kind_of(name);
    fault.how = std::strcmp(how, "on") == 0 ? How::kFromThenOn : How::kOnce;
  }
  counting = true;
  const int code = real_main(argc, argv, environment);
  tell_count();
  return code;
}

int open_file(int folder, const char* path, int flags, mode_t mode) {
  if (fails(Kind::kOpen)) return -1;
  return static_cast<int>(::syscall(SYS_openat, folder, path, flags, mode));
}

}  // namespace

// The symbols that the program calls. Under names of their own here, since the headers declare some
// of them in several ways; the third argument of open() is there or not looked at.
extern "C" {

int fault_start(Main main_function, int argc, char** argv, void (*init)(), void (*fini)(),
                void (*rtld_fini)(), void* stack_end) asm("__libc_start_main");
ssize_t fault_write(int descriptor, const void* bytes, std::size_t size) asm("write");
int fault_fsync(int descriptor) asm("fsync");
int fault_close(int descriptor) asm("close");
int fault_rename(const char* from, const char* to) asm("rename");
int fault_open(const char* path, int flags, mode_t mode) asm("open");
int fault_open64(const char* path, int flags, mode_t mode) asm("open64");
int fault_open_2(const char* path, int flags) asm("__open_2");
int fault_open64_2(const char* path, int flags) asm("__open64_2");
int fault_openat(int folder, const char* path, int flags, mode_t mode) asm("openat");
int fault_openat64(int folder, const char* path, int flags, mode_t mode) asm("openat64");
std::FILE* fault_fopen(const char* path, const char* mode) asm("fopen");
std::FILE* fault_fopen64(const char* path, const char* mode) asm("fopen64");
void* fault_mmap(void* place, std::size_t size, int protection, int flags, int descriptor,
                 off_t offset) asm("mmap");
void* fault_mmap64(void* place, std::size_t size, int protection, int flags, int descriptor,
                   off_t offset) asm("mmap64");
int fault_thread(pthread_t* thread, const pthread_attr_t* attributes, void* (*work)(void*),
                 void* argument) asm("pthread_create");
void* fault_malloc(std::size_t size) asm("malloc");
void* fault_calloc(std::size_t count, std::size_t size) asm("calloc");
void* fault_realloc(void* memory, std::size_t size) asm("realloc");
void* fault_memalign(std::size_t alignment, std::size_t size) asm("memalign");
void* fault_aligned_alloc(std::size_t alignment, std::size_t size) asm("aligned_alloc");
int fault_posix_memalign(void** memory, std::size_t alignment,
                         std::size_t size) asm("posix_memalign");

int fault_start(Main main_function, int argc, char** argv, void (*init)(), void (*fini)(),
                void (*rtld_fini)(), void* stack_end) {
  using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
  real_main = main_function;
  return next_of<Start>("__libc_start_main")(counted_main, argc, argv, init, fini, rtld_fini,
                                             stack_end);
}

ssize_t fault_write(int descriptor, const void* bytes, std::size_t size) {
  if (fails(Kind::kWrite, descriptor)) return -1;
  return ::syscall(SYS_write, descriptor, bytes, size);
}

int fault_fsync(int descriptor) {
  if (fails(Kind::kFsync, descriptor)) return -1;
  return static_cast<int>(::syscall(SYS_fsync, descriptor));
}

// As with a real one, the descriptor is closed all the same.
int fault_close(int descriptor) {
  const bool failing = fails(Kind::kClose, descriptor);
  const long closed = ::syscall(SYS_close, descriptor);
  if (failing) errno = fault.error;
  return failing ? -1 : static_cast<int>(closed);
}

int fault_rename(const char* from, const char* to) {
  if (fails(Kind::kRename)) return -1;
  return static_cast<int>(::syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to));
}

int fault_open(const char* path, int flags, mode_t mode) {
  return open_file(AT_FDCWD, path, flags, mode);
}
int fault_open64(const char* path, int flags, mode_t mode) {
  return open_file(AT_FDCWD, path, flags, mode);
}
int fault_open_2(const char* path, int flags) { return open_file(AT_FDCWD, path, flags, 0); }
int fault_open64_2(const char* path, int flags) { return open_file(AT_FDCWD, path, flags, 0); }
int fault_openat(int folder, const char* path, int flags, mode_t mode) {
  return open_file(folder, path, flags, mode);
}
int fault_openat64(int folder, const char* path, int flags, mode_t mode) {
  return open_file(folder, path, flags, mode);
}

std::FILE* fault_fopen(const char* path, const char* mode) {
  if (fails(Kind::kOpen)) return nullptr;
  return next_of<decltype(&fault_fopen)>("fopen")(path, mode);
}
std::FILE* fault_fopen64(const char* path, const char* mode) { return fault_fopen(path, mode); }

void* fault_mmap(void* place, std::size_t size, int protection, int flags, int descriptor,
                 off_t offset) {
  if (fails(Kind::kMmap)) return MAP_FAILED;
  return reinterpret_cast<void*>(
      ::syscall(SYS_mmap, place, size, protection, flags, descriptor, offset));
}
void* fault_mmap64(void* place, std::size_t size, int protection, int flags, int descriptor,
                   off_t offset) {
  return fault_mmap(place, size, protection, flags, descriptor, offset);
}

int fault_thread(pthread_t* thread, const pthread_attr_t* attributes, void* (*work)(void*),
                 void* argument) {
  if (fails(Kind::kThread)) return fault.error;
  return next_of<decltype(&fault_thread)>("pthread_create")(thread, attributes, work, argument);
}

void* fault_malloc(std::size_t size) {
  return fails(Kind::kMalloc) ? nullptr : __libc_malloc(size);
}
void* fault_calloc(std::size_t count, std::size_t size) {
  return fails(Kind::kMalloc) ? nullptr : __libc_calloc(count, size);
}
void* fault_realloc(void* memory, std::size_t size) {
  return fails(Kind::kMalloc) ? nullptr : __libc_realloc(memory, size);
}
void* fault_memalign(std::size_t alignment, std::size_t size) {
  return fails(Kind::kMalloc) ? nullptr : __libc_memalign(alignment, size);
}
void* fault_aligned_alloc(std::size_t alignment, std::size_t size) {
  return fault_memalign(alignment, size);
}
int fault_posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  void* made = fault_memalign(alignment, size);
  if (made == nullptr) return ENOMEM;
  *memory = made;
  return 0;
}

}  // extern "C"
