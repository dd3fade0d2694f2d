#include <utility>

#include "privacy/secret_cases.h"
#include "privacy/secret_maker.h"

namespace codexmem::privacy::testing {
namespace {

using Cases = std::vector<HarmlessCase>;

std::string lines64(std::string_view seed, std::string start, std::size_t lines) {
  Dice dice(seed);
  return base64_lines(std::move(start), lines, 64, "\n")(dice);
}

// Runs of random characters for digests and the like, the same each time.
std::string hex(std::string_view seed, std::size_t length) {
  return Dice(seed).chars(kHex, length);
}
std::string random64(std::string_view seed, std::size_t length) {
  return Dice(seed).chars(kBase64, length);
}
Cases references() {
  return {
      {"shell variable", "DATABASE_PASSWORD=${DB_PASSWORD}\nAPI_KEY=$API_KEY\n"},
      {"shell default", "PGPASSWORD=\"${PGPASSWORD:?set me first}\" psql -h db"},
      {"windows variable", "set CONN=Server=sql;User Id=sa;Password=%SA_PASSWORD%;"},
      {"powershell variable", "$env:AZURE_CLIENT_SECRET = $secrets.ClientSecret"},
      {"workflow secret", "env:\n  NODE_AUTH_TOKEN: ${{ secrets.NPM_TOKEN }}\n"},
      {"gitlab variable",
       "script:\n  - docker login -u $CI_REGISTRY_USER -p $CI_REGISTRY_PASSWORD $CI_REGISTRY\n"},
      {"python environ", "password = os.environ[\"SHOP_DB_PASSWORD\"]"},
      {"python getenv", "openai.api_key = os.getenv('OPENAI_API_KEY')"},
      {"node environ", "const stripe = new Stripe(process.env.STRIPE_SECRET_KEY);"},
      {"vite environ", "apiKey: import.meta.env.VITE_MAPS_API_KEY,"},
      {"java environ", "String password = System.getenv(\"DB_PASSWORD\");"},
      {"spring placeholder", "spring.datasource.password=${SPRING_DATASOURCE_PASSWORD:}"},
      {"ruby environ", "secret_key_base: <%= ENV[\"SECRET_KEY_BASE\"] %>"},
      {"go environ", "token := os.Getenv(\"GITHUB_TOKEN\")"},
      {"rust environ", "let api_key = std::env::var(\"ANTHROPIC_API_KEY\")?;"},
      {"c++ environ", "const char* secret = std::getenv(\"AGENT_MEMORY_SECRET\");"},
      {"url of variables", "postgres://${DB_USER}:${DB_PASSWORD}@${DB_HOST}:5432/${DB_NAME}"},
      {"url in a template string", "const url = `redis://:${password}@${host}:${port}/0`;"},
      {"url in an f-string", "dsn = f\"mysql+pymysql://{user}:{password}@{host}/{name}\""},
      {"url of format signs",
       "snprintf(url, n, \"amqp://%s:%s@%s:%d/\", user, password, host, port);"},
      {"jinja variable", "mysql_root_password: \"{{ vault_mysql_root_password }}\""},
      {"helm value", "password: {{ .Values.auth.password | b64enc | quote }}"},
      {"terraform variable", "password = var.db_password\nsecret_key = local.aws_secret_key\n"},
      {"terraform data", "password = data.aws_secretsmanager_secret_version.db.secret_string"},
      {"kubernetes reference",
       "- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      name: shop-db\n      key: "
       "password\n"},
      {"cloudformation reference", "MasterUserPassword: !Ref DBPassword"},
      {"cloudformation dynamic",
       "MasterUserPassword: '{{resolve:secretsmanager:shop/db:SecretString:password}}'"},
      {"secret's arn",
       "arn:aws:secretsmanager:eu-west-1:123456789012:secret:shop/db-password-a1b2c3"},
      {"1password reference", "OPENAI_API_KEY=op://Engineering/OpenAI/credential"},
      {"vault command", "export DB_PASSWORD=$(vault kv get -field=password secret/shop/db)"},
      {"file of a secret", "POSTGRES_PASSWORD_FILE: /run/secrets/postgres_password"},
      {"command substitution", "curl -u \"admin:$(cat /run/secrets/nexus)\" https://nexus.acme.io"},
      {"bearer variable", "curl -H \"Authorization: Bearer $TOKEN\" https://api.acme.io/v1/me"},
      {"bearer template", "headers: { Authorization: `Bearer ${accessToken}` }"},
      {"password from standard input",
       "echo \"$PAT\" | docker login -u acmebot --password-stdin ghcr.io"},
      {"jenkins credentials", "environment { NEXUS_PASSWORD = credentials('nexus-deploy') }"},
      {"spring encryption reference", "token: ${vault.secret/data/github#token}"},
      {"npmrc variable", "//registry.npmjs.org/:_authToken=${NPM_TOKEN}"},
      {"sops value", "password: ENC[AES256_GCM,data:" + random64("sops", 22) + "==,iv:" +
                         random64("iv", 43) + "=,tag:" + random64("tag", 22) + "==,type:str]"},
      {"ansible vault", "db_password: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n  " +
                            hex("vault a", 80) + "\n  " + hex("vault b", 80) + "\n"},
  };
}

Cases placeholders() {
  return {
      {"angle brackets", "password: <your-password>\napi_key: <API_KEY>\n"},
      {"changeme", "POSTGRES_PASSWORD=changeme"},
      {"your key here", "OPENAI_API_KEY=your-api-key-here"},
      {"capital placeholder", "STRIPE_SECRET_KEY=YOUR_STRIPE_SECRET_KEY"},
      {"crosses", "password=xxxxxxxxxxxx\ntoken=XXXXXXXXXXXXXXXX"},
      {"stars", "PASSWORD: ********** (masked by the runner)"},
      {"dots", "export ANTHROPIC_API_KEY=sk-ant-..."},
      {"github crosses", "GITHUB_TOKEN=" + glue({"ghp_", std::string(36, 'x')})},
      {"aws crosses", "aws_access_key_id = " + glue({"AKIA", std::string(16, 'X')})},
      {"openai crosses", "key looks like " + glue({"sk-proj-", std::string(32, 'x')})},
      {"redacted", "DB_PASSWORD=[REDACTED]\nAuthorization: Bearer <redacted>\n"},
      {"redacted by us", "GITHUB_TOKEN=[REDACTED:github-token]"},
      {"empty value", "DB_PASSWORD=\nAPI_TOKEN=\"\"\nSECRET_KEY=''\n"},
      {"null value", "\"password\": null, \"token\": undefined, \"secret\": false"},
      {"url in documentation", "postgres://user:password@localhost:5432/mydb"},
      {"url with brackets", "git clone https://<user>:<token>@github.com/acme/shop.git"},
      {"url with words", "scheme://username:password@host:port/path"},
      {"todo value", "client_secret: TODO"},
      {"example value", "DJANGO_SUPERUSER_PASSWORD=example"},
      {"bearer placeholder", "Authorization: Bearer {token}\nAuthorization: Basic <credentials>"},
      {"slack placeholder", "SLACK_BOT_TOKEN=xoxb-your-token-here"},
      {"insert here", "const API_KEY = 'INSERT_API_KEY_HERE';"},
  };
}

Cases published_examples() {
  return {
      {"aws key id", "aws_access_key_id=" + glue({"AKIA", "IOSFODNN7", "EXAMPLE"})},
      {"aws secret",
       "aws_secret_access_key=" + glue({"wJalrXUtnFEMI", "/K7MDENG/", "bPxRfiCY", "EXAMPLEKEY"})},
      {"json web token of jwt.io",
       base64_url(R"({"alg":"HS256","typ":"JWT"})") + "." +
           base64_url(R"({"sub":"1234567890","name":"John Doe","iat":1516239022})") + "." +
           glue({"SflKxwRJSMeKKF2QT4", "fwpMeJf36POk6yJV_", "adQssw5c"})},
      {"stripe's documented test key", "curl https://api.stripe.com/v1/charges -u " +
                                           glue({"sk_test_", "4eC39HqLyjWDar", "jtT1zdp7dc:"})},
      {"basic of RFC 7617", "Authorization: Basic " + base64("Aladdin:open sesame")},
      {"bearer of RFC 6750", "Authorization: Bearer " + glue({"mF_9.", "B5f-4.", "1JqM"})},
      {"azurite's account",
       "AccountName=devstoreaccount1;AccountKey=" +
           glue({"Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1", "OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/",
                 "K1SZFPTOtr/KBHBeksoGMGw==;"})},
      {"slack's documented webhook",
       "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX"},
      {"telegram's documented token",
       "https://api.telegram.org/bot" +
           glue({"123456:", "ABC-DEF1234gh", "Ikl-zyx57W2v1u123ew11"}) + "/getMe"},
  };
}

Cases public_material() {
  return {
      {"ssh ed25519 key",
       "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + random64("ed25519", 43) + " ann@laptop"},
      {"ssh rsa key", "authorized_keys: ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQ" +
                          random64("rsa", 342) + " deploy"},
      {"ssh fingerprint", "256 SHA256:" + random64("fingerprint", 43) + " ann@laptop (ED25519)"},
      {"known host", "github.com ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAI" +
                         random64("host", 104) + "="},
      {"public key", "-----BEGIN PUBLIC KEY-----\n" +
                         lines64("spki", "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A", 6) +
                         "\n-----END PUBLIC KEY-----\n"},
      {"certificate", "-----BEGIN CERTIFICATE-----\n" +
                          lines64("x509", "MIIDdzCCAl+gAwIBAgIE", 18) +
                          "\n-----END CERTIFICATE-----\n"},
      {"certificate request", "-----BEGIN CERTIFICATE REQUEST-----\n" +
                                  lines64("csr", "MIICijCCAXICAQAw", 12) +
                                  "\n-----END CERTIFICATE REQUEST-----\n"},
      {"pgp public key", "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n" + lines64("pgp", "mQENBF", 12) +
                             "\n-----END PGP PUBLIC KEY BLOCK-----\n"},
      {"pgp signature", "-----BEGIN PGP SIGNATURE-----\n\n" +
                            lines64("sig", "iQEzBAABCAAdFiEE", 7) +
                            "\n-----END PGP SIGNATURE-----\n"},
      {"age recipient", "recipients: age1" +
                            [] {
                              Dice dice("age");
                              return bech32("age", 52, false)(dice);
                            }()},
      {"public web key", R"({"kty":"RSA","use":"sig","kid":"2026-01","e":"AQAB","n":")" +
                             Dice("jwk").chars(kUrl64, 342) + "\"}"},
      {"stripe publishable key", "loadStripe('pk_live_51" + Dice("pk").chars(kBase62, 97) + "')"},
      {"mapbox public token", "mapboxgl.accessToken = 'pk." +
                                  base64_url(R"({"u":"acme","a":"cl)" + hex("mb", 18) + "\"}") +
                                  "." + Dice("mapbox").chars(kUrl64, 22) + "';"},
      {"posthog project key", "posthog.init('phc_" + Dice("phc").chars(kBase62, 43) + "')"},
      {"sentry dsn",
       "Sentry.init({ dsn: 'https://" + hex("dsn", 32) + "@o418.ingest.sentry.io/4504' })"},
      {"wireguard public key",
       "[Peer]\nPublicKey = " + random64("wg", 43) + "=\nAllowedIPs = 10.8.0.0/24\n"},
      {"twilio account", "TWILIO_ACCOUNT_SID=AC" + hex("twilio", 32)},
      {"oauth client id",
       "client_id = 591283746-" + Dice("gcid").chars(kBase36, 32) + ".apps.googleusercontent.com"},
      {"dkim record",
       "v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQ" + random64("dkim", 160) + "QIDAQAB"},
      {"site verification", "google-site-verification=" + Dice("site").chars(kUrl64, 43)},
  };
}

Cases digests() {
  return {
      {"git hash", "fixed by " + hex("commit", 40) + " on main"},
      {"git log", "commit " + hex("log", 40) +
                      "\nAuthor: Ann <ann@acme.io>\n\n    auth: rotate token on login\n"},
      {"short hashes", "bisect: good " + hex("good", 7) + ", bad " + hex("bad", 9)},
      {"sha256 sum", hex("sum", 64) + "  codexmem-1.4.2-linux-x64.tar.gz"},
      {"md5 sum", "MD5 (dump.sql.gz) = " + hex("md5", 32)},
      {"image digest", "image: ghcr.io/acme/api@sha256:" + hex("image", 64)},
      {"image by registry port",
       "docker pull registry.acme.io:5000/auth/token-service@sha256:" + hex("port", 64)},
      {"package-lock integrity",
       "\"node_modules/jsonwebtoken\": {\n  \"version\": \"9.0.2\",\n  \"resolved\": "
       "\"https://registry.npmjs.org/jsonwebtoken/-/jsonwebtoken-9.0.2.tgz\",\n  \"integrity\": "
       "\"sha512-" +
           random64("npm", 86) + "==\"\n}"},
      {"yarn lock",
       "csrf-tokens@^3.1.0:\n  version \"3.1.0\"\n  resolved \"https://registry.yarnpkg.com/"
       "tokens/-/tokens-3.1.0.tgz#" +
           hex("yarn", 40) + "\"\n  integrity sha512-" + random64("yarn", 86) + "==\n"},
      {"go sum", "github.com/golang-jwt/jwt/v5 v5.2.1 h1:" + random64("go", 43) + "="},
      {"cargo lock", "[[package]]\nname = \"secrecy\"\nversion = \"0.8.0\"\nchecksum = \"" +
                         hex("cargo", 64) + "\"\n"},
      {"pip hashes", "passlib==1.7.4 \\\n    --hash=sha256:" + hex("pip a", 64) +
                         " \\\n    --hash=sha256:" + hex("pip b", 64)},
      {"nix hash", "sha256 = \"sha256-" + random64("nix", 43) + "=\";"},
      {"subresource integrity", "<script src=\"https://cdn.acme.io/a.js\" integrity=\"sha384-" +
                                    random64("sri", 64) + "\" crossorigin=\"anonymous\"></script>"},
      {"uuid",
       "request_id=" + some_uuid("request") + " session=" + some_uuid("session") + " took 31 ms"},
      {"uuid of a key id", "kms key " + some_uuid("kms") + " in eu-west-1 encrypts the bucket"},
      {"uuid in code", "[Guid(\"" + some_uuid("guid") + "\")] interface ITokenProvider {}"},
      {"etag", "ETag: W/\"" + hex("etag", 32) + "\"\nLast-Modified: Mon, 02 Mar 2026 09:14:11 GMT"},
      {"trace id", "traceparent: 00-" + hex("trace", 32) + "-" + hex("span", 16) + "-01"},
      {"object id", "{ _id: ObjectId(\"" + hex("mongo", 24) + "\"), kind: 'token_refresh' }"},
      {"cache key", "cache hit for key: linux-x64-node20-" + hex("cache", 64)},
      {"container id", "container " + hex("container", 64) + " exited with 137"},
      {"ulid",
       "event 01" + Dice("ulid").chars("0123456789ABCDEFGHJKMNPQRSTVWXYZ", 24) + " was replayed"},
      {"pod name", "pod/auth-token-service-7d9c5b6f8d-x2k9q restarted 3 times"},
      {"bundle names",
       "dist/assets/token-" + Dice("vite").chars(kUrl64, 8) + ".js  14.21 kB | gzip: 5.02 kB"},
      {"block hash", "ethereum tx 0x" + hex("tx", 64) + " confirmed"},
      {"content id", "ipfs://bafybei" + Dice("cid").chars("abcdefghijklmnopqrstuvwxyz234567", 52)},
  };
}

Cases prose() {
  return {
      {"hashing",
       "Passwords are hashed with argon2id before storage; never log the password itself."},
      {"policy", "Password policy: at least 12 characters, one digit, rotated every 90 days."},
      {"reset flow",
       "Password reset: the user clicks the link, the token expires after 15 minutes."},
      {"where it is", "The API key is kept in 1Password under Staging/OpenAI; ask Ann for access."},
      {"token budget", "Token budget: 2000 tokens for the context, 500 for the answer."},
      {"bearer",
       "The gateway checks that the Authorization header is a Bearer token signed by our issuer."},
      {"basic", "Basic authentication is disabled on the cluster since 1.19."},
      {"secret of success", "Secret: cache the parsed grammar, it saves 40 ms a file."},
      {"pass and fail", "unit: pass: 131, fail: 2, skipped: 4"},
      {"pass counts", "pass: 131\nfail: 0\n"},
      {"decision",
       "Decision: tokens live in httpOnly cookies, not in localStorage, because of XSS."},
      {"bug", "Bug: password=None was passed to connect() when the variable is unset."},
      {"formats",
       "GitHub tokens begin with ghp_ or github_pat_, GitLab's with glpat-, AWS key ids with "
       "AKIA."},
      {"two passwords", "the password field and the confirm-password field must match"},
      {"rotation", "We rotated the AWS secret access key on 2026-02-11 and revoked the old one."},
      {"chinese", "密码：至少十二个字符，必须包含数字。令牌十五分钟后过期。"},
      {"german", "Passwort: wird beim ersten Login vergeben, Token läuft nach 15 Minuten ab."},
      {"question", "Why does the token: prefix appear twice in the cache key?"},
  };
}

Cases code() {
  return {
      {"python signature",
       "def login(user: str, password: str, token: str | None = None) -> Session:"},
      {"typescript interface",
       "interface Login { user: string; password: string; apiKey?: string }"},
      {"call of a getter",
       "const secret = await getSecret('shop/db');\nconst token = req.headers.authorization;"},
      {"member", "self.password = password\nself._token = token_provider.get_token()"},
      {"comparison", "if (password == confirmPassword && token != nullptr) return true;"},
      {"hash call", "user.password = await bcrypt.hash(plainPassword, 12)"},
      {"sqlalchemy column", "password = Column(String(128), nullable=False)"},
      {"sql schema",
       "CREATE TABLE users (id INT, password_hash VARCHAR(255) NOT NULL, api_token CHAR(40));"},
      {"protobuf", "message Session { string access_token = 3; string refresh_token = 4; }"},
      {"openapi schema", "password:\n  type: string\n  format: password\n  minLength: 12\n"},
      {"json schema",
       R"({"properties": {"api_key": {"type": "string", "description": "The key of the provider"}}})"},
      {"html input",
       "<input type=\"password\" name=\"password\" autocomplete=\"current-password\">"},
      {"selenium", "password_field = driver.find_element(By.ID, \"password\")"},
      {"translations",
       R"({"password": "Passwort", "forgot_password": "Passwort vergessen?", "token": "Token"})"},
      {"regular expression",
       "re.compile(r\"gh[pousr]_[A-Za-z0-9]{36}|glpat-[\\w-]{20}|AKIA[0-9A-Z]{16}\")"},
      {"model settings",
       "max_tokens: 4096\ntokenizer: cl100k_base\npad_token: \"<|endoftext|>\"\n"},
      {"template tag", "<form method=\"post\">{% csrf_token %}</form>"},
      {"constants", "const TOKEN_TTL_SECONDS = 3600;\nconst PASSWORD_MIN_LENGTH = 12;\n"},
      {"key path",
       "private_key_path = \"/etc/ssl/private/server.key\"\nssh -i ~/.ssh/id_ed25519 deploy@host"},
      {"cache key of parts", "const key = `user:${id}:profile`; cache_key = \"index-v3-settings\""},
      {"enum", "enum class TokenKind { kIdentifier, kKeyword, kPassword, kSecretKeyRef };"},
      {"pagination", "next_page_token = response.get('nextPageToken')\npage_token=page_token"},
      {"graphql", "mutation($password: String!) { login(password: $password) { accessToken } }"},
      {"test double", "when(tokenService.issue(any())).thenReturn(token);"},
      {"parser", "token = lexer.next_token(); assert token.kind == TokenKind.STRING"},
      {"secret manager call",
       "client.access_secret_version(name=\"projects/acme/secrets/db-password/versions/latest\")"},
      {"settings key", "conf.get(\"spark.hadoop.fs.s3a.secret.key\")"},
      {"kubernetes secret name", "imagePullSecrets:\n  - name: registry-acme-io-credentials\n"},
      {"mkdir and ports",
       "mkdir -p build && docker run -p 8080:80 nginx && ssh -p 2222 deploy@host"},
      {"mysql prompt", "mysql -u root -p shop < schema.sql"},
      {"log format", "log.warn(\"login failed: user={} password=*** ip={}\", user, ip);"},
      {"yaml anchors",
       "secrets:\n  db_password:\n    external: true\n    name: shop_db_password_v2\n"},
      {"function types",
       "using PasswordHasher = std::function<std::string(std::string_view password)>;"},
      {"prompt", "read -rsp 'Password: ' password && printf '%s' \"$password\" | sha256sum"},
  };
}

Cases looks() {
  return {
      {"css colours",
       "--token-color-primary: #ff8800; color: #1a2b3c; background: rgb(12 34 56 / 80%);"},
      {"css classes", "<div class=\"sk-fading-circle sk-circle-12 sk-proj-list\"></div>"},
      {"tailwind", "className=\"w-[calc(100%-2rem)] bg-[url('/img/key.svg')] text-[#0f172a]\""},
      {"minified code",
       "!function(e,t){\"object\"==typeof exports?t(exports):t(e.tk={})}(this,function(e){var "
       "t=\"token\",n=e.key=function(e){return e&&e.password?e.password.length:0};e.pass=n});"},
      {"data uri image", "<img src=\"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA" +
                             random64("png", 400) + "==\">"},
      {"data uri font", "src: url(data:font/woff2;charset=utf-8;base64,d09GMgABAAAAA" +
                            random64("woff", 600) + ") format('woff2');"},
      {"source map",
       "//# sourceMappingURL=data:application/json;base64," +
           base64(
               R"({"version":3,"sources":["token.ts","password.ts"],"names":["token"],"mappings":"AAAA"})")},
      {"base64 of prose",
       "echo " + base64("The quick brown fox jumps over the lazy dog, twice.") + " | base64 -d"},
      {"base64 of harmless settings",
       "payload: " + base64("LOG_LEVEL=debug\nREGION=eu-central-1\nTOKEN_TTL=900\n")},
      {"base64 cursor",
       "?after=" + base64_url(R"({"id":48213,"created_at":"2026-03-02T09:14:11Z"})") + "&limit=50"},
      {"protobuf in base64", "msg CgVoZWxsbxIFd29ybGQ" + random64("proto", 61) + "= decoded fine"},
      {"url without credentials", "postgres://localhost:5432/app and redis://cache.acme.io:6379/0"},
      {"url with a user alone",
       "ssh://git@github.com/acme/shop.git, https://ann@bitbucket.org/acme/shop.git"},
      {"git address", "git@github.com:acme/shop.git"},
      {"scp", "scp -P 2222 build.tgz deploy@10.0.0.7:/srv/releases/"},
      {"url with an at in its path",
       "https://cdn.jsdelivr.net:443/npm/@scope/pkg@1.2.3/dist/index.js"},
      {"vite client", "http://localhost:5173/@vite/client?t=1772442851123"},
      {"e-mail addresses", "Ann <ann@acme.io>, mailto:security@acme.io?subject=token%20leak"},
      {"document url",
       "https://docs.google.com/document/d/1" + Dice("doc").chars(kUrl64, 43) + "/edit"},
      {"video url", "https://www.youtube.com/watch?v=" + Dice("video").chars(kUrl64, 11)},
      {"semantic versions",
       "pass-generator@1.2.3-beta.4+build.20260302, token-kit ^4.17.21, >=2.0.0 <3"},
      {"timestamps and addresses",
       "2026-03-02T09:14:11.123Z fe80::1ff:fe23:4567:890a 00:1B:44:11:3A:B7 rss=48213k"},
      {"mangled name",
       "_ZN8codexmem6memory10TokenStore12find_passwordERKNSt7__cxx1112basic_stringIcSt11char_"
       "traitsIcESaIcEEE"},
      {"long identifiers",
       "AbstractAuthenticationTokenProcessingFilterConfigurerAdapterFactoryBean.java:142"},
      {"branch name", "git switch -c feature/AUTH-1432-rotate-refresh-tokens-on-password-change"},
      {"near prefixes",
       "huggingface: hf_hub_download, npm_config_registry, npm_lifecycle_event, task-sk-2026-plan"},
      {"hex dump", "00000010: 4865 6c6c 6f2c 2077 6f72 6c64 2100 0000  Hello, world!..."},
      {"nix path", "/nix/store/" + Dice("store").chars("0123456789abcdfghijklmnpqrsvwxyz", 32) +
                       "-openssl-3.0.13/bin"},
      {"svg path",
       "<path d=\"M12 2C6.48 2 2 6.48 2 12s4.48 10 10 10 10-4.48 10-10S17.52 2 12 2zm0 3c1.66 0 3 "
       "1.34 3 3\"/>"},
      {"stack trace",
       "at com.acme.auth.TokenFilter.doFilter(TokenFilter.java:88) ~[auth-1.4.2.jar!/:1.4.2]"},
  };
}

}  // namespace

std::vector<HarmlessCase> harmless_cases() {
  const std::vector<std::pair<std::string, Cases>> groups = {
      {"reference", references()},
      {"placeholder", placeholders()},
      {"published example", published_examples()},
      {"public", public_material()},
      {"digest", digests()},
      {"prose", prose()},
      {"code", code()},
      {"look", looks()},
  };
  Cases cases;
  for (const auto& [group, members] : groups) {
    for (const HarmlessCase& member : members) {
      cases.push_back({group + ": " + member.name, member.text});
    }
  }
  return cases;
}

}  // namespace codexmem::privacy::testing
