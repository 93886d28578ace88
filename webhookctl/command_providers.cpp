// webhookctl providers: what the provider files say.
#include <memory>
#include <string>

#include "webhookctl/commands.h"
#include "webhookctl/output.h"
#include "webhookctl/provider_catalog.h"
#include "webhookctl/provider_text.h"
#include "webhookctl/table.h"

namespace webhook {
namespace {

struct ProvidersOptions {
  std::string name;  // empty: all
  std::string providers = default_provider_folder();
};

Json provider_json(const Provider& provider) {
  Json result = {{"name", provider.name}};
  for (const auto& [directive, words] : describe_provider(provider)) result[directive] = words;
  return result;
}

void print_one(const Provider& provider, bool json) {
  if (json) {
    print_json(provider_json(provider));
  } else {
    print_rows(describe_provider(provider));
  }
}

void print_all(const ProviderCatalog& catalog, bool json) {
  Json list = Json::array();
  Table table({"NAME", "ALGORITHM", "WINDOW", "EVENT ID", "EVENT TYPE"});
  for (const Provider& provider : catalog.all()) {
    list.push_back(provider_json(provider));
    table.add({std::string(provider.name), describe_algorithm(provider), describe_window(provider),
               describe_field(provider.event_id), describe_field(provider.event_type)});
  }
  if (json) {
    print_json(list);
  } else {
    table.print();
  }
}

void run(const ProvidersOptions& options, bool json) {
  const ProviderCatalog catalog(options.providers);
  if (options.name.empty()) {
    print_all(catalog, json);
  } else {
    print_one(catalog.find(options.name), json);
  }
}

}  // namespace

void add_providers_command(CLI::App* app, Context* context) {
  auto options = std::make_shared<ProvidersOptions>();
  CLI::App* command = app->add_subcommand("providers", "Show the provider files, or one of them");
  command->add_option("name", options->name, "Name of a provider");
  command->add_option("--providers", options->providers, "Folder of provider files")
      ->capture_default_str();
  command->callback([options, context] { run(*options, context->json); });
}

}  // namespace webhook
