# codexmem-portable and codexmem-hook-portable, in portable/bin of the build: the same objects as codexmem and codexmem-hook, linked
# so that they run on any Linux with glibc 2.31 or later (docs/how-it-works.md, "Packages"). Only scripts/package builds
# them: they want static libraries of Debian's that nothing else does, and sources that it has fetched.
set(CODEXMEM_PORTABLE_SOURCES "" CACHE PATH "Where scripts/package put the sources of cpp-httplib and curl; empty: no portable programs")
if(NOT CODEXMEM_PORTABLE_SOURCES)
  return()
endif()
set(here ${CMAKE_CURRENT_LIST_DIR})

set(cc ${CMAKE_C_COMPILER})
if(CMAKE_SYSROOT)
  list(APPEND cc --sysroot=${CMAKE_SYSROOT})
endif()

# What is linked with in glibc's place.
set(glibc ${CMAKE_BINARY_DIR}/portable/glibc)
add_custom_command(OUTPUT ${glibc}/libc.so
  COMMAND ${here}/old_glibc.sh ${glibc} 2.31 ${CMAKE_OBJDUMP} ${cc}
  DEPENDS ${here}/old_glibc.sh VERBATIM)
add_custom_target(codexmem_old_glibc DEPENDS ${glibc}/libc.so)

# Libraries that Debian has no static form of.
set(httplib ${CMAKE_BINARY_DIR}/portable/httplib.cc)
add_custom_command(OUTPUT ${httplib}
  COMMAND ${here}/split_httplib.sh ${CODEXMEM_PORTABLE_SOURCES}/cpp-httplib/httplib.h ${CMAKE_SYSROOT}/usr/include/httplib.h ${httplib}
  DEPENDS ${here}/split_httplib.sh ${CODEXMEM_PORTABLE_SOURCES}/cpp-httplib/httplib.h VERBATIM)
add_library(codexmem_portable_parts STATIC EXCLUDE_FROM_ALL
  ${here}/glibc_2_31.c ${here}/never_called.c ${here}/fmt.cpp ${here}/spdlog.cpp ${here}/curl.cpp ${httplib})
target_compile_definitions(codexmem_portable_parts PRIVATE SPDLOG_COMPILED_LIB SPDLOG_FMT_EXTERNAL)
target_include_directories(codexmem_portable_parts PRIVATE ${CMAKE_SOURCE_DIR}/src)

set(curl ${CMAKE_BINARY_DIR}/portable/curl)
add_custom_command(OUTPUT ${curl}/lib/libcurl.a
  COMMAND ${here}/build_curl.sh ${CODEXMEM_PORTABLE_SOURCES}/curl ${curl} "${CMAKE_C_COMPILER_LAUNCHER}" "${CMAKE_TOOLCHAIN_FILE}"
  DEPENDS ${here}/build_curl.sh ${CODEXMEM_PORTABLE_SOURCES}/curl/CMakeLists.txt VERBATIM)
add_custom_target(codexmem_portable_curl DEPENDS ${curl}/lib/libcurl.a)
set_source_files_properties(${httplib} PROPERTIES COMPILE_OPTIONS
  "-w;${HTTPLIB_CFLAGS};-DCPPHTTPLIB_USE_POLL")

# codexmem_portable(OF LAYER): OF-portable, OF, which is the folder LAYER of src, linked once more with static libraries. What is not
# needed the linker leaves out. The standard library is among them, or its templates would be taken from whatever has a copy.
set(libraries
  git2 mbedtls mbedx509 mbedcrypto http_parser pcre2-8 ssl crypto brotlidec brotlienc brotlicommon
  faiss lapack blas gfortran gomp zstd deflate z re2 utf8proc stemmer stdc++)
list(TRANSFORM libraries PREPEND -l)
function(codexmem_portable of layer)
  set(target ${of}-portable)
  add_executable(${target} EXCLUDE_FROM_ALL $<TARGET_OBJECTS:${of}>)
  set_target_properties(${target} PROPERTIES
    LINKER_LANGUAGE CXX OUTPUT_NAME ${of} RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/portable/bin)
  set(ours codexmem_portable_parts sqlite tree_sitter)
  list(TRANSFORM codexmem_links_${layer} PREPEND codexmem_ OUTPUT_VARIABLE links)
  list(APPEND ours codexmem_${layer} ${links})
  foreach(language ${codexmem_languages})
    list(APPEND ours grammar_${codexmem_parser_${language}})
  endforeach()
  list(REMOVE_DUPLICATES ours)
  set(files "")
  foreach(library ${ours})
    list(APPEND files $<TARGET_FILE:${library}>)
  endforeach()
  add_dependencies(${target} ${ours} codexmem_old_glibc codexmem_portable_curl)
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${files} ${glibc}/libc.so)
  target_link_options(${target} PRIVATE -pthread -static-libstdc++ -static-libgcc -L${glibc} -Wl,--wrap=__libc_start_main
    -Wl,--gc-sections)
  target_link_libraries(${target} PRIVATE
    -Wl,--start-group ${files} ${curl}/lib/libcurl.a -Wl,-Bstatic ${libraries} -Wl,-Bdynamic -Wl,--end-group
    # What is in libc.so.6 since 2.34 is in these before.
    -Wl,--no-as-needed -lpthread -ldl)
endfunction()

codexmem_portable(codexmem-hook hook)
codexmem_portable(codexmem app)
# Nothing else asks for it by a strong name.
target_link_options(codexmem-portable PRIVATE -Wl,-u,_ZN8codexmem3net11linked_curlEv)
