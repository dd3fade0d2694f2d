# What makes a fault in our code, or in a library compiled in, end the program instead of being used:
# in every program of every preset, so that what is tested is what ships.
# tests/package/hardening_test.py reads it off the programs.
include(CheckPIESupported)
check_pie_supported()  # -pie where the compiler's own default is another

# Bounds and preconditions of the standard library's containers and strings.
add_compile_definitions($<$<COMPILE_LANGUAGE:CXX>:_GLIBCXX_ASSERTIONS>)

# Sanitizers see more than these do, and some of these hide it from them.
if(NOT CODEXMEM_SANITIZE)
  add_compile_options(
    -fstack-protector-strong   # a canary before each return address that an array could overwrite
    -fstack-clash-protection   # a stack cannot jump over its guard page
    $<$<STREQUAL:${CMAKE_SYSTEM_PROCESSOR},x86_64>:-fcf-protection=full>)  # CET: landing pads, shadow stack
  # Checked memcpy, read, printf and their like. Means nothing without optimisation (codexmem_test).
  add_compile_definitions(_FORTIFY_SOURCE=3)
endif()

# Tables of addresses are resolved at the start and read-only from then on; no stack is executable.
add_link_options(-Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
