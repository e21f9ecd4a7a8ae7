// A run nobody made, for tests of the report.
#pragma once

#include "experiments/report/run_record.h"
#include "tests/invented_results.h"

namespace ifd::experiments {

// Of every experiment.
inline RunRecord invented_run(const Invention& of = {}) {
  InventedResults invented = invent(of);
  RunRecord run;
  for (std::size_t i = 0; i < invented.jobs.size(); ++i) {
    run.jobs.push_back({invented.jobs[i], invented.results[i].seconds});
  }
  run.results = std::move(invented.results);
  run.selected = {kToy,        kTable1, kImageNet16H, kAblation,    kContextScaling, kPriors,
                  kInvariance, kBeyond, kCombined,    kCalibration, kScorers};
  run.data = {{DataName("blood"), "resnet-small, 96.7 % on the test cases", "0123456789abcdef"},
              {DataName("ham"), "resnet-small, 86.7 % on the test cases", "fedcba9876543210"},
              {kImageNet16HData, "its own ResNet-152", "00112233445566778"},
              {kDodhData, "its own networks", "8877665544332211"}};
  run.absent = {"Liver tumours (as OrganMNIST): none of organamnist.npz in /data"};
  run.command = {"ifd", "reproduce", "-o", "full"};
  run.version = "0.1.0";
  run.code_version = "89abcdef01234567";
  run.hardware = "2 cores";
  run.date = "2026-11-16";
  run.wall_seconds = 9876;
  run.preparation_seconds = 321;
  return run;
}

}  // namespace ifd::experiments
