#include "webhookctl/provider_catalog.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "ngx_webhook_module/verify/provider_file.h"
#include "webhookctl/failure.h"
#include "webhookctl/files.h"

namespace webhook {
namespace {

namespace fs = std::filesystem;

constexpr char kInstalledFolder[] = "/usr/share/webhook/providers";
constexpr size_t kMaxProviderFile = 1024 * 1024;

std::vector<std::string> provider_files(const std::string& folder) {
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  if (error) throw Misuse("cannot read provider folder " + folder + ": " + error.message());
  std::vector<std::string> files;
  for (const fs::directory_entry& entry : entries) {
    if (entry.path().extension() == ".conf") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::string default_provider_folder() {
  const char* chosen = std::getenv("WEBHOOK_PROVIDERS");
  if (chosen != nullptr && *chosen != '\0') return chosen;
  std::error_code ignored;
  return fs::is_directory(kInstalledFolder, ignored) ? kInstalledFolder : WEBHOOK_PROVIDERS_DIR;
}

ProviderCatalog::ProviderCatalog(const std::string& folder) : folder_(folder) {
  for (const std::string& file : provider_files(folder)) read(file);
}

void ProviderCatalog::read(const std::string& path) {
  std::vector<Provider> found;
  const auto keep = [](void* context, const Provider& provider) {
    static_cast<std::vector<Provider>*>(context)->push_back(provider);
  };
  ConfigError error;
  if (!read_provider_file(read_file(path, kMaxProviderFile), memory_.arena(), keep, &found,
                          &error)) {
    throw Misuse(path + ": " + error.text);
  }
  for (const Provider& provider : found) {
    if (lookup(provider.name) != nullptr) {
      throw Misuse(path + ": provider " + std::string(provider.name) +
                   " stands in this folder twice; remove or rename one");
    }
    providers_.push_back(provider);
  }
}

const Provider* ProviderCatalog::lookup(std::string_view name) const {
  for (const Provider& provider : providers_) {
    if (provider.name == name) return &provider;
  }
  return nullptr;
}

const Provider& ProviderCatalog::find(std::string_view name) const {
  const Provider* provider = lookup(name);
  if (provider != nullptr) return *provider;
  std::string names;
  for (const Provider& known : providers_) names += " " + std::string(known.name);
  throw Misuse("no provider " + std::string(name) + " in " + folder_ +
               (names.empty() ? "; it holds none" : "; it holds:" + names));
}

}  // namespace webhook
