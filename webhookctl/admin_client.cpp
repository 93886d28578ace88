#include "webhookctl/admin_client.h"

#include <arpa/inet.h>
#include <pwd.h>
#include <unistd.h>

#include <chrono>
#include <cstring>

#include "webhookctl/failure.h"
#include "webhookctl/unix_connection.h"

namespace webhook {
namespace {

constexpr std::chrono::seconds kTimeout(10);

// A payload with its headers is the largest thing there is to tell.
constexpr uint32_t kMaxAnswer = 128 * 1024 * 1024;

std::string login_name() {
  const passwd* user = getpwuid(getuid());
  return user == nullptr ? std::to_string(getuid()) : user->pw_name;
}

std::string frame(const std::string& message) {
  const uint32_t size = htonl(static_cast<uint32_t>(message.size()));
  std::string bytes(sizeof(size), '\0');
  std::memcpy(bytes.data(), &size, sizeof(size));
  return bytes + message;
}

std::string read_frame(UnixConnection* connection) {
  uint32_t size = 0;
  std::memcpy(&size, connection->read(sizeof(size)).data(), sizeof(size));
  size = ntohl(size);
  if (size > kMaxAnswer) throw Failure("the processor's answer is too large to be one");
  return connection->read(size);
}

}  // namespace

v1::AdminResponse ask_processor(const std::string& socket, v1::AdminRequest request) {
  request.set_operator_(login_name());
  UnixConnection connection(socket, kTimeout);
  connection.write(frame(request.SerializeAsString()));
  v1::AdminResponse response;
  if (!response.ParseFromString(read_frame(&connection))) {
    throw Failure("the processor's answer cannot be read; are both of the same version?");
  }
  if (!response.error().empty()) throw Failure(response.error());
  return response;
}

}  // namespace webhook
