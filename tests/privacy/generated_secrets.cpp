// Three tables: values that their format gives away, in any surroundings; values that a name gives
// away; and ways of writing a name and a value.
#include <iterator>

#include "privacy/secret_generator.h"
#include "privacy/secret_maker.h"
#include "privacy/text_template.h"

namespace codexmem::privacy::testing {
namespace {

// What a way of writing lets stand in it.
enum class Room {
  kWord,  // letters, digits, - and _
  kText,  // + / = . too
  kAny,   // anything but quotes, backslashes, spaces and angle brackets
  kUrl,   // anything, in percent-encoding
};

struct Value {
  const char* kind;
  Room needs;
  Shape shape;
};

struct Writing {
  const char* kind;
  Room room;
  const char* text;  // "§": the value
};

constexpr std::string_view kLower = "abcdefghijklmnopqrstuvwxyz";
constexpr std::string_view kSigns = "!#%^*_+?@&,.;:~|=-()[]{}/$";

// Characters of a password, so that no two draws look alike in their classes.
Shape signs(std::size_t length) {
  return [=](Dice& dice) {
    std::string text = dice.chars(kLetters, 2);
    while (text.size() < length) text += dice.chars(dice.below(3) == 0 ? kSigns : kBase62, 1);
    text.back() = dice.chars(kBase62, 1)[0];
    return text;
  };
}

// A password with percent signs, as in formats and addresses: %s, %08x, %20.
Shape percents(std::size_t length) {
  return [=](Dice& dice) {
    std::string text = dice.chars(kBase62, length);
    for (std::size_t count = 1 + dice.below(3); count > 0; --count) {
      const std::size_t at = 2 + dice.below(length - 5);
      text[at] = '%';
      text[at + 1] = dice.chars("sdfxiu2045", 1)[0];
    }
    return text;
  };
}

// A password with what templates have: ${, {{, <%, $(.
Shape templates(std::size_t length) {
  return [=](Dice& dice) {
    std::string text = dice.chars(kBase62, length);
    constexpr std::string_view kPieces[] = {"${", "{", "}", "$", "{{", "%}", "#{", "$("};
    text.insert(3 + dice.below(length - 6), kPieces[dice.below(std::size(kPieces))]);
    text.insert(3 + dice.below(length - 6), dice.chars("!?*+", 1));
    return text;
  };
}

// What hands type along a keyboard, or count up.
Shape runs() {
  return [](Dice& dice) {
    constexpr std::string_view kRuns[] = {"abcdef",   "1234567890", "123456", "fedcba", "987654",
                                          "a1b2c3d4", "e5f6",       "0987",   "abc",    "cafe"};
    std::string text;
    while (text.size() < 18) text += kRuns[dice.below(std::size(kRuns))];
    return text + dice.chars(kHex, 2);
  };
}

std::vector<Value> formats() {
  return {
      {"aws key id", Room::kWord, all({fixed("AKIA"), chars(kBase32, 16)})},
      {"github classic", Room::kWord, all({fixed("ghp_"), checked(30)})},
      {"github oauth", Room::kWord, all({fixed("gho_"), checked(30)})},
      {"github server", Room::kWord, all({fixed("ghs_"), checked(30)})},
      {"github fine", Room::kWord,
       all({fixed("github_pat_"), chars(kBase62, 22), fixed("_"), chars(kBase62, 59)})},
      {"gitlab", Room::kWord, all({fixed("glpat-"), chars(kUrl64, 20)})},
      {"slack bot", Room::kWord,
       all({fixed("xoxb-"), chars(kDigits, 12), fixed("-"), chars(kDigits, 12), fixed("-"),
            chars(kBase62, 24)})},
      {"slack user", Room::kWord,
       all({fixed("xoxp-"), chars(kDigits, 11), fixed("-"), chars(kDigits, 11), fixed("-"),
            chars(kDigits, 12), fixed("-"), chars(kHex, 32)})},
      {"stripe live", Room::kWord, all({fixed("sk_live_"), chars(kBase62, 24)})},
      {"stripe restricted", Room::kWord, all({fixed("rk_live_"), chars(kBase62, 99)})},
      {"openai project", Room::kWord,
       all({fixed("sk-proj-"), chars(kUrl64, 74), fixed("T3BlbkFJ"), chars(kUrl64, 74)})},
      {"openai old", Room::kWord,
       all({fixed("sk-"), chars(kBase62, 20), fixed("T3BlbkFJ"), chars(kBase62, 20)})},
      {"anthropic", Room::kWord, all({fixed("sk-ant-api03-"), chars(kUrl64, 93), fixed("AA")})},
      {"openrouter", Room::kWord, all({fixed("sk-or-v1-"), chars(kHex, 64)})},
      {"google key", Room::kWord, all({fixed("AIzaSy"), chars(kUrl64, 33)})},
      {"google client", Room::kWord, all({fixed("GOCSPX-"), chars(kUrl64, 28)})},
      {"npm", Room::kWord, all({fixed("npm_"), checked(30)})},
      {"pypi", Room::kWord, all({fixed("pypi-AgEIcHlwaS5vcmc"), chars(kUrl64, 150)})},
      {"docker", Room::kWord, all({fixed("dckr_pat_"), chars(kUrl64, 27)})},
      {"hugging face", Room::kWord, all({fixed("hf_"), chars(kLetters, 34)})},
      {"sendgrid", Room::kText,
       all({fixed("SG."), chars(kUrl64, 22), fixed("."), chars(kUrl64, 43)})},
      {"mailgun", Room::kWord, all({fixed("key-"), chars(kHex, 32)})},
      {"telegram", Room::kAny, all({chars("123456789", 10), fixed(":AA"), chars(kUrl64, 33)})},
      {"digitalocean", Room::kWord, all({fixed("dop_v1_"), chars(kHex, 64)})},
      {"databricks", Room::kWord, all({fixed("dapi"), chars(kHex, 32)})},
      {"shopify", Room::kWord, all({fixed("shpat_"), chars(kHex, 32)})},
      {"square", Room::kWord, all({fixed("sq0csp-"), chars(kUrl64, 43)})},
      {"linear", Room::kWord, all({fixed("lin_api_"), chars(kBase62, 40)})},
      {"notion", Room::kWord, all({fixed("ntn_"), chars(kDigits, 11), chars(kBase62, 35)})},
      {"postman", Room::kWord, all({fixed("PMAK-"), chars(kHex, 24), fixed("-"), chars(kHex, 34)})},
      {"vault", Room::kText, all({fixed("hvs."), chars(kUrl64, 95)})},
      {"terraform", Room::kText, all({chars(kBase62, 14), fixed(".atlasv1."), chars(kBase62, 67)})},
      {"new relic", Room::kWord, all({fixed("NRAK-"), chars(kUpper36, 27)})},
      {"grafana", Room::kWord,
       all({fixed("glsa_"), chars(kBase62, 32), fixed("_"), chars(kHex, 8)})},
      {"supabase", Room::kWord, all({fixed("sbp_"), chars(kHex, 40)})},
      {"planetscale", Room::kWord, all({fixed("pscale_tkn_"), chars(kUrl64, 43)})},
      {"doppler", Room::kText, all({fixed("dp.st.prd."), chars(kBase62, 43)})},
      {"pulumi", Room::kWord, all({fixed("pul-"), chars(kHex, 40)})},
      {"groq", Room::kWord, all({fixed("gsk_"), chars(kBase62, 52)})},
      {"replicate", Room::kWord, all({fixed("r8_"), chars(kBase62, 37)})},
      {"perplexity", Room::kWord, all({fixed("pplx-"), chars(kBase62, 48)})},
      {"airtable", Room::kText,
       all({fixed("pat"), chars(kBase62, 14), fixed("."), chars(kHex, 64)})},
      {"figma", Room::kWord, all({fixed("figd_"), chars(kUrl64, 40)})},
      {"dynatrace", Room::kText,
       all({fixed("dt0c01."), chars(kUpper36, 24), fixed("."), chars(kUpper36, 64)})},
      {"age", Room::kWord, all({fixed("AGE-SECRET-KEY-1"), bech32("age-secret-key-", 52, true)})},
      {"rubygems", Room::kWord, all({fixed("rubygems_"), chars(kHex, 48)})},
      {"mapbox", Room::kText,
       all({fixed("sk.eyJ1Ijoi"), chars(kBase62, 60), fixed("."), chars(kUrl64, 22)})},
      {"atlassian", Room::kText,
       all({fixed("ATATT3xFfGF0"), chars(kUrl64, 171), fixed("="), chars(kUpperHex, 8)})},
      {"sentry", Room::kText, all({fixed("sntryu_"), chars(kHex, 64)})},
      {"netlify", Room::kWord, all({fixed("nfp_"), chars(kBase62, 36)})},
      {"tailscale", Room::kWord,
       all({fixed("tskey-auth-"), chars(kBase62, 17), fixed("-"), chars(kBase62, 32)})},
      {"jwt", Room::kText, jwt("HS256", 43)},
      {"jwt rsa", Room::kText, jwt("RS256", 342)},
  };
}

std::vector<Value> named_values() {
  return {
      {"alnum 20", Room::kWord, chars(kBase62, 20)},
      {"alnum 32", Room::kWord, chars(kBase62, 32)},
      {"alnum 48", Room::kWord, chars(kBase62, 48)},
      {"base36 24", Room::kWord, chars(kBase36, 24)},
      {"hex 32", Room::kWord, chars(kHex, 32)},
      {"hex 40", Room::kWord, chars(kHex, 40)},
      {"hex 64", Room::kWord, chars(kHex, 64)},
      {"upper hex 32", Room::kWord, chars(kUpperHex, 32)},
      {"upper 26", Room::kWord, chars(kUpper36, 26)},
      {"base64 44", Room::kText, all({chars(kBase64, 43), fixed("=")})},
      {"base64 86", Room::kText, all({chars(kBase64, 86), fixed("==")})},
      {"url64 43", Room::kWord, all({chars(kBase62, 1), chars(kUrl64, 41), chars(kBase62, 1)})},
      {"prefixed", Room::kWord, all({chars(kLower, 3), fixed("_"), chars(kBase62, 28)})},
      {"prefixed twice", Room::kWord, all({chars(kLower, 4), fixed("_live_"), chars(kBase62, 32)})},
      {"uuid", Room::kWord, uuid()},
      {"letters 16", Room::kWord, chars(kLetters, 16)},
      {"letters 24", Room::kWord, chars(kLetters, 24)},
      {"letters 40", Room::kWord, chars(kLetters, 40)},
      {"lower 16", Room::kWord, chars(kLower, 16)},
      {"lower 24", Room::kWord, chars(kLower, 24)},
      {"upper letters 20", Room::kWord, chars("ABCDEFGHIJKLMNOPQRSTUVWXYZ", 20)},
      {"runs", Room::kWord, runs()},
      {"plain password", Room::kWord, plain_password()},
      {"strong password", Room::kAny, strong_password()},
      {"signs 12", Room::kAny, signs(12)},
      {"signs 16", Room::kAny, signs(16)},
      {"signs 24", Room::kAny, signs(24)},
      {"signs 32", Room::kAny, signs(32)},
      {"percents 14", Room::kAny, percents(14)},
      {"percents 20", Room::kAny, percents(20)},
      {"percents 28", Room::kAny, percents(28)},
      {"templates 16", Room::kAny, templates(16)},
      {"templates 22", Room::kAny, templates(22)},
      {"human password", Room::kAny, human_password()},
      {"seasonal password", Room::kAny, seasonal_password()},
      {"passphrase", Room::kWord, all({passphrase(), fixed("-"), chars(kDigits, 2)})},
  };
}

constexpr std::string_view kNames[] = {
    "password",           "db password",       "admin password",
    "smtp password",      "redis password",    "passwd",
    "user passwd",        "passphrase",        "api key",
    "stripe api key",     "mailer api key",    "token",
    "auth token",         "access token",      "refresh token",
    "bot token",          "deploy token",      "secret",
    "client secret",      "app secret",        "jwt secret",
    "session secret",     "webhook secret",    "signing secret",
    "secret key",         "secret access key", "encryption key",
    "master key",         "private key",       "acme token",
    "internal api key",   "root password",     "keystore password",
    "ldap bind password", "pg password"};

// What names a value: code, configuration, files of tools.
constexpr Writing kAssignments[] = {
    {"python", Room::kAny, "«snake» = \"§\"\n"},
    {"python single", Room::kAny, "    «snake» = '§'\n"},
    {"python argument", Room::kAny, "client = Client(host=\"«host»\", «snake»=\"§\")\n"},
    {"python dict", Room::kAny, "config = {\"host\": \"«host»\", '«snake»': '§'}\n"},
    {"python constant", Room::kAny, "«SCREAM»: str = \"§\"\n"},
    {"python default", Room::kAny, "«SCREAM» = os.environ.get(\"«SCREAM»\", \"§\")\n"},
    {"js const", Room::kAny, "const «camel» = '§';\n"},
    {"js member", Room::kAny, "this.«camel» = \"§\";\n"},
    {"js object", Room::kAny, "  «camel»: '§',\n"},
    {"js fallback", Room::kAny, "const «camel» = process.env.«SCREAM» || '§';\n"},
    {"ts field", Room::kAny, "  private readonly «camel»: string = \"§\";\n"},
    {"js template", Room::kWord, "const «camel» = `§`;\n"},
    {"go short", Room::kAny, "\t«camel» := \"§\"\n"},
    {"go const", Room::kAny, "const «Pascal» = \"§\"\n"},
    {"go struct", Room::kAny, "cfg := Config{Host: \"«host»\", «Pascal»: \"§\"}\n"},
    {"go raw", Room::kAny, "var «camel» = `§`\n"},
    {"java", Room::kAny, "    private static final String «SCREAM» = \"§\";\n"},
    {"java setter", Room::kAny, "dataSource.set«Pascal»(\"§\");\n"},
    {"c sharp", Room::kAny, "public string «Pascal» { get; set; } = \"§\";\n"},
    {"c sharp verbatim", Room::kAny, "var «camel» = @\"§\";\n"},
    {"rust", Room::kAny, "    let «snake»: &str = \"§\";\n"},
    {"rust const", Room::kAny, "pub const «SCREAM»: &'static str = \"§\";\n"},
    {"rust into", Room::kAny, "    «snake»: \"§\".to_string(),\n"},
    {"c define", Room::kAny, "#define «SCREAM» \"§\"\n"},
    {"c char", Room::kAny, "static const char «snake»[] = \"§\";\n"},
    {"c++ braces", Room::kAny, "const std::string «snake»{\"§\"};\n"},
    {"php variable", Room::kAny, "$«snake» = '§';\n"},
    {"php array", Room::kAny, "    '«snake»' => '§',\n"},
    {"php define", Room::kAny, "define('«SCREAM»', '§');\n"},
    {"ruby hash", Room::kAny, "  «snake»: \"§\",\n"},
    {"ruby rocket", Room::kAny, "  :«snake» => '§',\n"},
    {"kotlin", Room::kAny, "val «camel» = \"§\"\n"},
    {"swift", Room::kAny, "let «camel»: String = \"§\"\n"},
    {"scala", Room::kAny, "  val «camel»: String = \"§\"\n"},
    {"perl", Room::kAny, "my $«snake» = '§';\n"},
    {"lua", Room::kAny, "local «snake» = \"§\"\n"},
    {"r", Room::kAny, "«snake» <- \"§\"\n"},
    {"elixir", Room::kAny, "config :shop, «snake»: \"§\"\n"},
    {"clojure", Room::kAny, "{:host \"«host»\" :«kebab» \"§\"}\n"},
    {"powershell", Room::kAny, "$«Pascal» = '§'\n"},
    {"powershell env", Room::kAny, "$env:«SCREAM» = \"§\"\n"},
    {"shell", Room::kAny, "«SCREAM»='§'\n"},
    {"shell bare", Room::kWord, "export «SCREAM»=§\n"},
    {"shell before", Room::kText, "«SCREAM»=§ ./run.sh --env prod\n"},
    {"fish", Room::kText, "set -gx «SCREAM» §\n"},
    {"cmd", Room::kText, "set «SCREAM»=§\r\n"},
    {"setx", Room::kText, "setx «SCREAM» \"§\"\n"},
    {"env file", Room::kText, "APP_ENV=production\n«SCREAM»=§\nPORT=8080\n"},
    {"env file quoted", Room::kAny, "APP_ENV=production\n«SCREAM»=\"§\"\n"},
    {"env prefixed", Room::kText, "«Word»_URL=https://«host»/\nACME_«SCREAM»=§\n"},
    {"make", Room::kText, "«SCREAM» := §\n"},
    {"docker env", Room::kText, "FROM debian:12\nENV «SCREAM»=§\n"},
    {"docker env space", Room::kText, "ENV «SCREAM» §\n"},
    {"docker arg", Room::kText, "ARG «SCREAM»=§\n"},
    {"docker run", Room::kText, "docker run -d -e «SCREAM»=§ acme/«word»:1.4\n"},
    {"compose list", Room::kText, "    environment:\n      - «SCREAM»=§\n"},
    {"compose map", Room::kText, "    environment:\n      «SCREAM»: §\n"},
    {"yaml", Room::kText, "«word»:\n  host: «host»\n  «snake»: §\n"},
    {"yaml quoted", Room::kAny, "«word»:\n  «camel»: \"§\"\n"},
    {"yaml single", Room::kAny, "«kebab»: '§'\n"},
    {"kubernetes string", Room::kAny,
     "apiVersion: v1\nkind: Secret\nmetadata:\n  name: «word»\nstringData:\n  «kebab»: \"§\"\n"},
    {"kubernetes env", Room::kAny, "        - name: «SCREAM»\n          value: \"§\"\n"},
    {"helm", Room::kWord, "helm upgrade «word» ./chart --set auth.«camel»=§\n"},
    {"actions env", Room::kText, "      - run: ./deploy\n        env:\n          «SCREAM»: §\n"},
    {"terraform", Room::kAny, "resource \"x\" \"«word»\" {\n  «snake» = \"§\"\n}\n"},
    {"tfvars", Room::kAny, "region = \"eu-west-1\"\n«snake» = \"§\"\n"},
    {"toml", Room::kAny, "[«word»]\n«kebab» = \"§\"\n"},
    {"ini", Room::kText, "[«word»]\nuser = «user»\n«snake» = §\n"},
    {"properties", Room::kText, "spring.datasource.«camel»=§\n"},
    {"properties dotted", Room::kText, "«word».client.«kebab» = §\n"},
    {"json", Room::kAny, "{\"user\": \"«user»\", \"«snake»\": \"§\"}\n"},
    {"json lines", Room::kAny, "{\n  \"host\": \"«host»\",\n  \"«camel»\": \"§\"\n}\n"},
    {"json kebab", Room::kAny, "{\"«kebab»\":\"§\"}"},
    {"json in a string", Room::kWord, "body: \"{\\\"«snake»\\\": \\\"§\\\"}\"\n"},
    {"xml element", Room::kText, "<«camel»>§</«camel»>\n"},
    {"xml attribute", Room::kText, "<add key=\"«Pascal»\" value=\"§\" />\n"},
    {"xml own attribute", Room::kText, "<server host=\"«host»\" «camel»=\"§\"/>\n"},
    {"plist", Room::kText, "<key>«Pascal»</key>\n<string>§</string>\n"},
    {"systemd", Room::kText, "[Service]\nEnvironment=\"«SCREAM»=§\"\n"},
    {"nix", Room::kAny, "  services.«word».«camel» = \"§\";\n"},
    {"gradle", Room::kAny, "    «camel» \"§\"\n"},
    {"dart", Room::kAny, "static const String «camel» = '§';\n"},
    {"haskell", Room::kAny, "«camel» = \"§\" :: String\n"},
    {"log", Room::kText, "2026-03-02T09:14:11Z DEBUG «word»: connecting with «snake»=§\n"},
    {"log quoted", Room::kAny, "[debug] options: { retries: 3, «camel»: '§' }\n"},
    {"flag", Room::kText, "acme-cli login --«kebab» §\n"},
    {"flag equals", Room::kText, "./«word» --host «host» --«kebab»=§\n"},
    {"flag quoted", Room::kAny, "acme deploy --«kebab» '§' --yes\n"},
    {"diff", Room::kAny, "@@ -3,1 +3,1 @@\n-«snake» = \"\"\n+«snake» = \"§\"\n"},
    {"markdown", Room::kText, "- «plain»: `§`\n"},
    {"markdown table", Room::kText, "| name | value |\n|---|---|\n| «snake» | §  |\n"},
    {"prose is", Room::kText, "The «plain» for «host» is §, please do not share it.\n"},
    {"prose colon", Room::kText, "Here is the «plain»: §\n"},
    {"prose quoted", Room::kAny, "I set the «plain» to \"§\" for now.\n"},
    {"form", Room::kText, "curl https://«host»/login -d 'user=«user»&«snake»=§'\n"},
    {"query", Room::kWord, "GET https://«host»/v1/«word»?page=2&«snake»=§\n"},
    {"multipart", Room::kText,
     "Content-Disposition: form-data; name=\"«snake»\"\r\n\r\n§\r\n--boundary"},
    {"header", Room::kText, "curl -H 'X-«Pascal»: §' https://«host»/v2/«word»\n"},
    {"sql set", Room::kAny, "UPDATE settings SET value = '§' WHERE name = '«snake»';\n"},
    {"base64 wrapped", Room::kUrl, ""},
};

// What names a password by its place alone.
constexpr Writing kPlaces[] = {
    {"postgres url", Room::kUrl, "postgres://«user»:§@«host»:5432/«word»"},
    {"mysql url", Room::kUrl, "DATABASE_URL=mysql2://«user»:§@«host»/«word»?pool=5\n"},
    {"mongodb url", Room::kUrl, "mongodb+srv://«user»:§@«host»/«word»?retryWrites=true"},
    {"redis url", Room::kUrl, "REDIS_URL=redis://:§@«host»:6379/0\n"},
    {"amqp url", Room::kUrl, "broker = \"amqps://«user»:§@«host»/«word»\"\n"},
    {"git clone", Room::kUrl, "git clone https://«user»:§@«host»/team/«word».git\n"},
    {"proxy url", Room::kUrl, "https_proxy=http://«user»:§@«host»:3128\n"},
    {"ftp url", Room::kUrl, "lftp ftp://«user»:§@«host»/drop\n"},
    {"smtp url", Room::kUrl, "MAILER_DSN=smtp://«user»:§@«host»:587\n"},
    {"ado connection", Room::kText,
     "Server=«host»,1433;Database=«word»;User Id=«user»;Password=§;Encrypt=True;\n"},
    {"odbc", Room::kText, "Driver={ODBC Driver 18};Server=«host»;UID=«user»;PWD=§;\n"},
    {"libpq", Room::kText, "host=«host» port=5432 user=«user» password=§ dbname=«word»\n"},
    {"jdbc", Room::kWord, "jdbc:postgresql://«host»/«word»?user=«user»&password=§\n"},
    {"go dsn", Room::kText,
     "db, err := sql.Open(\"mysql\", \"«user»:§@tcp(«host»:3306)/«word»\")\n"},
    {"netrc", Room::kText, "machine «host» login «user» password §\n"},
    {"pgpass", Room::kText, "«host»:5432:«word»:«user»:§\n"},
    {"npmrc", Room::kText, "//«host»/:_authToken=§\n"},
    {"pypirc", Room::kText, "[pypi]\nusername = __token__\npassword = §\n"},
    {"bearer", Room::kText, "Authorization: Bearer §\r\n"},
    {"bearer curl", Room::kText,
     "curl -s -H \"Authorization: Bearer §\" https://«host»/v1/«word»\n"},
    {"bearer code", Room::kText, "headers = {\"Authorization\": \"Bearer §\"}\n"},
    {"bearer fetch", Room::kText, "fetch(url, { headers: { authorization: 'Bearer §' } })\n"},
    {"token header", Room::kWord, "Authorization: token §\n"},
    {"api key header", Room::kText, "X-API-Key: §\n"},
    {"private token", Room::kWord,
     "curl --header \"PRIVATE-TOKEN: §\" https://«host»/api/v4/projects\n"},
    {"cookie", Room::kText, "Cookie: theme=dark; session=§; lang=de\n"},
    {"set cookie", Room::kText, "Set-Cookie: sessionid=§; HttpOnly; Path=/\n"},
    {"curl user", Room::kAny, "curl -u '«user»:§' https://«host»/\n"},
    {"curl user bare", Room::kText, "curl --user «user»:§ https://«host»/api\n"},
    {"mysql -p", Room::kText, "mysql -h «host» -u «user» -p§ «word»\n"},
    {"pgpassword", Room::kText, "PGPASSWORD=§ psql -h «host» -U «user» «word»\n"},
    {"sshpass", Room::kAny, "sshpass -p '§' ssh «user»@«host» uptime\n"},
    {"redis-cli", Room::kText, "redis-cli -h «host» -a § ping\n"},
    {"docker login", Room::kText, "docker login «host» -u «user» -p §\n"},
    {"password flag", Room::kText, "createuser «word» --password §\n"},
    {"password flag equals", Room::kText,
     "mongodump --host «host» --username «user» --password=§\n"},
    {"token flag", Room::kText, "railway up --token § --service «word»\n"},
    {"token flag quoted", Room::kAny, "vercel deploy --prod --token=\"§\"\n"},
    {"secret flag", Room::kText, "acme auth --client-id «word» --client-secret §\n"},
    {"identified by", Room::kAny, "CREATE USER '«word»'@'%' IDENTIFIED BY '§';\n"},
    {"alter role", Room::kAny, "ALTER ROLE «word» WITH LOGIN PASSWORD '§';\n"},
    {"net use", Room::kText, "net use Z: \\\\«word»\\share /user:«user» §\n"},
    {"chpasswd", Room::kAny, "echo '«user»:§' | chpasswd\n"},
    {"htpasswd", Room::kText, "htpasswd -b /etc/nginx/.htpasswd «word» §\n"},
    {"openssl", Room::kText, "openssl enc -d -aes-256-cbc -in a.enc -pass pass:§\n"},
    {"gpg", Room::kText, "gpg --batch --passphrase § -d backup.gpg\n"},
    {"zip", Room::kText, "unzip -P § backup.zip\n"},
    {"kubectl literal", Room::kText,
     "kubectl create secret generic «word» --from-literal=password=§\n"},
    {"gh secret", Room::kText, "gh secret set DEPLOY_KEY --body \"§\"\n"},
    {"storage account", Room::kText,
     "DefaultEndpointsProtocol=https;AccountName=«word»;AccountKey=§;EndpointSuffix=core.windows."
     "net"},
};

// Surroundings of a value that its format gives away.
constexpr Writing kMentions[] = {
    {"alone", Room::kAny, "§"},
    {"prose", Room::kAny, "try it with § and tell me whether it works"},
    {"brackets", Room::kAny, "the key (§) was rotated"},
    {"code", Room::kAny, "client = Acme(\"§\")\n"},
    {"argument", Room::kAny, "./deploy.sh «word» § eu-west-1\n"},
    {"array", Room::kAny, "[\"«word»\", \"§\"]\n"},
    {"log", Room::kAny, "2026-03-02 09:14:11 INFO auth ok §\n"},
    {"path", Room::kWord, "https://«host»/hooks/§/events\n"},
    {"comment", Room::kAny, "// old one: §\n"},
    {"yaml list", Room::kAny, "  - §\n"},
    {"escaped", Room::kWord, "{\"out\":\"got §\\nok\"}"},
    {"html", Room::kAny, "<code>§</code>"},
    {"diff", Room::kAny, "-    x = load()\n+    x = \"§\"\n"},
};

std::string percent_encoded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (kBase62.find(c) != std::string_view::npos || c == '-' || c == '_' || c == '.') {
      out += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += {'%', kUpperHex[byte >> 4U], kUpperHex[byte & 15U]};
    }
  }
  return out;
}

GeneratedSecret written(const Writing& writing, const Value& value, Dice& dice) {
  const std::string_view name = pick(kNames, dice);
  std::string secret = value.shape(dice);
  const std::string kind = std::string(writing.kind) + ", " + value.kind;
  if (std::string_view(writing.text).empty()) {  // a whole file in base64, as in Kubernetes' data
    const std::string file = expand("APP_ENV=production\n«SCREAM»=", name, dice) + secret + "\n";
    const std::string wrapped = base64(file);
    return {kind, "data:\n  .env: " + wrapped + "\n", wrapped};
  }
  if (writing.room == Room::kUrl) secret = percent_encoded(secret);
  return {kind, fill(expand(writing.text, name, dice), secret), secret};
}

GeneratedSecret private_key(Dice& dice) {
  constexpr std::string_view kKinds[] = {"RSA PRIVATE KEY", "PRIVATE KEY", "EC PRIVATE KEY",
                                         "OPENSSH PRIVATE KEY", "ENCRYPTED PRIVATE KEY"};
  const std::string_view kind = pick(kKinds, dice);
  const bool is_one_line = dice.below(3) == 0;
  const std::string line_end = is_one_line ? "\\n" : "\n";
  const std::string body = base64_lines("MII", 4 + dice.below(20), 64, line_end)(dice);
  std::string text = pem_begin(kind) + line_end + body + line_end + pem_end(kind);
  text = is_one_line ? "{\"private_key\": \"" + text + "\\n\"}" : "# deploy\n" + text + "\n";
  return {"private key", text, body};
}

GeneratedSecret basic_header(Dice& dice) {
  const std::string value = basic(expand("«user»", "", dice))(dice);
  return {"basic header", "Authorization: Basic " + value + "\n", value};
}

GeneratedSecret kubernetes_data(Dice& dice) {
  const std::string value = base64(pick(named_values(), dice).shape(dice));
  const std::string text = expand(
      "apiVersion: v1\nkind: Secret\nmetadata:\n  name: «word»\ntype: Opaque\ndata:\n  «kebab»: ",
      pick(kNames, dice), dice);
  return {"kubernetes data", text + value + "\n", value};
}

}  // namespace

std::vector<GeneratedSecret> generate_secrets(unsigned seed, std::size_t count) {
  const std::vector<Value> self_evident = formats(), named = named_values();
  Dice dice("secrets " + std::to_string(seed));
  std::vector<GeneratedSecret> secrets;
  while (secrets.size() < count) {
    const std::size_t kind = dice.below(100);
    if (kind < 2) {
      secrets.push_back(private_key(dice));
    } else if (kind < 4) {
      secrets.push_back(basic_header(dice));
    } else if (kind < 6) {
      secrets.push_back(kubernetes_data(dice));
    } else if (kind < 25) {
      const Writing& writing = pick(kMentions, dice);
      const Value& value = pick(self_evident, dice);
      if (value.needs <= writing.room) secrets.push_back(written(writing, value, dice));
    } else {
      const Writing& writing = kind < 70 ? pick(kAssignments, dice) : pick(kPlaces, dice);
      const Value& value = kind % 5 == 0 ? pick(self_evident, dice) : pick(named, dice);
      if (value.needs <= writing.room) secrets.push_back(written(writing, value, dice));
    }
  }
  return secrets;
}

}  // namespace codexmem::privacy::testing
