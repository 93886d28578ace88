#include "processor/store/postgres/payload_partitions.h"

#include <chrono>

#include "processor/base/clock.h"
#include "processor/base/log.h"

namespace webhook::postgres {
namespace {

constexpr uint64_t kDeadlineNs = 2000 * kNsPerMs;

Deadline soon() {
  return monotonic_ns() + kDeadlineNs;
}

std::chrono::year_month_day date_of(int64_t unix_day) {
  return std::chrono::sys_days(std::chrono::days(unix_day));
}

std::string date_text(int64_t unix_day, const char* format) {
  const auto date = date_of(unix_day);
  return fmt::format(fmt::runtime(format), static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

// Behind a reader of hours, such as a backup, the lock would keep every
// acceptance waiting: so it waits for little. SET LOCAL ends with the
// transaction, and so does not leak through a pooler.
std::string creation_of(int64_t unix_day) {
  constexpr const char* kIso = "{:04}-{:02}-{:02}";
  return fmt::format(
      "BEGIN; SET LOCAL lock_timeout = '300ms'; "
      "CREATE TABLE IF NOT EXISTS payload_{} PARTITION OF payload "
      "FOR VALUES FROM ('{}') TO ('{}') WITH (toast_tuple_target = 8160); COMMIT",
      date_text(unix_day, "{:04}{:02}{:02}"), date_text(unix_day, kIso),
      date_text(unix_day + 1, kIso));
}

PgResult<void> create(Session& session, int64_t unix_day) {
  auto created = session.execute(creation_of(unix_day), soon());
  if (created) return created;
  (void)session.execute("ROLLBACK", soon());
  // The default partition has rows of that day, and keeps them; or another
  // processor makes the partition at this moment.
  const StoreError::Kind kind = created.error().error.kind;
  if (kind == StoreError::Kind::kPoison || kind == StoreError::Kind::kConflict) return {};
  return created;
}

}  // namespace

PgResult<void> make_payload_partitions(Session& session, int64_t now_ms, int64_t days_ahead) {
  std::vector<int64_t> days;
  const int64_t first = now_ms / kMsPerDay + kPayloadDays;
  for (int64_t day = first; day <= first + days_ahead; ++day) days.push_back(day);
  Params params;
  params.add_array<Date>(days, [](int64_t day) { return Date{day}; });
  const auto missing = session.run("missing_partitions", params, soon());
  if (!missing) return tl::make_unexpected(missing.error());
  for (int at = 0; at < missing->size(); ++at) {
    if (auto created = create(session, missing->unix_day(at, 0)); !created) return created;
  }
  return {};
}

}  // namespace webhook::postgres
