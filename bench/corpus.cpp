#include "bench/corpus.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "webhookctl/failure.h"
#include "webhookctl/files.h"

namespace webhook::bench {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_of(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return {path};
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(path, error)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::vector<Payload> read_corpus(const std::string& path) {
  std::vector<Payload> payloads;
  for (const fs::path& file : files_of(path)) {
    const std::string name = file.filename();
    payloads.push_back({name.substr(0, name.find('.')), read_file(file, kMaxBodyFile)});
  }
  if (payloads.empty()) throw Misuse("corpus " + path + " holds no file");
  return payloads;
}

}  // namespace webhook::bench
