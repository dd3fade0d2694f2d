# Tree-sitter's runtime and grammars, from the npm packages that grammars/package.json pins.
# scripts/install-sources fetches them; nothing is vendored.
set(GRAMMARS_DIR ${CMAKE_SOURCE_DIR}/grammars/node_modules CACHE PATH "Where `npm ci` put the grammars")
if(NOT EXISTS ${GRAMMARS_DIR}/tree-sitter/vendor/tree-sitter/lib/src/lib.c)
  message(FATAL_ERROR "No grammars under ${GRAMMARS_DIR}: run scripts/install-sources")
endif()

set(runtime ${GRAMMARS_DIR}/tree-sitter/vendor/tree-sitter/lib)
add_library(tree_sitter STATIC ${runtime}/src/lib.c)
target_include_directories(tree_sitter SYSTEM PUBLIC ${runtime}/include PRIVATE ${runtime}/src)
# endian.h and fdopen are hidden under a strict -std=c11.
target_compile_definitions(tree_sitter PRIVATE _DEFAULT_SOURCE _POSIX_C_SOURCE=200809L)
# -fexceptions: a parse that is over its budget is left by an exception (src/parse/arena.h).
target_compile_options(tree_sitter PRIVATE -w -O2 -fexceptions)

# The rows of src/parse/grammar_versions.h.
set(grammar_version_rows "")
function(codexmem_npm_version variable package)
  file(READ ${GRAMMARS_DIR}/${package}/package.json manifest)
  string(JSON version GET "${manifest}" version)
  set(${variable} ${version} PARENT_SCOPE)
endfunction()
codexmem_npm_version(tree_sitter_version tree-sitter)

# codexmem_grammar(NAME DIRECTORY): the static library grammar_NAME from DIRECTORY/src/{parser,scanner}.c
function(codexmem_grammar name directory)
  file(GLOB sources ${GRAMMARS_DIR}/${directory}/src/parser.c ${GRAMMARS_DIR}/${directory}/src/scanner.c)
  add_library(grammar_${name} STATIC ${sources})
  target_include_directories(grammar_${name} PRIVATE ${GRAMMARS_DIR}/${directory}/src)
  target_compile_options(grammar_${name} PRIVATE -w -O2 -fexceptions
    -include ${CMAKE_SOURCE_DIR}/cmake/grammar_memory.h)
  target_link_libraries(grammar_${name} PRIVATE tree_sitter)
  string(REGEX REPLACE "/.*" "" package ${directory})
  codexmem_npm_version(version ${package})
  set(grammar_version_rows "${grammar_version_rows}    {\"${name}\", \"${version}\"},\n" PARENT_SCOPE)
endfunction()

codexmem_grammar(javascript tree-sitter-javascript)
codexmem_grammar(typescript tree-sitter-typescript/typescript)
codexmem_grammar(tsx tree-sitter-typescript/tsx)
codexmem_grammar(python tree-sitter-python)
codexmem_grammar(go tree-sitter-go)
codexmem_grammar(java tree-sitter-java)
codexmem_grammar(rust tree-sitter-rust)
codexmem_grammar(c tree-sitter-c)
codexmem_grammar(cpp tree-sitter-cpp)
