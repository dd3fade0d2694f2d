// Which files the imports of languages known by name mean.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "graph/imports/dependencies.h"
#include "support/code_fixture.h"

namespace codexmem::graph {
namespace {

struct PathCase {
  std::string name;
  std::map<std::string, std::string> files;
  std::string file;
  std::vector<std::string> want;  // paths and "external PACKAGE"
};

class PathImports : public ::testing::TestWithParam<PathCase> {};

TEST_P(PathImports, MeanTheFile) {
  const PathCase& c = GetParam();
  testing::CodeFixture fixture(c.files);
  auto lease = fixture.workspace().reader();
  ASSERT_TRUE(lease.ok());
  const auto answer =
      analyze_dependencies(**lease, {.file_path = c.file, .depth = 1, .include_external = true});
  ASSERT_TRUE(answer.ok());
  std::vector<std::string> found;
  for (const DependencyItem& item : answer->dependencies) {
    found.push_back(item.is_external ? "external " + item.package : item.path);
  }
  EXPECT_THAT(found, ::testing::UnorderedElementsAreArray(c.want));
}

const PathCase kPathCases[] = {
    {"Shell",
     {{"bin/run.sh",
       "source \"$(dirname \"${BASH_SOURCE[0]}\")/../lib/common.sh\"\n. ./near.sh\n"
       ". \"$ROOT/$HERE/far.sh\"\nsource /etc/profile\nsource \"$1\"\n"},
      {"lib/common.sh", "a() { :; }\n"},
      {"bin/near.sh", "b() { :; }\n"},
      {"share/far.sh", "c() { :; }\n"}},
     "bin/run.sh",
     {"bin/near.sh", "lib/common.sh", "share/far.sh", "external /etc/profile"}},
    {"Lua",
     {{"lua/app/init.lua",
       "local w = require(\"app.words\")\nlocal s = require 'socket.core'\nlocal p = "
       "require(\"pl\")\n"},
      {"lua/app/words.lua", "return {}\n"},
      {"lua/pl/init.lua", "return {}\n"}},
     "lua/app/init.lua",
     {"lua/app/words.lua", "lua/pl/init.lua", "external socket.core"}},
    {"Ruby",
     {{"lib/app.rb", "require \"json\"\nrequire \"app/words\"\nrequire_relative \"app/far\"\n"},
      {"lib/app/words.rb", "module Words; end\n"},
      {"test/app/words.rb", "module Words; end\n"},
      {"lib/app/far.rb", "module Far; end\n"}},
     "lib/app.rb",
     {"lib/app/far.rb", "lib/app/words.rb", "external json"}},
    {"Dart",
     {{"pubspec.yaml", "name: \"shop\"\n"},
      {"lib/a.dart",
       "import 'dart:io';\nimport 'package:shop/src/b.dart';\nimport 'package:http/http.dart';\n"
       "import 'c.dart';\npart 'd.dart';\n"},
      {"lib/src/b.dart", "class B {}\n"},
      {"lib/c.dart", "class C {}\n"},
      {"lib/d.dart", "part of 'a.dart';\n"}},
     "lib/a.dart",
     {"lib/c.dart", "lib/d.dart", "lib/src/b.dart", "external dart:io", "external http"}},
    {"Zig",
     {{"src/main.zig", "const std = @import(\"std\");\nconst b = @import(\"b.zig\");\n"},
      {"src/b.zig", "pub const x = 1;\n"}},
     "src/main.zig",
     {"src/b.zig", "external std"}},
    {"Julia",
     {{"src/A.jl", "module A\nusing DataFrames\ninclude(\"b.jl\")\nend\n"},
      {"src/b.jl", "f() = 1\n"}},
     "src/A.jl",
     {"src/b.jl", "external DataFrames"}},
    {"R",
     {{"R/a.R", "library(dplyr)\nsource(\"R/b.R\")\n"}, {"R/b.R", "f <- function() 1\n"}},
     "R/a.R",
     {"R/b.R", "external dplyr"}},
    {"Solidity",
     {{"src/A.sol",
       "import \"./B.sol\";\nimport {C} from \"lib/C.sol\";\nimport \"@oz/contracts/D.sol\";\n"},
      {"src/B.sol", "contract B {}\n"},
      {"lib/C.sol", "contract C {}\n"}},
     "src/A.sol",
     {"lib/C.sol", "src/B.sol", "external @oz/contracts"}},
    {"Haskell",
     {{"src/A/B.hs", "module A.B where\nimport A.C (x)\nimport qualified Data.Map as M\n"},
      {"src/A/C.hs", "module A.C where\nx = 1\n"}},
     "src/A/B.hs",
     {"src/A/C.hs", "external Data.Map"}},
    {"OCaml",
     {{"lib/a.ml", "open Words\nopen Lwt.Infix\n"}, {"lib/words.ml", "let x = 1\n"}},
     "lib/a.ml",
     {"lib/words.ml", "external Lwt.Infix"}},
    {"Protobuf",
     {{"proto/shop/v1/a.proto",
       "import \"shop/v1/b.proto\";\nimport public \"google/protobuf/any.proto\";\n"},
      {"proto/shop/v1/b.proto", "message B {}\n"}},
     "proto/shop/v1/a.proto",
     {"proto/shop/v1/b.proto", "external google"}},
    {"Terraform",
     {{"main.tf",
       "module \"a\" {\n  source = \"./modules/a\"\n}\nmodule \"b\" {\n  source = \"./b\"\n}\n"
       "module \"c\" {\n  source = \"terraform-aws-modules/vpc/aws\"\n}\n"},
      {"modules/a/main.tf", "variable \"x\" {}\n"},
      {"b/z.tf", "variable \"y\" {}\n"}},
     "main.tf",
     {"b/z.tf", "modules/a/main.tf", "external terraform-aws-modules"}},
    {"Html",
     {{"site/pages/a.html",
       "<link href=\"../css/a.css\"><script src=\"/js/a.js?v=1\"></script><img src=\"b.svg#x\">\n"
       "<script src=\"https://cdn.test/x.js\"></script><script src=\"//cdn.test/y.js\"></script>\n"
       "<a href=\"b.html\">b</a><script src=\"{{ url }}/js/a.js\"></script>"
       "<img src=\"data:image/png;base64,AA\">\n"},
      {"site/pages/b.html", "<p>b</p>\n"},
      {"other/views/css/a.css", ".a { color: red }\n"},
      {"other/templates/b.svg", "<svg></svg>\n"},
      {"site/css/a.css", "@import \"b.css\"; .a { background: url('../pages/b.svg') }\n"},
      {"site/css/b.css", ".b { color: red }\n"},
      {"site/pages/b.svg", "<svg></svg>\n"},
      {"site/js/a.js", "export const a = 1;\n"}},
     "site/pages/a.html",
     {"site/css/a.css", "site/js/a.js", "site/pages/b.svg", "external https://cdn.test/x.js",
      "external //cdn.test/y.js"}},
    {"Templates",
     {{"shop/templates/shop/cart.html",
       "{% extends 'shop/layout.html' %}\n{% load static %}{%include \"item.html\" with a=b%}\n"
       "<link href=\"{% static 'css/cart.css' %}\"><p class=\"{% include 'not.html' %}\"></p>\n"
       "<img src=\"{{ url_for('static', filename='cart.svg') }}\">{% include name %}\n"
       "{%- from \"macros.html\" import x -%}{% include 'admin/base.html' %}\n"},
      {"shop/templates/shop/layout.html", "<main></main>\n"},
      {"shop/templates/shop/macros.html", "<main></main>\n"},
      {"shop/templates/shop/item.html", "<p></p>\n"},
      {"other/templates/other/item.html", "<p></p>\n"},
      {"shop/templates/macros.html", "<p></p>\n"},
      {"shop/templates/not.html", "<p></p>\n"},
      {"shop/static/css/cart.css", ".a { color: red }\n"},
      {"shop/static/cart.svg", "<svg></svg>\n"}},
     "shop/templates/shop/cart.html",
     {"shop/templates/shop/layout.html", "shop/templates/shop/item.html",
      "shop/static/css/cart.css", "shop/static/cart.svg", "shop/templates/macros.html"}},
    {"RailsTemplates",
     {{"app/views/carts/show.html.erb",
       "<%= render 'item' %>\n<% if a %><%= render partial: \"shared/form\", locals: {} %><% end "
       "%>\n"
       "<%= render :partial => 'shared/old' %><%= render @cart %>\n"},
      {"app/views/carts/_item.html.erb", "<p></p>\n"},
      {"app/views/shared/_old.html.erb", "<p></p>\n"},
      {"app/views/shared/_form.html.erb", "<p></p>\n"}},
     "app/views/carts/show.html.erb",
     {"app/views/carts/_item.html.erb", "app/views/shared/_form.html.erb",
      "app/views/shared/_old.html.erb"}},
    {"ExpressTemplates",
     {{"views/cart.ejs", "<%- include('partials/head', {a: 1}) %>\n<%- include('../x') -%>\n"},
      {"views/partials/head.ejs", "<p></p>\n"},
      {"x.ejs", "<p></p>\n"}},
     "views/cart.ejs",
     {"views/partials/head.ejs", "x.ejs"}},
    {"Css",
     {{"css/a.css",
       "@import url(b.css); @import \"sub/c.css\"; .a { background: url(none.png) }\n"},
      {"css/b.css", ".b { color: red }\n"},
      {"css/sub/c.css", ".c { color: red }\n"}},
     "css/a.css",
     {"css/b.css", "css/sub/c.css"}},
    {"Perl",
     {{"lib/Shop/Cart.pm",
       "package Shop::Cart;\nuse strict;\nuse parent 'Shop::Base';\nuse Shop::Item qw(a);\n"
       "require Shop::Stock;\nrequire \"util.pl\";\n1;\n"},
      {"lib/Shop/Base.pm", "package Shop::Base;\n1;\n"},
      {"lib/Shop/Item.pm", "package Shop::Item;\n1;\n"},
      {"lib/Shop/Stock.pm", "package Shop::Stock;\n1;\n"},
      {"lib/util.pl", "sub u { 1 }\n"}},
     "lib/Shop/Cart.pm",
     {"lib/Shop/Base.pm", "lib/Shop/Item.pm", "lib/Shop/Stock.pm", "lib/util.pl", "external strict",
      "external parent"}},
};

INSTANTIATE_TEST_SUITE_P(Languages, PathImports, ::testing::ValuesIn(kPathCases),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace codexmem::graph
