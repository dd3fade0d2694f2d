#include "graph/routes/routes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "support/code_fixture.h"

namespace codexmem::graph {
namespace {

using ::testing::ElementsAre;

// "GET /x handler", with " computed" or the like behind, of each route; sorted by path.
std::vector<std::string> routes_of(const std::map<std::string, std::string>& files) {
  testing::CodeFixture fixture(files);
  FactsCache cache;
  store::ReaderLease reader = fixture.workspace().reader().value();
  const Routes found = find_routes(cache, *reader, {}).value();
  std::vector<std::string> lines;
  for (const Route& each : found.routes) {
    std::string line = each.method + " " + each.path + " " + each.handler;
    if (!each.doubt.empty()) line += " (" + each.doubt + ")";
    lines.push_back(line);
  }
  for (const std::string& each : found.not_read) lines.push_back("not read: " + each);
  return lines;
}

TEST(Routes, FlaskBlueprintsAreBelowWhatRegistersThem) {
  EXPECT_THAT(
      routes_of({
          {"shop/__init__.py",
           "from flask import Flask\n"
           "def create_app():\n"
           "    app = Flask(__name__)\n"
           "    from shop.api import bp\n"
           "    from shop.pages import pages\n"
           "    app.register_blueprint(bp, url_prefix='/api')\n"
           "    app.register_blueprint(pages)\n"
           "    app.add_url_rule('/health', 'health', view_func=health)\n"
           "    return app\n"},
          {"shop/api/__init__.py",
           "from flask import Blueprint\nbp = Blueprint('api', __name__, "
           "url_prefix='/old')\nfrom shop.api import users\n"},
          {"shop/api/users.py",
           "from shop.api import bp\n"
           "@bp.route('/users', methods=['GET', 'POST'])\ndef users():\n    pass\n"
           "@bp.delete('/users/<int:id>')\n@login\ndef remove(id):\n    pass\n"},
          {"shop/pages.py",
           "from flask import Blueprint\nfrom flask.views import MethodView\n"
           "pages = Blueprint('pages', __name__, url_prefix='/pages')\n"
           "class Page(MethodView):\n    def get(self):\n        pass\n"
           "    def put(self):\n        pass\n"
           "pages.add_url_rule('/<name>', view_func=Page.as_view('page'))\n"},
          {"tests/test_app.py",
           "from flask import Flask\napp = Flask('t')\n@app.route('/test')\ndef t(): pass\n"},
      }),
      ElementsAre("GET /api/users users", "POST /api/users users",
                  "DELETE /api/users/<int:id> remove", "GET /health health",
                  "GET /pages/<name> Page", "PUT /pages/<name> Page"));
}

TEST(Routes, FastApiRoutersAreBelowAllPrefixes) {
  EXPECT_THAT(
      routes_of({
          {"app/main.py",
           "from fastapi import FastAPI\nfrom app.api import router as api\n"
           "from app.config import settings\n"
           "def make():\n    application = FastAPI()\n"
           "    application.include_router(api, prefix=settings.PREFIX)\n"
           "    return application\n"},
          {"app/config.py", "class Settings:\n    PREFIX: str = '/v1'\nsettings = Settings()\n"},
          {"app/api.py",
           "from fastapi import APIRouter\nfrom app import items\n"
           "router = APIRouter(prefix='/shop')\n"
           "router.include_router(items.router, prefix='/items', tags=['items'])\n"},
          {"app/items.py",
           "from fastapi import APIRouter\nrouter = APIRouter()\nother = APIRouter()\n"
           "@router.get('')\nasync def items(session):\n    return session.get(Item, 1)\n"
           "@router.put('/{id}')\nasync def change(id): pass\n"
           "@other.get('/loose')\ndef loose(): pass\n"},
      }),
      ElementsAre("GET /loose loose (prefix not known)", "GET /v1/shop/items items",
                  "PUT /v1/shop/items/{id} change"));
}

TEST(Routes, TablesOfDjangoIncludeOthers) {
  EXPECT_THAT(
      routes_of({
          {"site/urls.py",
           "from django.urls import include, path, re_path\nfrom shop import views\n"
           "from rest_framework.routers import DefaultRouter\n"
           "BASE = 'v2'\n"
           "router = DefaultRouter(trailing_slash=False)\nrouter.register('orders', OrderSet)\n"
           "own = [path('me/', views.me)]\n"
           "urlpatterns = [\n    path('api/', include('shop.urls')),\n"
           "    path('own/', include(own)),\n    path('rest/', include(router.urls)),\n"
           "    path('accounts/', include('allauth.urls')),\n"
           "    re_path(rf'^{BASE}/items/(?P<id>\\d+)/?$', views.Item.as_view()),\n]\n"
           "urlpatterns += [path('', views.home)]\n"},
          {"shop/urls.py",
           "from django.urls import path\nfrom . import views\n"
           "urlpatterns = [path('list/', views.ListSet.as_view({'get': 'list', 'post': "
           "'add'}))]\n"},
          {"shop/views.py", "def me(request): pass\ndef home(request): pass\n"},
      }),
      ElementsAre(
          "ANY / views.home", "ANY /accounts/ include allauth.urls",
          "GET /api/list/ views.ListSet.list", "POST /api/list/ views.ListSet.add",
          "ANY /own/me/ views.me", "ANY /rest/orders OrderSet", "ANY /rest/orders/<pk> OrderSet",
          "ANY /v2/items/(?P<id>\\d+)/? views.Item",
          "not read: 1 place with include(\"allauth.urls\"), which adds routes of a package"));
}

TEST(Routes, ExpressRoutersAreFollowedThroughModules) {
  EXPECT_THAT(
      routes_of({
          {"app.js",
           "const express = require('express');\nconst users = require('./routes/users');\n"
           "const app = express();\n"
           "app.use('/users', check, users);\napp.use('/admin', require('./routes/admin'));\n"
           "require('./routes/late')(app);\n"
           "const all = [{ path: '/a', route: users }, { path: '/b', route: users }];\n"
           "all.forEach((each) => { app.use(each.path, each.route); });\n"
           "app.get('setting');\napp.get('/', (req, res) => res.send('x'));\n"},
          {"routes/users.js",
           "const express = require('express');\nconst router = express.Router();\n"
           "router.route('/:id').get(check, users.one).delete(users.remove);\n"
           "module.exports = router;\n"},
          {"routes/admin.js",
           "const { Router } = require('express');\nconst router = Router();\n"
           "router.post(`/jobs`, wrap(start));\nmodule.exports = router;\n"},
          {"routes/late.js", "module.exports = (server) => {\n  server.put('/late', late);\n};\n"},
          {"client.js", "const express = require('express');\naxios.get('/remote', options);\n"},
      }),
      ElementsAre("GET / ", "DELETE /a/:id users.remove", "GET /a/:id users.one",
                  "POST /admin/jobs start", "DELETE /b/:id users.remove", "GET /b/:id users.one",
                  "PUT /late late", "DELETE /users/:id users.remove", "GET /users/:id users.one"));
}

TEST(Routes, RoutersOfTheOtherFrameworksOfNode) {
  EXPECT_THAT(
      routes_of({{"server.ts",
                  "import Fastify from 'fastify';\nimport items from './items';\n"
                  "const server = Fastify();\n"
                  "server.register(items, { prefix: '/items' });\n"
                  "server.register(async (inner) => { inner.get('/in', inside); }, "
                  "{ prefix: '/deep' });\n"
                  "server.route({ method: ['GET', 'HEAD'], url: '/raw', handler: raw });\n"},
                 {"items.ts",
                  "export default async function (fastify: FastifyInstance) {\n"
                  "  fastify.post('/', { schema }, add);\n}\n"}}),
      ElementsAre("GET /deep/in inside", "POST /items/ add", "GET /raw raw", "HEAD /raw raw"));
  EXPECT_THAT(routes_of({{"koa.js",
                          "const Koa = require('koa');\nconst Router = require('@koa/router');\n"
                          "const app = new Koa();\nconst router = new Router({ prefix: '/api' });\n"
                          "router.get('list', '/list', list);\napp.use(router.routes());\n"}}),
              ElementsAre("GET /api/list list"));
  EXPECT_THAT(routes_of({{"hono.ts",
                          "import { Hono } from 'hono';\nconst books = new Hono()\n"
                          "  .get('/:id', (c) => c.text('x'));\n"
                          "const app = new Hono().basePath('/v1');\napp.route('/books', books);\n"
                          "app.get('/up', (c) => c.text('up'));\nexport default app;\n"}}),
              ElementsAre("GET /v1/books/:id ", "GET /v1/up "));
  EXPECT_THAT(
      routes_of({{"main.ts",
                  "import { NestFactory } from '@nestjs/core';\n"
                  "async function start() { const app = await NestFactory.create(App);\n"
                  "  app.setGlobalPrefix('api'); }\n"},
                 {"cats.controller.ts",
                  "import { Controller, Get, Post } from '@nestjs/common';\n"
                  "@Controller('cats')\nexport class CatsController {\n"
                  "  @Get(':id')\n  one() {}\n  @Post()\n  add() {}\n  helper() {}\n}\n"}}),
      ElementsAre("POST /api/cats CatsController.add", "GET /api/cats/:id CatsController.one"));
}

TEST(Routes, GoRoutersAreFollowedThroughFunctions) {
  EXPECT_THAT(
      routes_of({{"go.mod", "module shop\n"},
                 {"main.go",
                  "package main\nimport (\n\t\"github.com/gin-gonic/gin\"\n\t\"shop/users\"\n)\n"
                  "func main() {\n\tr := gin.New()\n\tv1 := r.Group(\"/api\", check())\n"
                  "\tusers.Register(v1.Group(\"/users\"))\n"
                  "\tv1.GET(\"/ping\", func(c *gin.Context) {})\n}\n"},
                 {"users/users.go",
                  "package users\nimport \"github.com/gin-gonic/gin\"\n"
                  "func Register(router *gin.RouterGroup) {\n\trouter.POST(\"/\", Add)\n"
                  "\trouter.Handle(\"GET\", \"/:id\", One)\n}\n"
                  "func Add(c *gin.Context) {}\nfunc One(c *gin.Context) {}\n"}}),
      ElementsAre("GET /api/ping ", "POST /api/users/ Add", "GET /api/users/:id One"));
  EXPECT_THAT(
      routes_of({{"go.mod", "module shop\n"},
                 {"main.go",
                  "package main\nimport (\n\t\"net/http\"\n\t\"github.com/go-chi/chi/v5\"\n)\n"
                  "func main() {\n\tr := chi.NewRouter()\n"
                  "\tr.Route(\"/items\", func(r chi.Router) {\n\t\tr.With(page).Get(\"/\", list)\n"
                  "\t\tr.Route(\"/{id}\", func(r chi.Router) { r.Put(\"/\", change) })\n\t})\n"
                  "\tr.Mount(\"/admin\", admin())\n\thttp.HandleFunc(\"GET /plain\", plain)\n}\n"
                  "func admin() http.Handler {\n\tr := chi.NewRouter()\n"
                  "\tr.Get(\"/\", home)\n\treturn r\n}\n"
                  "func list() {}\nfunc change() {}\nfunc home() {}\nfunc plain() {}\n"}}),
      ElementsAre("GET /admin/ home", "GET /items/ list", "PUT /items/{id}/ change",
                  "GET /plain plain"));
  EXPECT_THAT(routes_of({{"go.mod", "module shop\n"},
                         {"main.go",
                          "package main\nimport \"github.com/labstack/echo/v4\"\n"
                          "func main() {\n\te := echo.New()\n\tg := e.Group(\"/admin\")\n"
                          "\tg.DELETE(\"/:id\", remove)\n}\nfunc remove() {}\n"}}),
              ElementsAre("DELETE /admin/:id remove"));
  EXPECT_THAT(
      routes_of({{"go.mod", "module shop\n"},
                 {"main.go",
                  "package main\nimport \"github.com/gorilla/mux\"\n"
                  "func main() {\n\tr := mux.NewRouter()\n"
                  "\ts := r.PathPrefix(\"/v1\").Subrouter()\n"
                  "\ts.HandleFunc(\"/x\", x).Methods(\"GET\", \"POST\")\n}\nfunc x() {}\n"}}),
      ElementsAre("GET /v1/x x", "POST /v1/x x"));
}

TEST(Routes, RailsResourcesAreWrittenOut) {
  EXPECT_THAT(
      routes_of({{"config/routes.rb",
                  "Rails.application.routes.draw do\n  root to: 'home#index'\n"
                  "  devise_for :users\n"
                  "  scope :api, defaults: { format: :json } do\n"
                  "    resource :user, only: [:show]\n"
                  "    resources :articles, param: :slug, only: %i[index show] do\n"
                  "      get :feed, on: :collection\n      member { post 'publish' }\n"
                  "      resources :comments, only: [:create, :destroy], shallow: true\n    end\n"
                  "  end\n"
                  "  namespace :admin do\n    get 'stats', to: 'stats#show'\n  end\n"
                  "  match 'login', :to => 'account#login', :via => [:get, :post]\n"
                  "  get 'about/us'\n  get '/old' => 'home#old'\n"
                  "  %w(a b).each do |name|\n    get \"page/#{name}\", :controller => 'pages', "
                  ":action => name\n  end\n"
                  "  mount Sidekiq::Web => '/jobs'\nend\n"}}),
      ElementsAre("GET / home#index", "GET /about/us about#us", "GET /admin/stats admin/stats#show",
                  "GET /api/articles articles#index",
                  "POST /api/articles/:article_slug/comments comments#create",
                  "GET /api/articles/:slug articles#show",
                  "POST /api/articles/:slug/publish articles#publish",
                  "GET /api/articles/feed articles#feed",
                  "DELETE /api/comments/:id comments#destroy", "GET /api/user users#show",
                  "ANY /jobs Sidekiq::Web", "GET /login account#login", "POST /login account#login",
                  "GET /old home#old", "GET /page/a pages#a", "GET /page/b pages#b",
                  "not read: 1 place with devise_for, which adds routes of a package"));
}

TEST(Routes, ConcernsOfRailsAreReadWhereTheyAreNamed) {
  EXPECT_THAT(routes_of({{"config/routes.rb",
                          "Rails.application.routes.draw do\n"
                          "  concern :taggable do\n    resources :tags, only: :index\n  end\n"
                          "  resources :posts, only: [:show], concerns: :taggable\n"
                          "  scope module: 'shop' do\n    resources :items, only: [] do\n"
                          "      concerns :taggable\n    end\n  end\n  draw :admin\nend\n"},
                         {"config/routes/admin.rb", "get '/admin', to: 'admin#home'\n"}}),
              ElementsAre("GET /admin admin#home", "GET /items/:item_id/tags shop/tags#index",
                          "GET /posts/:id posts#show", "GET /posts/:post_id/tags tags#index"));
}

TEST(Routes, BlocksOfAProgramsOwnWordsAreMarked) {
  EXPECT_THAT(routes_of({{"config/routes.rb",
                          "Rails.application.routes.draw do\n"
                          "  admin_resources :products do\n    get :export\n  end\n"
                          "  constraints(Host) do\n    get '/plain', to: 'a#b'\n  end\nend\n"}}),
              ElementsAre("GET /plain a#b", "GET /{admin_resources}/export #export (computed)",
                          "not read: 1 place with admin_resources, a word of its own for routes"));
}

TEST(Routes, LaravelGroupsAndResources) {
  EXPECT_THAT(
      routes_of(
          {{"routes/web.php",
            "<?php\nuse Illuminate\\Support\\Facades\\Route;\n"
            "Route::get('/', function () { return view('x'); });\n"
            "Route::prefix('admin')->middleware('auth')->group(function () {\n"
            "  Route::resource('post-tags', TagController::class)->only(['index', 'show']);\n"
            "  Route::match(['put', 'patch'], 'me', [MeController::class, 'update']);\n});\n"
            "Route::controller(OrderController::class)->group(function () {\n"
            "  Route::get('/orders', 'index');\n});\n"},
           {"routes/api.php",
            "<?php\nRoute::apiResource('users.photos', 'PhotoController')->except('destroy');\n"}}),
      ElementsAre("GET / ", "PATCH /admin/me MeController@update",
                  "PUT /admin/me MeController@update", "GET /admin/post-tags TagController@index",
                  "GET /admin/post-tags/{post_tag} TagController@show",
                  "GET /api/users/{user}/photos PhotoController@index",
                  "POST /api/users/{user}/photos PhotoController@store",
                  "GET /api/users/{user}/photos/{photo} PhotoController@show",
                  "PUT /api/users/{user}/photos/{photo} PhotoController@update",
                  "GET /orders OrderController@index"));
}

TEST(Routes, PhoenixScopesNameModules) {
  EXPECT_THAT(
      routes_of({{"lib/shop_web/router.ex",
                  "defmodule ShopWeb.Router do\n  use ShopWeb, :router\n"
                  "  scope \"/api\", ShopWeb do\n    pipe_through :api\n"
                  "    get \"/feed\", ItemController, :feed\n"
                  "    resources \"/items\", ItemController, only: [:index, :show] do\n"
                  "      resources(\"/notes\", NoteController, only: [:create])\n    end\n"
                  "    live \"/board\", BoardLive\n  end\nend\n"}}),
      ElementsAre("GET /api/board ShopWeb.BoardLive", "GET /api/feed ShopWeb.ItemController.feed",
                  "GET /api/items ShopWeb.ItemController.index",
                  "GET /api/items/:id ShopWeb.ItemController.show",
                  "POST /api/items/:item_id/notes ShopWeb.NoteController.create"));
}

TEST(Routes, AnnotationsOfClassesAndMethodsAreJoined) {
  EXPECT_THAT(
      routes_of({{"src/main/java/shop/Items.java",
                  "package shop;\nimport org.springframework.web.bind.annotation.*;\n"
                  "@RestController\n@RequestMapping(path = {\"/items\", \"/goods\"})\n"
                  "public class Items extends Base {\n"
                  "  @GetMapping(\"{id}\")\n  public Item one(String id) { return null; }\n"
                  "  @RequestMapping(value = Paths.ALL, method = {RequestMethod.PUT, "
                  "RequestMethod.POST})\n  public void all() {}\n}\n"},
                 {"src/main/java/shop/Paths.java",
                  "package shop;\npublic class Paths { static final String ALL = \"/all\"; }\n"}}),
      ElementsAre("POST /goods/all Items.all", "PUT /goods/all Items.all",
                  "GET /goods/{id} Items.one", "POST /items/all Items.all",
                  "PUT /items/all Items.all", "GET /items/{id} Items.one"));
  EXPECT_THAT(routes_of({{"Api/Base.cs",
                          "namespace Shop;\n[ApiController]\n[Route(\"api/[controller]\")]\n"
                          "public class Base : ControllerBase {}\n"},
                         {"Api/OrdersController.cs",
                          "namespace Shop;\npublic class OrdersController : Base {\n"
                          "  [HttpGet(\"{id}\")]\n  public Order Get(int id) => null;\n"
                          "  [HttpPost(\"/raw\")]\n  [HttpHead(\"put\")]\n  [HttpPut(\"put\")]\n  "
                          "public void Raw() {}\n}\n"},
                         {"Api/Program.cs",
                          "var app = builder.Build();\nvar group = app.MapGroup(\"/mini\");\n"
                          "group.MapGet(\"/{id}\", One);\napp.MapPost(\"/up\", () => \"x\");\n"}}),
              ElementsAre("HEAD /api/Orders/put OrdersController.Raw",
                          "PUT /api/Orders/put OrdersController.Raw",
                          "GET /api/Orders/{id} OrdersController.Get", "GET /mini/{id} One",
                          "POST /raw OrdersController.Raw", "POST /up "));
  EXPECT_THAT(routes_of({{"src/Controller/Blog.php",
                          "<?php\nuse Symfony\\Component\\Routing\\Attribute\\Route;\n"
                          "#[Route('/blog')]\nclass Blog {\n"
                          "  #[Route('/{id}', name: 'show', methods: ['GET'])]\n"
                          "  public function show(int $id) {}\n}\n"}}),
              ElementsAre("GET /blog/{id} Blog.show"));
}

TEST(Routes, FilesOfNextAreRoutes) {
  EXPECT_THAT(routes_of({{"next.config.js", "module.exports = {};\n"},
                         {"app/page.tsx", "export default function Home() { return null; }\n"},
                         {"app/(shop)/items/[id]/page.tsx",
                          "export default function Item() { return null; }\n"},
                         {"app/api/items/route.ts",
                          "export async function GET() {}\nexport const POST = () => {};\n"},
                         {"app/items/list.tsx", "export default function List() {}\n"},
                         {"pages/api/old.ts", "export default function handler() {}\n"},
                         {"pages/_app.tsx", "export default function App() {}\n"}}),
              ElementsAre("GET / Home", "GET /api/items GET", "POST /api/items POST",
                          "ANY /api/old handler", "GET /items/[id] Item"));
}

TEST(Routes, LoopsWithinLoopsEnd) {
  std::string text = "Rails.application.routes.draw do\n", end;
  for (int i = 0; i < 12; ++i) {
    text += "%w(a b c d e f g h i j k l m n o p).each do |x" + std::to_string(i) + "|\n";
    end += "end\n";
  }
  const auto found = routes_of({{"config/routes.rb", text + "y\n" + end + "end\n"}});
  EXPECT_THAT(found,
              ElementsAre("not read: 1 place with code that was not read, because it is too much"));
}

TEST(Routes, WhatIsNotKnownOfAPathIsSaid) {
  EXPECT_THAT(routes_of({{"app.py",
                          "from flask import Flask\napp = Flask('x')\n"
                          "@app.route(f'/{os.environ[\"BASE\"]}/x')\ndef x(): pass\n"
                          "@app.route(BASE)\ndef y(): pass\n"}}),
              ElementsAre("GET /{os.environ[\"BASE\"]}/x x (computed)",
                          "not read: 1 place with a path that is a variable"));
}

}  // namespace
}  // namespace codexmem::graph
