# weir_proto(NAME): proto/NAME.proto as the library weir_NAME_proto, messages and services. Its
# headers are <NAME.pb.h> and <NAME.grpc.pb.h>. Generated code is not ours to be warned about, and
# needs no fast loops: with -O1 it compiles in two thirds of the time.
function(weir_proto name)
  set(folder "${CMAKE_BINARY_DIR}/proto")
  set(files "${folder}/${name}.pb.cc" "${folder}/${name}.pb.h" "${folder}/${name}.grpc.pb.cc"
            "${folder}/${name}.grpc.pb.h")
  add_custom_command(
    OUTPUT ${files}
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${folder}"
    COMMAND protobuf::protoc "--proto_path=${CMAKE_SOURCE_DIR}/proto" "--cpp_out=${folder}"
            "--grpc_out=${folder}" "--plugin=protoc-gen-grpc=$<TARGET_FILE:gRPC::grpc_cpp_plugin>"
            "${name}.proto"
    DEPENDS "${CMAKE_SOURCE_DIR}/proto/${name}.proto"
    VERBATIM)
  add_library(weir_${name}_proto STATIC ${files})
  target_include_directories(weir_${name}_proto SYSTEM PUBLIC "${folder}")
  target_link_libraries(weir_${name}_proto PUBLIC gRPC::grpc++ protobuf::libprotobuf)
  target_compile_options(weir_${name}_proto PRIVATE -w -O1 -g0)
endfunction()
