#include "processor/base/fault.h"

#ifdef WEBHOOK_FAULT_POINTS

#include <atomic>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace webhook {
namespace {

enum class Action { kNone, kKill, kStop, kError };

constexpr std::string_view kNames[] = {
#define X(point) #point,
    WEBHOOK_FAULT_POINT_LIST(X)
#undef X
};

struct Armed {
  FaultPoint point{};
  Action action = Action::kNone;
  int after = 0;
};

std::string_view next_word(std::string_view& text) {
  const size_t colon = text.find(':');
  const std::string_view word = text.substr(0, colon);
  text.remove_prefix(colon == text.npos ? text.size() : colon + 1);
  return word;
}

[[noreturn]] void misuse(std::string_view setting) {
  std::fprintf(stderr, "WEBHOOK_FAULT=%.*s is not POINT:kill|stop|error[:after=N]\n",
               static_cast<int>(setting.size()), setting.data());
  std::exit(2);
}

bool find_point(std::string_view name, FaultPoint& point) {
  for (size_t i = 0; i < std::size(kNames); ++i) {
    if (kNames[i] != name) continue;
    point = static_cast<FaultPoint>(i);
    return true;
  }
  return false;
}

Action parse_action(std::string_view word) {
  if (word == "kill") return Action::kKill;
  if (word == "stop") return Action::kStop;
  if (word == "error") return Action::kError;
  return Action::kNone;
}

// A misspelt point would make a crash test pass without a crash.
Armed parse_environment() {
  const char* setting = std::getenv("WEBHOOK_FAULT");
  Armed armed;
  if (setting == nullptr) return armed;
  std::string_view rest = setting;
  const bool known = find_point(next_word(rest), armed.point);
  armed.action = parse_action(next_word(rest));
  if (!known || armed.action == Action::kNone) misuse(setting);
  if (rest.empty()) return armed;
  constexpr std::string_view kAfter = "after=";
  if (!rest.starts_with(kAfter)) misuse(setting);
  rest.remove_prefix(kAfter.size());
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), armed.after);
  if (error != std::errc() || end != rest.data() + rest.size()) misuse(setting);
  return armed;
}

}  // namespace

bool fault(FaultPoint point) {
  static const Armed armed = parse_environment();
  static std::atomic<int> hits = 0;
  if (armed.action == Action::kNone || armed.point != point) return false;
  if (hits.fetch_add(1) != armed.after) return false;
  if (armed.action == Action::kKill) raise(SIGKILL);
  if (armed.action == Action::kStop) raise(SIGSTOP);
  return armed.action == Action::kError;
}

}  // namespace webhook

#endif  // WEBHOOK_FAULT_POINTS
