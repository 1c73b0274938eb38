// SPDX-License-Identifier: Apache-2.0
#include "ui/cli/new_machine.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "sim/base/labels/label_text.h"
#include "sim/load/chassis/asked.h"
#include "sim/load/load.h"
#include "sim/load/read/toml_text.h"
#include "sim/model/catalog/chassis.h"
#include "sim/model/scenario.h"
#include "ui/cli/import_paths.h"
#include "ui/cli/measured_folder.h"
#include "ui/cli/numbers.h"
#include "ui/cli/words.h"
#include "ui/jobs/decoder_job.h"
#include "ui/places/places.h"

namespace gpufeed::cli {
namespace {

/// One text, or a list of them.
std::string toml_of(const std::vector<std::string>& texts) {
  if (texts.size() == 1) return toml_string(texts.front());
  Names items;
  for (const auto& text : texts) items.push_back(toml_string(text));
  return toml_array(items);
}

/// A key of `[system]`, and the option that gives it.
struct Part {
  std::string key;
  std::string help;
  std::vector<std::string> given;
  std::vector<std::string> standard;  ///< what the chassis comes with
};

std::vector<std::string> texts_of(const std::vector<PartRef>& parts) {
  std::vector<std::string> texts;
  texts.reserve(parts.size());
  for (const auto& part : parts) texts.push_back(text_of(part.id));
  return texts;
}

std::vector<std::string> list_of(const std::optional<std::string>& one) {
  return one ? std::vector<std::string>{*one} : std::vector<std::string>{};
}

std::vector<Part> parts_of(const MachineArguments& given) {
  return {
      {"cpu", "processors, all alike", list_of(given.cpu), {}},
      {"memory", "of all sockets together, or modules: \"16 x 64 GB\"", list_of(given.memory), {}},
      {"gpu", "GPUs; several kinds as a list; \"none\": none", given.gpu, {}},
      {"drives", "data drives, one volume of each text: scratch, scratch1, ...", given.drives, {}},
      {"nics", "network cards", given.nics, {}}};
}

std::vector<Override> overrides_of(const std::vector<Part>& parts) {
  std::vector<Override> overrides;
  for (const auto& part : parts)
    if (!part.given.empty())
      overrides.push_back({KeyPath("system") / part.key, toml_of(part.given),
                           fmt::format("--{} {}", part.key, fmt::join(part.given, ", "))});
  return overrides;
}

std::string system_text(const Chassis& chassis, const std::vector<Part>& parts) {
  std::string out =
      fmt::format("[system]\n# {}\nchassis = {}\n", chassis.title, toml_string(chassis.name));
  for (const auto& part : parts) {
    out += fmt::format("# {}{}\n", part.help,
                       part.given.empty() && !part.standard.empty() ? "; it comes with" : "");
    if (!part.given.empty())
      out += fmt::format("{} = {}\n", part.key, toml_of(part.given));
    else
      out += fmt::format("#{} = {}\n", part.key,
                         part.standard.empty() ? "..." : toml_of(part.standard));
  }
  out +=
      "# parts go where a vendor puts them; gpufeed catalog show tells the chassis' slots. To move "
      "one:\n"
      "#place = { gpu0 = \"cpu1\" }\n";
  return out;
}

std::string job_text(const MachineArguments& arguments, bool trains) {
  if (arguments.job)
    return fmt::format(
        "\n[workload]\n"
        "# a storage benchmark that emulates its accelerators\nkind = \"emulated\"\n"
        "# gpufeed catalog list job names those known\njob = {}\n"
        "# accelerators that it emulates on each node\ngpus = 1\n",
        toml_string(*arguments.job));
  return fmt::format(
      "\n[workload]\n"
      "{}"
      "# the network: a name, a path or a table\n"
      "model = {}\n"
      "{}"
      "# the data: a name, a path or a table, such as {{ title = \"photographs\", samples =\n"
      "# 40_000_000, sample_size = \"1 MB\", decode_time = \"8 ms\", source = \"our own\", basis "
      "=\n"
      "# \"estimate\" }} in one line; gpufeed dataset measures yours\n"
      "dataset = {}\n"
      "# samples per GPU and step\n"
      "batch_per_gpu = 64\n"
      "{}",
      trains ? "kind = \"training\"\n"
             : "# there are no GPUs: reading and decoding alone\nkind = \"loader\"\n",
      toml_string(arguments.model.value_or("resnet-50")),
      trains ? "# what trains it: gradients leave while the backward pass goes on, as with\n"
               "# DistributedDataParallel\nframework = \"pytorch\"\n"
             : "",
      arguments.measured.value_or(toml_string(arguments.dataset.value_or("imagenet-1k"))),
      trains ? "# number format: fp32, tf32, fp16 (mixed precision), ...\nprecision = \"fp32\"\n"
             : "");
}

/// What a store is made of, where it is so many servers.
std::optional<Asked> servers_in(const MachineArguments& arguments) {
  if (!arguments.store || arguments.store->find(" x ") == std::string::npos) return {};
  return parse_asked(*arguments.store, {});
}

/// \param file  from which the server is seen; empty: from here
std::string store_keys(const MachineArguments& arguments, const std::string& file) {
  const auto servers = servers_in(arguments);
  if (!servers) return fmt::format("model = {}\n", toml_string(*arguments.store));
  std::string keys = fmt::format(
      "servers = {}\n# each a machine of the catalog, a file, or {{ chassis, cpu, memory, drives, "
      "nics }}\nserver = {}\n",
      servers->count,
      toml_string(file.empty() ? servers->what : as_seen_from(file, servers->what)));
  if (arguments.software)
    keys += fmt::format(
        "# what makes one store of them; gpufeed catalog list storage-software\n"
        "software = {}\n",
        toml_string(*arguments.software));
  if (arguments.redundancy)
    keys += fmt::format(
        "# what keeps data when servers fail: a code, copies or \"none\"\n"
        "redundancy = {}\n",
        toml_string(*arguments.redundancy));
  return keys;
}

std::string data_text(const MachineArguments& arguments, const std::string& file = "") {
  if (!arguments.store)
    return "\n[data]\n# a volume or drive of the machine, or a store\nat = \"scratch\"\n"
           "\n# A shared store, with at = \"nas\":\n#[store.nas]\n#model = "
           "\"pure-flashblade-15-blade\"\n";
  return fmt::format(
      "\n[data]\n# a volume or drive of the machine, or a store\nat = \"nas\"\n"
      "\n# a store on the network; gpufeed catalog list array names those known\n[store.nas]\n"
      "{}",
      store_keys(arguments, file));
}

/// Of the store of `data_text`, whose protocol is not given yet.
std::string client_text(const Scenario& scenario) {
  const Store& store = scenario.store.at(0);
  if (!store.protocol)
    return "# how this machine speaks to it; left out: no client is counted\n#protocol = "
           "\"nfs-tcp\"\n";
  return fmt::format("# how this machine speaks to it: here as most hosts do\nprotocol = {}\n",
                     toml_string(store.protocol->name));
}

/// \throws UsageError  where what servers make is said of an array
void check_servers(const MachineArguments& arguments, const Options& options) {
  if (servers_in(arguments)) return;
  for (const auto& [value, name] : {std::pair{&arguments.software, "--software"},
                                    std::pair{&arguments.redundancy, "--redundancy"}})
    if (*value)
      throw options.error(fmt::format(
          "{} is of servers: say --store \"12 x SERVER\", SERVER being a machine or its file",
          name));
}

/// Nothing for other models than decoders. \throws UsageError  where no layout fits
std::optional<std::string> decoder_text(const MachineArguments& arguments,
                                        const std::string& machine, const std::string& place,
                                        const Catalog& catalog,
                                        const std::vector<Override>& overrides,
                                        const Options& options) {
  const std::string method = arguments.method.value_or("full");
  if (method != "full" && method != "lora" && method != "qlora")
    throw options.error(fmt::format("--method takes full, lora or qlora; found \"{}\"", method));
  DecoderAsk ask{*arguments.model, arguments.measured ? std::nullopt : arguments.dataset};
  ask.lora = method != "full";
  ask.nf4 = method == "qlora";
  ask.nodes = arguments.count_of_nodes(options);
  ask.saves = !arguments.store;
  const auto job = decoder_job(ask, machine, place, catalog, overrides);
  if (!job) return {};
  if (arguments.measured)
    throw options.error(
        "--dataset of a language model takes a name: sizes of files do not tell tokens");
  if (!job->untimed.empty()) throw options.error(job->untimed);
  if (!job->too_small.empty())
    throw options.error(fmt::format("{}; take {}", job->too_small, job->would_do));
  return job->text;
}

/// The job of a language model where one is to be trained. \throws UsageError  also where only such
/// a job could be meant
std::optional<std::string> decoder_of(const MachineArguments& arguments, bool trains,
                                      const std::string& machine, const std::string& place,
                                      const Catalog& catalog,
                                      const std::vector<Override>& overrides,
                                      const Options& options) {
  std::optional<std::string> out;
  if (trains && arguments.model && !arguments.job)
    out = decoder_text(arguments, machine, place, catalog, overrides, options);
  if (arguments.method && !out)
    throw options.error("--method is for --model NAME of a language model, on GPUs");
  return out;
}

}  // namespace

void MachineArguments::add_to(Options& options) {
  options.value("--chassis", "NAME", chassis,
                "instead of an example: a machine of this chassis and the parts that follow; "
                "gpufeed catalog list chassis names those known. What is left out is what the "
                "chassis comes with; what it comes without is asked for");
  options.value("--system", "NAME", system,
                "instead of a chassis: a machine of the catalog, or a file of gpufeed discover");
  options.value("--cpu", "\"N x NAME\"", cpu, "its processors");
  options.value("--memory", "SIZE", memory,
                "of all sockets together, such as \"512 GB\", or modules: \"16 x 32 GB\"");
  options.repeatable("--gpu", "\"N x NAME\"", gpu, "its GPUs; again for another kind");
  options.repeatable("--drives", "\"N x NAME\"", drives,
                     "its data drives; again for another volume");
  options.repeatable("--nics", "\"N x NAME\"", nics, "its network cards").seldom();
  options.value("--store", "NAME", store, "a shared store that holds the data; or \"N x SERVER\"");
  options.value("--software", "NAME", software, "what makes one store of such servers").seldom();
  options
      .value("--redundancy", "TEXT", redundancy,
             "of such servers: \"8+2\", \"replica 3\" or \"none\"; default: the software's")
      .seldom();
  options.value("--model", "NAME", model, "the network to train; default: resnet-50");
  options
      .value("--dataset", "NAME", dataset,
             "what on: a name, a file, or a folder of samples, which is measured; default: "
             "imagenet-1k, of language models their own tokens")
      .seldom();
  options
      .value("--decode-time", "TIME", decode_time,
             "of a folder, instead of measuring it: time of one core to decode and augment one "
             "sample, "
             "such as \"3 ms\"")
      .seldom();
  options
      .value("--method", "full|lora|qlora", method,
             "of a language model: trains all weights, or small matrices beside them, which are "
             "kept in 16 or 4 bits; default: full")
      .seldom();
  options.value("--nodes", "N", nodes, "machines alike; default: 1").seldom();
  options
      .value("--job", "NAME", job,
             "instead of both: a benchmark that emulates its accelerators, such as "
             "mlperf-unet3d-h100")
      .seldom();
  options.repeatable("--catalog", "DIR", catalogs, kCatalogHelp).seldom();
}

void MachineArguments::measure_dataset(const Options& options) {
  std::error_code none;
  const bool folder = dataset && std::filesystem::is_directory(*dataset, none);
  if (decode_time && !folder)
    throw options.error("--decode-time is for a folder of samples, named by --dataset");
  if (!folder) return;
  if (decode_time) check_decode_time(*decode_time, options);
  MeasuredFolder found = measure_folder(*dataset);
  if (!decode_time) measure_decoding(found);
  if (!decode_time && !found.decoding)
    throw options.error(fmt::format(
        "--dataset {} is a folder, and its files do not tell how long one core takes to decode and "
        "augment a sample: add --decode-time '3 ms', or what it is",
        *dataset));
  measured = dataset_table(found, decode_time);
}

std::int64_t MachineArguments::count_of_nodes(const Options& options) const {
  return nodes ? number_in(options, "--nodes", *nodes, kMostNodes) : 1;
}

std::string MachineArguments::without_chassis() const {
  if (chassis) return "";
  if (cpu) return "--cpu";
  if (memory) return "--memory";
  if (!gpu.empty()) return "--gpu";
  if (!drives.empty()) return "--drives";
  if (!nics.empty()) return "--nics";
  if (system) return "";
  if (store) return "--store";
  if (software) return "--software";
  if (redundancy) return "--redundancy";
  if (model) return "--model";
  if (method) return "--method";
  if (nodes) return "--nodes";
  if (dataset) return "--dataset";
  if (decode_time) return "--decode-time";
  return job ? "--job" : "";
}

std::string machine_scenario(const MachineArguments& arguments, const std::string& file,
                             const std::string& title, const Options& options) {
  check_servers(arguments, options);
  if (arguments.job && (arguments.model || arguments.dataset))
    throw options.error(
        "--job names a network and a data set already; leave --model and --dataset out");
  const Catalog catalog = catalog_with(arguments.catalogs);
  auto parts = parts_of(arguments);
  const auto overrides = overrides_of(parts);
  const std::string only_chassis =
      fmt::format("[system]\nchassis = {}\n", toml_string(*arguments.chassis));
  const std::string option = "--chassis " + *arguments.chassis;
  const auto system = parse_system(only_chassis, option, catalog, overrides);
  const Chassis& chassis = **system->chassis;
  parts[0].standard = texts_of(chassis.cpu);
  parts[1].standard = texts_of(chassis.memory);
  parts[2].standard = texts_of(chassis.gpu);
  parts[3].standard = texts_of(chassis.drives);
  parts[4].standard = texts_of(chassis.nics);
  if (system->volumes.empty() && !arguments.store)
    throw options.error("the data must lie somewhere: name --drives \"N x NAME\" or --store NAME");
  const std::int64_t nodes = arguments.count_of_nodes(options);
  const std::string count = nodes > 1 ? fmt::format("# machines alike\nnodes = {}\n", nodes) : "";
  const std::string head = count + only_chassis;
  const bool trains = !system->gpus.empty();
  const auto decoder = decoder_of(arguments, trains, head + data_text(arguments), option, catalog,
                                  overrides, options);
  const std::string training = decoder.value_or(job_text(arguments, trains));
  const Scenario first =
      parse_scenario(head + training + data_text(arguments), option, catalog, overrides);
  std::string job = training + data_text(arguments, file);
  if (arguments.store) job += client_text(first);
  return "# A gpufeed scenario: a machine of a chassis and parts, a job, and where its data lie.\n"
         "#   gpufeed simulate FILE      answers it\n"
         "#   gpufeed catalog list       names chassis, parts, networks and data sets to choose "
         "from\n"
         "#   gpufeed check --keys       lists every key\n\n"
         "schema = 1\n" +
         (title.empty()
              ? ""
              : "# what tables and reports call it\ntitle = " + toml_string(title) + "\n") +
         count + "\n" + system_text(chassis, parts) + job;
}

std::string system_scenario(const MachineArguments& arguments, const std::string& file,
                            const std::string& title, const Options& options) {
  check_servers(arguments, options);
  const Catalog catalog = catalog_with(arguments.catalogs);
  const std::string option = "--system " + *arguments.system;
  const auto machine =
      parse_system(fmt::format("system = {}\n", toml_string(*arguments.system)), option, catalog);
  std::string place = "nas";
  if (!arguments.store) {
    if (machine->volumes.empty() && machine->drives.empty())
      throw options.error(
          "the data must lie somewhere, and the machine has no drive: name --store NAME");
    place = text_of(machine->volumes.empty() ? machine->drives.front().id
                                             : machine->volumes.front().id);
  }
  MachineArguments as_written = arguments;
  if (arguments.dataset && !arguments.measured)
    as_written.dataset = as_seen_from(file, *arguments.dataset);
  std::string data = data_text(arguments);
  if (!arguments.store) data = fmt::format("\n[data]\nat = {}\n", toml_string(place));
  const std::int64_t nodes = arguments.count_of_nodes(options);
  const std::string head = nodes > 1 ? fmt::format("nodes = {}\n", nodes) : "";
  const bool trains = !machine->gpus.empty();
  const auto on = [&](const std::string& system) {
    return head + fmt::format("system = {}\n", toml_string(system));
  };
  const auto decoder =
      decoder_of(arguments, trains, on(*arguments.system) + data, option, catalog, {}, options);
  const auto scenario = [&](const std::string& system, const MachineArguments& job) {
    return on(system) + (decoder ? *decoder : job_text(job, trains)) + data;
  };
  // as the command line says it, from where it was given
  const Scenario first = parse_scenario(scenario(*arguments.system, arguments), option, catalog);
  if (arguments.store) data = data_text(arguments, file) + client_text(first);
  return fmt::format(
             "# A gpufeed scenario: a machine, a job, and where its data lie.\nschema = 1\n") +
         (title.empty() ? "" : "title = " + toml_string(title) + "\n") +
         scenario(as_seen_from(file, *arguments.system), as_written);
}

}  // namespace gpufeed::cli
