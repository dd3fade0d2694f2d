# The outside libraries, one imported target each. All come from Debian's packages
# (scripts/install-deps names them), but for SQLite and the grammars, which have files of their own;
# each is linked by the one folder that adapts it.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(BLAS REQUIRED)
find_package(LAPACK REQUIRED)
pkg_check_modules(LIBGIT2 REQUIRED IMPORTED_TARGET libgit2)
pkg_check_modules(RE2 REQUIRED IMPORTED_TARGET re2)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(LIBDEFLATE REQUIRED IMPORTED_TARGET libdeflate)
pkg_check_modules(UTF8PROC REQUIRED IMPORTED_TARGET libutf8proc)
pkg_check_modules(CURL REQUIRED IMPORTED_TARGET libcurl)
pkg_check_modules(HTTPLIB REQUIRED IMPORTED_TARGET cpp-httplib)
# Headers alone.
find_path(TOMLPLUSPLUS_INCLUDE_DIR toml++/toml.h REQUIRED)
find_path(PROTOZERO_INCLUDE_DIR protozero/pbf_reader.hpp REQUIRED)
add_library(codexmem_protozero INTERFACE)
target_include_directories(codexmem_protozero SYSTEM INTERFACE ${PROTOZERO_INCLUDE_DIR})

# libstemmer and FAISS ship no pkg-config file.
find_library(STEMMER_LIBRARY stemmer REQUIRED)
find_path(STEMMER_INCLUDE_DIR libstemmer.h REQUIRED)
add_library(codexmem_stemmer INTERFACE)
target_link_libraries(codexmem_stemmer INTERFACE ${STEMMER_LIBRARY})
target_include_directories(codexmem_stemmer SYSTEM INTERFACE ${STEMMER_INCLUDE_DIR})

find_library(FAISS_LIBRARY faiss REQUIRED)
add_library(codexmem_faiss INTERFACE)
target_link_libraries(codexmem_faiss INTERFACE
  ${FAISS_LIBRARY} LAPACK::LAPACK BLAS::BLAS OpenMP::OpenMP_CXX)
