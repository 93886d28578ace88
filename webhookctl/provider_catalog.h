// The provider files of a folder.
#ifndef WEBHOOK_WEBHOOKCTL_PROVIDER_CATALOG_H_
#define WEBHOOK_WEBHOOKCTL_PROVIDER_CATALOG_H_

#include <string>
#include <string_view>
#include <vector>

#include "ngx_webhook_module/verify/provider.h"
#include "webhookctl/heap_arena.h"

namespace webhook {

// $WEBHOOK_PROVIDERS, else the installed folder, else that of the source tree.
std::string default_provider_folder();

// Owns what its providers point at.
class ProviderCatalog {
 public:
  // Reads every *.conf of `folder`, as NGINX would include them. Throws Misuse
  // that names the file and line.
  explicit ProviderCatalog(const std::string& folder);
  ProviderCatalog(const ProviderCatalog&) = delete;
  ProviderCatalog& operator=(const ProviderCatalog&) = delete;

  // Throws Misuse that lists the names there are.
  const Provider& find(std::string_view name) const;

  // By file name, then in the order of the file.
  const std::vector<Provider>& all() const { return providers_; }

 private:
  void read(const std::string& path);
  const Provider* lookup(std::string_view name) const;

  std::string folder_;
  HeapArena memory_;
  std::vector<Provider> providers_;
};

}  // namespace webhook

#endif  // WEBHOOK_WEBHOOKCTL_PROVIDER_CATALOG_H_
