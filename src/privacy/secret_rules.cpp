// The formats are the vendors' own, as their documents and their published tokens have them. A
// prefix that is in no other text needs no more than the length; a vendor without one is known by
// its name beside the value. Lengths are lower bounds where vendors have changed them before.
//
// Tested by privacy/policy_test.cpp, class by class.
#include "privacy/secret_rules.h"

namespace codexmem::privacy {
namespace {

using enum Anchor;
using enum ValueTest;

// Behind a name: the rest of it, what closes it, and what assigns.
#define REST R"~([\w.\-]{0,40})~"
#define CLOSE R"~([\\"'`\])*}]{0,6})~"
#define ASSIGN                                                                                      \
  R"~([ \t]{0,24}(?::[ \t]{0,4}[A-Za-z_&<*][\w&<>\[\]., |?']{0,48}?[ \t]{1,4}=)~"                   \
  R"~(|:[ \t]{0,4}(?:str|string|String|bytes|any)\??=|\{[ \t]{0,4}get;[^{}\n]{0,40}\}[ \t]{0,4}=)~" \
  R"~(|\[\d{0,4}\][ \t]{0,4}=|(?:string|String|str|varchar|text)[ \t]{1,4}=)~"                      \
  R"~(|\?\?=|\|\|=|=>|:=|[=!]==?|\?=|\+=|=|:{1,2}|->|<-|\|)(?:[ \t]{1,4}!{1,2}[\w/.:]{1,24})?)~"
// A value: in quotes of any kind, or bare up to white space. A wrapper may stand around it.
#define WRAP \
  R"~((?:(?:new[ \t])?(?:[A-Za-z_]+::)?(?:Some|String|SecretStr|SecretString|Secret|SecureString|from|new|str|bytes|b|Buffer\.from|Optional\.of|of|quote)\(|[rbufLRBUF@$]{1,2})?)~"
#define QUOTED                                                            \
  R"~((?:"((?:[^"\\\n]|\\.)+)|\\{1,3}"([^"\\\n]+)|'((?:[^'\\\n]|\\.)+))~" \
  R"~(|\\{1,3}'([^'\\\n]+)|`((?:[^`\\\n]|\\.)+)))~"
#define BARE R"~(([^\s"'`<>][^\s"'`<>,;]*))~"
#define VALUE "\\s{0,40}" WRAP "(?:" QUOTED "|" BARE ")"
#define SAME_LINE_VALUE "[ \\t]{0,24}" WRAP "(?:" QUOTED "|" BARE ")"
#define ASSIGNED \
  REST CLOSE ASSIGN "(?:\\s{0,40}" WRAP QUOTED "|[ \\t]{0,24}(?:[|>][-+]?\\s{1,24})?" BARE ")"

// What is taken when nothing is set, in code: process.env.TOKEN || "...".
#define OTHERWISE R"~([^\n"'`;]{0,100}?(?:\|\||\?\?|\?:|[ \t]or)\s{0,8})~" QUOTED
// The rest of a line of an environment's file, where nothing but the line's end ends a value.
#define SETTING_LINE R"~([A-Z0-9_]{0,40}=([^\s"'`]{6,})\r?(?:\n|$))~"
// The field of a multipart form.
#define FORM_FIELD R"~(["']?(?:\r?\n[\w\-]{1,40}:[^\n]{0,80}){0,2}\r?\n\r?\n([^\s"'<>]{6,}))~"
// Names for patterns that begin at another word.
#define SECRET_NAME \
  R"~((?i:password|passwd|passphrase|secret|token|api_?key|access_?key|private_?key|signing_?key|encryption_?key|master_?key))~"

// Behind a vendor's name: what is assigned to something called after it.
#define OF_VENDOR \
  R"~([\w.\- ]{0,40}[\\"'`\])*]{0,6}[ \t]{0,8}(?:=>|:=|=|:|,|\||->|\()\s{0,8}[\\"'`]{0,4})~"
#define UUID R"~([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})~"

#define PASSWORD_WORDS                                                                          \
  "password|passwd|passwrd|passphrase|passcode|passwort|kennwort|contrase\xC3\xB1"              \
  "a|contrasena|senha|mot de "                                                                  \
  "passe|motdepasse|pwd|pass|psw|pword|\xD0\xBF\xD0\xB0\xD1\x80\xD0\xBE\xD0\xBB\xD1\x8C|"       \
  "\xE5\xAF\x86\xE7\xA0\x81|\xE5\x8F\xA3\xE4\xBB\xA4|"                                          \
  "\xE3\x83\x91\xE3\x82\xB9\xE3\x83\xAF\xE3\x83\xBC\xE3\x83\x89|pw|"                            \
  "dbpass|dbpwd|userpass|mypass|rootpass|adminpass|smtppass|pgpass|storepass|keypass|certpass|" \
  "psk|\xE5\xAF\x86\xE7\xA2\xBC|"                                                               \
  "\xEB\xB9\x84\xEB\xB0\x80\xEB\xB2\x88\xED\x98\xB8"
#define TOKEN_WORDS                                                                           \
  "secret|token|apikey|api_key|api-key|api key|api.key|accesskey|access_key|"                 \
  "access-key|access key|privatekey|private_key|private-key|private key|"                     \
  "presharedkey|secretkey|secret_key|authkey|auth_key|auth-key|encryptionkey|"                \
  "encryption_key|encryption-key|encryption key|signingkey|signing_key|signing-key|"          \
  "masterkey|master_key|master-key|accountkey|account_key|account-key|appkey|"                \
  "app_key|app-key|servicekey|service_key|service-key|sharedkey|shared_key|"                  \
  "subscriptionkey|subscription_key|subscription-key|consumerkey|consumer_key|"               \
  "sessionkey|session_key|licensekey|license_key|license key|deploykey|deploy_key|"           \
  "clientkey|client_key|integrationkey|integration_key|integration-key|"                      \
  "validationkey|decryptionkey|decryption_key|credential|_auth|admin_key|admin-key|"          \
  "server_key|hmac_key|hmac key|hmackey|jwt_key|webhook_key|ingest_key|write_key|writekey|"   \
  "adminkey|serverkey|secret key|signing key|master key|deploy key|service key|auth key|app " \
  "key|account key|shared key|client key|admin key|session "                                  \
  "key|applicationkey|application_key|application-key|application "                           \
  "key|\xE5\xAF\x86\xE9\x92\xA5|\xE4\xBB\xA4\xE7\x89\x8C"

constexpr SecretRule kRules[] = {
    // --- Private keys
    {"private-key", "a private key in PEM or PGP armour", "-----begin |---- begin ", kText,
     R"~(-{4,5} ?BEGIN [A-Za-z0-9 ]{0,40}(?:PRIVATE KEY(?: BLOCK)?|Static key V1) ?-{4,5})~",
     kKeyBlock},
    {"putty-key", "a PuTTY private key", "private-lines:", kText,
     R"~(Private-Lines:[ \t]*\d+\s+([A-Za-z0-9+/=][A-Za-z0-9+/=\s]{30,}))~", kFormat},
    {"age-secret-key", "an age secret key", "age-secret-key-", kToken,
     R"~((?i)AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]{40,})~"},
    {"age-secret-key", "an age plugin's identity", "age-plugin-", kToken,
     R"~(AGE-PLUGIN-[A-Z0-9]+-1[0-9A-Z]{30,})~"},
    {"private-jwk", "the private part of a JSON web key", "\"d\"", kText,
     R"~("d"\s{0,4}:\s{0,4}"([A-Za-z0-9_\-]{40,})")~"},
    {"extended-private-key", "a wallet's extended private key", "xprv|tprv|yprv|zprv", kToken,
     R"~([xtyz]prv[1-9A-HJ-NP-Za-km-z]{100,})~"},
    {"bech32-private-key", "a private key in bech32", "nsec1|ncryptsec1|suiprivkey1|_sk1|_xsk1",
     kToken, R"~((?i)(?:nsec1|ncryptsec1|suiprivkey1|_x?sk1)[02-9ac-hj-np-z]{50,})~"},
    {"mnemonic", "the words of a wallet",
     "mnemonic|seed phrase|recovery phrase|seed_phrase|seedphrase", kText,
     R"~((?i)(?:mnemonic|seed[ _]?phrase|recovery phrase)[\w ]{0,20}["'`]?\s{0,4}[:=]\s{0,4}["'`]?((?:[a-z]{3,8}[ \n]){11,23}[a-z]{3,8}))~",
     kFormat},
    {"otp-secret", "the secret of one-time passwords", "otpauth://", kText,
     R"~(otpauth://[^\s"'<>]{0,200}?[?&]secret=([A-Za-z2-7]{16,}))~"},

    // --- Cloud
    {"aws-access-key", "an AWS access key with its secret", "akia|asia|abia|acca", kToken,
     R"~((?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}["'\s,:;|]{1,8}([A-Za-z0-9/+]{40}))~", kFormat, 3.5},
    {"aws-access-key", "an AWS access key id", "akia|asia|abia|acca", kToken,
     R"~((?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16})~", kFormat, 2.8},
    {"aws-secret-key", "an AWS secret access key",
     "secret_access_key|secretaccesskey|secret-access-key|secret access "
     "key|aws_secret|aws-secret|awssecret|aws secret|secretkey|secret_key|secret key",
     kName,
     R"~((?i)[\w.\- ]{0,30})~" CLOSE
     R"~([ \t]{0,24}(?:=>|:=|=|:|,|\||[ \t])\s{0,24}[\\"'`]{0,4}([A-Za-z0-9/+]{40}))~",
     kFormat, 3.5},
    {"aws-session-token", "an AWS session token", "iqojb3jpz2lux2vj|fwogzxivyxdz", kToken,
     R"~((?i)(?:IQoJb3JpZ2luX2Vj|FwoGZXIvYXdz)[A-Za-z0-9/+=%]{60,})~"},
    {"aws-bedrock-key", "an Amazon Bedrock API key", "absk|bedrock-api-key-", kToken,
     R"~((?:ABSK[A-Za-z0-9+/]{60,}={0,2}|bedrock-api-key-[A-Za-z0-9+/]{20,}))~"},
    {"aws-mws-token", "an Amazon MWS token", "amzn.mws.", kToken, R"~(amzn\.mws\.)~" UUID},
    {"aws-presigned-url", "the signature of an AWS URL", "x-amz-signature=", kText,
     R"~((?i)X-Amz-Signature=([0-9a-f]{64}))~"},
    {"google-api-key", "a Google API key", "aiza", kToken, R"~(AIza[\w\-]{35,})~"},
    {"google-oauth-secret", "a Google OAuth client secret", "gocspx-", kToken,
     R"~(GOCSPX-[\w\-]{20,})~"},
    {"google-oauth-token", "a Google OAuth token", "ya29.", kToken, R"~(ya29\.[\w\-.]{20,})~"},
    {"google-oauth-token", "a Google OAuth refresh token", "1//0", kToken, R"~(1//0[\w\-]{30,})~"},
    {"google-fcm-key", "a Firebase server key", ":apa91b", kRun,
     R"~([\w\-]{8,20}:APA91b[\w\-]{60,})~"},
    {"azure-client-secret", "an Azure AD client secret", "q~", kRun,
     R"~([\w~.\-]{3}[0-9]Q~[\w~.\-]{30,})~"},
    {"azure-storage-key", "an Azure storage account key", "accountkey", kText,
     R"~((?i)AccountKey["']?\s{0,4}[=:]\s{0,4}["']?([A-Za-z0-9+/]{40,}={0,2}))~", kFormat, 3.5},
    {"azure-storage-key", "an Azure storage account key", "+ast", kRun,
     R"~([A-Za-z0-9+/]{76}\+ASt[A-Za-z0-9+/]{6}==)~"},
    {"azure-key", "an Azure service key", "jqqj99|azdo|acdb|azse|azfu|azca|apim", kRun,
     R"~((?:[A-Za-z0-9+/]{52}JQQJ99[A-Za-z0-9]{20,}|[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}|[A-Za-z0-9+/]{40,80}(?:ACDb|AzSe|AzFu|AzCa|APIM)[A-Za-z0-9+/=]{4,12}))~",
     kFormat, 4.0},
    {"azure-shared-access", "an Azure shared access key or signature",
     "sharedaccesskey|sharedsecretkey|sharedaccesssignature", kText,
     R"~((?i)Shared(?:AccessKey|SecretKey|AccessSignature)["']?\s{0,4}[=:]\s{0,4}["']?([^\s"';]{30,}))~",
     kFormat, 3.5},
    {"azure-sas", "an Azure shared access signature", "sig=", kToken,
     R"~((?i)sig=([A-Za-z0-9%/+_\-]{40,}(?:=|%3D)?))~", kFormat, 3.5},
    {"azure-devops-token", "an Azure DevOps token",
     "azure_devops|azuredevops|azure devops|vsts|azure-devops|ado_pat|azp_token|system_accesstoken",
     kLabel, OF_VENDOR R"~(([a-z2-7]{52}))~", kFormat, 3.5},
    {"azure-key", "an Azure service key",
     "ocp-apim-subscription-key|azure_openai|azure-openai|azureopenai|cognitive", kLabel,
     OF_VENDOR R"~(([0-9a-f]{32}))~", kFormat, 3.0},
    {"digitalocean-token", "a DigitalOcean token", "dop_v1_|doo_v1_|dor_v1_", kToken,
     R"~(do[opr]_v1_[a-f0-9]{40,})~"},
    {"digitalocean-token", "a DigitalOcean Spaces key", "do00|do80", kToken,
     R"~(DO[08]0[A-Z0-9]{16})~", kFormat, 3.0},
    {"digitalocean-token", "a DigitalOcean token", "digitalocean|digital_ocean|do_token", kLabel,
     OF_VENDOR R"~(([a-f0-9]{64}))~", kFormat, 3.0},
    {"cloudflare-token", "a Cloudflare token", "cloudflare|cf_api|cf-api|cf_token|x-auth-key",
     kLabel, OF_VENDOR R"~((?:Bearer )?([A-Za-z0-9_\-]{40}|[0-9a-f]{37}))~", kFormat, 3.2},
    {"cloudflare-token", "a Cloudflare token", "v1.0-|cfut_|cfat_|cfk_", kToken,
     R"~((?:v1\.0-[a-f0-9]{24}-[a-f0-9]{100,}|cf(?:ut|at|k)_[A-Za-z0-9_\-]{30,}))~"},
    {"backblaze-key", "a Backblaze application key", "k00", kToken,
     R"~(K00[0-9][A-Za-z0-9+/]{27}\b)~", kRandom, 3.8},
    {"alibaba-key", "an Alibaba Cloud access key", "ltai", kToken, R"~(LTAI[A-Za-z0-9]{12,24})~",
     kFormat, 2.8},
    {"alibaba-key", "an Alibaba Cloud secret",
     "aliyun|alibaba|alicloud|accesskeysecret|access_key_secret|aliyuncs|oss_", kLabel,
     OF_VENDOR R"~(([A-Za-z0-9]{30}))~", kFormat, 3.3},
    {"tencent-key", "a Tencent Cloud secret id", "akid", kToken, R"~(AKID[A-Za-z0-9]{28,40})~",
     kFormat, 3.0},
    {"yandex-key", "a Yandex Cloud key", "aqvn|y0_|t1.", kToken,
     R"~((?:AQVN[\w\-]{35,}|y0_[\w\-]{50,}|t1\.[\w\-]+={0,2}\.[\w\-]{80,}={0,2}))~"},
    {"ibm-cloud-key", "an IBM Cloud API key", "ibm|bluemix|watson", kLabel,
     OF_VENDOR R"~(([A-Za-z0-9_\-]{44}))~", kFormat, 3.5},
    {"heroku-key", "a Heroku API key", "hrku-", kToken, R"~(HRKU-[\w\-]{36,})~"},
    {"heroku-key", "a Heroku API key", "heroku", kLabel, OF_VENDOR "(" UUID ")"},
    {"fly-token", "a Fly.io token", "fm1_|fm2_|fm1r_|fm2r_|fm1a_|fm2a_|fo1_", kToken,
     R"~(f(?:m[12][ra]?|o1)_[\w+/=\-,]{40,})~"},
    {"vercel-token", "a Vercel token", "vercel_blob_rw_|vcp_|vci_|vca_|vcr_|vck_|vcst_", kToken,
     R"~((?:vercel_blob_rw_[A-Za-z0-9_]{24,}|vc(?:p|i|a|r|k|st)_[A-Za-z0-9_]{24,}))~"},
    {"vercel-token", "a Vercel token", "vercel|zeit", kLabel, OF_VENDOR R"~(([A-Za-z0-9]{24}))~",
     kFormat, 3.5},
    {"netlify-token", "a Netlify token", "nfp_|nfc_|nfo_|nfu_|nfb_", kToken,
     R"~(nf[pcoub]_[A-Za-z0-9_\-]{30,})~"},
    {"netlify-token", "a Netlify token", "netlify", kLabel,
     OF_VENDOR R"~(([A-Za-z0-9_\-]{40,46}))~", kFormat, 3.5},
    {"supabase-key", "a Supabase key", "sbp_|sb_secret_", kToken,
     R"~((?:sbp_(?:v0_)?[a-f0-9]{32,}|sb_secret_[\w\-]{20,}))~"},
    {"render-key", "a Render API key", "rnd_", kToken, R"~(rnd_[A-Za-z0-9]{20,})~", kFormat, 3.3},
    {"scaleway-key", "a Scaleway access key", "scw", kToken, R"~(SCW[A-Z0-9]{17})~", kFormat, 3.0},
    {"hosting-token", "the token of a hosting provider",
     "scaleway|scw_secret|railway|linode|hetzner|hcloud|vultr|exoscale|ovh|upcloud|koyeb|"
     "northflank|postmark|splunk|hec_token|codecov|snyk|consul|exa_api|newrelic_api",
     kLabel,
     OF_VENDOR "((?:" UUID R"~()|[0-9a-f]{64}|[A-Za-z0-9]{64}|[A-Z0-9]{36}|[A-Za-z0-9]{32}))~",
     kFormat, 3.0},
    {"planetscale-token", "a PlanetScale token", "pscale_", kToken,
     R"~(pscale_(?:tkn|pw|oauth|app)_[\w.=\-]{30,})~"},
    {"neon-key", "a Neon API key", "napi_", kToken, R"~(napi_[a-z0-9]{40,})~", kFormat, 3.0},
    {"aiven-token", "an Aiven password or token", "avns_|aivenv1_", kToken,
     R"~((?:AVNS_|aivenv1_)[\w\-+/=]{15,})~"},
    {"databricks-token", "a Databricks token", "dapi|dose|dkea", kToken,
     R"~((?:dapi|dose|dkea)[0-9a-f]{32}(?:-\d)?)~", kFormat, 2.8},
    {"confluent-key", "a Confluent secret", "confluent", kLabel,
     OF_VENDOR R"~(([A-Za-z0-9+/]{64}|cflt[A-Za-z0-9+/]{50,}))~", kFormat, 3.5},
    {"vault-token", "a HashiCorp Vault token", "hvs.|hvb.|hvr.", kToken,
     R"~(hv[sbr]\.[\w\-]{20,})~"},
    {"vault-token", "a HashiCorp Vault token", "vault", kLabel,
     OF_VENDOR R"~(([sbr]\.[A-Za-z0-9]{24,}))~"},
    {"vault-token", "a HashiCorp Vault token", "s.", kToken, R"~(s\.[A-Za-z0-9]{24}\b)~", kRandom,
     3.8},
    {"terraform-token", "a Terraform Cloud token", ".atlasv1.", kRun,
     R"~([A-Za-z0-9]{10,20}\.atlasv1\.[\w\-=]{40,})~"},
    {"pulumi-token", "a Pulumi token", "pul-", kToken, R"~(pul-[0-9a-f]{40})~"},
    {"doppler-token", "a Doppler token", "dp.pt.|dp.st.|dp.ct.|dp.sa.|dp.scim.|dp.audit.", kToken,
     R"~(dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w\-]{1,40}\.)?[A-Za-z0-9]{30,})~"},
    {"infisical-token", "an Infisical token", "st.", kToken,
     R"~(st\.[0-9a-f]{24}\.[0-9a-f]{32}\.[0-9a-f]{32})~"},
    {"onepassword-key", "a 1Password key or token", "ops_eyj|a3-", kToken,
     R"~((?:ops_eyJ[\w+/=\-]{60,}|A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}))~"},
    {"tailscale-key", "a Tailscale key", "tskey-", kToken, R"~(tskey-[a-z]+-[\w\-]{12,})~"},
    {"ngrok-token", "an ngrok token", "ngrok", kLabel,
     OF_VENDOR R"~(([0-9][A-Za-z0-9]{20,}_[A-Za-z0-9]{20,}|cr_[A-Za-z0-9]{20,}))~"},
    {"dynatrace-token", "a Dynatrace token", "dt0c01.|dt0s0", kToken,
     R"~(dt0[a-z]\d\d\.[A-Z0-9]{8,24}\.[A-Z0-9]{40,})~"},

    // --- Source hosting
    {"github-token", "a GitHub token", "ghp_|gho_|ghu_|ghs_|ghr_", kToken,
     R"~(gh[pousr]_[A-Za-z0-9_]{30,}(?:\.[\w\-]+\.[\w\-]+)?)~"},
    {"github-token", "a fine-grained GitHub token", "github_pat_", kToken,
     R"~(github_pat_[A-Za-z0-9_]{30,})~"},
    {"github-token", "a GitHub token", "github|gh_token", kLabel, OF_VENDOR R"~(([0-9a-f]{40}))~",
     kFormat, 3.0},
    {"gitlab-token", "a GitLab token",
     "glpat-|gloas-|gldt-|glrt-|glrtr-|glcbt-|glptt-|glft-|glimt-|glagent-|glsoat-|glffct-|glwt-|"
     "gr1348941",
     kToken,
     R"~((?:gl(?:pat|oas|dt|rtr|rt|cbt|ptt|ft|imt|agent|soat|ffct|wt)-[\w.\-]{16,}|GR1348941[\w\-]{20,}))~"},
    {"gitlab-token", "a GitLab session", "_gitlab_session=", kText,
     R"~(_gitlab_session=([0-9a-f]{32}))~"},
    {"bitbucket-token", "a Bitbucket token", "atbb|atctt3|atcitt", kToken,
     R"~(AT(?:BB|CTT3|CITT)[A-Za-z0-9_\-=.]{24,})~"},
    {"atlassian-token", "an Atlassian token", "atatt3|atlasv|atoatt", kToken,
     R"~(AT(?:ATT3|OATT)[A-Za-z0-9_\-=.]{40,})~"},
    {"atlassian-token", "an Atlassian token", "atlassian|jira|confluence|bitbucket|trello", kLabel,
     OF_VENDOR R"~(([A-Za-z0-9]{24}|[A-Za-z0-9_\-]{32}|[0-9a-f]{64}|ATTA[0-9a-fA-F]{60,}))~",
     kRandom, 3.5},
    {"gitea-token", "a Gitea or Forgejo token", "gitea|forgejo|codeberg|gogs|gta_", kLabel,
     OF_VENDOR R"~((?:token )?([0-9a-f]{40}))~", kFormat, 3.0},
    {"sourcegraph-token", "a Sourcegraph token", "sgp_|slk_|sgd_", kToken,
     R"~((?:sgp_(?:[a-f0-9]{16}_|local_)?[a-f0-9]{40}|(?:slk|sgd)_[a-f0-9]{50,})\b)~"},

    // --- AI
    {"anthropic-key", "an Anthropic key", "sk-ant-", kToken, R"~(sk-ant-[\w\-]{20,})~"},
    {"openrouter-key", "an OpenRouter key", "sk-or-", kToken, R"~(sk-or-[\w\-]{20,})~"},
    {"langfuse-key", "a Langfuse secret key", "sk-lf-", kToken, R"~(sk-lf-[\w\-]{20,})~"},
    {"openai-key", "an OpenAI key", "sk-proj-|sk-svcacct-|sk-admin-|sk-service-|sk-none-|sess-",
     kToken,
     R"~((?i)(?:sk-(?:proj|svcacct|admin|service|none)-[\w\-]{20,}|sess-[A-Za-z0-9]{40}))~"},
    {"openai-key", "an OpenAI key", "t3blbkfj", kRun, R"~(sk-[\w\-]{10,}T3BlbkFJ[\w\-]{10,})~"},
    {"ai-key", "the key of an AI provider", "sk-", kToken, R"~(sk-[A-Za-z0-9]{20,})~", kFormat,
     3.3},
    {"huggingface-token", "a Hugging Face token", "hf_|api_org_", kToken,
     R"~((?:hf_|api_org_)[A-Za-z0-9]{30,})~", kFormat, 3.0},
    {"replicate-token", "a Replicate token", "r8_", kToken, R"~(r8_[A-Za-z0-9]{30,})~"},
    {"groq-key", "a Groq key", "gsk_", kToken, R"~(gsk_[A-Za-z0-9]{30,})~"},
    {"perplexity-key", "a Perplexity key", "pplx-", kToken, R"~(pplx-[A-Za-z0-9]{30,})~"},
    {"xai-key", "an xAI key", "xai-", kToken, R"~(xai-[\w\-]{30,})~", kFormat, 3.3},
    {"fireworks-key", "a Fireworks key", "fw_|fpk_", kToken, R"~(f(?:w|pk)_[A-Za-z0-9]{20,})~",
     kFormat, 3.3},
    {"together-key", "a Together key", "tgp_v1_", kToken, R"~(tgp_v1_[\w\-]{30,})~"},
    {"nvidia-key", "an NVIDIA API key", "nvapi-", kToken, R"~(nvapi-[\w\-]{40,})~"},
    {"langsmith-key", "a LangSmith key", "lsv2_|ls__", kToken,
     R"~((?:lsv2_[a-z]{2}_[0-9a-f]{32}_[0-9a-f]{10}|ls__[0-9a-f]{32}))~"},
    {"pinecone-key", "a Pinecone key", "pcsk_", kToken, R"~(pcsk_[\w\-]{30,})~"},
    {"voyage-key", "a Voyage key", "pa-", kToken, R"~(pa-[\w\-]{43}\b)~", kFormat, 4.0},
    {"jina-key", "a Jina key", "jina_", kToken, R"~(jina_[\w\-]{40,})~"},
    {"tavily-key", "a Tavily key", "tvly-", kToken, R"~(tvly-[\w\-]{20,})~", kFormat, 3.2},
    {"firecrawl-key", "a Firecrawl key", "fc-", kToken, R"~(fc-[0-9a-f]{32})~"},
    {"cerebras-key", "a Cerebras key", "csk-", kToken, R"~(csk-[a-z0-9]{40,})~", kFormat, 3.3},
    {"e2b-key", "an E2B key", "e2b_", kToken, R"~(e2b_[0-9a-f]{40})~"},
    {"elevenlabs-key", "an ElevenLabs key", "sk_", kToken, R"~(sk_[0-9a-f]{40,})~", kFormat, 3.0},
    {"cursor-key", "a Cursor key", "key_", kToken, R"~(key_[0-9a-f]{50,})~", kFormat, 3.0},
    {"modal-token", "a Modal token", "ak-|as-", kToken, R"~(a[ks]-[A-Za-z0-9]{22}\b)~", kFormat,
     3.8},
    {"zhipu-key", "a Zhipu key", "zhipu|bigmodel|glm|zai_api", kLabel,
     OF_VENDOR R"~(([0-9a-f]{32}\.[A-Za-z0-9]{16}))~"},
    {"ai-key", "the key of an AI provider",
     "cohere|mistral|deepgram|assemblyai|wandb|weights_and_biases|together|stability|ai21|anyscale|"
     "voyage|moonshot|minimax|baichuan|qwen|dashscope|deepseek|lepton|novita|hyperbolic|sambanova|"
     "nomic|upstage|clarifai|portkey|helicone|langchain|serper|serpapi|brave|tavily|exa",
     kLabel, OF_VENDOR R"~(([A-Za-z0-9_\-]{32,80}))~", kRandom, 3.5},

    // --- Communication and other services
    {"slack-token", "a Slack token",
     "xoxa-|xoxb-|xoxe-|xoxo-|xoxp-|xoxr-|xoxs-|xoxc-|xoxd-|xoxe.|xapp-|xwfp-", kToken,
     R"~((?:xox[abeoprscd][\-.](?:xox[a-z]-)?[\w%+/=\-]{12,}|xapp-[\w\-]{20,}|xwfp-[\w\-]{20,}))~"},
    {"slack-webhook", "a Slack webhook", "hooks.slack.com|hooks.slack-gov.com", kText,
     R"~(hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/([A-Za-z0-9_/\-]{24,}))~"},
    {"teams-webhook", "a Microsoft Teams webhook", "webhook.office.com/", kText,
     R"~(webhook\.office\.com/(webhookb2/[\w@\-]{30,}/IncomingWebhook/[\w\-/]{30,}))~"},
    {"discord-webhook", "a Discord webhook", "/api/webhooks/|/webhooks/", kText,
     R"~((?:/api)?/webhooks/([0-9]{15,}/[\w\-]{40,}))~"},
    {"discord-token", "a Discord bot token", ".", kRun,
     R"~([MNO][\w\-]{22,30}\.[\w\-]{6}\.[\w\-]{27,})~", kFormat, 3.5},
    {"discord-token", "a Discord token", "mfa.", kToken, R"~(mfa\.[\w\-]{60,})~"},
    {"discord-token", "a Discord client secret", "discord", kLabel, OF_VENDOR R"~(([\w\-]{32}))~",
     kRandom, 3.5},
    {"telegram-token", "a Telegram bot token", ":aa", kRun, R"~([0-9]{6,12}:AA[\w\-]{30,})~"},
    {"telegram-token", "a Telegram bot token", "api.telegram.org/bot|telegram", kText,
     R"~((?i)(?:api\.telegram\.org/bot|telegram[\w.\- ]{0,30}["'`\]]{0,3}\s{0,4}[:=]\s{0,4}["'`]?)([0-9]{6,12}:[\w\-]{30,}))~"},
    {"webhook", "a webhook's address",
     "open.feishu.cn/|open.larksuite.com/|oapi.dingtalk.com/|qyapi.weixin.qq.com/|hooks.zapier.com/"
     "|maker.ifttt.com/|chat.googleapis.com/|discord.com/api/w|webhooks.mongodb|.logic.azure.com",
     kText,
     R"~([\w.]+(?::443)?/(open-apis/bot/v2/hook/[\w\-]{20,}|robot/send\?access_token=[0-9a-f]{40,}|cgi-bin/webhook/send\?key=[\w\-]{30,}|hooks/catch/[0-9]+/\w+|trigger/[\w\-]+/(?:json/)?with/key/[\w\-]{20,}|v1/spaces/[\w\-]+/messages\?key=[^\s"'<>]{40,}|workflows/[^\s"'<>]{20,}sig=[\w\-]{30,}))~",
     kAnything},
    {"stripe-key", "a Stripe secret key", "sk_live_|rk_live_|sk_test_|rk_test_|sk_prod_|rk_prod_",
     kToken, R"~([sr]k_(?:live|test|prod)_[A-Za-z0-9_]{10,})~", kFormat, 2.8},
    {"webhook-secret", "the signing secret of webhooks", "whsec_", kToken,
     R"~(whsec_[A-Za-z0-9+/=]{20,})~"},
    {"square-token", "a Square token", "sq0atp-|sq0csp-|eaaa", kToken,
     R"~((?:sq0(?:atp|csp)-[\w\-]{20,}|EAAA[\w\-]{58,}))~"},
    {"paypal-token", "a PayPal or Braintree token", "access_token$", kToken,
     R"~(access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32})~"},
    {"paypal-token", "a PayPal secret", "paypal|braintree", kLabel,
     OF_VENDOR R"~(((?:[AE][\w\-]{70,90})|[0-9a-f]{32}))~", kFormat, 3.2},
    {"plaid-token", "a Plaid token", "access-sandbox-|access-production-|access-development-",
     kToken, R"~(access-(?:sandbox|production|development)-)~" UUID},
    {"payment-key", "a payment provider's key",
     "flwseck|shippo_live_|shippo_test_|duffel_live_|duffel_test_|ezak|eztk|rzp_live_|live_|"
     "goldapi",
     kToken,
     R"~((?:FLWSECK(?:_TEST)?-[\w\-]{12,}|shippo_(?:live|test)_[0-9a-f]{40}|duffel_(?:live|test)_[\w\-=]{40,}|EZ[AT]K[A-Za-z0-9]{54}|rzp_live_[A-Za-z0-9]{14}|live_[A-Za-z0-9]{35,}))~",
     kFormat, 3.2},
    {"twilio-key", "a Twilio API key", "sk", kToken, R"~(SK[0-9a-fA-F]{32})~", kFormat, 2.8},
    {"twilio-key", "a Twilio auth token", "twilio|account_sid", kLabel,
     OF_VENDOR R"~((?:AC[0-9a-f]{32}["'\s,:]{1,8})?([0-9a-f]{32}))~", kFormat, 2.8},
    {"twilio-key", "a Twilio auth token", "ac", kToken,
     R"~(AC[0-9a-f]{32}["']?[:,]\s{0,4}["']?([0-9a-f]{32}))~", kFormat, 2.8},
    {"sendgrid-key", "a SendGrid key", "sg.", kToken, R"~(SG\.[\w\-]{16,}\.[\w\-]{16,})~"},
    {"mailgun-key", "a Mailgun key", "key-", kToken, R"~(key-[0-9a-f]{32})~", kFormat, 2.8},
    {"mailgun-key", "a Mailgun key", "mailgun|mg_api", kLabel,
     OF_VENDOR R"~((?:api:)?((?:[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8})|[0-9a-f]{32}))~", kFormat,
     2.8},
    {"mailchimp-key", "a Mailchimp key", "-us", kRun, R"~([0-9a-f]{32}-us[0-9]{1,2})~", kFormat,
     2.8},
    {"mailchimp-key", "a Mandrill key", "md-", kToken, R"~(md-[\w\-]{22}\b)~", kRandom, 3.5},
    {"brevo-key", "a Brevo key", "xkeysib-|xsmtpsib-", kToken,
     R"~(x(?:key|smtp)sib-[0-9a-f]{40,}(?:-[A-Za-z0-9]{16})?)~"},
    {"resend-key", "a Resend key", "re_", kToken, R"~(re_[A-Za-z0-9]{6,12}_[A-Za-z0-9]{16,})~",
     kFormat, 3.3},
    {"mail-key", "a mail provider's key",
     "mailjet|sparkpost|mailersend|mlsn.|postmark|mandrill|sendinblue|customerio|klaviyo|pk_",
     kLabel, OF_VENDOR R"~(([A-Za-z0-9]{32,64}|)~" UUID ")", kFormat, 3.0},
    {"mail-key", "a MailerSend key", "mlsn.", kToken, R"~(mlsn\.[0-9a-f]{40,})~"},
    {"klaviyo-key", "a Klaviyo or ClickUp key", "pk_", kToken,
     R"~(pk_(?:[0-9a-f]{34}|[0-9]{4,10}_[A-Z0-9]{32})\b)~", kFormat, 3.0},
    {"notion-token", "a Notion token", "secret_|ntn_", kToken,
     R"~((?:secret_[A-Za-z0-9]{40,}|ntn_[A-Za-z0-9]{30,}))~", kFormat, 3.3},
    {"linear-key", "a Linear key", "lin_api_|lin_oauth_|lin_wh_", kToken,
     R"~(lin_(?:api|oauth|wh)_[A-Za-z0-9]{30,})~"},
    {"airtable-key", "an Airtable token", "pat", kToken, R"~(pat[A-Za-z0-9]{14}\.[0-9a-f]{40,})~"},
    {"airtable-key", "an Airtable key", "airtable", kLabel, OF_VENDOR R"~((key[A-Za-z0-9]{14}))~"},
    {"asana-token", "an Asana token", "0/|1/|2/", kToken,
     R"~([012]/[0-9a-f]{32}\b|[12]/[0-9]{10,}(?:/[0-9]{10,})?:[0-9a-f]{32})~", kFormat, 3.0},
    {"figma-token", "a Figma token", "figd_|figo_|figu_|figr_|figoh_|figor_|figdr_|figur_", kToken,
     R"~(fig[dour]h?r?_[\w\-]{30,})~"},
    {"hubspot-token", "a HubSpot token", "pat-na|pat-eu|pat-ap", kToken,
     R"~(pat-(?:na|eu|ap)\d?-)~" UUID},
    {"intercom-token", "an Intercom token", "dg9rO|dg9r", kToken,
     R"~(dG9r[A-Za-z0-9+/=_\-]{40,})~"},
    {"datadog-key", "a Datadog key", "datadog|dd_api|dd-api|dd_app|dd-app|ddog|dd_client|ddsource",
     kLabel, OF_VENDOR R"~(([0-9a-f]{40}|[0-9a-f]{32}))~", kFormat, 2.8},
    {"datadog-key", "a Datadog application key", "ddapp_|ddpat_", kToken,
     R"~(dd(?:app|pat)_[A-Za-z0-9]{30,})~"},
    {"newrelic-key", "a New Relic key", "nrak-|nrii-|nrra-|nriq-|nrsp-|nraa-|nrbr-", kToken,
     R"~(NR(?:AK|II|RA|IQ|SP|AA)-[A-Za-z0-9_\-]{20,})~"},
    {"newrelic-key", "a New Relic license key", "nral", kRun,
     R"~((?:eu01xx)?[0-9a-fA-F]{30,36}(?:FFFF)?NRAL)~"},
    {"sentry-token", "a Sentry token", "sntrys_|sntryu_|sntryi_|sntrya_", kToken,
     R"~(sntry[suia]_[\w+/=.\-]{40,})~"},
    {"sentry-token", "a Sentry token", "sentry", kLabel, OF_VENDOR R"~(([0-9a-f]{64}))~", kFormat,
     3.0},
    {"grafana-token", "a Grafana token", "glc_|glsa_|eyjrijoi", kToken,
     R"~((?:glc_[A-Za-z0-9+/]{32,}={0,2}|glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}|eyJrIjoi[A-Za-z0-9+/\-_]{40,}={0,2}))~"},
    {"honeycomb-key", "a Honeycomb key",
     "hcaik_|hcaic_|hcxik_|hcalk_|hcxlk_|hcbik_|hcamk_|honeycomb|hny_", kToken,
     R"~(hc[abx](?:ik|ic|lk|mk)_[a-z0-9]{40,})~"},
    {"pagerduty-key", "a PagerDuty key",
     "pagerduty|pager_duty|pd_api|routing_key|integration_key|token=", kLabel,
     OF_VENDOR
     R"~((?:Token token=)?(u\+[\w\-]{18}|y_[\w\-]{18}|[0-9a-f]{32}|R[A-Z0-9]{31}|[A-Za-z0-9_\-+]{20}))~",
     kRandom, 2.4},
    {"pagerduty-key", "a PagerDuty key", "u+", kToken, R"~(u\+[A-Za-z0-9_\-]{18}\b)~", kFormat,
     3.3},
    {"observability-key", "the key of a monitoring service",
     "honeycomb|logdna|loggly|sumologic|sumo|rollbar|bugsnag|airbrake|logzio|opsgenie|victorops|"
     "statuspage|instana|appdynamics|lightstep|logtail|betterstack|axiom|posthog|mixpanel|"
     "amplitude|segment|heap|fullstory|hotjar|raygun|coralogix|librato|scalyr|elastic_apm|"
     "uptimerobot|pingdom|checkly",
     kLabel, OF_VENDOR "((?:" UUID R"~()|[A-Za-z0-9_\-]{20,64}))~", kRandom, 3.5},
    {"posthog-key", "a PostHog personal key", "phx_|phs_", kToken, R"~(ph[xs]_[A-Za-z0-9]{30,})~"},
    {"axiom-token", "an Axiom token", "xaat-|xapt-", kToken, R"~(xa(?:at|pt)-)~" UUID},
    {"shopify-token", "a Shopify token", "shpat_|shpca_|shppa_|shpss_|shptka_|shpua_|shpre_",
     kToken, R"~(shp(?:at|ca|pa|ss|tka|ua|re)_[0-9a-zA-Z]{20,})~"},
    {"dropbox-token", "a Dropbox token", "sl.", kToken, R"~(sl\.(?:u\.)?[\w\-]{60,})~"},
    {"dropbox-token", "a Dropbox secret", "dropbox", kLabel,
     OF_VENDOR R"~(([a-z0-9]{15}|[\w\-]{11}AAAAAAAAAA[\w\-]{43}|[\w\-]{64}))~", kRandom, 2.4},
    {"okta-token", "an Okta token", "okta|ssws", kLabel,
     R"~((?:[\w.\- ]{0,40}[\\"'`\])*]{0,6}[ \t]{0,8}(?:=>|:=|=|:|,|\|)?\s{0,8}[\\"'`]{0,4}(?:SSWS )?|[ \t]{1,2})(00[\w\-]{38,42}|[\w\-]{40,64}))~",
     kRandom, 3.5},
    {"auth-provider-key", "the key of an identity provider",
     "auth0|workos|clerk|stytch|onelogin|keycloak|descope|frontegg|fusionauth|cognito|secret-live-|"
     "secret-test-",
     kLabel, OF_VENDOR R"~(([\w\-=]{32,80}))~", kRandom, 3.5},
    {"algolia-key", "an Algolia key", "algolia", kLabel, OF_VENDOR R"~(([0-9a-f]{32}))~", kFormat,
     2.8},
    {"postman-key", "a Postman key", "pmak-|pmat-", kToken,
     R"~(PMA[KT]-[0-9A-Za-z]{20,}(?:-[0-9a-f]{34})?)~"},
    {"launchdarkly-key", "a LaunchDarkly key", "sdk-|api-", kToken, R"~((?:sdk|api)-)~" UUID},
    {"zendesk-token", "a token of a support desk",
     "zendesk|freshdesk|freshservice|helpscout|intercom|gorgias|front_api", kLabel,
     OF_VENDOR R"~(([\w\-=]{20,80}))~", kRandom, 3.3},
    {"crm-token", "a token of a customer database",
     "hubspot|salesforce|pipedrive|zoho|sfdc|marketo|hapikey", kLabel,
     OF_VENDOR
     "((?:" UUID
     R"~()|00D[A-Za-z0-9]{12,15}![\w.]{60,}|1000\.[0-9a-f]{32}\.[0-9a-f]{32}|[\w\-]{24,80}))~",
     kRandom, 3.3},
    {"salesforce-token", "a Salesforce session", "00d", kToken,
     R"~(00D[A-Za-z0-9]{12,15}![\w.]{60,})~"},
    {"contentful-token", "a Contentful token", "cfpat-", kToken, R"~(CFPAT-[\w\-]{30,})~"},
    {"typeform-token", "a Typeform token", "tfp_", kToken, R"~(tfp_[\w\-.]{30,})~"},
    {"prefect-key", "a Prefect key", "pnu_|pnb_", kToken, R"~(pn[ub]_[A-Za-z0-9]{30,})~", kFormat,
     3.0},
    {"buildkite-token", "a Buildkite token", "bkua_|bkaj_|bkpat_|bkct_", kToken,
     R"~(bk(?:ua|aj|pat|ct)_[A-Za-z0-9]{30,})~"},
    {"circleci-token", "a CircleCI token", "ccipat_|cciprj_", kToken,
     R"~(CCI(?:PAT|PRJ)_[A-Za-z0-9_]{30,})~"},
    {"ci-token", "a token of a build service",
     "circleci|circle_token|circle-token|travis|drone_|jenkins|teamcity|buildkite|appveyor|"
     "semaphore|codeship|codacy|coveralls|sonar",
     kLabel, OF_VENDOR R"~(([0-9a-f]{32,40}|[A-Za-z0-9_\-]{20,40}))~", kRandom, 3.3},
    {"sonar-token", "a SonarQube token", "sqp_|squ_|sqa_", kToken, R"~(sq[pua]_[0-9a-f]{40})~"},
    {"readme-key", "a ReadMe key", "rdme_", kToken, R"~(rdme_[a-z0-9]{60,})~"},
    {"frameio-token", "a Frame.io token", "fio-u-", kToken, R"~(fio-u-[\w\-]{40,})~"},
    {"adafruit-key", "an Adafruit key", "aio_", kToken, R"~(aio_[A-Za-z0-9]{24,})~", kFormat, 3.3},
    {"mapbox-token", "a Mapbox secret token", "sk.eyj", kToken,
     R"~(sk\.eyJ[\w\-]{30,}\.[\w\-]{15,})~"},
    {"facebook-token", "a Facebook token", "eaa|igqv|igaa|eaac", kToken,
     R"~((?:EAA[A-Za-z0-9]{60,}|IG(?:QV|AA)[\w\-]{60,}))~"},
    {"twitter-token", "a Twitter bearer token", "aaaaaaaaaaaaaaaaaaaaa", kToken,
     R"~(A{18,22}[A-Za-z0-9%]{40,})~", kFormat, 3.5},
    {"social-key", "the secret of a social network",
     "facebook|fb_app|twitter|x_api|linkedin|instagram|reddit|tiktok|pinterest|snapchat|spotify|"
     "twitch|youtube|strava|tumblr|flickr|foursquare|vimeo|soundcloud|steam|dropbox|box_client|"
     "zoom|webex|pusher|ably|pubnub|sendbird|agora|vonage|nexmo|plivo|messagebird|infobip|"
     "bandwidth|telnyx",
     kLabel, OF_VENDOR R"~(([\w\-]{16,64}))~", kRandom, 3.3},
    {"linkedin-secret", "a LinkedIn client secret", "wpl_ap", kToken,
     R"~(WPL_AP\d\.[\w.=\-]{12,})~"},
    {"telnyx-key", "a Telnyx key", "key0", kToken, R"~(KEY0[0-9A-Za-z_]{50,})~"},
    {"twitch-token", "a Twitch token", "oauth:", kToken, R"~(oauth:([a-z0-9]{30})\b)~", kRandom,
     3.3},
    {"blockchain-key", "the key of a blockchain service",
     "infura.io/|alchemy.com/|alchemyapi.io/|quiknode.pro/|quicknode", kText,
     R"~([\w.\-]+/(?:v[23]/|ws/v3/|jsonrpc/)?([0-9a-f]{32,}|[\w\-]{32,}))~", kFormat, 3.3},
    {"exchange-key", "the key of an exchange",
     "binance|coinbase|kraken|kucoin|bitfinex|bybit|okx|bittrex|gemini|etherscan|infura|alchemy|"
     "finnhub|polygon|alpaca|iexcloud",
     kLabel, OF_VENDOR R"~(([A-Za-z0-9+/_\-]{20,88}={0,2}))~", kRandom, 3.5},
    {"google-ai-key", "a Google AI key", "aq.ab", kToken, R"~(AQ\.Ab[\w\-]{30,})~"},
    {"clerk-key", "a secret key", "sk_", kToken, R"~(sk_[A-Za-z0-9]{32,})~", kFormat, 3.5},

    // --- Package registries
    {"npm-token", "an npm token", "npm_", kToken, R"~(npm_[A-Za-z0-9]{36,})~", kFormat, 3.0},
    {"npm-token", "a registry's token in .npmrc", ":_authtoken|:_password|:_auth|_authtoken", kText,
     R"~(:?_(?i:authToken|password|auth)["']?\s{0,4}[=:]\s{0,4}["']?([^\s"'`<>]{8,}))~", kLiteral},
    {"pypi-token", "a PyPI token", "pypi-", kToken, R"~(pypi-[\w\-]{40,})~"},
    {"rubygems-key", "a RubyGems key", "rubygems_", kToken, R"~(rubygems_[0-9a-f]{40,})~"},
    {"crates-token", "a crates.io token", "cio", kToken, R"~(cio[A-Za-z0-9]{32}\b)~", kFormat, 3.5},
    {"docker-token", "a Docker Hub token", "dckr_pat_|dckr_oat_", kToken,
     R"~(dckr_(?:pat|oat)_[\w\-]{20,})~"},
    {"docker-auth", "a registry's credentials", "\"auth\"", kText,
     R"~("auth"\s{0,4}:\s{0,4}"([A-Za-z0-9+/]{8,}={0,2})")~", kBasic},
    {"nuget-key", "a NuGet key", "oy2", kToken, R"~(oy2[a-z0-9]{43})~"},
    {"jfrog-token", "a JFrog token", "akcp|cmvmdgtu", kToken,
     R"~((?:AKCp[A-Za-z0-9]{50,}|cmVmdGtu[A-Za-z0-9+/=_\-]{40,}))~"},
    {"jfrog-token", "a JFrog token", "jfrog|artifactory|x-jfrog-art-api", kLabel,
     OF_VENDOR R"~(([A-Za-z0-9]{64,73}|[0-9a-f]{40}))~", kFormat, 3.5},
    {"packagist-token", "a Packagist token", "packagist_", kToken,
     R"~(packagist_[a-z]{2,4}_[0-9a-f]{40,})~"},
    {"clojars-token", "a Clojars token", "clojars_", kToken, R"~((?i)CLOJARS_[a-z0-9]{50,})~"},
    {"hashed-registry-key", "the key of a package registry",
     "hex_api|hexpm|hackage|pubdev|cocoapods|conda|anaconda|gemfury|cloudsmith|nexus|maven|"
     "sonatype|jsr_|jsrp_",
     kLabel, OF_VENDOR R"~(([\w\-]{20,80}))~", kRandom, 3.3},

    // --- Tokens of no vendor
    {"jwt", "a JSON web token", "eyj", kToken,
     R"~(eyJ[\w\-]{10,}={0,2}\.(?:ey[\w\-]{8,}={0,2}(?:\.[\w\-]*)?|[\w\-]*\.[\w\-]{10,}\.[\w\-]{16,}\.[\w\-]{16,}))~"},
    {"basic-auth", "credentials of HTTP basic authentication", "basic", kToken,
     R"~((?i)Basic[ \t]{1,4}([A-Za-z0-9+/_\-]{8,}={0,2}))~", kBasic},
    {"bearer-token", "a bearer token", "bearer", kToken,
     R"~((?i)bearer(?:[ \t]{1,4}|%20|["'`]\s{0,3}[,+:=]\s{0,3}["'`])["'`]?([A-Za-z0-9_\-.~+/]{12,}={0,2}))~",
     kRandom, 2.4},
    {"authorization-header", "the credentials of a request",
     "authorization|x-api-key|x-auth-token|x-access-token|x-vault-token|private-token|x-amz-"
     "security-token|api-key|x-auth|x-gitlab-token|x-csrf-token|x-token|job-token|deploy-token",
     kText,
     R"~((?i)[a-z\-]{5,24}["'`\])]{0,3}\s{0,3}[:=,]\s{0,3}["'`]?(?:(?:token|apikey|api-key|key|bot|ssws|bearer|digest|negotiate|genie[kK]ey|zoho-oauthtoken|splunk|oauth|client-id|discogs token)[ \t:=]{1,3})?["'`]?([A-Za-z0-9_\-.~+/:|]{12,}={0,2}))~",
     kRandom, 2.4},
    {"authorization-header", "the credentials of a request, after a scheme", "authorization", kText,
     R"~((?i)authorization["'`\])]{0,3}\s{0,3}[:=,]\s{0,3}["'`]?(?:[ac-z]|b[b-z])[\w\-]{1,24}[ \t]{1,3}["'`]?([A-Za-z0-9_\-.~+/:|]{12,}={0,2}))~",
     kRandom, 2.4},
    {"session-cookie", "the cookie of a session", "cookie", kToken,
     R"~((?i)cookie["'`]?\s{0,3}[:=,(]\s{0,3}["'`]?(?:[^\n"'`]*?[;\s"'`])?(?:[\w.\-]*(?:sess|auth|token|jwt|sid|login|remember|csrf|xsrf|credential)[\w.\-]*)=([^\s;"'`<>]{12,}))~",
     kRandom, 2.4},
    {"session-cookie", "the cookie of a session",
     "sessionid|session_id|session-id|phpsessid|jsessionid|connect.sid|laravel_session|asp.net_"
     "sessionid|.aspnetcore.|rack.session|_session",
     kText, R"~((?i)[\w.\-]{3,40}["'`]?=["'`]?((?:s%3A|s:)?[A-Za-z0-9_\-%.+/]{20,}={0,2}))~",
     kRandom, 3.3},

    // --- Addresses and connection strings
    {"credential-url", "a password in an address", "://", kText,
     R"~(://(?:[^\s/:@"'`<>\\]{0,120}):([^\s"'`<>/]+)@[\w\[\]{$%<*.\-])~", kLiteral},
    {"credential-url", "a password in a database's address",
     "postgres://|postgresql://|mysql://|mariadb://|mongodb://|mongodb+srv://|redis://|rediss://"
     "|amqp://|amqps://|sqlserver://|mssql://|clickhouse://|cockroachdb://|oracle://|ldap://|smtp:/"
     "/|smtps://|postgresql+psycopg2://|mysql+pymysql://|postgresql+asyncpg://|nats://|kafka://"
     "|sftp://|ftp://",
     kText, R"~((?i)[a-z0-9+]+://[^\s/:@"'`<>]{0,120}:([^\s"'`<>]+)@[\w.\-\[]+)~", kLiteral},
    {"credential-url", "a token in an address", "https://|http://", kText,
     R"~((?i)https?://([A-Za-z0-9_\-]{20,})@[\w.\-])~", kRandom, 3.5},
    {"credential-url", "a password in a database's address", "@tcp(|@unix(", kRun,
     R"~([^:\s"'`]{1,80}:([^\s"'`]+)@(?:tcp|unix)\()~", kLiteral},
    {"credential-url", "a password in a database's address", ":1521|:1522", kRun,
     R"~([\w$\-:@=]{1,80}/([^\s/@"'`]+)@(?://)?[\w.\-]+:152[12])~", kLiteral},
    {"pgpass", "a line of .pgpass", ":5432:|:5433:|:6432:|:5434:|*:*:", kText,
     R"~(:(?:\d{4}|\*):[^:\s]{1,64}:[^:\s]{1,64}:([^\s"'`]+))~", kLiteral},
    {"netrc", "a password in .netrc", "machine |login ", kToken,
     R"~((?:machine\s{1,8}\S{1,120}\s{1,8})?login\s{1,8}\S{1,120}\s{1,8}password\s{1,8}(\S+))~",
     kLiteral},
    {"redis-password", "a password in a configuration",
     "requirepass |masterauth |sasl.jaas.config|bindpw |rootpw |olcrootpw", kToken,
     R"~([\w]+ {1,8}["']?([^\s"']{4,}))~", kLiteral},

    // --- Command lines
    {"command-line", "a password on a command line", "mysql|mariadb|mycli|mysqldump|mysqladmin",
     kToken,
     R"~(m[a-z]{3,12}(?:[ \t][^\n|;&<>]*?)?[ \t](?:-p|--password[= ])(?:'([^'\n]{2,})'|"([^"\n]{2,})"|([^\s'"|;&<>\-][^\s'"|;&<>]{2,})))~",
     kLiteral},
    {"command-line", "a password on a command line",
     "sshpass|docker login|podman login|mongosh|mongo |mongodump|az login|oc login|helm "
     "registry|cf login|skopeo|nerdctl login|crane auth|mosquitto_|isql|sqlcmd|bcp "
     "|impacket|rabbitmqadmin|influx|htpasswd|7z |unzip |zip |cqlsh|sqlplus|ldapsearch |ldapadd "
     "|ldapmodify |redis-cli|kinit|winexe|expect ",
     kToken,
     R"~([a-z0-9_\-]+[ \t](?:[^\n|;&<>]*?[ \t])?(?:-p|-P|-w|-a|-b [^\s]+ [^\s]+)[ =]?(?:'([^'\n]{3,})'|"([^"\n]{3,})"|([^\s'"|;&<>\-/.][^\s'"|;&<>]{3,})))~",
     kPassword},
    {"command-line", "credentials on a command line", "curl|http |https |wget|lftp|smbclient",
     kToken,
     R"~([a-z]+[ \t](?:[^\n]*?[ \t])?(?:-u|--user|--proxy-user|-U|-a)[ =]{0,2}(?:'([^'\n]+:[^'\n]+)'|"([^"\n]+:[^"\n]+)"|([^\s'"]+:[^\s'"]+)))~",
     kUserPass},
    {"command-line", "credentials on a command line", "curl|http |https |wget|lftp|smbclient",
     kToken,
     R"~([a-z]+[ \t](?:[^\n]*?[ \t])?(?:-u|--user|--proxy-user|-U|-a)[ =]{0,2}(?:"[^"\n:]+"|'[^'\n:]+'|[^\s'":]+):(?:'([^'\n]+)'|"([^"\n]+)"))~",
     kLiteral},
    {"command-line", "credentials of Windows on a command line",
     "smbclient|rpcclient|smbget|smbmap|winexe|wmic|net rpc|net ads|pth-", kToken,
     R"~([a-z\-]+[ \t](?:[^\n]*?[ \t])?(?:-U|--user)[ =]{0,2}(?:'[^'\n%]+%([^'\n]+)'|"[^"\n%]+%([^"\n]+)"|[^\s'"%]+%(?:'([^'\n]+)'|"([^"\n]+)"|([^\s'"%]+))))~",
     kLiteral},
    {"command-line", "a password on a command line", "htpasswd ", kToken,
     R"~(htpasswd(?:[ \t]+-[\w]+)*[ \t]+-\w*b\w*(?:[ \t]+-\w+(?:[ \t]+\d+)?)*(?:[ \t]+[^\s|;&<>]+){1,2}[ \t]+(?:'([^'\n]+)'|"([^"\n]+)"|([^\s'"|;&<>]+))[ \t]*(?:[\n|;&<>)"'`]|$))~",
     kLiteral},
    {"command-line", "a password on a command line", "-passin|-passout|pass:", kText,
     R"~((?:-pass(?:in|out)[ =])?pass:([^\s"'`]{3,}))~", kPassword},
    {"command-line", "a password on a command line", "sudo ", kToken,
     R"~(sudo (?:-\w+ )*-S[^\n]*<<<\s?["']?([^\s"']{4,}))~", kLiteral},
    {"command-line", "a password on a command line", "echo ", kToken,
     R"~(echo[ \t]+(?:-n[ \t]+)?["']?([^\s"'|]{4,})["']?[ \t]*\|[ \t]*(?:sudo[ \t]+-S|docker login|kinit|passwd|chpasswd|gh auth|su\b))~",
     kPassword},
    {"command-line", "a password on a command line", "echo ", kToken,
     R"~(echo[ \t]+(?:-n[ \t]+)?(?:'([^\s:']+:[^'\n]+)'|"([^\s:"]+:[^"\n]+)"|([^\s:"'|]+:[^\s"'|]+))[ \t]*\|[ \t]*(?:sudo[ \t]+)?chpasswd)~",
     kUserPass},
    {"command-line", "a secret set on a command line", "gh secret set", kToken,
     R"~(gh secret set[^\n]*?[ \t](?:-b|--body)[ =])~"
     "(?:" QUOTED R"~(|([^\s"'`<>$]+)))~",
     kLiteral},
    {"command-line", "a password on a command line", "net use|cmdkey|runas|psexec", kToken,
     R"~((?i)(?:net use|cmdkey|runas|psexec)[^\n]*?[ /-](?:pass:|p |user:\S+ )["']?([^\s"'/][^\s"']{3,}))~",
     kPassword},
    {"command-line", "a secret set on a command line",
     "aws configure|npm config|yarn config|pip config|git config|heroku config|vercel env|flyctl "
     "secrets|fly secrets|gh secret|wrangler secret|doppler secrets|setx |composer config|poetry "
     "config|cargo login|wandb login|twine|vault login|hcloud|netlify|npm set|kubectl|pulumi "
     "config|dotnet "
     "user-secrets",
     kToken,
     R"~((?i)(?:(?:cargo|vault|wandb) login|[\w.\-]+ [\w:\-]+(?: [\w:\-]+){0,2} [^\s=]*(?:password|passwd|secret|token|api[_-]?key|access_key|accesskey|_auth|pat)[^\s=]*)[ =]["']?([^\s"'`<>\-][^\s"'`<>]{5,}))~",
     kPassword},
    {"command-line", "a password on a command line", PASSWORD_WORDS, kFlag,
     R"~([\w\-]{0,24}(?:[ \t]{1,4}|=|[ \t]?["'],[ \t]{0,4}))~"
     "(?:" QUOTED R"~(|([^\s"'`<>|;&\-][^\s"'`<>|;&]*)))~",
     kPassword},
    {"command-line", "a secret on a command line", TOKEN_WORDS, kFlag,
     R"~([\w\-]{0,24}(?:[ \t]{1,4}|=|[ \t]?["'],[ \t]{0,4}))~"
     "(?:" QUOTED R"~(|([^\s"'`<>|;&\-][^\s"'`<>|;&]*)))~",
     kRandom, 2.4},

    // --- Anything that is called a password or a secret
    {"password", "a password in a file of settings", PASSWORD_WORDS "|pgpassword|mysql_pwd",
     kSetting,
     R"~([A-Z0-9_]{0,40}=(?:"([^"\n]+)"|'([^'\n]+)'|([^\s"'`,;<>()\[\]{}$&|]+)(?:[\s"'&;]|$)))~",
     kLiteral},
    {"password", "a password in a file of settings", PASSWORD_WORDS, kSetting, SETTING_LINE,
     kSigns},
    {"password", "a password", PASSWORD_WORDS, kName, "(?i)" ASSIGNED, kPassword},
    {"password", "a password for want of another", PASSWORD_WORDS, kName, "(?i)" REST OTHERWISE,
     kPassword},
    {"password", "a password in a form", PASSWORD_WORDS, kName, "(?i)" REST FORM_FIELD, kPassword},
    {"password", "a password", PASSWORD_WORDS, kName,
     R"~((?i)[\w\-]{0,40}(?:[({]\s{0,20}(?:[\w.]{1,30},[ \t]{0,3})?|["'],[ \t]{0,4}))~" QUOTED,
     kPassword},
    {"password", "a password", PASSWORD_WORDS, kName,
     "(?i)" REST
     R"~((?:[ \t][^<>\n]{0,80})?>\s{0,20}(?:</key>\s{0,20}<string>)?([^<>\s][^<>\n]{0,200}?)\s{0,20}</)~",
     kPassword},
    {"password", "a password", PASSWORD_WORDS, kName,
     "(?i)</key>\\s{0,24}<string>([^<>\\n]{1,200})</string>", kPassword},
    {"password", "a password", PASSWORD_WORDS, kName,
     "(?i)" REST
     R"~(["'`]?[ \t]{0,4},?\s{0,40}["']?(?:default_?)?value["']?\s{0,4}[:=]\s{0,4}(?:)~" QUOTED
     R"~(|([^\s"'`<>,;]+)))~",
     kPassword},
    {"password", "a password", PASSWORD_WORDS, kName, "(?i)" REST "[ \\t]{1,3}" QUOTED, kPassword},
    {"password", "a password", PASSWORD_WORDS, kName,
     R"~((?i)[ \t]{1,3}(?:-{1,2}[ \t]{1,3})?([^\s"'`<>(){}\[\],;]{8,}))~", kSpaced},
    {"password", "a password beside its user",
     "auth=(|auth = (|auth: [|basicauth(|basic_auth(|basicauth|credential(|credentials(|creds = "
     "(|creds=(|login(|"
     "convertto-securestring",
     kText,
     R"~((?i)[a-z_\-]{4,24}\s{0,3}(?:[=:]\s{0,3})?(?:[(\[]\s{0,4}["'][^"'\n]{1,80}["'],|(?:-String)?[ \t])\s{0,4})~" QUOTED,
     kPassword},
    {"password", "a password in SQL", "password|identified by|identified with", kToken,
     R"~((?i)(?:identified (?:by|with \w+ by)|(?:encrypted )?password)[ \t]{1,4}(?:password[ \t]{1,4})?'([^'\n]+)')~",
     kPassword},
    {"password", "a password in a sentence", PASSWORD_WORDS, kName,
     R"~((?i)["'`*]{0,2}(?:[ \t][\w.@'\-]{1,30}){0,5}?[ \t](?:is|was|as|to|be|being|using)[ \t:]{1,3}(?:now[ \t]|set to[ \t])?(?:["'`]([^\s"'`]{6,})["'`]|["'`*]{0,2}([^\s"'`*<>()]+)))~",
     kProse},
    {"password", "a password after a sentence", PASSWORD_WORDS, kName,
     R"~((?i)["'`*]{0,2}[ \t](?:for|to|of|on|at|in|from|with)(?:[ \t][\w.@'/()\-]{1,40}){1,6}[ \t]?:[ \t]{1,3}["'`*]{0,2}([^\s"'`*<>(){}\[\],;]{8,}))~",
     kSpaced},
    {"password", "a password in a sentence", "\xE5\xAF\x86\xE7\xA0\x81|\xE5\x8F\xA3\xE4\xBB\xA4",
     kText,
     "(?:\xE5\xAF\x86\xE7\xA0\x81|\xE5\x8F\xA3\xE4\xBB\xA4)(?:\xE6\x98\xAF|\xE4\xB8\xBA|"
     "\xEF\xBC\x9A|:|=)\\s{0,4}[\"'`]?([!-~]+)",
     kProse},
    {"secret", "a secret in a file of settings", TOKEN_WORDS, kSetting, SETTING_LINE, kSigns},
    {"secret", "a secret", TOKEN_WORDS, kName, "(?i)" ASSIGNED, kRandom, 2.4},
    {"secret", "a secret for want of another", TOKEN_WORDS, kName, "(?i)" REST OTHERWISE, kRandom,
     2.4},
    {"secret", "a secret in a form", TOKEN_WORDS, kName, "(?i)" REST FORM_FIELD, kRandom, 2.4},
    {"secret", "a secret", TOKEN_WORDS, kName,
     R"~((?i)[\w\-]{0,40}(?:[({]\s{0,20}(?:[\w.]{1,30},[ \t]{0,3})?|["'],[ \t]{0,4}))~" QUOTED,
     kRandom, 2.4},
    {"secret", "a secret", TOKEN_WORDS, kName,
     "(?i)" REST R"~((?:[ \t][^<>\n]{0,80})?>\s{0,20}([^<>\s]+)\s{0,20}</)~", kRandom, 2.4},
    {"secret", "a secret", TOKEN_WORDS, kName,
     "(?i)</key>\\s{0,24}<string>([^<>\\n]{1,200})</string>", kRandom, 2.4},
    {"secret", "a secret", TOKEN_WORDS, kName,
     "(?i)" REST
     R"~(["'`]?[ \t]{0,4},?\s{0,40}["']?(?:default_?)?value["']?\s{0,4}[:=]\s{0,4}(?:)~" QUOTED
     R"~(|([^\s"'`<>,;]+)))~",
     kRandom, 2.4},
    {"secret", "a secret", TOKEN_WORDS, kName, "(?i)" REST "[ \\t]{1,3}" QUOTED, kRandom, 2.4},
    {"secret", "a secret", TOKEN_WORDS, kName,
     R"~((?i)[ \t]{1,3}(?:-{1,2}[ \t]{1,3})?([^\s"'`<>(){}\[\],;]{10,}))~", kSpaced},
    {"secret", "a secret in a sentence", TOKEN_WORDS, kName,
     R"~((?i)["'`*]{0,2}(?:[ \t][\w.@'\-]{1,30}){0,5}?[ \t](?:is|was|as|to|be|being|using)[ \t:]{1,3}(?:now[ \t]|set to[ \t])?(?:["'`]([^\s"'`]{8,})["'`]|["'`*]{0,2}([^\s"'`*<>()]{16,})))~",
     kRandom, 3.3},
    {"secret", "a secret after a sentence", TOKEN_WORDS, kName,
     R"~((?i)["'`*]{0,2}[ \t](?:for|to|of|on|at|in|from|with)(?:[ \t][\w.@'/()\-]{1,40}){1,6}[ \t]?:[ \t]{1,3}["'`*]{0,2}([^\s"'`*<>()]{16,}))~",
     kRandom, 3.5},
    {"secret", "a secret in the environment", "env |arg |set -|setenv |setx ", kToken,
     R"~((?:ENV|ARG|setenv|setx|set(?:[ \t]+-[A-Za-z\-]+)+)[ \t]+\w*)~" SECRET_NAME
     R"~(\w*[ \t]+["']?([^\s"'=]{4,}))~",
     kPassword},
    {"secret", "a secret before its name", "value", kToken,
     R"~((?i)value["'`]?\s{0,4}[:=]\s{0,4}["']([^"'\n]{6,})["'],?\s{1,40}(?:where[ \t])?["'`]?(?:name|key|id)["'`]?\s{0,4}[:=]\s{0,4}["']?[\w.\-]{0,40})~" SECRET_NAME,
     kPassword},
};

}  // namespace

std::span<const SecretRule> secret_rules() { return kRules; }

}  // namespace codexmem::privacy
