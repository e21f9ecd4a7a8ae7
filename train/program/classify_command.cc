#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <string_view>

#include "command_line/csv_safe_flag.h"
#include "command_line/file_options.h"
#include "command_line/read_limits_option.h"
#include "command_line/terminal.h"
#include "command_line/threads_limit.h"
#include "ifd/data/accuracy.h"
#include "ifd/data/class_order.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/npz.h"
#include "ifd/data/predictions_file.h"
#include "ifd/error.h"
#include "train/image_classifier.h"
#include "train/program/command.h"
#include "train/threads.h"
#include "train/torch_script.h"

namespace ifd::train {
namespace classify_command {
namespace {

const std::map<std::string, Split> kSplits = {
    {"train", Split::kTrain}, {"val", Split::kValidation}, {"test", Split::kTest}};

constexpr std::string_view kTorchScriptNames[] = {".pt", ".pth", ".ts", ".jit", ".torchscript"};

struct Options {
  std::filesystem::path model, images, predictions, output;
  bool torch_script = false;
  std::string split = "test";
  std::vector<float> mean, scale;
  std::vector<std::string> class_names;
  int threads = 0;
  CsvText text = CsvText::kExact;
  Terminal terminal;
  ReadLimits limits;
};

// What the bytes are does not make a file a program: its name says so, or the user does. Anybody
// can call an archive 'x.safetensors'.
bool is_torch_script(const Options& options) {
  const std::string name = options.model.string();
  std::ifstream file(options.model, std::ios::binary);
  if (!file) throw Error(ErrorKind::kNotFound, fmt::format("{}: no such file", name));
  std::string begin(4, '\0');
  file.read(begin.data(), 4);
  if (!is_zip(begin)) return options.torch_script;
  const bool is_named_so = std::ranges::any_of(
      kTorchScriptNames, [&](std::string_view ending) { return name.ends_with(ending); });
  if (options.torch_script || is_named_so) return true;
  throw bad_input(
      fmt::format("{}: a zip archive; expected safetensors, or a TorchScript module, which is a "
                  "program and only run where its name ends in {} or with --torch-script",
                  name, fmt::join(kTorchScriptNames, ", ")));
}

// Images of one split, and how many classes their file has.
struct Images {
  std::string name;
  ClassifierInputs inputs;
  std::size_t classes;
};

Images read_images(const Options& options) {
  const std::string name = options.images.string();
  const Split split = kSplits.at(options.split);
  FileContents file = read_contents(options.images, options.limits);
  const std::size_t classes = medmnist_summary_from_bytes(file.bytes, name, file.limits).classes;
  return {name,
          inputs_of(medmnist_from_bytes(std::move(file.bytes), name, split, file.limits), split),
          classes};
}

Predictions classify_by_backbone(const Options& options, const Images& images) {
  if (!options.mean.empty() || !options.scale.empty() || !options.class_names.empty()) {
    throw usage("--mean, --std and --class-names are for TorchScript; this model has its own");
  }
  BackboneClassifier model = BackboneClassifier::read(options.model, options.limits);
  model.check_inputs(images.inputs, images.name);
  const ClassNames& classes = model.spec().classes;
  if (images.classes > classes.size()) {
    throw bad_input(fmt::format("{}: {} classes; {} knows {}", images.name, images.classes,
                                options.model.string(), classes.size()));
  }
  return classify(model, images.inputs, classes);
}

Predictions classify_by_torch_script(const Options& options, const Images& images) {
  const auto channels = static_cast<std::size_t>(images.inputs.channels());
  const Normalisation normalisation{
      options.mean.empty() ? std::vector<float>(channels, 0.F) : options.mean,
      options.scale.empty() ? std::vector<float>(channels, 1.F) : options.scale};
  options.terminal.note(
      fmt::format("note: {} is a TorchScript module, a program that is run now with your rights",
                  options.model.string()));
  const auto model = read_torch_script(options.model, normalisation);
  model->check_inputs(images.inputs, images.name);
  const auto first = torch::zeros({1}, torch::kInt64);
  const auto answers = static_cast<std::size_t>(
      model->output(batch_of(images.inputs, normalisation, first)).logits.size(1));
  const std::size_t count = std::max(answers, std::size_t{2});
  const ClassNames classes =
      options.class_names.empty() ? ClassNames::numbered(count) : ClassNames(options.class_names);
  if (answers < images.classes || answers != classes.size()) {
    throw bad_input(fmt::format("{}: {} logits; expected {}", options.model.string(), answers,
                                std::max(images.classes, options.class_names.size())));
  }
  return classify(*model, images.inputs, classes);
}

Predictions classify_images(const Options& options) {
  const Images images = read_images(options);
  return is_torch_script(options) ? classify_by_torch_script(options, images)
                                  : classify_by_backbone(options, images);
}

Predictions classify_vectors(const Options& options) {
  const std::string name = options.predictions.string();
  Predictions cases =
      read_predictions(options.predictions, ScoreKind::kProbabilities, options.limits);
  if (cases.feature_width() == 0) {
    throw bad_input(fmt::format("{}: no features; expected some to classify by", name));
  }
  BackboneClassifier model = BackboneClassifier::read(options.model, options.limits);
  cases = in_class_order(cases, model.spec().classes, name);
  const ClassifierInputs inputs = inputs_of(cases);
  model.check_inputs(inputs, name);
  return classify(model, inputs, cases.classes());
}

int run(const Options& options) {
  if (options.images.empty() == options.predictions.empty()) {
    throw usage("give either --images or --predictions");
  }
  for (const float scale : options.scale) {
    if (!(scale > 0)) throw usage("--std has positive numbers");
  }
  use_threads(threads_or_all(options.threads));
  const Predictions made =
      options.images.empty() ? classify_vectors(options) : classify_images(options);
  write_predictions(options.output, made, options.text);
  const std::string accuracy =
      made.has_labels() ? fmt::format(", accuracy {:.4f}", ifd::accuracy(made)) : "";
  options.terminal.note(fmt::format("{}: {} cases, {} classes, {} features{}",
                                    options.output.string(), made.size(), made.classes().size(),
                                    made.feature_width(), accuracy));
  return 0;
}

}  // namespace
}  // namespace classify_command

void add_classify_command(CLI::App& app, Program& program) {
  using namespace classify_command;
  CLI::App* c = app.add_subcommand("classify", "Write a classifier's predictions and features");
  const auto options = std::make_shared<Options>();
  Options& o = *options;
  c->footer(
      "Example:\n  ifd classify --model blood.safetensors --images bloodmnist.npz \\\n"
      "      --split test -o test.npz");
  const auto file = [c](const char* name, std::filesystem::path& to, const char* description) {
    CLI::Option* option = c->add_option(name, to, description)->type_name(kFileRead);
    refuse_standard_input(*option);
    return option;
  };
  file("--model", o.model,
       "From 'ifd classifier train', or a TorchScript module in a file called so (.pt, .pth, .ts, "
       ".jit, .torchscript): a program, run with your rights, only from where you would take one")
      ->required();
  c->add_flag("--torch-script", o.torch_script,
              "The model is a TorchScript module whatever its name; run it");
  file("--images", o.images, "Images in MedMNIST layout");
  choice(*c, "--split", o.split, kSplits, "Of the images");
  file("--predictions", o.predictions,
       "mlp: cases whose features are the inputs; their probabilities are replaced");
  c->add_option("--mean", o.mean, "TorchScript: (x / 255 - mean) / std, one number per channel")
      ->delimiter(',');
  c->add_option("--std", o.scale, "TorchScript: see --mean")->delimiter(',');
  c->add_option("--class-names", o.class_names, "TorchScript: names of the classes")
      ->delimiter(',');
  limit_threads(c->add_option("--threads", o.threads, "0: as many as the machine has")
                    ->capture_default_str());
  file("-o,--output", o.output, "Predictions: NPZ, or CSV without features")
      ->required()
      ->type_name(kFileWritten);
  add_max_expansion_option(*c, o.limits);
  add_csv_safe_flag(*c, o.text);
  c->add_flag("-q,--quiet", o.terminal.quiet, "Say nothing on stderr but errors");
  c->callback([&program, options] { program.work = [options] { return run(*options); }; });
}

}  // namespace ifd::train
