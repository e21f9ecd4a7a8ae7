// Work that several threads do together.
#pragma once

#include <functional>

namespace ifd {

// Calls `work` on this thread and on up to `threads` - 1 more, and returns when every call has. The
// calls take what there is to do from something they share, so that fewer of them do it all: where
// the system starts no more threads (limits, memory), those there are go on. The first exception
// of a call is thrown when all have ended.
void share_work(unsigned threads, const std::function<void()>& work);

}  // namespace ifd
