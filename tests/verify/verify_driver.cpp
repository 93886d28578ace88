// Judges what reference_property_test.py makes up. A JSON object a line on
// stdin, with everything that may hold any byte in hexadecimal:
//   {"provider": TEXT, "secrets": TEXT, "now_ms": N, "headers": [[NAME, HEX]...],
//    "body": HEX, "cuts": [OFFSET...]}
// and the name of the reason a line on stdout ("none": accepted), with the
// version of the secret behind it.
#include <iostream>
#include <nlohmann/json.hpp>

#include "tests/verify/support.h"

namespace webhook::test {
namespace {

std::string unhex(const std::string& text) {
  std::string bytes(text.size() / 2, '\0');
  size_t size = 0;
  if (!decode(Encoding::kHex, text, reinterpret_cast<uint8_t*>(bytes.data()), bytes.size(),
              &size)) {
    throw std::runtime_error("not hexadecimal: " + text);
  }
  return bytes;
}

std::string verdict(const nlohmann::json& test) {
  const Providers providers(test.at("provider").get<std::string>());
  if (!providers.good()) return "provider: " + providers.error();
  TestSecrets secrets(test.at("secrets").get<std::string>(), providers[0], 1);
  if (!secrets.good()) return "secrets: " + secrets.error();
  Delivery delivery;
  for (const auto& header : test.at("headers")) {
    delivery.headers.emplace_back(header.at(0), unhex(header.at(1)));
  }
  delivery.body = unhex(test.at("body"));
  delivery.now_ms = test.at("now_ms");
  delivery.cuts = test.at("cuts").get<std::vector<size_t>>();
  Match match;
  const Reason reason = judge(providers[0], delivery, secrets.set(), &match);
  std::string text = reason_name(reason);
  if (match.secret != nullptr) text += " " + std::string(match.secret->version);
  return text;
}

}  // namespace
}  // namespace webhook::test

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::cout << webhook::test::verdict(nlohmann::json::parse(line)) << "\n";
  }
}
