# One interface target carries the warnings and sanitizers; one function per kind of target.

add_library(codexmem_options INTERFACE)
target_compile_options(codexmem_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast
  # gcc 12 takes a moved-from std::variant's inactive member for an uninitialised one, and at -O3
  # std::string::insert of a literal for an overlapping copy.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
# gcc collects garbage from 128 MB on, which takes a fifth of the time of a large source; a job keeps up to 2 GB.
add_compile_options("$<$<COMPILE_LANG_AND_ID:CXX,GNU>:SHELL:--param ggc-min-expand=100 --param ggc-min-heapsize=1000000>")
if(CODEXMEM_UNITY)
  # What is private to a source is in a header's place here, and shadows names of its neighbours; and
  # gcc 12 takes a reserved string for one of no size.
  target_compile_options(codexmem_options INTERFACE -Wno-shadow
    $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage> $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>)
endif()
if(CODEXMEM_WERROR)
  target_compile_options(codexmem_options INTERFACE -Werror)
endif()
if(CODEXMEM_SANITIZE)
  # Programs for a fixed address: where they may lie anywhere, a quarter of their hundreds of megabytes is relocations.
  set(CMAKE_POSITION_INDEPENDENT_CODE OFF)
  add_compile_options(-fsanitize=${CODEXMEM_SANITIZE} -fno-omit-frame-pointer -fno-pie)
  add_link_options(-fsanitize=${CODEXMEM_SANITIZE} -no-pie)
endif()

# Without CODEXMEM_PCH each source must name all that it includes, as the other presets see to.
function(codexmem_precompile target)
  if(CODEXMEM_PCH)
    # Not for the C that holds embedded files.
    list(APPEND ARGN algorithm chrono filesystem functional map mutex optional string unordered_map vector fmt/core.h)
    foreach(header ${ARGN})
      target_precompile_headers(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:<${header}$<ANGLE-R>>")
    endforeach()
    target_precompile_headers(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${CMAKE_SOURCE_DIR}/src/text/json.h>")
  endif()
endfunction()

# codexmem_unity(TARGET): compiles TARGET's sources several at a time, in the order of their paths, so that the
# headers they share are read once. Names in anonymous namespaces differ among neighbours; a clash fails the build.
function(codexmem_unity target)
  if(CODEXMEM_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${CODEXMEM_UNITY})
  endif()
endfunction()

# docs/layers.txt as variables: codexmem_layers, the folders of src from the bottom up, and
# codexmem_links_NAME, the folders that NAME may include.
file(STRINGS ${CMAKE_SOURCE_DIR}/docs/layers.txt layer_lines REGEX "^[a-z]+:")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/docs/layers.txt)
foreach(line ${layer_lines})
  string(REGEX MATCHALL "[a-z]+" words "${line}")
  list(POP_FRONT words name)
  list(APPEND codexmem_layers ${name})
  set(codexmem_links_${name} ${words})
endforeach()

# codexmem_layer(NAME [COLD] [OUTSIDE target ...])
#
# The folder src/NAME as the static library codexmem_NAME: every .cpp in it except main.cpp, linked with
# what docs/layers.txt grants it. OUTSIDE names the outside libraries that it adapts.
#
# A release compiles with -O2. COLD: the folder walks lists, looks up names or writes answers; -O1 takes half the
# time there, and no question or index run is slower by more than chance (bench/performance.md, "Building").
function(codexmem_layer name)
  cmake_parse_arguments(ARG "COLD" "" "OUTSIDE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  add_library(codexmem_${name} STATIC ${sources})
  target_include_directories(codexmem_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
  list(TRANSFORM codexmem_links_${name} PREPEND codexmem_ OUTPUT_VARIABLE links)
  target_link_libraries(codexmem_${name}
    PUBLIC ${links} Threads::Threads
    PRIVATE codexmem_options ${ARG_OUTSIDE})
  if(ARG_COLD)
    target_compile_options(codexmem_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  codexmem_precompile(codexmem_${name})
  codexmem_unity(codexmem_${name})
endfunction()

# How many times longer a test may take under sanitizers or QEMU. CODEXMEM_SLOWNESS is that for the sources of
# a test that looks at a clock, by codexmem_clock(NAME).
set(CODEXMEM_SLOWNESS 1)
if(CODEXMEM_SANITIZE)
  set(CODEXMEM_SLOWNESS 4)
elseif(CMAKE_CROSSCOMPILING)
  set(CODEXMEM_SLOWNESS 10)
endif()

function(codexmem_clock name)
  target_compile_definitions(${name} PRIVATE CODEXMEM_SLOWNESS=${CODEXMEM_SLOWNESS})
endfunction()

# codexmem_test(NAME [SOURCES a_test.cpp ...] LINKS layer ... [OUTSIDE target ...] [LABEL unit])
#
# A GoogleTest binary, one ctest entry with the labels LABEL and program, of SOURCES or of every .cpp beside it. It links only the layer it tests.
function(codexmem_test name)
  cmake_parse_arguments(ARG "" "LABEL" "SOURCES;LINKS;OUTSIDE" ${ARGN})
  if(NOT ARG_LABEL)
    set(ARG_LABEL unit)
  endif()
  if(NOT ARG_SOURCES)
    file(GLOB ARG_SOURCES CONFIGURE_DEPENDS *.cpp)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  list(TRANSFORM ARG_LINKS PREPEND codexmem_)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE ${ARG_LINKS} ${ARG_OUTSIDE} codexmem_options
    GTest::gtest GTest::gmock GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE CODEXMEM_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  # What is tested is optimised, the tests need not be: they take most of a build's time.
  target_compile_options(${name} PRIVATE -O0 -U_FORTIFY_SOURCE)
  codexmem_precompile(${name} gmock/gmock.h gtest/gtest.h)
  codexmem_unity(${name})
  add_test(NAME ${name} COMMAND ${name})
  math(EXPR timeout "300 * ${CODEXMEM_SLOWNESS}")
  set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABEL};program" TIMEOUT ${timeout})
endfunction()

# codexmem_embed_file(TARGET SYMBOL PATH)
#
# Compiles the file at the absolute PATH into TARGET as read-only bytes, aligned to 16:
# extern "C" const char SYMBOL[], SYMBOL_end[]. TARGET is rebuilt when the file changes.
function(codexmem_embed_file target symbol path)
  set(asm ${CMAKE_CURRENT_BINARY_DIR}/${symbol}.S)
  file(WRITE ${asm}.new
"    .section .rodata
    .balign 16
    .global ${symbol}
    .global ${symbol}_end
${symbol}:
    .incbin \"${path}\"
${symbol}_end:
    .byte 0
    .section .note.GNU-stack,\"\",@progbits
")
  file(COPY_FILE ${asm}.new ${asm} ONLY_IF_DIFFERENT)
  set_source_files_properties(${asm} PROPERTIES LANGUAGE C OBJECT_DEPENDS ${path})
  set_source_files_properties(${asm} PROPERTIES COMPILE_OPTIONS "-xassembler-with-cpp")
  target_sources(${target} PRIVATE ${asm})
endfunction()
