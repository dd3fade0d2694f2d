# Tree-sitter's runtime and grammars, from the npm packages that grammars/package.json pins.
# scripts/install-sources fetches them; nothing is vendored.
set(GRAMMARS_DIR ${CMAKE_SOURCE_DIR}/grammars/node_modules CACHE PATH "Where `npm ci` put the grammars")
if(NOT EXISTS ${GRAMMARS_DIR}/tree-sitter/vendor/tree-sitter/lib/src/lib.c)
  message(FATAL_ERROR "No grammars under ${GRAMMARS_DIR}: run scripts/install-sources")
endif()

set(runtime ${GRAMMARS_DIR}/tree-sitter/vendor/tree-sitter/lib)
add_library(tree_sitter STATIC ${runtime}/src/lib.c)
# parse/walk/syntax.cpp reads trees as the runtime lays them out: <tree-sitter/lib/src/...>.
target_include_directories(tree_sitter SYSTEM PUBLIC ${runtime}/include ${GRAMMARS_DIR}/tree-sitter/vendor PRIVATE ${runtime}/src)
# endian.h and fdopen are hidden under a strict -std=c11.
target_compile_definitions(tree_sitter PRIVATE _DEFAULT_SOURCE _POSIX_C_SOURCE=200809L)
# -fexceptions: a parse that is over its budget is left by an exception (src/parse/walk/arena.h).
target_compile_options(tree_sitter PRIVATE -w -O2 -fexceptions)

find_program(TCC tcc REQUIRED)
set(packing_zstd ${ZSTD_LINK_LIBRARIES})
if(CMAKE_CROSSCOMPILING)  # packing runs here all the same
  set(packing_zstd /usr/lib/${CMAKE_HOST_SYSTEM_PROCESSOR}-linux-gnu/libzstd.so)
endif()

# codexmem_npm_version(OUT PACKAGE): the version of an installed package.
function(codexmem_npm_version out package)
  file(READ ${GRAMMARS_DIR}/${package}/package.json manifest)
  string(JSON version GET "${manifest}" version)
  set(${out} ${version} PARENT_SCOPE)
endfunction()

# codexmem_grammar(NAME DIRECTORY): the static library grammar_NAME from DIRECTORY/src/{parser,scanner}.c, whose
# tables are packed in the program and inflated at the first use (cmake/grammars); sets grammar_version_NAME, its
# package's version. Its function is codexmem_NAME_grammar(). DIRECTORY is own/FOLDER where grammars/FOLDER has a
# grammar.js and the parser.c that was made of it.
function(codexmem_grammar name directory)
  if(directory MATCHES "^own/(.*)")
    set(source ${CMAKE_SOURCE_DIR}/grammars/${CMAKE_MATCH_1})
    set(function tree_sitter_${CMAKE_MATCH_1})
    set(header ${GRAMMARS_DIR}/tree-sitter-c/src)  # tree_sitter/parser.h is the same in all
    set(version ${PROJECT_VERSION})
  else()
    set(source ${GRAMMARS_DIR}/${directory}/src)
    if(NOT EXISTS ${source}/parser.c)
      message(FATAL_ERROR "No grammar of ${name} under ${source}: run scripts/install-sources")
    endif()
    file(READ ${source}/grammar.json head LIMIT 400)
    string(REGEX MATCH "\"name\": *\"([a-z0-9_]+)\"" function "${head}")
    set(function tree_sitter_${CMAKE_MATCH_1})
    set(header ${source})
    string(REGEX MATCH "^(@[^/]+/)?[^/]+" package ${directory})
    codexmem_npm_version(version ${package})
  endif()

  file(GLOB scanner ${source}/scanner.c)
  # tcc compiles a parser of 200,000 lines in a tenth of gcc's time; its program runs once, within it.
  set(made ${CMAKE_BINARY_DIR}/grammars/${name})
  set(packer ${CMAKE_SOURCE_DIR}/cmake/grammars/pack_tables.c)
  file(MAKE_DIRECTORY ${made})
  add_custom_command(OUTPUT ${made}/parser.c ${made}/parse.zst ${made}/small.zst
    COMMAND ${TCC} -w "-DCODEXMEM_PARSER=\"${source}/parser.c\"" -DCODEXMEM_FUNCTION=${function} -I${header} ${packing_zstd}
      -run ${packer} ${source}/parser.c ${made}
    DEPENDS ${packer} ${source}/parser.c
    VERBATIM)

  set(language ${CMAKE_BINARY_DIR}/grammars/${name}_grammar.c)
  file(CONFIGURE OUTPUT ${language} CONTENT "#include \"${CMAKE_SOURCE_DIR}/cmake/grammars/grammar_tables.c\"\n")
  set_source_files_properties(${language} PROPERTIES OBJECT_DEPENDS ${made}/parser.c COMPILE_DEFINITIONS
    "CODEXMEM_PARSER=\"${made}/parser.c\";CODEXMEM_LANGUAGE=${name};CODEXMEM_FUNCTION=${function}")
  add_library(grammar_${name} STATIC ${language} ${scanner})
  target_include_directories(grammar_${name} PRIVATE ${header})
  target_compile_options(grammar_${name} PRIVATE -w -O2 -fexceptions
    -include ${CMAKE_SOURCE_DIR}/cmake/grammar_memory.h)
  codexmem_embed_file(grammar_${name} codexmem_${name}_parse ${made}/parse.zst)
  codexmem_embed_file(grammar_${name} codexmem_${name}_small ${made}/small.zst)
  target_link_libraries(grammar_${name} PRIVATE tree_sitter PkgConfig::ZSTD)
  set(grammar_version_${name} ${version} PARENT_SCOPE)
endfunction()

include(codexmem_languages)
# Languages may share a grammar (TypeScript and Vue): codexmem_parser_NAME is the one that it is called by.
foreach(language ${codexmem_languages})
  string(MAKE_C_IDENTIFIER ${codexmem_grammar_${language}} key)
  if(NOT DEFINED codexmem_first_${key})
    set(codexmem_first_${key} ${language})
    codexmem_grammar(${language} ${codexmem_grammar_${language}})
  endif()
  set(codexmem_parser_${language} ${codexmem_first_${key}})
endforeach()
