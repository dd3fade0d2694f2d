#include "parse/languages.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>

#include "base/text.h"

namespace codexmem::parse {
namespace {

// One array a language: a span in the table needs something that lives for ever.
constexpr std::string_view kTypescriptExtensions[] = {".ts", ".mts", ".cts"};
constexpr std::string_view kTypescriptInterpreters[] = {"deno", "ts-node", "tsx", "bun"};
constexpr std::string_view kTsxExtensions[] = {".tsx"};
constexpr std::string_view kJavascriptExtensions[] = {".js", ".mjs", ".cjs", ".jsx", ".es6"};
constexpr std::string_view kJavascriptFiles[] = {"jakefile"};
constexpr std::string_view kJavascriptInterpreters[] = {"node", "nodejs", "zx"};
constexpr std::string_view kPythonExtensions[] = {".py", ".pyi", ".pyw"};
constexpr std::string_view kPythonFiles[] = {"sconstruct", "sconscript", "wscript"};
constexpr std::string_view kPythonInterpreters[] = {"python", "pypy", "uv"};
constexpr std::string_view kMarkdownExtensions[] = {".md", ".markdown", ".mdx", ".mkd"};
constexpr std::string_view kRstExtensions[] = {".rst"};
constexpr std::string_view kTextExtensions[] = {".txt",      ".text", ".adoc",
                                                ".asciidoc", ".org",  ".tex"};
constexpr std::string_view kTextFiles[] = {"readme",       "license",     "licence",      "copying",
                                           "notice",       "authors",     "contributors", "todo",
                                           "contributing", "changes",     "changelog",    "news",
                                           "history",      "maintainers", "install"};
constexpr std::string_view kJsonExtensions[] = {".json", ".jsonc", ".json5", ".webmanifest",
                                                ".geojson"};
constexpr std::string_view kJsonFiles[] = {".babelrc",      ".eslintrc",    ".prettierrc", ".swcrc",
                                           "composer.lock", "pipfile.lock", "flake.lock"};
constexpr std::string_view kYamlExtensions[] = {".yaml", ".yml"};
constexpr std::string_view kYamlFiles[] = {".clang-format", ".clang-tidy",  ".clangd",
                                           "yarn.lock",     "podfile.lock", "pubspec.lock"};
constexpr std::string_view kTomlExtensions[] = {".toml"};
constexpr std::string_view kTomlFiles[] = {"pipfile", "cargo.lock", "poetry.lock",
                                           "uv.lock", "pdm.lock",   "gopkg.lock"};
constexpr std::string_view kIniExtensions[] = {".ini", ".cfg",     ".conf",        ".properties",
                                               ".env", ".desktop", ".editorconfig"};
constexpr std::string_view kIniFiles[] = {".editorconfig", ".npmrc",      ".gitconfig",
                                          ".pylintrc",     ".flake8",     ".coveragerc",
                                          ".gitmodules",   ".env.example"};
constexpr std::string_view kXmlExtensions[] = {
    ".xml", ".xsd", ".xsl", ".xslt", ".plist", ".csproj", ".vcxproj", ".props", ".targets", ".pom"};
constexpr std::string_view kHtmlExtensions[] = {".html", ".htm", ".xhtml", ".jinja",    ".jinja2",
                                                ".j2",   ".hbs", ".ejs",   ".mustache", ".pug"};
constexpr std::string_view kCssExtensions[] = {".css", ".scss", ".sass", ".less", ".styl"};
constexpr std::string_view kVueExtensions[] = {".vue"};
constexpr std::string_view kSvelteExtensions[] = {".svelte"};
constexpr std::string_view kAstroExtensions[] = {".astro"};
constexpr std::string_view kShellExtensions[] = {".sh", ".bash", ".zsh", ".fish", ".ksh", ".bats"};
constexpr std::string_view kShellFiles[] = {".bashrc", ".bash_profile", ".profile",
                                            ".zshrc",  ".envrc",        "pkgbuild"};
constexpr std::string_view kShellInterpreters[] = {"sh",  "bash", "zsh", "fish",
                                                   "ksh", "dash", "bats"};
constexpr std::string_view kPowershellExtensions[] = {".ps1", ".psm1", ".psd1"};
constexpr std::string_view kPowershellInterpreters[] = {"pwsh"};
constexpr std::string_view kBatchExtensions[] = {".bat", ".cmd"};
constexpr std::string_view kSqlExtensions[] = {".sql", ".psql", ".ddl"};
constexpr std::string_view kGraphqlExtensions[] = {".graphql", ".gql", ".graphqls"};
constexpr std::string_view kProtobufExtensions[] = {".proto"};
constexpr std::string_view kThriftExtensions[] = {".thrift"};
constexpr std::string_view kPrismaExtensions[] = {".prisma"};
constexpr std::string_view kGoExtensions[] = {".go"};
constexpr std::string_view kGoModExtensions[] = {".mod"};
constexpr std::string_view kGoModFiles[] = {"go.mod", "go.work"};
constexpr std::string_view kJavaExtensions[] = {".java"};
constexpr std::string_view kKotlinExtensions[] = {".kt", ".kts"};
constexpr std::string_view kScalaExtensions[] = {".scala", ".sc", ".sbt"};
constexpr std::string_view kGroovyExtensions[] = {".groovy", ".gradle"};
constexpr std::string_view kGroovyFiles[] = {"jenkinsfile"};
constexpr std::string_view kRustExtensions[] = {".rs"};
constexpr std::string_view kCExtensions[] = {".c", ".h"};
constexpr std::string_view kCppExtensions[] = {".cpp", ".cc",  ".cxx", ".c++", ".hpp",
                                               ".hh",  ".hxx", ".h++", ".ipp", ".inl",
                                               ".tpp", ".cu",  ".cuh"};
constexpr std::string_view kObjectiveCExtensions[] = {".m", ".mm"};
constexpr std::string_view kCsharpExtensions[] = {".cs", ".csx"};
constexpr std::string_view kFsharpExtensions[] = {".fs", ".fsi", ".fsx"};
constexpr std::string_view kVisualBasicExtensions[] = {".vb"};
constexpr std::string_view kRubyExtensions[] = {".rb", ".rake", ".gemspec", ".erb"};
constexpr std::string_view kRubyFiles[] = {"gemfile", "rakefile", "vagrantfile", "podfile",
                                           "gemfile.lock"};
constexpr std::string_view kRubyInterpreters[] = {"ruby"};
constexpr std::string_view kPhpExtensions[] = {".php", ".phtml"};
constexpr std::string_view kPhpInterpreters[] = {"php"};
constexpr std::string_view kSwiftExtensions[] = {".swift"};
constexpr std::string_view kDartExtensions[] = {".dart"};
constexpr std::string_view kLuaExtensions[] = {".lua"};
constexpr std::string_view kLuaInterpreters[] = {"lua", "luajit"};
constexpr std::string_view kPerlExtensions[] = {".pl", ".pm", ".t"};
constexpr std::string_view kPerlInterpreters[] = {"perl"};
constexpr std::string_view kRExtensions[] = {".r", ".rmd"};
constexpr std::string_view kRInterpreters[] = {"Rscript"};
constexpr std::string_view kJuliaExtensions[] = {".jl"};
constexpr std::string_view kElixirExtensions[] = {".ex", ".exs", ".eex", ".heex"};
constexpr std::string_view kErlangExtensions[] = {".erl", ".hrl"};
constexpr std::string_view kHaskellExtensions[] = {".hs", ".lhs"};
constexpr std::string_view kOcamlExtensions[] = {".ml", ".mli"};
constexpr std::string_view kClojureExtensions[] = {".clj", ".cljs", ".cljc", ".edn"};
constexpr std::string_view kLispExtensions[] = {".el", ".lisp", ".scm", ".rkt"};
constexpr std::string_view kZigExtensions[] = {".zig"};
constexpr std::string_view kNimExtensions[] = {".nim"};
constexpr std::string_view kSolidityExtensions[] = {".sol"};
constexpr std::string_view kAssemblyExtensions[] = {".asm", ".s"};
constexpr std::string_view kNixExtensions[] = {".nix"};
constexpr std::string_view kTerraformExtensions[] = {".tf", ".tfvars", ".hcl"};
constexpr std::string_view kVimExtensions[] = {".vim"};
constexpr std::string_view kCythonExtensions[] = {".pyx", ".pxd"};
constexpr std::string_view kMakeExtensions[] = {".mk", ".mak"};
constexpr std::string_view kMakeFiles[] = {"makefile", "gnumakefile", "justfile"};
constexpr std::string_view kCmakeExtensions[] = {".cmake"};
constexpr std::string_view kCmakeFiles[] = {"cmakelists.txt"};
constexpr std::string_view kDockerfileExtensions[] = {".dockerfile"};
constexpr std::string_view kDockerfileFiles[] = {"dockerfile", "containerfile"};
constexpr std::string_view kBazelExtensions[] = {".bzl", ".bazel"};
constexpr std::string_view kBazelFiles[] = {"build.bazel", "workspace"};
constexpr std::string_view kGitFiles[] = {".gitignore",      ".gitattributes", ".dockerignore",
                                          ".npmignore",      ".eslintignore",  ".prettierignore",
                                          ".codexmemignore", "codeowners"};

constexpr Language kLanguages[] = {
    {.name = "typescript",
     .extensions = kTypescriptExtensions,
     .interpreters = kTypescriptInterpreters,
     .has_grammar = true,
     .modules = ModuleSystem::kEcmaScript,
     .family = "ecmascript"},
    {.name = "tsx",
     .extensions = kTsxExtensions,
     .has_grammar = true,
     .modules = ModuleSystem::kEcmaScript,
     .family = "ecmascript"},
    {.name = "javascript",
     .extensions = kJavascriptExtensions,
     .file_names = kJavascriptFiles,
     .interpreters = kJavascriptInterpreters,
     .has_grammar = true,
     .modules = ModuleSystem::kEcmaScript,
     .family = "ecmascript"},
    {.name = "python",
     .extensions = kPythonExtensions,
     .file_names = kPythonFiles,
     .interpreters = kPythonInterpreters,
     .has_grammar = true,
     .modules = ModuleSystem::kPython,
     .visibility = Visibility::kName,
     .family = "python"},
    // With definitions, but no module system: names are not resolved.
    {.name = "go",
     .extensions = kGoExtensions,
     .has_grammar = true,
     .visibility = Visibility::kCapital,
     .family = "go"},
    {.name = "java",
     .extensions = kJavaExtensions,
     .has_grammar = true,
     .visibility = Visibility::kPublic,
     .family = "java"},
    {.name = "rust",
     .extensions = kRustExtensions,
     .has_grammar = true,
     .visibility = Visibility::kPub,
     .family = "rust"},
    {.name = "c",
     .extensions = kCExtensions,
     .has_grammar = true,
     .visibility = Visibility::kLinkage,
     .family = "c"},
    {.name = "cpp",
     .extensions = kCppExtensions,
     .has_grammar = true,
     .visibility = Visibility::kLinkage,
     .family = "c"},
    // Without a grammar: text chunks. Prose first, then configuration, then code.
    {.name = "markdown", .extensions = kMarkdownExtensions, .is_prose = true, .family = "markdown"},
    {.name = "rst", .extensions = kRstExtensions, .is_prose = true, .family = "rst"},
    {.name = "text",
     .extensions = kTextExtensions,
     .file_names = kTextFiles,
     .is_prose = true,
     .family = "text"},
    {.name = "json",
     .extensions = kJsonExtensions,
     .file_names = kJsonFiles,
     .is_configuration = true,
     .family = "json"},
    {.name = "yaml",
     .extensions = kYamlExtensions,
     .file_names = kYamlFiles,
     .is_configuration = true,
     .family = "yaml"},
    {.name = "toml",
     .extensions = kTomlExtensions,
     .file_names = kTomlFiles,
     .is_configuration = true,
     .family = "toml"},
    {.name = "ini",
     .extensions = kIniExtensions,
     .file_names = kIniFiles,
     .is_configuration = true,
     .family = "ini"},
    {.name = "xml", .extensions = kXmlExtensions, .is_configuration = true, .family = "xml"},
    {.name = "ignore", .file_names = kGitFiles, .is_configuration = true, .family = "ignore"},
    {.name = "gomod",
     .extensions = kGoModExtensions,
     .file_names = kGoModFiles,
     .is_configuration = true,
     .family = "gomod"},
    {.name = "html", .extensions = kHtmlExtensions, .family = "html"},
    {.name = "css", .extensions = kCssExtensions, .family = "css"},
    {.name = "vue", .extensions = kVueExtensions, .family = "vue"},
    {.name = "svelte", .extensions = kSvelteExtensions, .family = "svelte"},
    {.name = "astro", .extensions = kAstroExtensions, .family = "astro"},
    {.name = "shell",
     .extensions = kShellExtensions,
     .file_names = kShellFiles,
     .interpreters = kShellInterpreters,
     .family = "shell"},
    {.name = "powershell",
     .extensions = kPowershellExtensions,
     .interpreters = kPowershellInterpreters,
     .family = "powershell"},
    {.name = "batch", .extensions = kBatchExtensions, .family = "batch"},
    {.name = "sql", .extensions = kSqlExtensions, .family = "sql"},
    {.name = "graphql", .extensions = kGraphqlExtensions, .family = "graphql"},
    {.name = "protobuf", .extensions = kProtobufExtensions, .family = "protobuf"},
    {.name = "thrift", .extensions = kThriftExtensions, .family = "thrift"},
    {.name = "prisma", .extensions = kPrismaExtensions, .family = "prisma"},
    {.name = "kotlin", .extensions = kKotlinExtensions, .family = "kotlin"},
    {.name = "scala", .extensions = kScalaExtensions, .family = "scala"},
    {.name = "groovy",
     .extensions = kGroovyExtensions,
     .file_names = kGroovyFiles,
     .family = "groovy"},
    {.name = "objectivec", .extensions = kObjectiveCExtensions, .family = "c"},
    {.name = "csharp", .extensions = kCsharpExtensions, .family = "csharp"},
    {.name = "fsharp", .extensions = kFsharpExtensions, .family = "fsharp"},
    {.name = "visualbasic", .extensions = kVisualBasicExtensions, .family = "visualbasic"},
    {.name = "ruby",
     .extensions = kRubyExtensions,
     .file_names = kRubyFiles,
     .interpreters = kRubyInterpreters,
     .family = "ruby"},
    {.name = "php",
     .extensions = kPhpExtensions,
     .interpreters = kPhpInterpreters,
     .family = "php"},
    {.name = "swift", .extensions = kSwiftExtensions, .family = "swift"},
    {.name = "dart", .extensions = kDartExtensions, .family = "dart"},
    {.name = "lua",
     .extensions = kLuaExtensions,
     .interpreters = kLuaInterpreters,
     .family = "lua"},
    {.name = "perl",
     .extensions = kPerlExtensions,
     .interpreters = kPerlInterpreters,
     .family = "perl"},
    {.name = "r", .extensions = kRExtensions, .interpreters = kRInterpreters, .family = "r"},
    {.name = "julia", .extensions = kJuliaExtensions, .family = "julia"},
    {.name = "elixir", .extensions = kElixirExtensions, .family = "elixir"},
    {.name = "erlang", .extensions = kErlangExtensions, .family = "erlang"},
    {.name = "haskell", .extensions = kHaskellExtensions, .family = "haskell"},
    {.name = "ocaml", .extensions = kOcamlExtensions, .family = "ocaml"},
    {.name = "clojure", .extensions = kClojureExtensions, .family = "clojure"},
    {.name = "lisp", .extensions = kLispExtensions, .family = "lisp"},
    {.name = "zig", .extensions = kZigExtensions, .family = "zig"},
    {.name = "nim", .extensions = kNimExtensions, .family = "nim"},
    {.name = "solidity", .extensions = kSolidityExtensions, .family = "solidity"},
    {.name = "assembly", .extensions = kAssemblyExtensions, .family = "assembly"},
    {.name = "nix", .extensions = kNixExtensions, .family = "nix"},
    {.name = "terraform", .extensions = kTerraformExtensions, .family = "terraform"},
    {.name = "vim", .extensions = kVimExtensions, .family = "vim"},
    {.name = "cython", .extensions = kCythonExtensions, .family = "cython"},
    {.name = "make", .extensions = kMakeExtensions, .file_names = kMakeFiles, .family = "make"},
    {.name = "cmake", .extensions = kCmakeExtensions, .file_names = kCmakeFiles, .family = "cmake"},
    {.name = "dockerfile",
     .extensions = kDockerfileExtensions,
     .file_names = kDockerfileFiles,
     .family = "dockerfile"},
    {.name = "bazel", .extensions = kBazelExtensions, .file_names = kBazelFiles, .family = "bazel"},
};

bool contains(std::span<const std::string_view> list, std::string_view wanted) {
  return std::ranges::find(list, wanted) != list.end();
}

// The program that a #! line starts, without directory, `env` and version: "python" of
// "#!/usr/bin/env -S python3.11 -u". Empty when the text has no such line.
std::string_view interpreter_of(std::string_view text) {
  if (!text.starts_with("#!")) return {};
  std::string_view line = text.substr(2, 200);
  line = line.substr(0, line.find_first_of("\r\n"));
  while (!line.empty()) {
    line = trim(line);
    std::size_t space = line.find_first_of(" \t");
    std::string_view word = line.substr(0, space);
    line = space == std::string_view::npos ? std::string_view{} : line.substr(space);
    if (std::size_t slash = word.rfind('/'); slash != std::string_view::npos) {
      word.remove_prefix(slash + 1);
    }
    // Options of env and its NAME=VALUE settings stand before the program.
    if (word == "env" || word.starts_with('-') || word.find('=') != std::string_view::npos) {
      continue;
    }
    while (!word.empty() && (word.back() == '.' || (word.back() >= '0' && word.back() <= '9'))) {
      word.remove_suffix(1);
    }
    return word;
  }
  return {};
}

// The language of a header, by what only one of C, C++ and Objective-C has outside comments,
// strings and the preprocessor: a class, a template, a namespace, `::`, an access specifier;
// @interface.
std::string_view header_language(std::string_view text) {
  constexpr std::size_t kBytesRead = std::size_t{1} << 18U;  // a plain C header is read up to here
  text = text.substr(0, kBytesRead);
  const auto is_word = [](char c) {
    return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
  };
  std::string_view last;  // the word before, if only space stands between
  bool is_line_start = true;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("//") || (c == '#' && is_line_start)) {
      // To the end of the line, or of the last that a backslash joins to it.
      std::size_t end = text.find('\n', at);
      while (end != std::string_view::npos && end > 0 && text[end - 1] == '\\') {
        end = text.find('\n', end + 1);
      }
      at = std::min(end, text.size());
    } else if (rest.starts_with("/*")) {
      const std::size_t end = text.find("*/", at + 2);
      if (end == std::string_view::npos) break;
      at = end + 2;
    } else if (c == '"' || c == '\'') {
      for (++at; at < text.size() && text[at] != c && text[at] != '\n'; ++at) {
        if (text[at] == '\\') ++at;
      }
      ++at;
      last = {};
    } else if (is_word(c)) {
      std::size_t end = at;
      while (end < text.size() && is_word(text[end])) ++end;
      if (last == "class" || last == "namespace" || last == "using" || last == "typename") {
        return "cpp";
      }
      last = text.substr(at, end - at);
      at = end;
      is_line_start = false;
    } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      is_line_start = is_line_start || c == '\n';
      ++at;
    } else {
      if (rest.starts_with("::") || (c == '<' && last == "template") ||
          (c == '{' && last == "namespace") ||
          (c == ':' && (last == "public" || last == "private" || last == "protected"))) {
        return "cpp";
      }
      if (c == '@' && (rest.starts_with("@interface") || rest.starts_with("@protocol") ||
                       rest.starts_with("@class"))) {
        return "objectivec";
      }
      last = {};
      is_line_start = false;
      ++at;
    }
  }
  return "c";
}

}  // namespace

std::span<const Language> languages() { return kLanguages; }

Family family_of(const Language& language) {
  if (!language.has_grammar) return Family::kNone;
  if (language.family == "ecmascript") return Family::kEcmaScript;
  if (language.family == "python") return Family::kPython;
  // The first row of the family gives the number.
  const Language* const first = std::ranges::find_if(kLanguages, [&](const Language& row) {
    return row.has_grammar && row.family == language.family;
  });
  return static_cast<Family>(static_cast<int>(Family::kPython) + 1 + (first - kLanguages));
}

const Language* find_language(std::string_view name) {
  for (const Language& language : kLanguages) {
    if (language.name == name) return &language;
  }
  return nullptr;
}

const Language* detect_language(std::string_view path, std::string_view text) {
  std::size_t slash = path.rfind('/');
  std::string base =
      to_lower_ascii(slash == std::string_view::npos ? path : path.substr(slash + 1));
  for (const Language& language : kLanguages) {
    if (contains(language.file_names, base)) return &language;
  }
  // From the first dot on the suffixes get shorter, so the first match is the longest. A leading
  // dot starts a hidden file's name, not an extension.
  for (std::size_t dot = base.find('.', 1); dot != std::string::npos;
       dot = base.find('.', dot + 1)) {
    std::string_view extension = std::string_view(base).substr(dot);
    if (extension == ".h") return find_language(header_language(text));
    for (const Language& language : kLanguages) {
      if (contains(language.extensions, extension)) return &language;
    }
  }
  if (std::string_view interpreter = interpreter_of(text); !interpreter.empty()) {
    for (const Language& language : kLanguages) {
      if (contains(language.interpreters, interpreter)) return &language;
    }
  }
  return nullptr;
}

}  // namespace codexmem::parse
