// Files written aside: beside the target, under a name of the process that writes them, until they
// are whole. Whoever writes one holds a lock on it, so that one without is known to be abandoned,
// whatever has become of the number of its process since.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

namespace ifd {

// ".NAME.PROCESS.SERIAL.part" in the folder of the target; of a long name its beginning and a hash.
std::string part_path(const std::filesystem::path& target, pid_t process, unsigned serial);

// Locks the part that was just made, until the descriptor is closed. False where another process
// took it for abandoned in between: then it is gone.
bool hold_part(int descriptor) noexcept;

// Removes the parts of the target that a process of the same user left when it was killed. What
// cannot be locked (a living process holds it, or the file system knows no locks) stays. On a
// file system whose locks end at the machine, the part that another machine writes at the same
// moment may go: its writer then fails, and nothing is half-written.
void remove_abandoned_parts(const std::filesystem::path& target);

}  // namespace ifd
