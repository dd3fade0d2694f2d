#include <algorithm>
#include <cstdint>
#include <utility>

#include "privacy/secret_cases.h"
#include "privacy/secret_maker.h"

namespace codexmem::privacy::testing {
namespace {

// Writes a text that holds "§", and the secret, in another way.
struct Disguised {
  std::string text;
  std::string value;
};
using Disguise = std::function<Disguised(const std::string& text, const std::string& plain)>;

struct Row {
  const char* name;
  std::string prefix;
  Shape shape;
  std::string text;
};

struct DisguisedRow {
  Row row;
  Disguise disguise;
};

std::string utf8(std::uint32_t code) {
  std::string text;
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xC0U | code >> 6U);
    text += static_cast<char>(0x80U | (code & 0x3FU));
  } else if (code < 0x10000) {
    text += static_cast<char>(0xE0U | code >> 12U);
    text += static_cast<char>(0x80U | (code >> 6U & 0x3FU));
    text += static_cast<char>(0x80U | (code & 0x3FU));
  } else {
    text += static_cast<char>(0xF0U | code >> 18U);
    text += static_cast<char>(0x80U | (code >> 12U & 0x3FU));
    text += static_cast<char>(0x80U | (code >> 6U & 0x3FU));
    text += static_cast<char>(0x80U | (code & 0x3FU));
  }
  return text;
}

// Each printable ASCII character as its full-width form.
std::string full_width(const std::string& text) {
  std::string wide;
  for (const char c : text) {
    const auto code = static_cast<std::uint32_t>(static_cast<unsigned char>(c));
    wide += code > 0x20 && code < 0x7F ? utf8(code + 0xFEE0) : std::string(1, c);
  }
  return wide;
}

// Letters and digits in the monospace style of the mathematical alphabets.
std::string monospace(const std::string& text) {
  std::string styled;
  for (const char c : text) {
    const auto code = static_cast<std::uint32_t>(static_cast<unsigned char>(c));
    if (c >= 'A' && c <= 'Z') {
      styled += utf8(0x1D670 + code - 'A');
    } else if (c >= 'a' && c <= 'z') {
      styled += utf8(0x1D68A + code - 'a');
    } else if (c >= '0' && c <= '9') {
      styled += utf8(0x1D7F6 + code - '0');
    } else {
      styled += c;
    }
  }
  return styled;
}

std::string escaped(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return glue({"\\", "u00"}) + kHex[byte >> 4U] + kHex[byte & 15U];
}

// `code` after every `step` characters.
std::string sprinkled(const std::string& text, std::uint32_t code, std::size_t step) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i > 0 && i % step == 0) out += utf8(code);
    out += text[i];
  }
  return out;
}

Disguise by_value(std::function<std::string(const std::string&)> change) {
  return [change](const std::string& text, const std::string& plain) {
    const std::string value = change(plain);
    return Disguised{fill(text, value), value};
  };
}

Disguise wide_value() { return by_value(full_width); }
Disguise wide_text() {
  return [](const std::string& text, const std::string& plain) {
    return Disguised{full_width(fill(text, plain)), full_width(plain)};
  };
}
Disguise with_hidden(std::uint32_t code, std::size_t step) {
  return by_value([=](const std::string& plain) { return sprinkled(plain, code, step); });
}
Disguise hidden_in_text(std::uint32_t code) {
  return [=](const std::string& text, const std::string& plain) {
    std::string changed = text;
    changed.insert(3, utf8(code));
    return Disguised{fill(changed, plain), plain};
  };
}
// The first `count` characters of the secret as JSON escapes; all of them for a large count.
Disguise with_escapes(std::size_t count) {
  return by_value([=](const std::string& plain) {
    std::string out;
    for (std::size_t i = 0; i < plain.size(); ++i) {
      out += i < count ? escaped(plain[i]) : std::string(1, plain[i]);
    }
    return out;
  });
}
// The text's own characters `signs` as JSON escapes, the secret as it is.
Disguise with_escaped_signs(std::string signs) {
  return [=](const std::string& text, const std::string& plain) {
    std::string changed;
    for (const char c : text) {
      changed += signs.find(c) == std::string::npos ? std::string(1, c) : escaped(c);
    }
    return Disguised{fill(changed, plain), plain};
  };
}

// The inner text as base64 inside `outer`, broken into lines of `columns` if that is not 0. The
// value is the part of the base64 that holds the secret.
Disguise in_base64(std::string outer, bool is_url_safe = false, std::size_t columns = 0) {
  return [=](const std::string& text, const std::string& plain) {
    const std::string inner = fill(text, plain);
    const std::size_t at = text.find("§");
    std::string code = is_url_safe ? base64_url(inner) : base64(inner);
    std::size_t begin = at / 3 * 4;
    std::size_t end = std::min((at + plain.size() + 2) / 3 * 4, code.size());
    if (columns != 0) {
      std::string lines;
      for (std::size_t i = 0; i < code.size(); i += columns) {
        lines += (i == 0 ? "" : "\n") + code.substr(i, columns);
      }
      begin += begin / columns;
      end += (end - 1) / columns;
      code = lines;
    }
    return Disguised{fill(outer, code), code.substr(begin, end - begin)};
  };
}

std::vector<DisguisedRow> disguised_rows() {
  const Shape openai = all({chars(kUrl64, 74), fixed("T3BlbkFJ"), chars(kUrl64, 74)});
  const Shape slack = all(
      {chars("123456789", 12), fixed("-"), chars("123456789", 13), fixed("-"), chars(kBase62, 24)});
  return {
      {{"full-width github token", "ghp_", checked(30), "token is §, keep it"}, wide_value()},
      {{"full-width aws key id", "AKIA", chars(kBase32, 16), "key id § (uploader)"}, wide_value()},
      {{"full-width assignment", "", plain_password(), "password=§"}, wide_text()},
      {{"full-width url", "", plain_password(), "postgres://app:§@db.acme.io/app"}, wide_text()},
      {{"full-width openai key", "sk-proj-", openai, "OPENAI_API_KEY=§"}, wide_value()},
      {{"monospace letters of a gitlab token", "glpat-", chars(kBase62, 20),
        "use § for the mirror"},
       by_value(monospace)},
      {{"zero-width space in a github token", "ghp_", checked(30), "token §"},
       with_hidden(0x200B, 9)},
      {{"zero-width space inside the prefix", "ghp_", checked(30), "token §"},
       with_hidden(0x200B, 2)},
      {{"zero-width joiner in a gitlab token", "glpat-", chars(kUrl64, 20), "bot: §"},
       with_hidden(0x200D, 7)},
      {{"zero-width non-joiner in an npm token", "npm_", checked(30), "publish with §"},
       with_hidden(0x200C, 5)},
      {{"byte order mark in an anthropic key", "sk-ant-api03-",
        all({chars(kUrl64, 93), fixed("AA")}), "key: §"},
       with_hidden(0xFEFF, 10)},
      {{"word joiner in an aws key id", "AKIA", chars(kBase32, 16), "id §"},
       with_hidden(0x2060, 3)},
      {{"soft hyphen in a slack token", "xoxb-", slack, "SLACK=§"}, with_hidden(0x00AD, 8)},
      {{"zero-width space in every place", "AIzaSy", chars(kUrl64, 33), "maps key §"},
       with_hidden(0x200B, 1)},
      {{"zero-width space in the keyword", "", plain_password(), "password=§"},
       hidden_in_text(0x200B)},
      {{"zero-width space in a scheme", "", plain_password(), "redis://:§@cache.acme.io:6379/0"},
       hidden_in_text(0x200B)},
      {{"json escape of a first letter", "AKIA", chars(kBase32, 16), R"({"id":"§"})"},
       with_escapes(1)},
      {{"json escapes throughout", "ghp_", checked(30), R"({"token":"§"})"}, with_escapes(1000)},
      {{"json escapes of a prefix", "sk-proj-", openai, R"({"key":"§"})"}, with_escapes(8)},
      {{"json escapes in the keyword", "", plain_password(), R"({"password":"§"})"},
       with_escaped_signs("pw")},
      {{"json escapes of the signs of a url", "", plain_password(),
        R"({"dsn":"postgres://app:§@db.acme.io/app"})"},
       with_escaped_signs("/@")},
      {{"json escaped slashes", "", plain_password(),
        R"({"dsn":"amqp:\/\/worker:§@mq.acme.io\/prod"})"},
       by_value([](const std::string& plain) { return plain; })},
      {{"base64 of a github token", "ghp_", checked(30), "§"}, in_base64("echo § | base64 -d")},
      {{"base64 of an assignment", "", plain_password(), "DB_USER=shop\nDB_PASSWORD=§\n"},
       in_base64("ENV_FILE_B64=§")},
      {{"base64 in lines", "", strong_password(),
        "DB_HOST=db.staging.acme.io\nDB_USER=shop\nDB_PASSWORD=§\nLOG_LEVEL=debug\n"},
       in_base64("cat .env | base64:\n§\n", false, 64)},
      {{"base64 of a url in a kubernetes secret", "", plain_password(),
        "postgres://app:§@pg.shop.svc:5432/app"},
       in_base64("kind: Secret\ndata:\n  DATABASE_URL: §\n")},
      {{"base64 of a key in a kubeconfig", "", base64_lines("MIIEpAIBAAKCAQEA", 8, 64, "\n"),
        pem_begin("RSA PRIVATE KEY") + "\n§\n" + pem_end("RSA PRIVATE KEY") + "\n"},
       in_base64("users:\n- name: admin\n  user:\n    client-key-data: §\n")},
      {{"base64 of a service account", "", base64_lines("MIIEvQIBADANBgkqhkiG9w0B", 8, 64, "\\n"),
        R"({"type":"service_account","private_key":")" + pem_begin("PRIVATE KEY") + "\\n§\\n" +
            pem_end("PRIVATE KEY") + R"(\n"})"},
       in_base64("GOOGLE_CREDENTIALS=§")},
      {{"base64 for urls of a slack token", "xoxb-", slack, R"({"slack":"§","v":1})"},
       in_base64("https://ops.acme.io/install?state=§", true)},
      {{"base64 of a header", "", chars(kBase62, 40), "Authorization: Bearer §"},
       in_base64("payload: \"§\"")},
      {{"base64 of a stripe key", "sk_live_", all({fixed("51"), chars(kBase62, 97)}),
        R"({"stripe":"§"})"},
       in_base64("config blob §")},
      {{"base64 with a zero-width space", "ghp_", checked(30), "token §"},
       [](const std::string& text, const std::string& plain) {
         const std::string code = sprinkled(base64(fill(text, plain)), 0x200B, 20);
         return Disguised{"blob: " + code, code.substr(12)};
       }},
      {{"full-width and zero-width", "glpat-", chars(kUrl64, 20), "bot §"},
       [](const std::string& text, const std::string& plain) {
         std::string value = full_width(plain);
         value.insert(12, utf8(0x200B));
         return Disguised{fill(text, value), value};
       }},
      {{"json escape of a zero-width space", "npm_", checked(30), R"({"t":"§"})"},
       by_value([](const std::string& plain) {
         std::string value = plain;
         return value.insert(10, glue({"\\", "u200b"}));
       })},
  };
}

}  // namespace

std::vector<SecretCase> disguised_cases() {
  std::vector<SecretCase> cases;
  for (const auto& [row, disguise] : disguised_rows()) {
    Dice dice(row.name);
    const std::string plain = row.prefix + row.shape(dice);
    Disguised disguised = disguise(row.text, plain);
    cases.push_back({.name = std::string("disguised: ") + row.name,
                     .kind = "disguised",
                     .text = std::move(disguised.text),
                     .value = std::move(disguised.value),
                     .plain = plain,
                     .prefix_size = row.prefix.size()});
  }
  return cases;
}

}  // namespace codexmem::privacy::testing
