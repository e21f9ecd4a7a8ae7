#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/expert_spec.h"
#include "cli/text_table.h"
#include "ifd/data/answers_file.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/imagenet16h.h"
#include "ifd/data/npz.h"
#include "ifd/data/predictions_file.h"
#include "ifd/error.h"
#include "ifd/experts/annotation_sampling.h"
#include "ifd/experts/cohort.h"
#include "ifd/experts/fingerprint.h"
#include "ifd/experts/imagenet16h_groups.h"
#include "ifd/experts/prototypicality.h"
#include "ifd/experts/simulation.h"
#include "ifd/random/keyed_random.h"

namespace ifd::cli {
namespace {

using nlohmann::ordered_json;

std::string text_of(std::optional<double> value) {
  return value ? fmt::format("{:.4f}", *value) : "-";
}

ordered_json json_of(std::optional<double> value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

// ---- fingerprint
// ---------------------------------------------------------------------------------

struct FingerprintOptions {
  std::filesystem::path annotations;
  std::size_t clusters = 2;
  bool json = false;
};

std::map<int, std::pair<std::size_t, std::size_t>> right_by_noise(const AnnotationSet& set) {
  std::map<int, std::pair<std::size_t, std::size_t>> counts;  // noise -> right, all
  for (const Annotation& a : set.rows) {
    counts[a.noise].first += a.answer.is(a.truth) ? 1 : 0;
    ++counts[a.noise].second;
  }
  return counts;
}

int run_fingerprint(const FingerprintOptions& options, const Program& program) {
  const AnnotationSet set = read_imagenet16h_annotations(options.annotations);
  const auto prints = fingerprints(set);
  const double correlation = average_pairwise_correlation(prints);
  const Key key = Key(program.seed).with("clusters");
  const Clustering clusters = cluster_fingerprints(prints, key, {options.clusters, 20});
  const SkillFilter filter = drop_low_skill(set, key);
  if (options.json) {
    ordered_json noise = ordered_json::array();
    for (const auto& [level, counts] : right_by_noise(set)) {
      noise.push_back(
          {{"noise", level},
           {"answers", counts.second},
           {"accuracy", static_cast<double>(counts.first) / static_cast<double>(counts.second)}});
    }
    ordered_json groups = ordered_json::array();
    for (std::size_t c = 0; c < clusters.size.size(); ++c) {
      groups.push_back({{"size", clusters.size[c]}, {"mean_accuracy", clusters.mean_accuracy[c]}});
    }
    ordered_json people = ordered_json::array();
    for (std::size_t i = 0; i < prints.size(); ++i) {
      people.push_back({{"participant", prints[i].participant},
                        {"answers", prints[i].answers},
                        {"outside", prints[i].outside},
                        {"accuracy", prints[i].accuracy},
                        {"cluster", clusters.cluster[i]}});
    }
    write_output("", ordered_json{{"participants", prints.size()},
                                  {"answers", set.rows.size()},
                                  {"average_pairwise_correlation", correlation},
                                  {"noise", noise},
                                  {"clusters", groups},
                                  {"low_skill", filter.dropped_participants},
                                  {"people", people}}
                             .dump(2) +
                         "\n");
    return 0;
  }
  std::string out = fmt::format(
      "{} people, {} answers\naverage pairwise correlation of the fingerprints {:.4f}\n\n",
      prints.size(), set.rows.size(), correlation);
  TextTable noise({"noise", "answers", "accuracy"});
  for (const auto& [level, counts] : right_by_noise(set)) {
    noise.add({std::to_string(level), std::to_string(counts.second),
               fmt::format("{:.3f}", static_cast<double>(counts.first) /
                                         static_cast<double>(counts.second))});
  }
  TextTable groups({"cluster", "people", "mean accuracy"});
  for (std::size_t c = 0; c < clusters.size.size(); ++c) {
    groups.add({std::to_string(c), std::to_string(clusters.size[c]),
                fmt::format("{:.3f}", clusters.mean_accuracy[c])});
  }
  out += noise.text() + "\n" + groups.text();
  out += fmt::format("\nthe low-skill filter drops {} people ({:.3f} right on average): {}\n",
                     filter.dropped_participants.size(), filter.dropped_mean_accuracy,
                     fmt::join(filter.dropped_participants, ", "));
  write_output("", out);
  return 0;
}

// ---- simulate
// ------------------------------------------------------------------------------------

struct SimulateOptions {
  std::filesystem::path training;
  std::filesystem::path predictions;
  std::vector<std::string> experts;
  std::string split = "test";
  std::size_t per_class = 15;
  std::filesystem::path output;
  bool json = false;
};

std::string accuracies_npz(const TrueAccuracies& accuracies,
                           const std::vector<SimulatedExpert>& experts, const Predictions& cases) {
  std::vector<std::string> names;
  for (const SimulatedExpert& expert : experts) names.push_back(expert.name);
  NpzWriter writer;
  writer.add("accuracies", {cases.size(), accuracies.experts, accuracies.classes},
             std::span<const float>(accuracies.values));
  writer.add("experts", std::span<const std::string>(names));
  writer.add("cases", std::span<const std::string>(cases.case_names()));
  return std::move(writer).bytes();
}

int run_simulate(const SimulateOptions& options, const Program& program) {
  const Predictions training = read_predictions(options.training);
  const Predictions cases = read_predictions(options.predictions);
  for (const auto* p : {&training, &cases}) {
    if (!p->has_labels()) {
      throw bad_input(
          fmt::format("{}: no labels; expected labels to simulate experts",
                      (p == &training ? options.training : options.predictions).string()));
    }
  }
  if (!(training.classes() == cases.classes())) {
    throw bad_input(fmt::format("{}: the classes differ; expected those of {}: {}",
                                options.predictions.string(), options.training.string(),
                                training.classes().allowed()));
  }
  std::vector<SimulatedExpert> experts;
  bool flat = true;
  for (const std::string& word : options.experts) {
    experts.push_back(parse_expert(word, cases.classes()));
    for (const AccuracyCurve& curve : experts.back().curve_by_class) flat &= curve.is_flat();
  }
  for (const auto* p : {&training, &cases}) {
    if (!flat && p->feature_width() == 0) {
      throw bad_input(
          fmt::format("{}: no features; expected an NPZ with 'features', or only experts of the "
                      "form NAME=flat:ACC/ACC/...",
                      (p == &training ? options.training : options.predictions).string()));
    }
  }
  const bool by_features = training.feature_width() > 0 && cases.feature_width() > 0;
  std::optional<FeatureSpace> space;
  if (by_features) space = FeatureSpace::fit(training);
  const auto answer = [&](const Predictions& p, const std::string& split) {
    const SimulationOptions how{program.seed, split};
    return space ? simulate_answers(*space, p, experts, how) : simulate_answers(p, experts, how);
  };
  const AnswerTable answers = answer(cases, options.split);
  const TrueAccuracies accuracies =
      space ? true_accuracies(*space, cases, experts) : true_accuracies(cases, experts);
  const SimulationReport report = report_simulation(cases, answers, accuracies);

  const auto rows = placed(options.training.string(), [&] {
    return sample_context_rows(training, options.per_class, Key(program.seed).with("context"));
  });
  const auto contexts = contexts_from_answers(answer(training, "train"), training, rows);
  make_folder(options.output);
  write_answers(options.output / "answers.csv", answers, cases);
  write_contexts(options.output / "context.csv", contexts, cases.classes());
  write_predictions(options.output / "context_predictions.npz", training.subset(rows));
  write_file_atomically(options.output / "accuracies.npz",
                        accuracies_npz(accuracies, experts, cases));
  program.terminal.note(
      fmt::format("{}: answers.csv, context.csv, context_predictions.npz, accuracies.npz",
                  options.output.string()));

  if (options.json) {
    ordered_json out_experts = ordered_json::array();
    for (const auto& e : report.experts) {
      ordered_json classes = ordered_json::array();
      for (std::size_t k = 0; k < e.by_class.size(); ++k) {
        classes.push_back({{"class", cases.classes().name(class_id(k))},
                           {"cases", e.by_class[k].cases},
                           {"accuracy", json_of(e.by_class[k].accuracy)},
                           {"target", json_of(e.by_class[k].target)}});
      }
      out_experts.push_back({{"expert", e.name},
                             {"accuracy", json_of(e.overall.accuracy)},
                             {"target", json_of(e.overall.target)},
                             {"classes", classes}});
    }
    ordered_json pairs = ordered_json::array();
    for (const auto& pair : report.pairs) {
      pairs.push_back({{"first", report.experts[pair.first].name},
                       {"second", report.experts[pair.second].name},
                       {"error_correlation", json_of(pair.error_correlation)},
                       {"both_wrong", pair.both_wrong},
                       {"same_answer_when_both_wrong", json_of(pair.same_answer_when_both_wrong)}});
    }
    write_output("", ordered_json{{"experts", out_experts}, {"pairs", pairs}}.dump(2) + "\n");
    return 0;
  }
  TextTable table({"expert", "class", "cases", "accuracy", "target"});
  for (const auto& e : report.experts) {
    table.add({e.name, "all", std::to_string(e.overall.cases), text_of(e.overall.accuracy),
               text_of(e.overall.target)});
    for (std::size_t k = 0; k < e.by_class.size(); ++k) {
      table.add({e.name, cases.classes().name(class_id(k)), std::to_string(e.by_class[k].cases),
                 text_of(e.by_class[k].accuracy), text_of(e.by_class[k].target)});
    }
  }
  TextTable pairs({"pair", "error correlation", "both wrong", "same wrong answer"});
  for (const auto& pair : report.pairs) {
    pairs.add({report.experts[pair.first].name + ", " + report.experts[pair.second].name,
               text_of(pair.error_correlation), std::to_string(pair.both_wrong),
               text_of(pair.same_answer_when_both_wrong)});
  }
  write_output("", table.text() + (report.pairs.empty() ? "" : "\n" + pairs.text()));
  return 0;
}

// ---- sample
// --------------------------------------------------------------------------------------

struct SampleOptions {
  std::filesystem::path annotations;
  std::filesystem::path predictions;
  std::string model = "resnet152";
  int noise = 95;
  std::string cohort = "id";
  std::size_t experts = 2;
  double high = .99;
  double low = .40;
  std::string filter = "low-skill";
  std::size_t per_class = 15;
  std::filesystem::path output;
  bool json = false;
};

int run_sample(const SampleOptions& options, const Program& program) {
  AnnotationSet pool = read_imagenet16h_annotations(options.annotations);
  const Predictions all =
      read_imagenet16h_predictions(options.predictions, options.model, options.noise);
  if (options.filter == "low-skill") {
    SkillFilter filter = drop_low_skill(pool, Key(program.seed).with("clusters"));
    program.terminal.note(fmt::format("dropped {} people of low skill ({:.3f} right on average)",
                                      filter.dropped_participants.size(),
                                      filter.dropped_mean_accuracy));
    pool = std::move(filter.kept);
  }
  const PoolSide side =
      options.cohort == "id" ? PoolSide::kInDistribution : PoolSide::kOutOfDistribution;
  const auto groups = imagenet16h_groups(all.classes(), side, options.high, options.low);
  std::vector<SpecialistProfile> experts;
  if (options.experts == 2) {
    experts = draw_one_per_group(groups, Key(program.seed).with("cohort"));
  } else {
    for (const SpecialistGroup& group : groups) {
      experts.insert(experts.end(), group.experts.begin(), group.experts.end());
    }
  }
  const int levels[] = {options.noise};
  const SampledAnswers sampled =
      sample_annotations(pool, all.case_names(), levels, experts, program.seed).front();

  // The context and the cases to be scored are disjoint.
  const auto context_rows =
      sample_context_rows(all, options.per_class, Key(program.seed).with("context"));
  std::vector<bool> in_context(all.size(), false);
  for (const std::size_t row : context_rows) in_context[row] = true;
  std::vector<std::size_t> scored;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!in_context[i]) scored.push_back(i);
  }
  AnswerTable answers(sampled.answers.expert_names(), scored.size());
  for (std::size_t i = 0; i < scored.size(); ++i) {
    for (std::size_t j = 0; j < answers.experts(); ++j) {
      answers.set(case_id(i), expert_id(j), sampled.answers.at(case_id(scored[i]), expert_id(j)));
    }
  }
  const Predictions cases = all.subset(scored);
  make_folder(options.output);
  write_predictions(options.output / "predictions.csv", cases);
  write_predictions(options.output / "context_predictions.csv", all.subset(context_rows));
  write_contexts(options.output / "context.csv",
                 contexts_from_answers(sampled.answers, all, context_rows), all.classes());
  write_answers(options.output / "answers.csv", answers, cases);
  program.terminal.note(
      fmt::format("{}: predictions.csv, context_predictions.csv, context.csv, answers.csv",
                  options.output.string()));

  if (options.json) {
    ordered_json out = ordered_json::array();
    for (const SampledExpert& e : sampled.experts) {
      for (const auto* part : {&e.specialty, &e.elsewhere}) {
        out.push_back({{"expert", e.name},
                       {"where", part == &e.specialty ? "specialty" : "elsewhere"},
                       {"images", part->images},
                       {"target", part->target},
                       {"accuracy", json_of(part->accuracy())},
                       {"forced_correct", part->forced_correct},
                       {"forced_incorrect", part->forced_incorrect}});
      }
    }
    write_output("", ordered_json{{"noise", options.noise},
                                  {"cohort", options.cohort},
                                  {"images_without_annotation", sampled.images_without_annotation},
                                  {"experts", out}}
                             .dump(2) +
                         "\n");
    return 0;
  }
  TextTable table(
      {"expert", "where", "images", "target", "accuracy", "forced right", "forced wrong"});
  for (const SampledExpert& e : sampled.experts) {
    for (const auto* part : {&e.specialty, &e.elsewhere}) {
      table.add({e.name, part == &e.specialty ? "specialty" : "elsewhere",
                 std::to_string(part->images), fmt::format("{:.2f}", part->target),
                 text_of(part->accuracy()), std::to_string(part->forced_correct),
                 std::to_string(part->forced_incorrect)});
    }
  }
  write_output("", table.text());
  return 0;
}

}  // namespace

void add_experts_commands(CLI::App& app, Program& program) {
  CLI::App* experts =
      app.add_subcommand("experts", "Make experts to test with: simulated, or of real annotations");
  experts->require_subcommand(1);
  experts->footer("Example:\n  ifd experts fingerprint --annotations annotations.csv");

  const auto print = std::make_shared<FingerprintOptions>();
  CLI::App* command = add_leaf(
      *experts, program, "fingerprint", "How alike annotators are, and who is of low skill",
      "ifd experts fingerprint --annotations human_only_classification_6per_img_export.csv",
      [print, &program] { return run_fingerprint(*print, program); });
  command
      ->add_option("--annotations", print->annotations,
                   "ImageNet-16H annotations with the study's column names")
      ->required()
      ->type_name("FILE");
  command->add_option("--clusters", print->clusters, "Of the k-means")->capture_default_str();
  command->add_flag("--json", print->json, "Print JSON instead of tables");

  const auto simulate = std::make_shared<SimulateOptions>();
  command = add_leaf(*experts, program, "simulate",
                     "Simulate experts whose accuracy depends on how typical a case is",
                     "ifd experts simulate --training train.npz --predictions test.npz \\\n"
                     "      --expert ann=variable:mel --expert bob=stable:nv --output experts",
                     [simulate, &program] { return run_simulate(*simulate, program); });
  command
      ->add_option(
          "--training", simulate->training,
          "Labelled predictions with features: the classes' centres, and the context's cases")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--predictions", simulate->predictions,
                   "Labelled cases to answer, with features")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--expert", simulate->experts,
                   "NAME=variable:CLASS, stable:CLASS, independent:CLASS, multi:CLASS+CLASS, "
                   "generalist:EASY/HARD, anti:TRUTH>ANSWER or flat:ACC/ACC/...; repeat for more")
      ->required()
      ->type_name("SPEC");
  command
      ->add_option(
          "--split", simulate->split,
          "Names the draws of the cases; 'train' where they are the training cases, so that "
          "answers agree with the context's")
      ->capture_default_str();
  command->add_option("--context-per-class", simulate->per_class, "Context answers for each class")
      ->capture_default_str();
  command->add_option("-o,--output", simulate->output, "Folder for the files")
      ->required()
      ->type_name("DIR");
  command->add_flag("--json", simulate->json, "Print JSON instead of tables");

  const auto sample = std::make_shared<SampleOptions>();
  command =
      add_leaf(*experts, program, "sample",
               "Specialists made of real annotations (Selective Annotation Sampling)",
               "ifd experts sample --annotations annotations.csv --predictions resnet152.csv \\\n"
               "      --noise 110 --cohort ood --output ood110",
               [sample, &program] { return run_sample(*sample, program); });
  command
      ->add_option("--annotations", sample->annotations,
                   "ImageNet-16H annotations with the study's column names")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--predictions", sample->predictions,
                   "ImageNet-16H model predictions with the study's column names")
      ->required()
      ->type_name("FILE");
  command->add_option("--model", sample->model, "Which model of the file")->capture_default_str();
  command->add_option("--noise", sample->noise, "Noise level")
      ->check(CLI::IsMember({80, 95, 110, 125}))
      ->capture_default_str();
  command
      ->add_option("--cohort", sample->cohort, "id (animals, household) or ood (transport, tools)")
      ->check(CLI::IsMember({"id", "ood"}))
      ->capture_default_str();
  command->add_option("--experts", sample->experts, "2 (one a group) or 4 (two a group)")
      ->check(CLI::IsMember({2, 4}))
      ->capture_default_str();
  command->add_option("--high", sample->high, "Target accuracy on the specialty")
      ->capture_default_str();
  command->add_option("--low", sample->low, "Target accuracy elsewhere")->capture_default_str();
  command->add_option("--filter", sample->filter, "low-skill or none")
      ->check(CLI::IsMember({"low-skill", "none"}))
      ->capture_default_str();
  command->add_option("--context-per-class", sample->per_class, "Context answers for each class")
      ->capture_default_str();
  command->add_option("-o,--output", sample->output, "Folder for the files")
      ->required()
      ->type_name("DIR");
  command->add_flag("--json", sample->json, "Print JSON instead of a table");
}

}  // namespace ifd::cli
