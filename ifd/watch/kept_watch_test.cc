#include "ifd/watch/kept_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ifd/data/binary_file.h"
#include "ifd/error.h"
#include "ifd/random/keyed_random.h"
#include "ifd/watch/watch_report.h"
#include "tests/refusal.h"

namespace ifd {
namespace {

using testing::HasSubstr;
using testing::Optional;

const ClassNames kAnimals({"cat", "dog", "owl"});

// An answer that is right with that chance, and otherwise any class, or none of them.
Answer somebodys_answer(ClassId truth, double accuracy, const Key& key, std::uint64_t number) {
  if (key.with("right").uniform(number) < accuracy) return Answer(truth);
  const std::uint64_t other = key.with("other").below(4, number);
  return other == 3 ? Answer::outside() : Answer(class_id(other));
}

ExpertContext some_answers(const std::string& expert, const std::string& cases, std::size_t count,
                           double accuracy, const Key& key) {
  ExpertContext context{expert, {}};
  const Key own = key.with(expert).with(cases);
  for (std::size_t i = 0; i < count; ++i) {
    const ClassId truth = class_id(own.with("truth").below(3, i));
    context.rows.push_back(
        {cases + std::to_string(i), truth, somebodys_answer(truth, accuracy, own, i)});
  }
  return context;
}

// Everybody's day: ann falls on the third, zoe comes on the second.
std::vector<ExpertContext> day(int number, const Key& key) {
  const std::string cases = "day" + std::to_string(number) + "-";
  std::vector<ExpertContext> all = {some_answers("ann", cases, 60, number < 3 ? .9 : .3, key),
                                    some_answers("bob", cases, 40, .8, key)};
  if (number >= 2) all.push_back(some_answers("zoe", cases, 30, .7, key));
  return all;
}

std::vector<ExpertContext> past(const Key& key) {
  return {some_answers("ann", "old-", 90, .9, key), some_answers("bob", "old-", 60, .8, key)};
}

KeptWatch begun(const Key& key, const WatchOptions& options = {.05, 3}) {
  return {kAnimals, Watch(kAnimals.size(), old_answers(past(key)), {}, options)};
}

// Kept every evening and read every morning, or never interrupted: the same to the last bit, in
// what is found, in every p, in what is told and in the bytes.
TEST(KeptWatch, DayByDayEqualsAllDaysAtOnce) {
  std::size_t found = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Key key(seed);
    KeptWatch at_once = begun(key);
    std::string kept = begun(key).to_bytes();
    for (int number = 1; number <= 5; ++number) {
      observe_answers(at_once.watch, day(number, key));
      KeptWatch morning = KeptWatch::from_bytes(kept, "watch");
      observe_answers(morning.watch, day(number, key));
      kept = morning.to_bytes();
    }
    const KeptWatch evening = KeptWatch::from_bytes(kept, "watch");
    EXPECT_EQ(evening, at_once);
    EXPECT_EQ(evening.watch.findings(), at_once.watch.findings());
    EXPECT_EQ(kept, at_once.to_bytes());
    EXPECT_EQ(watch_json(report_of(evening.watch), kAnimals),
              watch_json(report_of(at_once.watch), kAnimals));
    found += at_once.watch.findings("ann").size();
  }
  EXPECT_GE(found, 20u);
}

// Two tables at once find what the watch that is kept finds, as long as everybody has old answers.
TEST(KeptWatch, FindsWhatAWatchOverTwoTablesFinds) {
  const Key key(5);
  std::vector<ExpertContext> after;
  KeptWatch kept = begun(key);
  for (int number = 1; number <= 5; ++number) {
    std::vector<ExpertContext> today = day(number, key);
    today.resize(2);
    observe_answers(kept.watch, today);
    for (std::size_t j = 0; j < 2; ++j) {
      if (number == 1) after.push_back({today[j].expert, {}});
      for (const ContextRow& row : today[j].rows) after[j].rows.push_back(row);
    }
  }
  EXPECT_EQ(watch_json(watch_answers(kAnimals, past(key), after, {.05, 3}), kAnimals),
            watch_json(report_of(kept.watch), kAnimals));
}

TEST(KeptWatch, TheSameAnswersTwiceAreRefusedAndChangeNothing) {
  const Key key(1);
  KeptWatch kept = begun(key);
  observe_answers(kept.watch, day(1, key));
  const KeptWatch before = kept;
  std::vector<ExpertContext> again = {some_answers("bob", "day9-", 5, .8, key), day(1, key)[0]};
  try {
    observe_answers(kept.watch, again);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kConflict);
    EXPECT_THAT(error.what(), HasSubstr("expert 'ann' has answered case 'day1-0'"));
  }
  EXPECT_EQ(kept, before);
}

TEST(KeptWatch, TellsWhatItDidNotBeginWith) {
  const Key key(2);
  const KeptWatch kept = begun(key);
  const auto told = [&](const std::vector<ExpertContext>& contexts) {
    return kept.difference(old_answers(contexts));
  };
  std::vector<ExpertContext> same = past(key);
  std::swap(same[0], same[1]);
  std::swap(same[0].rows[0], same[0].rows[1]);
  EXPECT_EQ(told(same), std::nullopt);
  EXPECT_EQ(kept.difference(kAnimals), std::nullopt);
  EXPECT_EQ(kept.difference({.05, 3}), std::nullopt);

  std::vector<ExpertContext> other = past(key);
  other[1].rows.pop_back();
  EXPECT_THAT(told(other), Optional(HasSubstr("other past answers of 'bob'")));
  other = past(key);
  other.pop_back();
  EXPECT_THAT(told(other), Optional(HasSubstr("it began with 'bob'")));
  other = past(key);
  other.push_back(some_answers("carl", "old-", 5, .5, key));
  EXPECT_THAT(told(other), Optional(HasSubstr("it began without 'carl'")));
  EXPECT_THAT(kept.difference(ClassNames({"dog", "cat", "owl"})),
              Optional(HasSubstr("classes cat, dog, owl, and these are dog, cat, owl")));
  EXPECT_THAT(kept.difference({.01, 3}), Optional(HasSubstr("false alarms of 0.05")));
  EXPECT_THAT(kept.difference({.05, 4}), Optional(HasSubstr("the seed 3")));
}

std::string refusal_of(std::string_view bytes) {
  try {
    KeptWatch::from_bytes(bytes, "w");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kCorruptFile);
    return error.what();
  }
  return "";
}

TEST(KeptWatch, EveryCutAndEveryChangedByteIsRefused) {
  const Key key(3);
  KeptWatch kept = begun(key);
  observe_answers(kept.watch, day(2, key));
  const std::string bytes = kept.to_bytes();
  for (std::size_t end = 0; end < bytes.size(); ++end) {
    ASSERT_NE(refusal_of(std::string_view(bytes).substr(0, end)), "") << "byte " << end;
  }
  for (std::size_t at = 12; at < bytes.size(); ++at) {  // behind the version
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    ASSERT_NE(refusal_of(changed), "") << "byte " << at;
  }
}

// A watch of two classes with what a test wants in it, checksum and all.
std::string file_with(double false_alarms, std::uint32_t founders, const std::string& expert,
                      std::uint64_t right, std::uint32_t mistaken_for,
                      const std::vector<std::string>& cases) {
  BinaryWriter out;
  out.raw("IFDWATC1");
  out.number(kWatchFileVersion);
  out.real(false_alarms);
  out.number(std::uint64_t{0});
  out.number(std::uint32_t{2});
  out.text("cat");
  out.text("dog");
  out.number(std::uint32_t{1});
  out.number(founders);
  out.text(expert);
  out.number(right);
  out.number(std::uint64_t{0});
  out.number(std::uint32_t{1});
  out.number(std::uint32_t{1});
  out.number(mistaken_for);
  out.number(std::uint64_t{5});
  out.number(static_cast<std::uint32_t>(cases.size()));
  for (const std::string& name : cases) {
    out.text(name);
    out.number(std::uint32_t{0});
    out.number(std::uint32_t{1});
  }
  return std::move(out).with_checksum();
}

// Eight bytes of a class are more than a hundred in memory.
TEST(KeptWatch, StaysWithinTheLimitOfItsFile) {
  const std::string bytes = file_with(.05, 1, "ann", 3, 0, {"a", "b"});
  const auto said = [&](std::uint64_t most) {
    return refusal(
        [&] { KeptWatch::from_bytes(bytes, "w", {.max_expansion = 0, .always_allowed = most}); });
  };
  EXPECT_EQ(said(10'000), "");
  EXPECT_THAT(said(2'000), HasSubstr("bytes or more in memory; expected at most 2000"));
  EXPECT_THAT(said(200), HasSubstr("bytes or more in memory; expected at most 200"));
}

TEST(KeptWatch, RefusesWhatNoWatchWouldWrite) {
  EXPECT_EQ(refusal_of(file_with(.05, 1, "ann", 3, 0, {"a", "b", "", ""})), "");
  EXPECT_THAT(refusal_of(file_with(1, 1, "ann", 3, 0, {})), HasSubstr("false alarms 1"));
  EXPECT_THAT(refusal_of(file_with(.05, 2, "ann", 3, 0, {})), HasSubstr("from the beginning"));
  EXPECT_THAT(refusal_of(file_with(.05, 0, "ann", 3, 0, {"a"})), HasSubstr("came later"));
  EXPECT_THAT(refusal_of(file_with(.05, 1, "", 3, 0, {})), HasSubstr("no name"));
  EXPECT_THAT(refusal_of(file_with(.05, 1, "\xFF", 3, 0, {})), HasSubstr("not UTF-8"));
  EXPECT_THAT(refusal_of(file_with(.05, 1, "ann", std::uint64_t{1} << 60, 0, {})),
              HasSubstr("right answers"));
  EXPECT_THAT(refusal_of(file_with(.05, 1, "ann", 3, 1, {})), HasSubstr("among the wrong ones"));
  EXPECT_THAT(refusal_of(file_with(.05, 1, "ann", 3, 2, {})), HasSubstr("answer 2"));
  EXPECT_THAT(refusal_of(file_with(.05, 1, "ann", 3, 0, {"\xFF"})), HasSubstr("not UTF-8"));
}

}  // namespace
}  // namespace ifd
