# webhook_proto: the C++ classes of proto/*.proto, for everything but the NGINX
# module (which uses the nanopb files committed beside the .proto).
set(proto_out ${CMAKE_BINARY_DIR}/proto)
file(MAKE_DIRECTORY ${proto_out})
set(proto_generated "")
foreach(name webhook admin)
  add_custom_command(
    OUTPUT ${proto_out}/${name}.pb.cc ${proto_out}/${name}.pb.h
    COMMAND protobuf::protoc --proto_path=${CMAKE_SOURCE_DIR}/proto
            --cpp_out=${proto_out} ${name}.proto
    DEPENDS ${CMAKE_SOURCE_DIR}/proto/webhook.proto ${CMAKE_SOURCE_DIR}/proto/${name}.proto
    VERBATIM)
  list(APPEND proto_generated ${proto_out}/${name}.pb.cc)
endforeach()
add_library(webhook_proto STATIC ${proto_generated})
target_include_directories(webhook_proto SYSTEM PUBLIC ${proto_out})
target_compile_options(webhook_proto PRIVATE -w)
target_link_libraries(webhook_proto PUBLIC protobuf::libprotobuf-lite Threads::Threads)
