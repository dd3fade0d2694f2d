#include "graph/routes/entry_points.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "support/code_fixture.h"

namespace codexmem::graph {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// "command users add add_user 3 Typer" of each entry point.
std::vector<std::string> entry_points_of(const std::map<std::string, std::string>& files) {
  testing::CodeFixture fixture(files);
  FactsCache cache;
  store::ReaderLease reader = fixture.workspace().reader().value();
  std::vector<std::string> lines;
  const std::vector<EntryPoint> found = find_entry_points(cache, *reader, {}).value().list;
  for (const EntryPoint& each : found) {
    lines.push_back(each.kind + " " + each.name + " " + each.handler + " " +
                    std::to_string(each.line) + " " + each.framework);
  }
  return lines;
}

TEST(EntryPoints, OfPython) {
  EXPECT_THAT(entry_points_of({
                  {"shop/celery.py", "from celery import Celery\napp = Celery('shop')\n"},
                  {"shop/tasks.py",
                   "from shop.celery import app\n"
                   "@app.task(queue='low')\ndef remove(id): pass\n"
                   "@app.task(name='feeds.update')\n@retried\ndef update(): pass\n"
                   "def other(task): return task.task\n"},
                  {"shop/management/commands/seed.py",
                   "from django.core.management.base import BaseCommand\n"
                   "class Command(BaseCommand):\n    def handle(self): pass\n"},
                  {"shop/management/commands/password.py",
                   "from django.contrib.auth.management.commands.password import Command\n"},
                  {"shop/management/commands/_base.py", "class Command: pass\n"},
              }),
              ElementsAre("command password Command 1 Django", "command seed Command 2 Django",
                          "task remove remove 3 Celery", "task feeds.update update 6 Celery"));
}

TEST(EntryPoints, CommandsHaveTheirGroupsBefore) {
  EXPECT_THAT(
      entry_points_of({{"cli.py",
                        "import click\n"
                        "@click.group()\ndef cli(): pass\n"
                        "@cli.group('db')\ndef database(): pass\n"
                        "@database.command()\ndef up_grade(): pass\n"
                        "@cli.command(name='run', short_help='x')\ndef start(): pass\n"
                        "def register(publish):\n    @publish.command()\n    def cloud(): pass\n"},
                       {"users.py",
                        "import typer\napp = typer.Typer()\nusers = typer.Typer()\n\n"
                        "@users.command()\ndef add(): pass\n@app.command\ndef main(): pass\n"
                        "app.add_typer(users, name='users')\n"},
                       {"old.py",
                        "import argparse\ndef main():\n    p = argparse.ArgumentParser()\n"
                        "    s = p.add_subparsers()\n    s.add_parser('sync', help='x')\n"}}),
      ElementsAre("command users add add 6 Typer", "command main main 8 Typer",
                  "command sync  5 argparse", "command db up-grade up_grade 7 click",
                  "command run start 9 click", "command publish cloud cloud 12 click"));
}

TEST(EntryPoints, OfRuby) {
  EXPECT_THAT(
      entry_points_of(
          {{"app/jobs/application_job.rb", "class ApplicationJob < ActiveJob::Base\nend\n"},
           {"app/jobs/mail_job.rb", "class MailJob < ApplicationJob\n  def perform; end\nend\n"},
           {"app/workers/feed_worker.rb",
            "module Feeds\n  class FeedWorker\n    include Sidekiq::Worker\n  end\nend\n"},
           {"lib/tasks/db.rake",
            "namespace :db do\n  desc 'x'\n  task seed: :environment do\n    run\n  end\n"
            "  task :drop => [:environment] do\n  end\nend\ntask :all\n"}}),
      ElementsAre("command db:seed  3 Rake", "command db:drop  6 Rake", "command all  9 Rake",
                  "task MailJob MailJob 1 Active Job", "task FeedWorker FeedWorker 2 Sidekiq"));
}

TEST(EntryPoints, OfGoAndRust) {
  EXPECT_THAT(
      entry_points_of(
          {{"go.mod", "module x\n"},
           {"cmd/serve.go",
            "package cmd\nimport \"github.com/spf13/cobra\"\n"
            "var serve = &cobra.Command{\n  Use: \"serve [flags]\",\n  RunE: runServe,\n}\n"
            "func make() *cobra.Command {\n  return &cobra.Command{Use: \"stop\", Run: "
            "func(c *cobra.Command, a []string) {}}\n}\n"},
           {"Cargo.toml", "[package]\nname = \"x\"\n"},
           {"src/main.rs",
            "use clap::{Parser, Subcommand};\nuse std::process::Command;\n"
            "#[derive(Parser)]\nstruct Args { #[command(subcommand)] command: Commands }\n"
            "#[derive(Subcommand, Debug)]\nenum Commands {\n  /// Adds.\n  AddUser { name: String "
            "},\n  #[command(name = \"ls\")]\n  List,\n  #[command(external_subcommand)]\n  "
            "Other(Vec<String>),\n}\n"
            "fn main() { Command::new(\"git\"); clap::Command::new(\"tool\"); }\n"}}),
      ElementsAre("command add-user AddUser 8 clap", "command ls List 10 clap",
                  "command tool  14 clap", "command serve runServe 4 cobra",
                  "command stop  8 cobra"));
}

TEST(EntryPoints, OfJavaScript) {
  EXPECT_THAT(
      entry_points_of(
          {{"cli.ts",
            "import { Command } from 'commander';\nconst program = new Command();\n"
            "program.command('build <dir>').description('x').action(build);\n"
            "program\n  .command(\"serve\", \"starts\")\n  .action(() => {});\n"},
           {"queue.ts", "import { Worker } from 'bullmq';\nnew Worker('mail', sendMail, {});\n"},
           {"page.ts", "const worker = new Worker('x.js');\n"},
           {"src/commands/user/add.ts",
            "import { Command } from '@oclif/core';\n"
            "export default class Add extends Command {\n  async run() {}\n}\n"}}),
      ElementsAre("command build  3 commander", "command serve  5 commander",
                  "command user:add Add 2 oclif", "task mail sendMail 2 BullMQ"));
}

TEST(EntryPoints, OfPhp) {
  EXPECT_THAT(
      entry_points_of(
          {{"app/Console/Commands/Sync.php",
            "<?php\nnamespace App;\nuse Illuminate\\Console\\Command;\nclass Sync extends Command "
            "{\n"
            "  protected $signature = 'koel:sync {path}';\n  public function handle() {}\n}\n"},
           {"app/Jobs/QueuedJob.php",
            "<?php\nabstract class QueuedJob implements ShouldQueue {\n}\n"},
           {"app/Jobs/Mail.php",
            "<?php\nclass Mail extends QueuedJob {\n  public function handle() {}\n}\n"},
           {"src/Command/Import.php",
            "<?php\n#[AsCommand(name: 'app:import', description: 'x')]\n"
            "class Import extends Command {\n}\n"},
           {"routes/console.php", "<?php\nArtisan::command('inspire', function () {});\n"}}),
      ElementsAre("command koel:sync Sync 4 Laravel", "command inspire  2 Laravel",
                  "command app:import Import 3 Symfony", "task Mail Mail 2 Laravel"));
}

TEST(EntryPoints, OfJavaCSharpAndElixir) {
  EXPECT_THAT(
      entry_points_of(
          {{"Jobs.java",
            "class Jobs {\n  @Scheduled(cron = \"0 * * * *\")\n  public void clean() {}\n}\n"},
           {"Cli.java",
            "import picocli.CommandLine.Command;\n@Command(name = \"sum\", description = \"x\")\n"
            "class Cli implements Runnable {\n  public void run() {}\n}\n"},
           {"Mailer.cs", "class Mailer : BackgroundService {\n  void Run() {}\n}\n"},
           {"lib/mix/tasks/shop.seed.ex",
            "defmodule Mix.Tasks.Shop.SeedAll do\n  use Mix.Task\n  def run(_), do: :ok\nend\n"},
           {"lib/shop/mailer.ex",
            "defmodule Shop.Mailer do\n  use Oban.Worker, queue: :mail\nend\n"}}),
      ElementsAre("command shop.seed_all Mix.Tasks.Shop.SeedAll 1 Mix", "command sum Cli 3 picocli",
                  "task Mailer Mailer 1 .NET", "task Shop.Mailer Shop.Mailer 1 Oban",
                  "task Jobs.clean Jobs.clean 3 Spring"));
}

TEST(EntryPoints, NotOfTests) {
  EXPECT_THAT(entry_points_of(
                  {{"tests/test_cli.py", "import click\n@click.command()\ndef hello(): pass\n"}}),
              IsEmpty());
}

}  // namespace
}  // namespace codexmem::graph
