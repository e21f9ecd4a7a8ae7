// A router that runs out of memory in the middle of a change: the change is whole or not there.
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <new>

#include "ifd/router.h"

namespace {

// How many allocations this thread may still make; below 0: any number.
thread_local long allocations_left = -1;

}  // namespace

// For all tests of the program, where nothing fails unless it is asked for.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  if (allocations_left == 0) throw std::bad_alloc();
  if (allocations_left > 0) --allocations_left;
  if (void* const memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace ifd {
namespace {

Router small_router() {
  std::vector<ExpertContext> contexts;
  for (int j = 0; j < 70; ++j) {  // more than a page
    const std::string name = "a rather long name of expert " + std::to_string(j);
    contexts.push_back({name, {{"case-1", class_id(j % 2), class_id(0)}}});
  }
  return Router(ClassNames({"a", "b"}), std::move(contexts));
}

// What can be seen of it from outside.
struct Seen {
  explicit Seen(const Router& router) : state(router.roster_state()), experts(router.experts()) {
    for (const std::string& name : experts) {
      on_duty.push_back(router.is_on_duty(name));
      profiles.push_back(router.profile(name));
    }
    named = state.names();
  }
  RosterState state;
  std::vector<std::string> experts, named;
  std::vector<bool> on_duty;
  std::vector<ExpertProfile> profiles;

  bool operator==(const Seen&) const = default;
};

TEST(RouterMemory, AChangeIsWholeOrNotAtAll) {
  const std::string name = "a rather long name of expert 3";
  const Observation again{class_id(1), class_id(1), "another case with a long name"};
  const std::vector<std::pair<std::string, std::function<void(Router&)>>> changes = {
      {"remove", [&](Router& router) { router.remove_expert(name); }},
      {"off duty", [&](Router& router) { router.set_on_duty(name, false); }},
      {"add", [](Router& router) { router.add_expert("somebody with a name that is long"); }},
      {"observe", [&](Router& router) { router.observe(name, again); }}};
  for (const auto& [what, change] : changes) {
    SCOPED_TRACE(what);
    const Seen before(small_router());
    Router changed = small_router();
    change(changed);
    const Seen after(changed);
    EXPECT_EQ(after.experts, after.named);
    long allowed = 0;
    for (bool done = false; !done; ++allowed) {
      ASSERT_LT(allowed, 100'000);
      Router router = small_router();
      allocations_left = allowed;
      try {
        change(router);
        done = true;
      } catch (const std::bad_alloc&) {
      }
      allocations_left = -1;
      ASSERT_TRUE(Seen(router) == (done ? after : before)) << "at allocation " << allowed;
      if (done) break;
      change(router);
      ASSERT_TRUE(Seen(router) == after) << "again, after allocation " << allowed;
    }
    EXPECT_GT(allowed, 0);
  }
}

}  // namespace
}  // namespace ifd
