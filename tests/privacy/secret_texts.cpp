#include "privacy/secret_texts.h"

#include <utility>

namespace codexmem::privacy {
namespace {

std::string pem(SecretMaker& make, const std::string& kind, const std::string& line_end) {
  std::string text = "-----BEGIN " + kind + "-----" + line_end;
  for (int line = 0; line < 5; ++line) text += make.base64(64) + line_end;
  return text + make.base64(30) + "==" + line_end + "-----END " + kind + "-----";
}

}  // namespace

std::vector<SecretText> token_texts() {
  SecretMaker make(11);
  std::vector<SecretText> cases;
  const auto add = [&](std::string name, std::string token) {
    cases.push_back({std::move(name), token, token});
  };
  const std::string a = "A", g = "g", s = "s", x = "x", n = "n", d = "d";
  for (const std::string prefix : {"KIA", "SIA", "CCA"})
    add("aws id", a + prefix + make.base32(16));
  add("aws bedrock", a + "BSK" + make.base64(120));
  add("google api", a + "Iza" + make.base64url(35));
  add("google oauth secret",
      "GOC"
      "SPX-" +
          make.base64url(28));
  add("google oauth token",
      "ya"
      "29." +
          make.base64url(120));
  add("google refresh token",
      "1/"
      "/0" +
          make.base64url(60));
  add("google firebase", a + "AAA" + make.alnum(7) +
                             ":APA"
                             "91b" +
                             make.base64url(134));
  add("azure ad secret", make.alnum(3) +
                             "8Q"
                             "~" +
                             make.alnum(34));
  add("azure devops", make.alnum(76) +
                          "AZ"
                          "DO" +
                          make.alnum(4));
  add("azure ai", make.alnum(52) +
                      "JQQ"
                      "J99" +
                      make.alnum(26));
  for (const std::string kind : {"p", "o", "r"})
    add("digitalocean", d + "o" + kind + "_v1_" + make.hex(64));
  add("cloudflare origin",
      "v1"
      ".0-" +
          make.hex(24) + "-" + make.hex(146));
  add("alibaba",
      "LT"
      "AI" +
          make.alnum(20));
  add("tencent", a + "KID" + make.alnum(32));
  add("heroku",
      "HR"
      "KU-" +
          make.base64url(60));
  add("fly",
      "fm"
      "2_" +
          make.base64(80));
  add("vercel blob",
      "vercel"
      "_blob_rw_" +
          make.alnum(40));
  add("netlify", n + "fp_" + make.alnum(36));
  add("supabase", s + "bp_" + make.hex(40));
  add("supabase secret", s + "b_secret_" + make.base64url(31));
  add("planetscale",
      "ps"
      "cale_tkn_" +
          make.base64url(43));
  add("databricks", d + "api" + make.hex(32));
  add("vault",
      "hv"
      "s." +
          make.base64url(90));
  add("vault legacy", s + "." + make.alnum(24));
  add("terraform", make.alnum(14) +
                       ".atlas"
                       "v1." +
                       make.base64url(67));
  add("pulumi",
      "pu"
      "l-" +
          make.hex(40));
  add("doppler", d + "p.pt." + make.alnum(43));
  add("doppler service", d + "p.st.prd." + make.alnum(43));
  add("1password",
      "ops"
      "_eyJ" +
          make.alnum(250));
  add("tailscale",
      "ts"
      "key-auth-" +
          make.alnum(12) + "CNTRL-" + make.alnum(32));
  add("dynatrace", d + "t0c01." + make.base32(24) + "." + make.base32(64));
  for (const std::string kind : {"p", "o", "u", "s", "r"})
    add("github", g + "h" + kind + "_" + make.alnum(36));
  add("github fine",
      "github"
      "_pat_" +
          make.alnum(22) + "_" + make.alnum(59));
  for (const std::string kind :
       {"pat", "oas", "dt", "rt", "ptt", "ft", "soat", "agent", "cbt", "imt"})
    add("gitlab", g + "l" + kind + "-" + make.base64url(20));
  add("gitlab runner",
      "GR13"
      "48941" +
          make.base64url(20));
  add("bitbucket app", a + "TBB" + make.alnum(32));
  add("atlassian", a + "TATT3" + make.base64url(180));
  add("sourcegraph", s + "gp_" + make.hex(16) + "_" + make.hex(40));
  add("openai old", s + "k-" + make.alnum(20) +
                        "T3Blbk"
                        "FJ" +
                        make.alnum(20));
  add("openai legacy", s + "k-" + make.alnum(48));
  add("openai project", s + "k-proj-" + make.base64url(74) +
                            "T3Blbk"
                            "FJ" +
                            make.base64url(74));
  add("openai admin", s + "k-admin-" + make.base64url(58));
  add("anthropic", s +
                       "k-ant-"
                       "api03-" +
                       make.base64url(93) + "AA");
  add("anthropic oauth", s +
                             "k-ant-"
                             "oat01-" +
                             make.base64url(80));
  add("openrouter", s + "k-or-v1-" + make.hex(64));
  add("deepseek", s + "k-" + make.hex(32));
  add("huggingface",
      "h"
      "f_" +
          make.of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", 34));
  add("replicate",
      "r"
      "8_" +
          make.alnum(37));
  add("groq", g + "sk_" + make.alnum(52));
  add("perplexity",
      "ppl"
      "x-" +
          make.alnum(48));
  add("xai", x + "ai-" + make.alnum(80));
  add("nvidia", n + "vapi-" + make.base64url(64));
  add("elevenlabs", s + "k_" + make.hex(48));
  add("langsmith",
      "ls"
      "v2_pt_" +
          make.hex(32) + "_" + make.hex(10));
  add("pinecone",
      "pc"
      "sk_" +
          make.alnum(70));
  add("slack bot", x + "oxb-" + make.digits(12) + "-" + make.digits(13) + "-" + make.alnum(24));
  add("slack user", x + "oxp-" + make.digits(12) + "-" + make.digits(12) + "-" + make.digits(12) +
                        "-" + make.hex(32));
  add("slack app", x + "app-1-A" + make.upper(10) + "-" + make.digits(13) + "-" + make.hex(64));
  add("slack config", x + "oxe.xoxp-1-" + make.alnum(160));
  add("slack webhook",
      "https://hooks."
      "slack.com/services/T" +
          make.upper(8) + "/B" + make.upper(10) + "/" + make.alnum(24));
  add("discord bot",
      "M"
      "Tk4" +
          make.alnum(21) + ".G" + make.alnum(5) + "." + make.base64url(38));
  add("discord webhook",
      "https://discord"
      ".com/api/webhooks/" +
          make.digits(18) + "/" + make.base64url(68));
  add("telegram", make.digits(10) +
                      ":A"
                      "A" +
                      make.base64url(33));
  add("stripe live", s + "k_live_" + make.alnum(24));
  add("stripe long", s + "k_live_51" + make.alnum(97));
  add("stripe restricted",
      "r"
      "k_live_" +
          make.alnum(24));
  add("stripe test", s + "k_test_" + make.alnum(24));
  add("stripe webhook",
      "wh"
      "sec_" +
          make.alnum(32));
  add("square", s + "q0atp-" + make.base64url(22));
  add("braintree",
      "access"
      "_token$production$" +
          make.lower(16) + "$" + make.hex(32));
  add("plaid",
      "access"
      "-production-" +
          make.uuid());
  add("twilio key",
      "S"
      "K" +
          make.hex(32));
  add("sendgrid",
      "S"
      "G." +
          make.base64url(22) + "." + make.base64url(43));
  add("mailgun",
      "ke"
      "y-" +
          make.hex(32));
  add("mailchimp", make.hex(32) +
                       "-us"
                       "12");
  add("brevo", x + "keysib-" + make.hex(64) + "-" + make.alnum(16));
  add("resend",
      "r"
      "e_" +
          make.alnum(8) + "_" + make.alnum(24));
  add("notion old",
      "sec"
      "ret_" +
          make.alnum(43));
  add("notion", n + "tn_" + make.alnum(46));
  add("linear",
      "lin"
      "_api_" +
          make.alnum(40));
  add("airtable",
      "pa"
      "t" +
          make.alnum(14) + "." + make.hex(64));
  add("asana", "1/" + make.digits(16) + ":" + make.hex(32));
  add("figma",
      "fig"
      "d_" +
          make.base64url(40));
  add("hubspot",
      "pat"
      "-na1-" +
          make.uuid());
  add("new relic",
      "NR"
      "AK-" +
          make.upper(27));
  add("new relic license", make.hex(36) +
                               "FFFFNR"
                               "AL");
  add("sentry",
      "sn"
      "tryu_" +
          make.hex(64));
  add("grafana cloud", g + "lc_" + make.base64(80));
  add("grafana service", g + "lsa_" + make.alnum(32) + "_" + make.hex(8));
  for (const std::string kind : {"at", "ca", "pa", "ss"})
    add("shopify", s + "hp" + kind + "_" + make.hex(32));
  add("dropbox", s + "l." + make.base64url(130));
  add("postman",
      "PM"
      "AK-" +
          make.hex(24) + "-" + make.hex(34));
  add("launchdarkly", s + "dk-" + make.uuid());
  add("intercom", d + "G9r" + make.alnum(56));
  add("mapbox", s + "k.eyJ" + make.alnum(70) + "." + make.base64url(22));
  add("facebook",
      "E"
      "AA" +
          make.alnum(150));
  add("twitter", std::string(22, 'A') + make.alnum(80));
  add("posthog",
      "ph"
      "x_" +
          make.alnum(43));
  add("buildkite",
      "bk"
      "ua_" +
          make.hex(40));
  add("circleci",
      "CCI"
      "PAT_" +
          make.alnum(22) + "_" + make.hex(40));
  add("sonar", s + "qp_" + make.hex(40));
  add("contentful",
      "CF"
      "PAT-" +
          make.base64url(43));
  add("typeform",
      "tf"
      "p_" +
          make.base64url(44) + "_" + make.base64url(14));
  add("prefect",
      "pn"
      "u_" +
          make.alnum(36));
  add("npm", n + "pm_" + make.alnum(36));
  add("pypi",
      "py"
      "pi-AgEIcHlwaS5vcmc" +
          make.base64url(150));
  add("rubygems",
      "ruby"
      "gems_" +
          make.hex(48));
  add("crates",
      "ci"
      "o" +
          make.alnum(32));
  add("docker", d + "ckr_pat_" + make.base64url(27));
  add("nuget",
      "oy"
      "2" +
          make.lower(43));
  add("jfrog", a + "KCp8" + make.alnum(68));
  add("packagist",
      "packa"
      "gist_uut_" +
          make.hex(68));
  add("clojars",
      "CLO"
      "JARS_" +
          make.lower(60));
  add("jwt",
      "ey"
      "JhbGciOiJIUzI1NiJ9.eyJ" +
          make.base64url(60) + "." + make.base64url(43));
  add("age",
      "AGE-SEC"
      "RET-KEY-1" +
          make.upper(58));
  for (const std::string kind :
       {"PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "DSA PRIVATE KEY",
        "OPENSSH PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "PGP PRIVATE KEY BLOCK"}) {
    add(kind, pem(make, kind, "\n"));
    add(kind + " escaped", pem(make, kind, "\\n"));
  }
  add("encrypted pem",
      "-----BEGIN RSA PRIV"
      "ATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC," +
          make.hex(32) + "\n\n" + make.base64(64) + "\n" + make.base64(64) +
          "\n-----END RSA PRIV"
          "ATE KEY-----");
  cases.push_back({"putty",
                   "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-"
                   "Lines: 1\n" +
                       make.base64(44) + "\nPrivate-MAC: 0",
                   ""});
  cases.push_back({"jwk",
                   "{\"kty\":\"EC\",\"crv\":\"P-256\",\""
                   "d\":\"" +
                       make.base64url(43) + "\"}",
                   ""});
  cases.push_back({"wireguard",
                   "[Interface]\nPrivate"
                   "Key = " +
                       make.base64(43) + "=",
                   ""});
  return cases;
}

std::vector<SecretText> context_texts() {
  SecretMaker make(12);
  std::vector<SecretText> cases;
  const auto add = [&](std::string name, const std::string& before, const std::string& secret,
                       const std::string& after) {
    cases.push_back({std::move(name), before + secret + after, secret});
  };
  const std::string pass = "pass", word = pass + "word", key = "_key",
                    up = "PASS"
                         "WORD";
  // Classes that an independent table found missing, with others of their kind.
  SecretMaker more(14);
  const std::string human = "Bronze" + std::string("Kettle") + "4";
  add("any scheme",
      "Authoriz"
      "ation: AccessKey ",
      more.alnum(28), "");
  add("any scheme",
      "Proxy-Authoriz"
      "ation: Snowflake ",
      more.alnum(28) + "==", "");
  add("any scheme",
      "headers[\"Authoriz"
      "ation\"] = \"MAC ",
      more.alnum(28), "\"");
  add("padded base64",
      "tok"
      "en = ",
      more.base64(40) + "==", "");
  add("quotes after the colon", "curl --user \"bot\":\"", human + more.digits(2) + "?",
      "\" https://x.io");
  add("htpasswd",
      "htpass"
      "wd -nbB -C 12 ann '",
      human + more.digits(2), "'");
  add("htpasswd",
      "htpass"
      "wd -b users ann ",
      human + more.digits(2), "");
  add("percent",
      "rpc"
      "client -U 'ACME\\ann%",
      human + more.digits(2), "' dc1");
  add("percent",
      "smb"
      "client //nas/x -U ann%",
      human + more.digits(2), "");
  add("keytool",
      "keytool -genkey -key"
      "pass ",
      human + more.digits(2), " -keystore a.jks");
  add("keytool",
      "keytool -importkeystore -srcstore"
      "pass ",
      human + more.digits(2), "");
  add("an option's word", "tool --" + word + " ", human + more.digits(2), " run");
  add("after a sentence",
      "The deploy"
      " key for staging: ",
      more.alnum(28), "");
  add("after a sentence",
      "api"
      " key for the maps service (prod): ",
      more.alnum(39), "");
  add("after a sentence", word + " for the wiki: ", "Tr4in" + more.lower(2) + "!9" + more.upper(2),
      "");
  add("application key",
      "ALGOLIA_APPLICATION"
      "_KEY=",
      more.alnum(28), "");
  add("bech32",
      "ed25519"
      "_sk1",
      more.of("qpzry9x8gf2tvdw0s3jn54khce6mua7l", 58), "");
  add("in a Chinese sentence", "\xE5\xAF\x86\xE7\xA0\x81\xEF\xBC\x9A", more.password(),
      "\xE3\x80\x82\xE8\xAF\xB7");
  // Vendors by name.
  add("aws secret", "aws_secret_access" + key + " = ", make.base64(40), "");
  add("aws secret env",
      "export AWS_SECRET_ACCESS"
      "_KEY=",
      make.base64(40), "\n");
  add("aws secret json",
      "\"SecretAccess"
      "Key\": \"",
      make.base64(40), "\",");
  add("azure storage",
      "DefaultEndpointsProtocol=https;AccountName=acc;Account"
      "Key=",
      make.base64(86) + "==", ";EndpointSuffix=core.windows.net");
  add("azure sas",
      "https://a.blob.core.windows.net/c?sv=2022-11-02&se=2030-01-01&sr=c&sp=r&si"
      "g=",
      make.alnum(43) + "%3D", "");
  add("azure bus",
      "Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccess"
      "Key=",
      make.base64(43) + "=", "");
  add("heroku uuid",
      "HEROKU_API"
      "_KEY=",
      make.uuid(), "");
  add("cloudflare",
      "CLOUDFLARE_API_"
      "TOKEN=",
      make.base64url(40), "");
  add("cloudflare global",
      "X-Auth-"
      "Key: ",
      make.hex(37), "");
  add("datadog",
      "DD_API"
      "_KEY=",
      make.hex(32), "");
  add("twilio token",
      "TWILIO_AUTH_"
      "TOKEN=",
      make.hex(32), "");
  add("okta",
      "okta: api_"
      "token: \"00",
      make.base64url(40), "\"");
  add("okta header", "Authorization: SSWS 00", make.base64url(40), "");
  add("algolia",
      "ALGOLIA_ADMIN"
      "_KEY=",
      make.hex(32), "");
  add("cohere",
      "COHERE_API"
      "_KEY=",
      make.alnum(40), "");
  add("mistral",
      "MISTRAL_API"
      "_KEY=\"",
      make.alnum(32), "\"");
  add("auth0",
      "AUTH0_CLIENT_"
      "SECRET=",
      make.base64url(64), "");
  add("zendesk",
      "zendesk_api_"
      "token: ",
      make.alnum(40), "");
  add("segment",
      "SEGMENT_WRITE"
      "_KEY=",
      make.alnum(32), "");
  add("pagerduty",
      "PAGERDUTY_"
      "TOKEN=u+",
      make.base64url(18), "");
  add("discord secret",
      "DISCORD_CLIENT_"
      "SECRET=",
      make.base64url(32), "");
  add("telegram url", "https://api.telegram.org/bot", make.digits(9) + ":" + make.base64url(35),
      "/getMe");
  add("codecov",
      "CODECOV_"
      "TOKEN: ",
      make.uuid(), "");
  add("spotify",
      "spotify_client_"
      "secret = '",
      make.hex(32), "'");
  add("infura", "https://mainnet.infura.io/v3/", make.hex(32), "");
  add("dingtalk",
      "https://oapi.dingtalk.com/robot/send?access_"
      "token=",
      make.hex(64), "");
  add("service account",
      "{\"type\":\"service_account\",\"private_key_id\":\"x\",\"private"
      "_key\":\"-----BEGIN PRIV"
      "ATE KEY-----\\n",
      make.base64(64) + "\\n" + make.base64(64),
      "\\n-----END PRIV"
      "ATE KEY-----\\n\"}");

  // Headers.
  add("bearer",
      "Authorization: Bear"
      "er ",
      make.alnum(40), "");
  add("bearer curl",
      "curl -H \"Authorization: Bear"
      "er ",
      make.hex(40), "\" https://x.y");
  add("basic",
      "Authorization: Bas"
      "ic ",
      to_base64("deploy:" + make.password()), "");
  add("token header",
      "Authorization: tok"
      "en ",
      make.hex(40), "");
  add("x-api-key",
      "-H 'X-Api-"
      "Key: ",
      make.alnum(32), "'");
  add("private-token",
      "PRIVATE-"
      "TOKEN: ",
      make.alnum(20), "");
  add("cookie",
      "Cookie: theme=dark; session"
      "id=",
      make.lower(32), "; x=1");
  add("set-cookie",
      "Set-Cookie: connect.s"
      "id=s%3A",
      make.alnum(32) + "." + make.alnum(43), "; Path=/");
  add("docker config",
      "{\"auths\":{\"https://index.docker.io/v1/\":{\"au"
      "th\":\"",
      to_base64("me:" + make.password()), "\"}}}");

  // Addresses.
  for (const std::string scheme :
       {"postgres", "postgresql", "mysql", "mongodb", "mongodb+srv", "amqp", "https", "http", "ftp",
        "sftp", "smtp", "ldap", "mssql", "postgresql+psycopg2", "socks5"}) {
    add("url " + scheme,
        scheme +
            ":/"
            "/app:",
        make.password(), "@db.internal.net:5432/main");
  }
  add("url letters",
      "postgres:/"
      "/app:",
      make.of("bcdfghjklm", 12), "@db/main");
  add("redis without user",
      "redis:/"
      "/:",
      make.alnum(16), "@cache:6379/0");
  add("url encoded",
      "mysql:/"
      "/root:",
      "p%40" + make.alnum(8), "@10.0.0.1/db");
  add("git remote",
      "https:/"
      "/oauth2:",
      make.alnum(20), "@git.example.net/a/b.git");
  add("git token",
      "https:/"
      "/",
      make.hex(40), "@git.example.net/a/b.git");
  add("go mysql", "root:", make.password(), "@tcp(127.0.0.1:3306)/db");
  add("jdbc",
      "jdbc:postgresql:/"
      "/h/db?user=a&pass"
      "word=",
      make.alnum(12), "&ssl=true");
  add("ado",
      "Server=db;Database=x;User Id=sa;Pass"
      "word=",
      make.password(), ";Encrypt=true");
  add("odbc",
      "Driver={x};Server=y;Uid=sa;P"
      "wd=",
      make.password(), ";");
  add("libpq",
      "host=db user=app pass"
      "word=",
      make.password(), " dbname=x");

  // Assignments.
  for (const auto& [before, after] : std::vector<std::pair<std::string, std::string>>{
           {word + ": ", ""},
           {word + ": \"", "\""},
           {word + ": '", "'"},
           {"\"" + word + "\": \"", "\","},
           {word + " = \"", "\""},
           {word + "='", "';"},
           {"DB_" + up + "=", ""},
           {"export DB_" + up + "=\"", "\""},
           {"$" + word + " = '", "';"},
           {"const " + word + " = `", "`;"},
           {"let " + word + ": string = \"", "\""},
           {"let " + word + ": &str = \"", "\";"},
           {"String db"
            "Password = \"",
            "\";"},
           {word + " := \"", "\""},
           {"char " + word + "[] = \"", "\";"},
           {"'" + word + "' => '", "',"},
           {"config['" + word + "'] = '", "'"},
           {"os.environ[\"DB_" + up + "\"] = \"", "\""},
           {"set"
            "Password(\"",
            "\")"},
           {"define('DB_" + up + "', '", "');"},
           {"os.Setenv(\"DB_" + up + "\", \"", "\")"},
           {"<" + word + ">", "</" + word + ">"},
           {"<add key=\"Db"
            "Password\" value=\"",
            "\"/>"},
           {"<key>" + word + "</key>\n<string>", "</string>"},
           {"- name: DB_" + up + "\n  value: \"", "\""},
           {"{\"name\":\"DB_" + up + "\",\"value\":\"", "\"}"},
           {"ENV DB_" + up + " ", ""},
           {"ENV DB_" + up + "=", ""},
           {"docker run -e DB_" + up + "=", " x"},
           {"spring.datasource." + word + "=", ""},
           {"| " + word + " | ", " |"},
           {"**" + word + "**: ", ""},
           {"`" + word + "`: `", "`"},
           {"the " + word + " is ", "."},
           {word + " for prod is \"", "\""},
           {"my_" + word + "_prod = \"", "\""},
           {"user" + word + "=", ""},
           {"requirepass ", ""},
           {":" + word + " \"", "\""},
           {"CREATE USER a IDENTIFIED BY '", "';"},
           {"ALTER ROLE a WITH " + up + " '", "';"},
           {"machine h login u " + word + " ", ""},
           {"localhost:5432:db:user:", ""},
           {"--" + word + " ", " --x"},
           {"--" + word + "=", ""},
           {"--db-" + word + "='", "'"},
           {"mysql -u root -p", " db"},
           {"mysqldump -p'", "' db"},
           {"curl -u admin:", " https://x.y"},
           {"curl --user 'a:", "' x"},
           {"sshpass -p ", " ssh h"},
           {"docker login -u me -p ", " reg.io"},
           {"PG" + up + "=", " psql -h x"},
           {"echo ", " | docker login --" + word + "-stdin"},
           {"redis-cli -h x -a ", " ping"},
           {"net use z: \\\\h\\s /user:bob ", ""},
           {"\xE5\xAF\x86\xE7\xA0\x81\xEF\xBC\x9A", ""},
           {"\xE5\xAF\x86\xE7\xA0\x81\xE6\x98\xAF", ""},
           {pass + "phrase: ", ""},
           {pass + "wd=", ""},
           {"DB_"
            "PASS=",
            ""},
           {"smtp_"
            "pwd: ",
            ""},
           {"contrase\xC3\xB1"
            "a: ",
            ""},
           {"Passwort: ", ""},
           {word + ": !!str ", ""},
           {word + " == \"", "\""},
           {"self._" + word + " = SecretStr(\"", "\")"},
           {"\\\"" + word + "\\\": \\\"", "\\\"}"},
           {"&quot;" + word + "&quot;: &quot;", "&quot;"}}) {
    add("assigned " + before, before, make.password(), after);
  }
  for (const auto& [before, after] : std::vector<std::pair<std::string, std::string>>{
           {"api" + key + " = \"", "\""},
           {"api"
            "Key: '",
            "'"},
           {"API"
            "_KEY=",
            ""},
           {"\"client_"
            "secret\": \"",
            "\""},
           {"client"
            "Secret = \"",
            "\""},
           {"access_"
            "token=",
            ""},
           {"?api" + key + "=", "&x=1"},
           {"refresh_"
            "token: ",
            ""},
           {"SECRET"
            "_KEY = '",
            "'"},
           {"jwt_"
            "secret: ",
            ""},
           {"encryption" + key + ": \"", "\""},
           {"//registry.npmjs.org/:_auth"
            "Token=",
            ""},
           {"--to"
            "ken ",
            ""},
           {"--api-"
            "key=",
            ""},
           {"the api k"
            "ey is ",
            ""},
           {"X-Vault-To"
            "ken: ",
            ""},
           {"vault_to"
            "ken = ",
            ""},
           {"<api"
            "Key>",
            "</api"
            "Key>"},
           {"kubectl create secret generic x --from-literal=to"
            "ken=",
            ""},
           {"aws configure set aws_secret_access"
            "_key ",
            ""},
           {"APP"
            "_KEY=base64:",
            "="},
           {"SESSION_SEC"
            "RET=",
            ""},
           {"signing" + key + ": ", ""},
           {"webhook_sec"
            "ret: \"",
            "\""},
           {"auth_to"
            "ken: \"",
            "\""}}) {
    add("secret " + before, before, make.alnum(40), after);
  }
  add("env word", "DB_" + up + "=",
      "sword"
      "fish",
      "\n");
  add("passphrase", word + ": \"",
      "correct horse "
      "battery staple",
      "\"");
  // Found missing by hand.
  cases.push_back(
      {"escaped quote", "\"" + word + "\": \"gR7\\\"kd9Qx" + make.lower(3) + "\"", "kd9Qx"});
  for (const auto& [before, after] : std::vector<std::pair<std::string, std::string>>{
           {"proxy_" + word + " ", ""},
           {"set " + word + " ", ""},
           {word + " - ", ""},
           {"p"
            "w: ",
            ""},
           {"DB"
            "PASS=",
            ""},
           {"ps"
            "k=\"",
            "\""},
           {"auth=(\"bob\", \"", "\")"},
           {"HTTPBasic"
            "Auth(\"bob\", \"",
            "\")"},
           {"ConvertTo-Secure"
            "String \"",
            "\" -AsPlainText"},
           {"\xEB\xB9\x84\xEB\xB0\x80\xEB\xB2\x88\xED\x98\xB8: ", ""}}) {
    add("by hand " + before, before, make.password(), after);
  }
  add("token behind a space",
      "to"
      "ken ",
      make.alnum(40), "");
  add("short hex",
      "PUSHER_SEC"
      "RET=",
      make.hex(20), "");
  // Disguises.
  add("full width",
      "\xEF\xBD\x90\xEF\xBD\x81\xEF\xBD\x93\xEF\xBD\x93\xEF\xBD\x97\xEF\xBD\x8F\xEF\xBD\x92\xEF\xBD"
      "\x84\xEF\xBC\x9D",
      make.password(), "");
  add("json escape", "{\"pass\\u0077ord\": \"", make.password(), "\"}");
  add("percent",
      "pass"
      "word%3D",
      make.alnum(14), "");
  const std::string token = std::string("g") + "hp_" + make.alnum(36);
  cases.push_back(
      {"zero width", token.substr(0, 10) + "\xE2\x80\x8B" + token.substr(10), token.substr(12)});
  cases.push_back(
      {"soft hyphen", token.substr(0, 20) + "\xC2\xAD" + token.substr(20), token.substr(22)});
  cases.push_back({"base64", "x: " + to_base64("export GH=" + token + "\n"),
                   to_base64("export GH=" + token).substr(0, 30)});
  cases.push_back({"base64 of pem",
                   "client-key-data: " + to_base64(pem(make,
                                                       "RSA PRIV"
                                                       "ATE KEY",
                                                       "\n")),
                   ""});
  cases.push_back({"escaped prefix", "\"line\\n" + token + "\\n\"", token});
  return cases;
}

std::vector<SecretText> harmless_texts() {
  SecretMaker make(13);
  std::vector<SecretText> cases;
  const auto add = [&](std::string text) { cases.push_back({text, text, ""}); };
  const std::string word =
                        "pass"
                        "word",
                    up = "PASS"
                         "WORD",
                    token =
                        "to"
                        "ken",
                    key =
                        "api"
                        "_key";
  // References.
  for (const std::string value : {"$DB_PASS",
                                  "${DB_PASS}",
                                  "${DB_PASS:-}",
                                  "%DB_PASS%",
                                  "process.env.DB_PASS",
                                  "os.environ['DB_PASS']",
                                  "os.environ.get(\"DB_PASS\")",
                                  "os.getenv(\"DB_PASS2\")",
                                  "ENV['DB_PASS']",
                                  "env(\"DB_PASS\")",
                                  "System.getenv(\"DB_PASS\")",
                                  "std::env::var(\"DB_PASS\")?",
                                  "${{ secrets.DB_PASS }}",
                                  "{{ vault_db_pass }}",
                                  "{{secrets.X1}}",
                                  "import.meta.env.VITE_X",
                                  "!Ref DbPass",
                                  "op://vault/item/field1",
                                  "<your-value>",
                                  "@DbPass1",
                                  "$1",
                                  "%s",
                                  "{}",
                                  "{password}",
                                  "getPass()",
                                  "input(\"Enter it: \")",
                                  "config.db.pass1",
                                  "settings.PASS_2",
                                  "this.form.pass2",
                                  "user?.pass1",
                                  "null",
                                  "None",
                                  "undefined",
                                  "true",
                                  "false",
                                  "\"\"",
                                  "''",
                                  "str",
                                  "string",
                                  "String",
                                  "Optional[str] = None",
                                  "z.string().min(8)",
                                  "Joi.string().required()",
                                  "hash(value1)",
                                  "await getPass2()",
                                  "req.body.pass1",
                                  "&pass1",
                                  "var.db_pass1",
                                  "local.db_pass1",
                                  "data.aws_ssm_parameter.x1.value",
                                  "random_string.x1.result",
                                  "file(\"/run/secrets/db1\")",
                                  "/run/secrets/db_1",
                                  "$(cat /run/secrets/db1)",
                                  "`cat x1`",
                                  "Secret::new(value1)"}) {
    add(word + ": " + value);
    add(word + " = " + value);
    add(token + ": " + value);
    add("DB_" + up + "=" + value);
    add("\"" + key + "\": " + value);
  }
  // Placeholders.
  for (const std::string value : {"xxxx",
                                  "xxxxxxxxxxxx",
                                  "****",
                                  "********",
                                  "your-key-here",
                                  "YOUR_API_KEY",
                                  "your_api_key_123",
                                  "changeme",
                                  "changeme123",
                                  "change-me",
                                  "CHANGE_ME",
                                  "example",
                                  "example123",
                                  "dummy",
                                  "dummy-key-1",
                                  "redacted",
                                  "[REDACTED]",
                                  "REDACTED",
                                  "...",
                                  "sk-...",
                                  "<secret>",
                                  "<YOUR_API_KEY>",
                                  "placeholder",
                                  "password",
                                  "secret",
                                  "mysecret",
                                  "my-secret-token",
                                  "test",
                                  "test123",
                                  "foo",
                                  "foobar",
                                  "bar",
                                  "null",
                                  "todo",
                                  "insert-key-here",
                                  "ENTER_YOUR_KEY",
                                  "some-secret-value",
                                  "password123",
                                  "123456",
                                  "abc123",
                                  "not-a-real-key-example",
                                  "TBD",
                                  "n/a"}) {
    add(word + ": \"" + value + "\"");
    add("DB_" + up + "=" + value);
    add(key + " = \"" + value + "\"");
    add("postgres:/"
        "/user:" +
        value + "@localhost:5432/db");
    add("--" + word + " " + value);
  }
  add("postgres:/"
      "/user:password@localhost/db");
  add("postgres:/"
      "/postgres:postgres@localhost:5432/db");
  add("mongodb:/"
      "/root:example@mongo:27017");
  add("redis:/"
      "/localhost:6379/0");
  add("http:/"
      "/localhost:8080/path?email=a@b.c");
  add("https:/"
      "/user:${PASS}@host/x");
  add("https:/"
      "/$USER:$PASS@host/x");
  add("git@github.com:owner/repo.git");
  add("ssh:/"
      "/git@github.com:22/owner/repo.git");
  add("https:/"
      "/o123.ingest.sentry.io/456");
  add("https:/"
      "/" +
      make.hex(32) + "@o123.ingest.sentry.io/456");
  // Digests, ids, versions.
  add("commit " + make.hex(40));
  add("sha256: " + make.hex(64));
  add("sha256:" + make.hex(64));
  add("md5 = " + make.hex(32));
  add("integrity sha512-" + make.base64(85) +
      "Pw==\n\n\"@a/helper-numbers@1.11.1\":\n  version \"1.11.1\"");
  add("https:/"
      "/" +
      make.lower(32) + "@sentry.io/5179260");
  add("Pass `batch=1` as a parameter, or pass `--filter=v2`.");
  add("integrity: sha512-" + make.base64(86) + "==");
  add("\"integrity\": \"sha512-" + make.base64(86) + "==\"");
  add("checksum = \"" + make.hex(64) + "\"");
  add("etag: \"" + make.hex(32) + "\"");
  add("id: " + make.uuid());
  add("request_id=" + make.uuid());
  add("trace: 00-" + make.hex(32) + "-" + make.hex(16) + "-01");
  add("image: repo/app@sha256:" + make.hex(64));
  add("password_hash = \"$2b$12$" + make.alnum(53) + "\"");
  add("resolved \"https:/"
      "/registry.npmjs.org/js-tokens/-/js-tokens-4.0.0.tgz#" +
      make.hex(40) + "\"");
  add("js-" + token + "s: \"npm:^4.0.0\"");
  add("\"node_modules/js-" + token + "s\": {\n \"version\": \"4.0.0\"");
  add("h1:" + make.base64(43) + "=");
  add("\"private_key_id\": \"" + make.hex(40) + "\"");
  add(token + "_hash: " + make.hex(64));
  // Published examples and public keys.
  add("AKIA"
      "IOSFODNN7EXAMPLE");
  add("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCY"
      "EXAMPLEKEY");
  add("ssh-rsa AAAAB3NzaC1yc2E" + make.base64(300) + " me@host");
  add("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + make.base64(43) + " me@host");
  add("age1" + make.of("qpzry9x8gf2tvdw0s3jn54khce6mua7l", 58));
  add("-----BEGIN PUBLIC KEY-----\n" + make.base64(64) + "\n" + make.base64(64) +
      "\n-----END PUBLIC KEY-----");
  add("-----BEGIN CERTIFICATE-----\n" + make.base64(64) + "\n" + make.base64(64) +
      "\n-----END CERTIFICATE-----");
  add("if (text.startsWith('-----BEGIN PRIV"
      "ATE KEY-----')) return parse(text);");
  add("-----BEGIN PRIV"
      "ATE KEY-----\n...\n-----END PRIV"
      "ATE KEY-----");
  add("pk_live_" + make.alnum(24));
  add("pk_test_" + make.alnum(24));
  add("sb_publishable_" + make.alnum(22));
  add("AC" + make.hex(32));
  add("G-" + make.upper(10));
  add("UA-12345678-1");
  add("public_key = \"" + make.base64(43) + "=\"");
  add("site_key: " + make.alnum(40));
  add("pk.eyJ"
      "1IjoibWFwYm94In0" +
      make.alnum(20) + "." + make.alnum(22));
  add("data:image/png;base64,iVBORw0KGgo" + make.base64(400));
  add("url(data:font/woff2;base64," + make.base64(400) + ")");
  add("text: " + to_base64("nothing but a harmless sentence about the weather, in base64"));
  add("Authorization: Bearer <token>");
  add("Authorization: Bearer $TOKEN");
  add("Authorization: Bearer ${process.env.TOKEN}");
  add("Authorization: Bearer YOUR_ACCESS_TOKEN");
  add("Authorization: Bas"
      "ic " +
      to_base64("user:password"));
  add("Authorization: Bas"
      "ic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
  add("uses Bearer authentication and Basic authentication, Basic Operations");
  add("Cookie: theme=dark; lang=en");
  // Prose and code.
  for (const std::string text :
       {"the token parameter is optional",
        "reset your password: see docs",
        "password: string",
        "password: str | None = None",
        "password: Optional[str]",
        "password: &str,",
        "password string `json:\"password\"`",
        "The password must be at least 8 characters long and contain a digit.",
        "password is hashed with bcrypt",
        "the password is sha256 hashed",
        "the secret is stored in Kubernetes",
        "token is base64 encoded",
        "passwords are never logged",
        "secret = secrets.token_hex(32)",
        "token = jwt.encode(payload, key, algorithm=\"HS256\")",
        "const token = await getToken();",
        "token = token.strip()",
        "let token = tokens[i + 1];",
        "if (token === 'identifier') {",
        "token.type = 'string_literal'",
        "token: 'keyword'",
        "case Token.LeftBrace: return token;",
        "password = getpass.getpass(\"Password: \")",
        "read -s -p \"Password: \" password",
        "<input type=\"password\" name=\"password\" id=\"password1\" placeholder=\"Enter your "
        "password\">",
        "\"password\": {\"type\": \"string\", \"minLength\": 8, \"format\": \"password\"}",
        "input[type=\"password\"]:focus { color: red }",
        ".password-field { padding: 0 10px; }",
        "const passwordRegex = /^(?=.*[a-z])(?=.*\\d)[a-zA-Z\\d]{8,}$/;",
        "passwordLabel: \"Enter your password\"",
        "\"forgotPassword\": \"Forgot password?\"",
        "password: \"Passwort\"",
        "confirm_password = password2",
        "password1 = forms.CharField(label='Password')",
        "PASSWORD_MIN_LENGTH=12",
        "TOKEN_EXPIRY=3600s",
        "token_url: https://example.com/oauth2/token",
        "secretName: app-tls-cert",
        "secretKeyRef:\n  name: db-secret\n  key: password",
        "access_token_lifetime: 15m",
        "max_tokens: 4096",
        "tokens: 1500",
        "num_tokens=2048",
        "\"total_tokens\": 12345678",
        "tokenizer = AutoTokenizer.from_pretrained(\"bert-base-uncased\")",
        "csrf_token: {{ csrf_token() }}",
        "next_page_token: abc123def456ghi789",
        "primary_key=True",
        "foreign_key: user_id",
        "key: value1",
        "cache_key = f\"user:{id}:profile2\"",
        "sort_key: created_at",
        "mysql -u root -p mydb",
        "mysql -uroot -p < dump.sql",
        "curl -u user:password https://x.y",
        "curl -u \"$USER:$PASS\" https://x.y",
        "curl -u user https://x.y",
        "docker run -p 8080:80 nginx",
        "docker run -p 127.0.0.1:8080:80 nginx",
        "ssh -p 2222 host",
        "cp -p a b",
        "mkdir -p src/main1/java",
        "redis-cli -p 6379 ping",
        "docker login -u me --password-stdin",
        "sshpass -p \"$PASS\" ssh h",
        "git commit -am 'fix token refresh'",
        "grep -rn \"api_key\" src/",
        "vault kv get secret/app1",
        "unzip -p archive.zip",
        "set a strong password, e.g. with `openssl rand -base64 32`",
        "The auth token expires after 30 minutes (see RFC6749).",
        "password=foo&confirm=foo",
        "AWS_REGION=eu-central-1",
        "export PATH=/usr/local/bin:$PATH",
        "api_key: Optional[SecretStr] = Field(default=None)",
        "api_key=os.environ[\"OPENAI_API_KEY\"]",
        "OPENAI_API_KEY=sk-...",
        "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "sk-ant-api03-xxxxxxxxxxxxxxxxxxxxxxxx",
        "xoxb-your-token-here-please",
        "AKIAXXXXXXXXXXXXXXXX",
        "glpat-xxxxxxxxxxxxxxxxxxxx",
        "task-runner-with-a-long-name-2024",
        "risk-assessment-for-the-quarter",
        "disk-usage-of-the-cluster-nodes-2024-12",
        "sk-learn and sk-image",
        "api-versions-and-lifecycles",
        "the s.find(x) call of s.ListObjectsV2Paginator",
        "foo.bar.bazquxquuxcorgegraultgarplywaldo",
        "class TokenRefreshInterceptor extends Interceptor",
        "public static final String PASSWORD_KEY = \"user.password\";",
        "private static final String TOKEN_PREFIX = \"Bearer \";",
        "secret_santa: true",
        "\"secretary\": \"Jane Doe 1\"",
        "compass: north1",
        "bypass=true1x",
        "password-protected: yes",
        "passwordless: true",
        "`password`: the user's password",
        "- password (string, required): at least 8 characters",
        "| password | string | yes | The user's password |",
        "@param password the password to check",
        "password:\n  type: string",
        "password: 'must be 8+ characters'",
        "WARN: password too short: 5",
        "raise ValueError(\"Invalid password: too short\")",
        "assert user.check_password('secret')",
        "login(username='admin', password='admin')",
        "Password: ",
        "password?: string;",
        "password: process.env.PASSWORD ?? ''",
        "password ||= ENV.fetch('PASSWORD1')",
        "auth: { user: 'me', pass: process.env.PASS }",
        "token = lexer.next_token2()",
        "Token::Ident(name) => {",
        "let secret = Secret::generate();",
        "kubectl get secret my-secret1 -o yaml",
        "gh auth login --with-token < token.txt",
        "npm config set registry https://registry.npmjs.org/",
        "//registry.npmjs.org/:_authToken=${NPM_TOKEN}",
        "machine example.com login USER password <PASSWORD>",
        "Server=localhost;Database=x;Trusted_Connection=True;",
        "ConnectionStrings__Default=Server=db;User Id=sa;Password=${SA_PASSWORD};",
        "JWT has three parts: header.payload.signature",
        "eyJ is how a JWT starts",
        "echo $TOKEN | docker login --password-stdin",
        "echo hello1 | base64",
        "color: #ff00aa; --token-color: #1a2b3c",
        "token: '#1a2b3c'",
        "design-token: spacing-4",
        "\"tokenColor\": \"rgba(0,0,0,.5)\"",
        "const TOKEN_RE = /[a-z0-9]{32}/",
        "sig=abc",
        "session: 42",
        "SECRET_SCANNING_ENABLED=true",
        "export const selectAuthToken = (state) => state.auth.token1;",
        "bearerFormat: JWT",
        "securityDefinitions: { api_key: { type: apiKey, in: header, name: X-API-Key } }",
        "x-api-key: {{apiKey}}",
        "git push https://$GITHUB_TOKEN@github.com/o/r.git",
        "PASSWORD_HASHERS = ['django.contrib.auth.hashers.PBKDF2PasswordHasher']",
        "2024-01-15T10:00:00Z INFO token refreshed in 120ms",
        "tokens/sec: 85.3",
        "password_reset_timeout_days=3",
        "keyboard-interactive: yes",
        "authorization_endpoint: https://idp.example.com/authorize2",
        "grant_type=client_credentials&client_id=abc&client_secret=...",
        "privateKey: fs.readFileSync('key.pem')",
        "private_key: ./keys/id_ed25519"}) {
    add(text);
  }
  // Of the classes that an independent table found blocked.
  const std::string live = "pk" + std::string("_live_"), map = "pk" + std::string(".eyJ");
  for (const std::string& text : std::vector<std::string>{
           "STRIPE"
           "_KEY=" +
               live + make.alnum(24),
           "CLERK_API"
           "_KEY=pk"
           "_test_" +
               make.alnum(40),
           "MAPBOX_ACCESS"
           "_TOKEN=" +
               map + make.base64url(60) + "." + make.base64url(22),
           "POSTHOG_API"
           "_KEY=ph"
           "c_" +
               make.alnum(43),
           "access_tok"
           "en: 2Yotn"
           "FZFEjr1zCsicMWpAA",
           "url: {{ $secret.token | toYaml | indent 4 }}",
           "valueFrom: arn:aws:secretsmanager:us-east-1:123456789012:secret:x-AbCdEf:password::",
           "arn:aws-cn:secretsmanager:cn-north-1:123456789012:secret:prod/api-token-Xy12Zz",
           "echo \"$token\" | base64 -d; printf %s \"$API_TOKEN\" | sha256sum",
           "echo \"${password}\" | openssl1x passwd -6 -stdin",
           "curl -u admin:\"$(pass show nexus1)\" https://x; curl -u admin:\"$PW1\" https://x",
           "htpasswd -b users ann \"$PW\"; htpasswd -c /etc/nginx/.htpasswd ann",
           "Token for commit: see the release notes",
           "tokens in the file: src/lexer/token_kind_v2.cpp",
           "Authorization: see docs/authentication2.md for-the-details-of-it",
           // use Vault; at least 12 characters; at least eight letters
           "\xE5\xAF\x86\xE7\xA0\x81\xEF\xBC\x9A\xE4\xBD\xBF\xE7\x94\xA8Vault\xE4\xBF\x9D\xE5\xAD"
           "\x98",
           "\xE5\xAF\x86\xE7\xA0\x81\xEF\xBC\x9A\xE8\x87\xB3\xE5\xB0\x91"
           "12\xE4\xB8\xAA\xE5\xAD\x97",
           "\"password\": \"\xD0\xBF\xD0\xB0\xD1\x80\xD0\xBE\xD0\xBB\xD1\x8C\""}) {
    add(text);
  }
  return cases;
}

}  // namespace codexmem::privacy
