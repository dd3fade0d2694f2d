#include "mcp/tools_fixture.h"

#include "mcp/tools.h"

namespace codexmem::mcp::testing {

const std::map<std::string, std::string>& sample_files() {
  static const std::map<std::string, std::string> kFiles = {
      {"web/src/services/UserService.ts",
       "import { Store } from '../store';\n"
       "import merge from 'lodash';\n"
       "\n"
       "/** Service for user management operations. */\n"
       "export class UserService {\n"
       "  constructor(private store: Store) {}\n"
       "\n"
       "  /** Finds a user by its id. */\n"
       "  findUser(id: string): string {\n"
       "    return this.store.load(merge(id));\n"
       "  }\n"
       "}\n"},
      {"web/src/store.ts",
       "/** Keeps values by key. */\n"
       "export class Store {\n"
       "  private values = new Map<string, string>();\n"
       "\n"
       "  load(key: string): string {\n"
       "    return this.values.get(key) ?? '';\n"
       "  }\n"
       "}\n"
       "\n"
       "export const kStoreLimit = 10;\n"},
      {"web/src/controllers/UserController.ts",
       "import { UserService } from '../services/UserService';\n"
       "import { Store } from '../store';\n"
       "\n"
       "export function showUser(id: string): string {\n"
       "  const service = new UserService(new Store());\n"
       "  return service.findUser(id);\n"
       "}\n"},
      {"web/tests/UserService.test.ts",
       "import { UserService } from '../src/services/UserService';\n"
       "import { Store } from '../src/store';\n"
       "\n"
       "it('finds', () => {\n"
       "  new UserService(new Store()).findUser('1');\n"
       "});\n"},
      {"py/app/billing.py",
       "\"\"\"Bills and their totals.\"\"\"\n"
       "from .money import round_amount\n"
       "\n"
       "\n"
       "def compute_invoice_total(amounts):\n"
       "    \"\"\"Adds amounts up and rounds the total to cents.\"\"\"\n"
       "    return round_amount(sum(amounts))\n"},
      {"py/app/money.py",
       "def round_amount(value, digits=2):\n"
       "    return round(value, digits)\n"},
      {"py/app/__init__.py", ""},
      {"notes.md", "# Notes\n\nRetries are configured in the gateway.\n"},
  };
  return kFiles;
}

ToolsFixture::ToolsFixture() {
  for (const auto& [path, text] : sample_files()) directory_.write(path, text);
  auto opened = store::Workspace::open(directory_.path());
  CODEXMEM_CHECK(opened.ok());
  workspace_ = std::move(opened).value();
  search_ = std::make_unique<search::SearchEngine>(*workspace_);
  code_ = std::make_unique<ask::CodeServices>(ask::CodeServices{*workspace_, *search_, facts_});
  services_.code = code_.get();
  // As in the product, runs of this process queue up at a mutex. The file lock below it orders them
  // too, but ThreadSanitizer does not see that.
  code_->index = [this, run = code_->index](const auto& options, const auto& progress, auto stop) {
    const std::lock_guard lock(run_mutex_);
    return run(options, progress, stop);
  };
  auto table = ToolTable::make(tools());
  CODEXMEM_CHECK(table.ok());
  table_ = std::make_unique<ToolTable>(std::move(table).value());
  const auto report = code_->index({}, {}, {});
  EXPECT_TRUE(report.ok()) << (report.ok() ? "" : report.error().message());
}

ToolResult ToolsFixture::call_raw(const std::string& tool, const Json& arguments,
                                  const CallContext* base) {
  CallContext context = base != nullptr ? *base : CallContext{};
  context.services = &services_;
  const Tool* const row = table_->find(tool);
  CODEXMEM_CHECK(row != nullptr);
  return table_->call(*row, JsonValue::parse(arguments.dump()).value(), context);
}

Json ToolsFixture::call(const std::string& tool, const Json& arguments, const CallContext* base) {
  const ToolResult result = call_raw(tool, arguments, base);
  Json structured = Json::parse(result.structured);
  if (result.is_error) structured["is_error"] = true;
  return structured;
}

}  // namespace codexmem::mcp::testing
