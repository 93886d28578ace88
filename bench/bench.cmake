# webhook-load sends, webhook-sink answers; script/bench runs them.
add_library(webhook_load_parts STATIC
  bench/connection.cpp bench/corpus.cpp bench/event_source.cpp bench/histogram.cpp
  bench/load_run.cpp bench/report.cpp bench/response_reader.cpp bench/target.cpp)
target_link_libraries(webhook_load_parts PUBLIC webhook_signer)

add_executable(webhook-load bench/webhook_load.cpp)
target_link_libraries(webhook-load PRIVATE webhook_load_parts CLI11::CLI11)

add_executable(webhook-sink bench/answering_sink.cpp)
target_link_libraries(webhook-sink PRIVATE webhook_processor)
