# cmake --install BUILD [--strip] [--prefix DIR], and the Debian package (scripts/package).
#
# Grammars, queries, the embedding model and the viewer are inside of the binary, so two programs are
# the whole of it. Manual page and completions are printed by the program that is installed.
include(GNUInstallDirs)

install(TARGETS codexmem codexmem-hook RUNTIME)

set(pages ${CMAKE_BINARY_DIR}/pages)
# codexmem_page(DESTINATION FILE ARGUMENT ...): what `codexmem ARGUMENT ...` prints, as DESTINATION/FILE;
# through gzip where FILE ends so.
function(codexmem_page destination file)
  list(JOIN ARGN "\" \"" arguments)
  set(gzip "")
  if(file MATCHES "\\.gz$")
    set(gzip "COMMAND gzip -9n")
  endif()
  install(CODE "
    file(MAKE_DIRECTORY \"${pages}\")
    execute_process(COMMAND ${CMAKE_CROSSCOMPILING_EMULATOR} \"$<TARGET_FILE:codexmem>\" \"${arguments}\" ${gzip}
                    OUTPUT_FILE \"${pages}/${file}\" COMMAND_ERROR_IS_FATAL ANY)")
  install(FILES ${pages}/${file} DESTINATION ${destination})
endfunction()
codexmem_page(${CMAKE_INSTALL_MANDIR}/man1 codexmem.1.gz debug man codexmem)
codexmem_page(${CMAKE_INSTALL_MANDIR}/man1 codexmem-hook.1.gz debug man codexmem-hook)
codexmem_page(${CMAKE_INSTALL_DATADIR}/bash-completion/completions codexmem completion bash)
codexmem_page(${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions _codexmem completion zsh)
codexmem_page(${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d codexmem.fish completion fish)

install(FILES ${CMAKE_SOURCE_DIR}/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
file(GLOB bench_pages CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/bench/*.md)
install(FILES ${bench_pages} DESTINATION ${CMAKE_INSTALL_DOCDIR}/bench)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR}
  PATTERN layers.txt EXCLUDE PATTERN *.schema.json EXCLUDE)
# The schemas of codexmem.json and settings.json, for editors.
install(DIRECTORY ${CMAKE_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DATADIR}/codexmem
  FILES_MATCHING PATTERN *.schema.json)

# What is compiled in of others, under their terms.
set(copyright ${CMAKE_BINARY_DIR}/copyright)
file(READ ${CMAKE_CURRENT_LIST_DIR}/copyright text)
file(GLOB licences ${GRAMMARS_DIR}/tree-sitter*/LICENSE ${GRAMMARS_DIR}/@*/tree-sitter*/LICENSE*)
foreach(library d3-hierarchy @dagrejs/dagre highlight.js)
  list(APPEND licences ${CMAKE_SOURCE_DIR}/src/serve/viewer/node_modules/${library}/LICENSE)
endforeach()
foreach(package libfaiss-dev nlohmann-json3-dev libcli11-dev libcpp-httplib-dev libtomlplusplus-dev libprotozero-dev)
  set(licence /usr/share/doc/${package}/copyright)
  if(EXISTS ${licence})
    list(APPEND licences ${licence})
  else()
    # It can be built without, not given away.
    install(CODE "message(FATAL_ERROR \"${licence} is missing, and its terms belong into the package\")")
  endif()
endforeach()
foreach(licence ${licences})
  file(READ ${licence} terms)
  get_filename_component(name ${licence} DIRECTORY)
  get_filename_component(name ${name} NAME)
  string(APPEND text "\n\n---- ${name} ----\n\n${terms}")
endforeach()
file(CONFIGURE OUTPUT ${copyright} CONTENT "${text}" @ONLY)
install(FILES ${copyright} DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME codexmem)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "codexmem maintainers <maintainers@codexmem.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "code index and memory for coding agents, over MCP")
set(CPACK_PACKAGE_DESCRIPTION
"codexmem reads a repository once, keeps what it learned on this machine and
answers in milliseconds: definitions, references, dependencies, code for a
plain question, the context of a change. Sessions of coding tools leave
observations behind that later sessions find. Over MCP for editors and
agents, from the shell for people. No service, no key, no model to fetch.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# What is linked is found by dpkg-shlibdeps; libcurl is loaded when it is first asked for
# (src/net/curl_library.cpp), which no tool can see. Requests to https endpoints want certificates,
# the git hook and `codexmem init` want git.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libcurl4 (>= 7.68) | libcurl3-gnutls (>= 7.68)")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "ca-certificates")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/package)
include(CPack)
