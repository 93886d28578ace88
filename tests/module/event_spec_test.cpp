// What is encoded once at configuration time, as the processor reads it.
#include "ngx_webhook_module/event_spec.h"

#include <gtest/gtest.h>

#include <list>
#include <string>

#include "ngx_webhook_module/verify/provider_file.h"
#include "webhook.pb.h"

namespace webhook {
namespace {

struct Memory {
  std::list<std::string> blocks;

  Arena arena() {
    return {[](void* context, size_t bytes) -> void* {
              auto* memory = static_cast<Memory*>(context);
              return memory->blocks.emplace_back(bytes + 1, '\0').data();
            },
            this};
  }
};

v1::EventSpec encode(const std::string& fields) {
  const std::string text = R"(webhook_provider p { signature header:X-Sig; signed "{body}";
      algorithm hmac-sha256 hex; secret utf8; )" +
                           fields + "}";
  Memory memory;
  ConfigError error;
  v1::EventSpec spec;
  struct Visit {
    Memory* memory;
    v1::EventSpec* spec;
  } visit = {&memory, &spec};
  const bool read = read_provider_file(
      text, memory.arena(),
      [](void* context, const Provider& provider) {
        auto* to = static_cast<Visit*>(context);
        const std::string_view bytes = encode_event_spec(provider, to->memory->arena());
        EXPECT_TRUE(to->spec->ParseFromArray(bytes.data(), static_cast<int>(bytes.size())));
      },
      &visit, &error);
  EXPECT_TRUE(read) << error.text;
  return spec;
}

TEST(EventSpec, CarriesChoicesPartsAndFlags) {
  const v1::EventSpec spec = encode(
      "event_id json:/a json:/b/0; event_type dotted(header:X-Event,json:/action) required "
      "unsigned; redelivery 2h;");
  ASSERT_EQ(spec.event_id().choices_size(), 2);
  EXPECT_EQ(spec.event_id().choices(1).parts(0).kind(), v1::Source::KIND_JSON);
  EXPECT_EQ(spec.event_id().choices(1).parts(0).name(), "/b/0");
  EXPECT_FALSE(spec.event_id().outside_signature());
  ASSERT_EQ(spec.event_type().choices_size(), 1);
  EXPECT_EQ(spec.event_type().choices(0).join(), v1::JOIN_DOTTED);
  EXPECT_EQ(spec.event_type().choices(0).parts(0).kind(), v1::Source::KIND_HEADER);
  EXPECT_EQ(spec.event_type().choices(0).parts(0).name(), "X-Event");
  EXPECT_EQ(spec.event_type().choices(0).parts(1).name(), "/action");
  EXPECT_TRUE(spec.event_type().required());
  EXPECT_TRUE(spec.event_type().outside_signature());
  EXPECT_EQ(spec.redelivery_s(), 7200u);
}

TEST(EventSpec, AFieldThatTheProviderLacksIsAbsent) {
  const v1::EventSpec spec = encode("event_id concat(json:/a,json:/b);");
  EXPECT_EQ(spec.event_id().choices(0).join(), v1::JOIN_CONCAT);
  EXPECT_FALSE(spec.has_event_type());
  EXPECT_FALSE(spec.has_created_at());
}

TEST(EventSpec, CarriesUnits) {
  for (const auto& [word, unit] :
       {std::pair("s", v1::TIME_UNIT_SECONDS), std::pair("ms", v1::TIME_UNIT_MILLISECONDS),
        std::pair("rfc3339", v1::TIME_UNIT_RFC3339)}) {
    const v1::EventSpec spec =
        encode("event_id json:/id; created_at json:/t unit=" + std::string(word) + ";");
    EXPECT_EQ(spec.created_at().unit(), unit);
  }
}

}  // namespace
}  // namespace webhook
