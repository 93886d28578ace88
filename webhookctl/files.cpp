#include "webhookctl/files.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "webhookctl/failure.h"

namespace webhook {
namespace {

[[noreturn]] void cannot_read(const std::string& path) {
  throw Misuse("cannot read " + path + ": " + std::strerror(errno));
}

std::string read_all(std::FILE* file, const std::string& path, size_t max_bytes) {
  std::string content;
  char buffer[16 * 1024];
  while (const size_t size = std::fread(buffer, 1, sizeof(buffer), file)) {
    content.append(buffer, size);
    if (content.size() > max_bytes) {
      throw Misuse(path + " is larger than " + std::to_string(max_bytes) + " bytes");
    }
  }
  if (std::ferror(file) != 0) cannot_read(path);
  return content;
}

}  // namespace

std::string read_file(const std::string& path, size_t max_bytes) {
  if (path == "-") return read_all(stdin, "standard input", max_bytes);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             std::fclose);
  if (file == nullptr) cannot_read(path);
  return read_all(file.get(), path, max_bytes);
}

}  // namespace webhook
