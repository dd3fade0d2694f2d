"""Source files with made-up secrets in them, in ten languages and in files of settings; nothing here is a whole one."""
import base64
import json
import random
import string

LETTERS, DIGITS = string.ascii_letters, string.digits
ALNUM, HEX, UPPER, LOWER = LETTERS + DIGITS, "0123456789abcdef", string.ascii_uppercase + DIGITS, string.ascii_lowercase + DIGITS


def text_of(dice, alphabet, size):
    """Characters of `alphabet`, letters and digits among them where it has both."""
    wanted = [each for each in (DIGITS, LETTERS) if size >= 6 and set(each) & set(alphabet)]
    while True:
        text = "".join(dice.choice(alphabet) for _ in range(size))
        if all(set(each) & set(text) for each in wanted):
            return text


def password(dice):
    words = ["Autumn", "Garten", "kettle", "Falcon", "mango", "Tiger", "orbit", "Sesame"]
    shapes = [lambda: text_of(dice, ALNUM, dice.randint(10, 16)) + dice.choice("!#%*+_-"),
              lambda: dice.choice(words) + str(dice.randint(1900, 2099)) + dice.choice("!#*"),
              lambda: "-".join(text_of(dice, LOWER, 6) for _ in range(3)),
              lambda: text_of(dice, LETTERS, 3) + dice.choice("!#%*") + text_of(dice, ALNUM, 8)]
    return dice.choice(shapes)()


def jwt(dice):
    part = lambda data: base64.urlsafe_b64encode(json.dumps(data).encode()).decode().rstrip("=")
    return ".".join([part({"alg": "HS256", "typ": "JWT"}), part({"sub": text_of(dice, DIGITS, 9), "iat": 1700000000}),
                     text_of(dice, ALNUM + "-_", 42) + "x"])


# (the name that it is given, the value): the value alone is the secret.
VALUES = {
    "aws id": lambda d: ("accessKeyId", "AKIA" + text_of(d, string.ascii_uppercase + "234567", 16)),
    "aws secret": lambda d: ("aws_secret_access_key", text_of(d, ALNUM + "+/", 40)),
    "github": lambda d: ("token", d.choice(["ghp_", "gho_", "ghs_"]) + text_of(d, ALNUM, 36)),
    "github pat": lambda d: ("auth", "github_pat_" + text_of(d, ALNUM, 22) + "_" + text_of(d, ALNUM, 59)),
    "gitlab": lambda d: ("ci", "glpat-" + text_of(d, ALNUM, 20)),
    "slack": lambda d: ("bot", "xoxb-" + text_of(d, "123456789", 12) + "-" + text_of(d, "123456789", 12) + "-" + text_of(d, ALNUM, 24)),
    "stripe": lambda d: ("billing", "sk_" + "live_" + text_of(d, ALNUM, 24)),
    "google": lambda d: ("maps", "AIza" + text_of(d, ALNUM + "-_", 35)),
    "openai": lambda d: ("model", "sk-proj-" + text_of(d, ALNUM, 48)),
    "anthropic": lambda d: ("claude", "sk-ant-api03-" + text_of(d, ALNUM + "-_", 93) + "AA"),
    "npm": lambda d: ("registry", "npm_" + text_of(d, ALNUM, 36)),
    "sendgrid": lambda d: ("mailer", "SG." + text_of(d, ALNUM, 22) + "." + text_of(d, ALNUM, 43)),
    "jwt": lambda d: ("session", jwt(d)),
    "api key": lambda d: (d.choice(["apiKey", "API_KEY", "client_secret", "secretKey", "signing_key"]), text_of(d, d.choice([ALNUM, HEX]), d.choice([24, 32, 40]))),
    "password": lambda d: (d.choice(["password", "db_password", "smtpPassword", "PASSWD", "adminPassword"]), password(d)),
}
# Ways of writing a name and a value, by language.
WAYS = {
    "py": ['{n} = "{v}"', "config = dict({n}='{v}')", 'def open_{i}({n}="{v}"):\n    return {n}', 'SETTINGS["{n}"] = \'{v}\''],
    "ts": ['const {n} = "{v}";', "export const options{i} = {{ {n}: '{v}' }};", 'client.set("{n}", "{v}");', "const {n}: string = `{v}`;"],
    "go": ['var {n} = "{v}"', 'cfg{i} := Config{{{n}: "{v}"}}', 'const {n} = `{v}`'],
    "java": ['private static final String {n} = "{v}";', 'props.setProperty("{n}", "{v}");'],
    "cs": ['public const string {n} = "{v}";', 'var options{i} = new Options {{ {n} = "{v}" }};'],
    "c": ['static const char *{n} = "{v}";', '#define {n} "{v}"', 'char {n}[] = "{v}";'],
    "rs": ['const {n}: &str = "{v}";', 'let {n} = String::from("{v}");'],
    "rb": ["{n} = '{v}'", 'OPTIONS = {{ {n}: "{v}" }}', 'OPTIONS = {{ "{n}" => "{v}" }}'],
    "php": ["$config['{n}'] = '{v}';", "define('{n}', '{v}');", "$a = ['{n}' => '{v}'];"],
    "sh": ["export {N}='{v}'", '{N}="{v}"', "{N}={v}"],
    "yaml": ["{n}: {v}", '{n}: "{v}"', "settings{i}:\n  {n}: '{v}'"],
    "json": ['{{"{n}": "{v}"}}'],
    "ini": ["{n} = {v}", "{n}={v}"],
}
# Secrets within a longer value.
ADDRESSES = ["postgres://shop:{v}@db.internal:5432/shop", "https://deploy:{v}@git.internal/shop.git",
             "redis://:{v}@cache.internal:6379/0", "mongodb+srv://root:{v}@cluster0.internal/test", "amqp://jobs:{v}@queue:5672/"]
HEADS = ["RSA PRIVATE KEY", "PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY"]
COMMENT = {"py": "#", "rb": "#", "sh": "#", "yaml": "#", "ini": "#", "json": None}


def key_lines(dice):
    lines = [text_of(dice, ALNUM + "+/", 64) for _ in range(dice.randint(4, 30))] + [text_of(dice, ALNUM + "+/", 22) + "=="]
    head = dice.choice(HEADS)
    return [f"-----BEGIN {head}-----", *lines, f"-----END {head}-----"], lines


def secret(dice, i, language):
    """(kind, code, the texts that may not be shown)."""
    kind = dice.choice([*VALUES, "address", "key"])
    if kind == "key" and language in ("py", "ts", "go", "rb", "php", "yaml", "c"):
        whole, lines = key_lines(dice)
        open_, close = {"py": ('KEY = """', '"""'), "ts": ("const pem = `", "`;"), "go": ("var pem = `", "`"), "rb": ("KEY = <<~PEM\n", "\nPEM"),
                        "php": ("$pem = '", "';"), "yaml": ("tls:\n  key: |\n    ", ""), "c": ("", "")}[language]
        if language == "c":
            return kind, f"static const char *pem_{i} =\n" + "\n".join(f'    "{line}\\n"' for line in whole) + ";", lines
        return kind, open_ + ("\n    " if language == "yaml" else "\n").join(whole) + close, lines
    if kind in ("address", "key"):
        value = text_of(dice, ALNUM, dice.randint(10, 18))
        name, written = dice.choice(["url", "DATABASE_URL", "remote"]), dice.choice(ADDRESSES).format(v=value)
        kind = "address"
    else:
        name, value = VALUES[kind](dice)
        written = value
    way = dice.choice(WAYS[language])
    bare = '"' not in way and "'" not in way and "`" not in way
    if bare and any(c in value for c in "#%*!"):
        way = way.replace("{v}", '"{v}"') if language != "ini" else way
    return kind, way.format(n=name, N=name.upper(), v=written, i=i), [value]


def make_file(dice, number, language, count):
    """(path, text, [(kind, values)]): `count` secrets with code between them."""
    mark = COMMENT.get(language, "//")
    parts, secrets = (["<?php"] if language == "php" else []), []
    for i in range(count):
        kind, code, values = secret(dice, i, language)
        note = [f"{mark} part {i} of file {number}: the {kind.split()[0]} of a shop"] if mark else []
        parts += [*note, code, ""]
        secrets.append((kind, values))
    return f"conf/app{number}.{language}", "\n".join(parts), secrets


def make_files(seed, count, of_each=25):
    dice, files, languages = random.Random(seed), [], list(WAYS)
    while sum(len(secrets) for _, _, secrets in files) < count:
        number = len(files)
        files.append(make_file(dice, number, languages[number % len(languages)], of_each))
    return files


def left(values, text):
    """The values that `text` has, or three quarters of them in a row."""
    found = []
    for value in values:
        size = max(6, len(value) * 3 // 4)
        if any(value[at:at + size] in text for at in range(len(value) - size + 1)):
            found.append(value)
    return found
