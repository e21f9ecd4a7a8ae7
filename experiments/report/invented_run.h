// A study nobody ran: numbers of the right shape and size, for tests of reports and checks.
#pragma once

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "experiments/report/run_record.h"
#include "ifd/random/keyed_random.h"

namespace ifd::experiments {

struct InventedStudy {
  int cohorts = 10;
  double noise = 0.004;  // of a single value
  std::vector<std::string> data = {"blood", "ham"};
  // AURSAC of a method on Variable OOD experts of the first data set; others are derived from it.
  std::map<std::string, double> level = {{"ifd-peak", .912},
                                         {"ifd-expected", .905},
                                         {"ifd-residual", .924},
                                         {"plug-in", .921},
                                         {"plug-in-calibrated", .922},
                                         {"plug-in-context-calibrated", .920},
                                         {"peak-rule", .915},
                                         {"pop-qi", .836},
                                         {"pop-qi-perm", .850},
                                         {"pop-qc", .842},
                                         {"pop-qc-perm", .852},
                                         {"multi-expert", .850},
                                         {"confidence", .880},
                                         {"random", .760},
                                         {"ceiling", .926},
                                         {"oracle", .976}};
  // How much more a method reaches on ID experts.
  std::map<std::string, double> fall = {{"pop-qi", .030}, {"pop-qc", .025}, {"multi-expert", .01}};
  double largest_change_of_ifd = 0;  // under coherent renaming
};

namespace invention {

class Writer {
 public:
  Writer(const InventedStudy& study, StudyRun& run) : study_(study), run_(run) {}

  // A job with this name; rows go to it from now on.
  void job(const std::string& name, double seconds) {
    run_.jobs.push_back({name, seconds});
    run_.results.emplace_back();
    run_.results.back().seconds = seconds;
  }
  void add(const ResultRow& where, const std::string& measure, double value) {
    ResultRow row = where;
    row.measure = measure;
    row.value = value;
    run_.results.back().rows.push_back(std::move(row));
  }
  // Part of it is common to a cohort and cancels in paired differences.
  double noisy(double value, const ResultRow& row, const std::string& measure) const {
    const double common =
        Key(1).with(row.data).with(static_cast<std::uint64_t>(row.cohort)).uniform();
    const double own = Key(2)
                           .with(row.experiment + row.data + row.experts + row.group + row.method +
                                 row.setting + row.scale + measure)
                           .with(static_cast<std::uint64_t>(row.cohort))
                           .with(static_cast<std::uint64_t>(row.x * 1000))
                           .uniform();
    return value + study_.noise * (2 * common - 1 + own - .5);
  }
  void add_noisy(const ResultRow& where, const std::string& measure, double value) {
    add(where, measure, noisy(value, where, measure));
  }

 private:
  const InventedStudy& study_;
  StudyRun& run_;
};

inline double level_of(const InventedStudy& study, const std::string& method) {
  const auto found = study.level.find(method);
  return found == study.level.end() ? .85 : found->second;
}

inline double fall_of(const InventedStudy& study, const std::string& method) {
  const auto found = study.fall.find(method);
  return found == study.fall.end() ? .002 : found->second;
}

inline void table1(const InventedStudy& study, Writer& out) {
  for (std::size_t d = 0; d < study.data.size(); ++d) {
    for (const std::string experts : {"variable", "stable"}) {
      for (const auto& [method, level] : study.level) {
        for (int cohort = 0; cohort < study.cohorts; ++cohort) {
          out.job("table1/" + study.data[d] + "/" + experts + "/" + method + "/cohort-" +
                      std::to_string(cohort),
                  method.starts_with("pop")   ? 60
                  : method.starts_with("ifd") ? 25
                                              : .5);
          ResultRow where;
          where.experiment = "table1";
          where.data = study.data[d];
          where.experts = experts;
          where.method = method;
          where.cohort = cohort;
          const double base = level - .1 * static_cast<double>(d);
          const double spread = experts == "stable" ? .3 : 1;  // Stable experts: all are close
          for (const std::string group : {"seen", "id", "ood"}) {
            if (method == "multi-expert" && group == "ood") continue;
            where.group = group;
            const double value = .93 - .1 * static_cast<double>(d) +
                                 spread * (base + (group == "ood" ? 0 : fall_of(study, method)) -
                                           (.93 - .1 * static_cast<double>(d)));
            for (const std::string scale : {"probability", "logit"}) {
              where.scale = scale;
              out.add_noisy(where, "aursac", value - (scale == "logit" ? .004 : 0));
              out.add_noisy(where, "aurdac", value - .1);
            }
            where.scale = "probability";
            for (int i = 0; i <= 20; ++i) {
              where.x = i / 20.0;
              out.add_noisy(where, "system_accuracy",
                            .967 - .1 * static_cast<double>(d) + .06 * where.x * (1 - where.x) * 2 -
                                2 * (.967 - value) * where.x * where.x);
            }
            where.x = 0;
            const bool trained = method.starts_with("ifd") || method.starts_with("pop");
            if (!trained || group == "seen") continue;
            ResultRow certificate = where;
            certificate.experiment = "invariance";
            certificate.scale = "";
            const bool named = method.starts_with("pop");
            for (const std::string kind : {"coherent", "expert-only"}) {
              certificate.setting = kind;
              for (int number = 1; number <= 3; ++number) {
                certificate.x = number;
                const bool moves = named || kind == "expert-only";
                const double u = out.noisy(.3, certificate, "u");
                out.add(certificate, "largest_margin_change",
                        moves ? u : study.largest_change_of_ifd);
                out.add(certificate, "mean_margin_change", moves ? u / 5 : 0);
                out.add(certificate, "share_rerouted", moves ? u / 2 : 0);
              }
            }
          }
          where.group = where.scale = "";
          out.add(where, "annotations", method.starts_with("pop") ? 47836 : 480);
          if (method != "plug-in") continue;
          where.method = "model";
          for (const std::string group : {"seen", "id", "ood"}) {
            where.group = group;
            out.add(where, "accuracy", .967 - .1 * static_cast<double>(d));
          }
        }
      }
    }
  }
}

inline void toy(const InventedStudy& study, Writer& out, StudyRun& run) {
  for (const std::string method :
       {"pop-qi", "pop-qc", "pop-qi-perm", "ifd-peak", "ifd-expected", "ifd-residual", "plug-in"}) {
    const bool named = method == "pop-qi" || method == "pop-qc";
    for (int cohort = 0; cohort < std::min(study.cohorts, 5); ++cohort) {
      out.job("toy/" + method + "/seed-" + std::to_string(cohort), 2);
      ResultRow where;
      where.experiment = "toy";
      where.data = "rings";
      where.method = method;
      where.cohort = cohort;
      where.scale = "probability";
      for (const std::string group : {"id", "ood"}) {
        where.group = group;
        where.setting = "";
        where.x = 0;
        out.add_noisy(where, "aursac", named && group == "ood" ? .70 : .78);
        const int best = group == "id" || named ? 0 : 2;
        for (const std::string setting : {"threshold 0", "budget 0.3"}) {
          where.setting = setting;
          for (int k = 0; k < 3; ++k) {
            where.x = k;
            out.add_noisy(where, "share_of_class_deferred", k == best ? .6 : .1);
            out.add_noisy(where, "share_of_deferred_in_class", k == best ? .7 : .15);
          }
        }
        if (cohort > 0) continue;
        for (std::uint64_t i = 0; i < 300; ++i) {
          const Key key = Key(7).with(i);
          const int k = static_cast<int>(3 * key.uniform(0));
          const double radius = 1 + 2 * k + .9 * key.uniform(1), angle = 6.283 * key.uniform(2);
          run.results.back().points.push_back({method + "/" + group, radius * std::cos(angle),
                                               radius * std::sin(angle), k,
                                               key.uniform(3) < (k == best ? .6 : .1)});
        }
      }
    }
  }
}

inline void imagenet16h(const InventedStudy& study, Writer& out) {
  out.job("imagenet16h/people", 1);
  ResultRow people;
  people.experiment = people.data = "imagenet16h";
  people.method = "people";
  out.add(people, "fingerprint_correlation", .926);
  out.add(people, "people", 145);
  out.add(people, "people_dropped", 31);
  const std::vector<int> noises = {80, 95, 110, 125};
  for (std::size_t i = 0; i < 4; ++i) {
    people.setting = "noise=" + std::to_string(noises[i]);
    out.add(people, "people_accuracy", std::vector{.900, .860, .771, .603}[i]);
    out.add(people, "model_accuracy", std::vector{.728, .539, .321, .150}[i]);
  }
  std::map<std::string, double> gain = {
      {"plug-in", .01}, {"plug-in-context-calibrated", .025}, {"plug-in-temperature", .015}};
  for (const std::string experts : {"2 people", "4 people"}) {
    for (const std::string method :
         {"ifd-peak", "ifd-expected", "ifd-residual", "pop-qi", "pop-qc", "pop-qi-perm",
          "pop-qc-perm", "multi-expert", "plug-in", "peak-rule", "confidence", "random", "oracle",
          "plug-in-temperature", "plug-in-context-calibrated"}) {
      for (int cohort = 0; cohort < study.cohorts; ++cohort) {
        out.job("imagenet16h/" + std::string(experts == "2 people" ? "two/" : "four/") + method +
                    "/cohort-" + std::to_string(cohort),
                3);
        ResultRow where;
        where.experiment = where.data = "imagenet16h";
        where.experts = experts;
        where.method = method;
        where.cohort = cohort;
        for (const std::string group : {"id", "ood"}) {
          if (method == "multi-expert" && group == "ood") continue;
          where.group = group;
          for (std::size_t i = 1; i < 4; ++i) {
            const double value = std::vector{0., .76, .60, .42}[i] + gain[method] +
                                 level_of(study, method) - .92 + (experts == "4 people" ? .02 : 0);
            for (const std::string scale : {"probability", "logit"}) {
              where.scale = scale;
              where.setting = "noise=" + std::to_string(noises[i]);
              out.add_noisy(where, "aursac", value - (scale == "logit" ? .003 : 0));
              out.add_noisy(where, "aurdac", value + .1);
              if (method != "plug-in" && method != "peak-rule") continue;
              for (const std::string low : {"0.20", "0.60", "0.80"}) {
                where.setting = "low=" + low + " noise=" + std::to_string(noises[i]);
                out.add_noisy(where, "aursac", value + .2 * (std::stod(low) - .4));
              }
            }
          }
        }
        if (method != "plug-in") continue;
        where.method = "people";
        where.scale = "";
        for (const std::string group : {"id", "ood"}) {
          where.group = group;
          for (const int noise : noises) {
            where.setting = "noise=" + std::to_string(noise);
            out.add_noisy(where, "accuracy_on_specialty", .99 - .002 * (noise - 80));
            out.add_noisy(where, "accuracy_elsewhere", .78 - .006 * (noise - 80));
          }
        }
      }
    }
  }
}

inline void profiles(const InventedStudy& study, Writer& out) {
  for (const std::string& data : study.data) {
    for (const std::string experts : {"variable", "stable"}) {
      for (const std::string variant : {"lcb", "mean", "binary"}) {
        for (int cohort = 0; cohort < std::min(study.cohorts, 5); ++cohort) {
          out.job("lcb/" + data + "/" + experts + "/ifd-peak-" + variant + "/seed-" +
                      std::to_string(cohort),
                  25);
          for (const std::string group : {"seen", "id", "ood"}) {
            ResultRow where{"lcb", data, experts, group, "ifd-peak-" + variant, "", "probability",
                            "",    0,    cohort,  0};
            const double value = variant == "lcb" ? .911 : variant == "mean" ? .912 : .908;
            out.add_noisy(where, "aursac", value);
            out.add_noisy(where, "aurdac", value - .1);
          }
        }
      }
    }
  }
  for (const std::string method : {"ifd-peak", "ifd-residual", "plug-in", "pop-qi", "pop-qc"}) {
    for (const std::string n : {"10", "25", "50"}) {
      if (method == "plug-in" && n != "10") continue;
      const std::string setting = method == "plug-in" ? "" : "n=" + n;
      for (int cohort = 0; cohort < std::min(study.cohorts, 5); ++cohort) {
        out.job("context/" + study.data.front() + "/variable/" + method + "-" + n + "/cohort-" +
                    std::to_string(cohort),
                40);
        for (const std::string group : {"id", "ood"}) {
          for (double size = 15; size <= 1920; size *= 2) {
            ResultRow where{"context", study.data.front(), "variable", group, method,
                            setting,   "probability",      "",         size,  cohort,
                            0};
            const bool flat = method.starts_with("pop");
            out.add_noisy(where, "aursac",
                          level_of(study, method) + (flat ? 0 : .01 - .6 / (size + 10)));
            out.add_noisy(where, "aurdac",
                          level_of(study, method) - .1 + (flat ? 0 : .01 - .6 / (size + 10)));
          }
        }
      }
    }
  }
  for (const std::string experts : {"variable", "stable"}) {
    for (const double strength : {2., 10., 30., 100.}) {
      for (const std::string prior :
           {"uninformative", "accurate", "adversarial", "overconfident"}) {
        if ((prior == "uninformative") != (strength == 2)) continue;
        const std::string s = std::to_string(static_cast<int>(strength));
        out.job("priors/" + study.data.back() + "/" + experts + "/" + prior + "-" + s, 30);
        for (const double n : {0., 5., 10., 20., 40., 80., 160., 320., 640.}) {
          for (int repeat = 0; repeat < 20; ++repeat) {
            ResultRow where{"priors",
                            study.data.back(),
                            experts,
                            "ood",
                            "",
                            prior == "uninformative" ? prior : prior + " S=" + s,
                            "probability",
                            "",
                            n,
                            repeat,
                            0};
            const double wrong = prior == "accurate" ? 0 : prior == "uninformative" ? .25 : .3;
            const double error =
                wrong * strength / (strength + n) + .35 * std::sqrt(n) / (strength + n);
            out.add(where, "mae", error * (1 + .05 * out.noisy(0, where, "mae")));
            for (const std::string method : {"ifd-peak", "plug-in"}) {
              where.method = method;
              out.add_noisy(where, "aursac", level_of(study, method) - .1 - .3 * error);
            }
          }
        }
      }
    }
  }
}

inline void beyond(const InventedStudy& study, Writer& out) {
  for (const std::string topic :
       {"remapping", "archetypes", "drift", "miscalibration", "roster size"}) {
    for (int cohort = 0; cohort < std::min(study.cohorts, 5); ++cohort) {
      out.job("beyond/" + study.data.front() + "/" + topic + "/cohort-" + std::to_string(cohort),
              20);
      for (const std::string method :
           {"ifd-peak", "ifd-residual", "plug-in", "peak-rule", "pop-qi", "pop-qc", "confidence"}) {
        const double level = level_of(study, method);
        const auto add = [&](const std::string& group, const std::string& setting, double x,
                             double value) {
          ResultRow where{"beyond", study.data.front(), topic, group, method,
                          setting,  "probability",      "",    x,     cohort,
                          0};
          out.add_noisy(where, "aursac", value);
        };
        if (topic == "remapping") {
          for (const std::string group : {"id", "ood"}) {
            for (const double moved : {0., 2., 3., 4., 5., 6., 7., 8.}) {
              add(group, "misnamed", moved, level - .012 * moved);
              add(group, "moved", moved, level - (method.starts_with("pop") ? .006 * moved : 0));
            }
          }
        } else if (topic == "archetypes") {
          for (const std::string group :
               {"generalists", "multi-strength", "anti-experts", "independent noise"}) {
            add(group, "", 0, level - .01 * static_cast<double>(group.size() % 4));
          }
        } else if (topic == "drift") {
          for (const double share : {0., .25, .5, .75, 1.}) {
            add("ood", "old contexts", share, level - .06 * share);
          }
          add("ood", "new contexts", 1, level);
        } else if (topic == "miscalibration") {
          for (const double sharpness : {.25, .5, 1., 2., 4.}) {
            add("ood", "raw", sharpness, level - .01 * std::abs(std::log2(sharpness)));
            add("ood", "calibrated on the context", sharpness, level - .001);
          }
        } else {
          for (const double size : {1., 2., 4., 8., 16., 32.}) {
            add("all", "", size, level - .04 / size);
          }
        }
      }
    }
  }
}

}  // namespace invention

// Every experiment.
inline StudyRun invent(const InventedStudy& study = {}) {
  StudyRun run;
  invention::Writer out(study, run);
  invention::toy(study, out, run);
  invention::table1(study, out);
  invention::imagenet16h(study, out);
  invention::profiles(study, out);
  invention::beyond(study, out);
  run.selected = {"toy",     "table1", "imagenet16h", "lcb",
                  "context", "priors", "invariance",  "beyond"};
  run.data = {{"blood", "resnet-small, 96.7 % on the test cases", "0123456789abcdef"},
              {"ham", "resnet-small, 86.7 % on the test cases", "fedcba9876543210"},
              {"imagenet16h", "the study's ResNet-152", "00112233445566778"}};
  run.absent = {"Liver tumours (as OrganMNIST): none of organamnist.npz in /data"};
  run.command = "ifd reproduce -o full";
  run.version = "0.1.0";
  run.code_version = "89abcdef01234567";
  run.hardware = "2 cores";
  run.date = "2026-11-16";
  run.wall_seconds = 9876;
  run.preparation_seconds = 321;
  return run;
}

}  // namespace ifd::experiments
