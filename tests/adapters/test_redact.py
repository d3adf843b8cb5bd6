"""Secrets go, whatever stands around them; plain talk stays as it was."""

from __future__ import annotations

import base64
import json
import os
import time
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.redact import redact, redact_all

_DATA = Path(os.environ.get("SLOWWAVE_DATA", Path(__file__).parents[3] / "shared" / "data"))
_HEX = "4f9c2ab17d30e86b5c91f0a2d7e4836b"
_MIX = "Zk3mQ9xT7bWv2LpRn8YcJ5dHs1Gf4AeU6iKo0NtB"

# Made up here, in the shape of the real ones; assembled from parts so that no scanner takes this file for a leak.
SECRETS = {
    "anthropic": "sk-" + "ant-api03-" + _MIX,
    "openai project": "sk-" + "proj-" + _MIX,
    "openai old": "sk-" + _MIX + "T3",
    "stripe live": "sk_" + "live_" + _MIX[:24],
    "stripe test": "rk_" + "test_" + _MIX[:24],
    "stripe hook": "whsec" + "_" + _MIX[:32],
    "github": "ghp" + "_" + _MIX[:36],
    "github fine": "github" + "_pat_" + _MIX[:22] + "_" + _MIX,
    "gitlab": "glpat" + "-" + _MIX[:20],
    "slack bot": "xoxb" + "-123456789012-123456789012-" + _MIX[:24],
    "slack hook": "https://hooks.slack" + ".com/services/T0AB12CD3/B0AB12CD3/" + _MIX[:24],
    "aws id": "AKIA" + "Q3EGRZ7XVP2MNT5K",
    "aws temporary": "ASIA" + "Q3EGRZ7XVP2MNT5K",
    "google": "AIza" + "Sy" + _MIX[:33],
    "google oauth": "GOCSPX" + "-" + _MIX[:28],
    "npm": "npm" + "_" + _MIX[:36],
    "pypi": "pypi" + "-AgEIcHlwaS5vcmc" + _MIX + _MIX,
    "docker": "dckr" + "_pat_" + _MIX[:27],
    "hugging face": "hf" + "_" + "".join(c for c in _MIX + _MIX if c.isalpha())[:34],
    "digitalocean": "dop" + "_v1_" + _HEX + _HEX,
    "shopify": "shpat" + "_" + _HEX,
    "sendgrid": "SG." + _MIX[:22] + "." + _MIX[:40] + "abc",
    "mailgun": "key" + "-" + _HEX,
    "mailchimp": _HEX + "-us14",
    "twilio": "SK" + _HEX,
    "telegram": "712345678:" + "AA" + _MIX[:33],
    "discord": "MTk4NjIyNDgzNDcxOTI1MjQ4" + ".Cl2FMQ." + _MIX[:27],
    "notion": "ntn" + "_" + _MIX + "abcdef",
    "linear": "lin" + "_api_" + _MIX,
    "vault": "hvs" + "." + _MIX[:24],
    "databricks": "dapi" + _HEX,
    "groq": "gsk" + "_" + _MIX + _MIX[:12],
    "xai": "xai" + "-" + _MIX + _MIX,
    "jwt": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9" + ".eyJzdWIiOiIxMjM0NTY3ODkwIn0." + _MIX,
    "airtable": "pat" + _MIX[:14] + "." + _HEX + _HEX,
    "tailscale": "tskey" + "-auth-" + _MIX[:30],
    "grafana": "glsa" + "_" + _MIX[:32] + "_1a2b3c4d",
    "asana": "2/" + "1203344556677889/1204455667788990:" + _HEX,
    "age": "AGE-SECRET" + "-KEY-1" + "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7LQPZRY9X8GF2TVDW0S3JN54K",
}
CONTEXTS = [
    "{}",
    "here it is: {}",
    "my key is {}, keep it safe.",
    "Use {} for staging.",
    "({})",
    '"{}"',
    "'{}'",
    "`{}`",
    "```\n{}\n```",
    '{{"api_key": "{}", "retries": 3}}',
    "export API_KEY={}",
    "API_KEY='{}' python run.py",
    "curl -H 'Authorization: Bearer {}' https://api.example.invalid/v1",
    "https://api.example.invalid/v1?api_key={}&page=2",
    "api_key: {}\nretries: 3",
    "| service | {} |",
    "- {}\n- next item",
    "<apiKey>{}</apiKey>",
    "old token was {}; new one tomorrow",
    "client = Client(token={})",
    "\u201c{}\u201d she wrote",
    "key={}\r\nnext line",
    "日本語の鍵は {} です",
]


@pytest.mark.parametrize("name", sorted(SECRETS))
def test_every_format_goes_in_every_context(name: str) -> None:
    secret = SECRETS[name]
    for context in CONTEXTS:
        text = context.format(secret)
        done = redact(text)
        assert secret not in done.text, context
        assert done.n >= 1
        assert secret[-12:] not in done.text, context


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("the admin password is Plum-Kettle-4471. The feed updates on weekdays.", "Plum-Kettle-4471"),
        ("my wifi password: correcthorse", "correcthorse"),
        ("My password is rosebud.", "rosebud"),
        ("password for the router is Gr33n!Door", "Gr33n!Door"),
        ("DB_PASSWORD='s3cr3t-value'", "s3cr3t-value"),
        ('{"password": "hunter2", "user": "ana"}', "hunter2"),
        ('"{\\"password\\": \\"hunter2x\\"}"', "hunter2x"),
        ("postgres://ferry:Plum4471@db.example.invalid:5432/main", "Plum4471"),
        ("connecting to feed://ferry:Plum-Kettle-4471@feed.example.invalid:7000 ... ok", "Plum-Kettle-4471"),
        ("use Plum-Kettle-4471 as the admin password", "Plum-Kettle-4471"),
        ("Authorization: Basic dXNlcjpwYXNzd29yZDEyMw==", "dXNlcjpwYXNzd29yZDEyMw"),
        ("the PIN is 4471", "4471"),
        ("door code: 8812", "8812"),
        ("mysql -u root -pHunter22 shop", "Hunter22"),
        ("curl -u ana:Hunter22 https://example.invalid", "Hunter22"),
        ("aws_secret_access_key = " + _MIX, _MIX),
        ("das Passwort ist Blumen-Topf-77", "Blumen-Topf-77"),
        ("login: ana / password: Tulip8812x", "Tulip8812x"),
        ("WiFi is Tulp-En-Klei-22", "Tulp-En-Klei-22"),
        ("user=ana;pwd=Tulip8812x;host=db", "Tulip8812x"),
        ("Server=db;User Id=ana;Password=Tulip8812x;", "Tulip8812x"),
        ("PGPASSWORD=Tulip8812x psql -h db", "Tulip8812x"),
        ("deploy --password Tulip8812x --force", "Tulip8812x"),
        ("set spring.datasource.password: Tulip8812x", "Tulip8812x"),
        ("X-Api-Key: 9f8e7d6c5b4a39281706f5e4d3c2b1a0", "9f8e7d6c5b4a39281706f5e4d3c2b1a0"),
        ("new password is now 'wet clay every day'", "every day"),
        ("the api token for the shop is 9f8e7d6c5b4a3928", "9f8e7d6c5b4a3928"),
        ("session_id=9f8e7d6c5b4a39281706f5e4d3c2b1a0; path=/", "9f8e7d6c5b4a39281706f5e4d3c2b1a0"),
        ("recovery code: 4F7K-92LM-X3P8", "4F7K-92LM-X3P8"),
        ("mot de passe : Pivoine2024", "Pivoine2024"),
        ("pass phrase for the cellar safe: 'blue otter 77 lamp'", "otter"),
        ('my pass phrase for the vault is: "wet clay every day"', "every day"),
        ("the password of the router upstairs: 'blue otter 77 lamp'", "otter 77"),
        ("My passport number is EH123456.", "EH123456"),
        ("passport no. EH 123456, valid until 2031", "123456"),
        ("My driver's licence is MORGA657054SM9IJ", "MORGA657054SM9IJ"),
        ("my SSN: 123-45-6789", "123-45-6789"),
        ("My national insurance number is QQ 12 34 56 C.", "12 34 56 C"),
        ("Mijn BSN is 123456782.", "123456782"),
        ("mijn rijksregisternummer: 85.07.30-033.28", "85.07.30-033.28"),
        ("Meine Personalausweisnummer ist L01X00T47.", "L01X00T47"),
        ("mon numéro de sécurité sociale est 1 85 05 78 006 084 36", "85 05 78 006"),
        ("Mi DNI es 12345678Z.", "12345678Z"),
        ("my ID card number, the new one, is 592-1234567-89", "592-1234567-89"),
        ("AccountKey=" + _MIX + _MIX + "abcdefg=;EndpointSuffix=x", _MIX),
    ],
)
def test_labelled_values_go(text: str, secret: str) -> None:
    assert secret not in redact(text).text


def test_a_key_file_goes_whole_and_what_follows_stays() -> None:
    body = "\n".join(_MIX + _MIX for _ in range(6))
    block = f"-----BEGIN RSA PRIVATE KEY-----\n{body}\n-----END RSA PRIVATE KEY-----"
    assert redact(f"take this\n{block}\nand restart").text == "take this\n[secret:private_key]\nand restart"
    cut_off = redact(f"take this\n{block[:200]}").text
    assert _MIX not in cut_off


@pytest.mark.parametrize(
    "text",
    [
        "We rotate that password on the first Monday of each month, and password managers are banned on the kiosk.",
        "I forgot my password again.",
        "The password is wrong.",
        "Password must be changed every month",
        "The key is practice, and the secret is patience.",
        "The token system at the fair is confusing; each token: two euros.",
        "remember: bike lock code is the year my grandmother was born",
        "commit 0123456789abcdef0123456789abcdef01234567 fixes it",
        "GitHub login: ana, and the wifi is good. WiFi: fast and free.",
        "Password: see the note in the safe",
        "My pin board is full and the pin is 4 digits long.",
        "The dress code is black tie; the country code is +32.",
        "Session 12 of the course starts at 18:00, bring the key to room 204.",
        "max_tokens=4096 and n_tokens: 128",
        "My session with the therapist is at 10:30, code of conduct attached.",
        "see https://docs.example.invalid/guides/2026/secret-santa-for-teams",
        "550e8400-e29b-41d4-a716-446655440000",
        "order 4111 1111 1111 1112 and 4111111111111112, at 1767225600000 and 1767225600000000",
        "snowflake 627181720938381312, phone +32 470 12 34 56 78, rows 1 2 3 4 5 6 7 8 9 10 11 12 13 14",
        "part BE68 5390 0754 7035 and DE89370400440532013001, room AB12 3456 CD",
        "the password dialog says: 'try again'",
        "We take flight EH1234 and order number 123456 is on its way.",
        "My passport expires on 2031-05-12, the passport office is 0470 12 34 56.",
        "The passport appointment is 12.05.2027 at 10:30.",
        "My driving licence is 12 years old, and the photo is 35x45 mm.",
        "My passport is valid until 2031, invoice 20260512 too.",
        "I have had my social security since 2004; ticket 123456 says so.",
        "The customer id is 1234567 and the licence is MIT.",
    ],
)
def test_plain_talk_stays(text: str) -> None:
    assert redact(text).text == text


def test_a_secret_that_comes_back_in_its_own_text_is_hidden_too() -> None:
    done = redact("The admin password is Plum-Kettle-4471. Type Plum-Kettle-4471 twice.")
    assert "4471" not in done.text
    assert "Plum" not in repr(done)


def test_a_login_in_an_address_goes_whole_and_its_password_stays_known() -> None:
    done = redact("db at postgres://ferry:Plum-4471x@db.example.invalid:5432/main, so Plum-4471x it is")
    assert (
        done.text == "db at postgres://[secret:url_password]@db.example.invalid:5432/main, so [secret:repeated] it is"
    )
    assert done.values == ("Plum-4471x",)
    assert redact(done.text).n == 0


@given(st.text(max_size=300), st.sampled_from(sorted(SECRETS)), st.sampled_from(CONTEXTS))
def test_twice_is_once(noise: str, name: str, context: str) -> None:
    once = redact(f"{noise} {context.format(SECRETS[name])}")
    again = redact(once.text)
    assert again.text == once.text
    assert again.n == 0


def test_false_alarms_on_long_conversations() -> None:
    files = sorted((_DATA / "locomo").glob("*.json"))
    if not files:
        pytest.skip("no LoCoMo conversations; set SLOWWAVE_DATA to the folder that holds them")
    turns = [
        turn["text"]
        for file in files
        for part in json.loads(file.read_text())["conversation"].values()
        if isinstance(part, list)
        for turn in part
    ]
    alarms = [text for text in turns if redact(text).n]
    assert len(alarms) <= len(turns) * 0.001, alarms[:5]


@pytest.mark.parametrize(
    "text",
    [
        "row 0000 checked drift 0.00 mm " * 60_000,
        "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo0" * 60_000,
        "password is " * 30_000,
        "-----BEGIN PRIVATE KEY-----" * 5_000,
        "://a:" * 100_000,
        "a" * 1_000_000,
        "4111 " * 200_000,
        "GB82 WEST " * 100_000,
        "\u200bpass phrase for " * 60_000,
    ],
)
def test_hostile_length_takes_linear_time(text: str) -> None:
    started = time.process_time()
    redact(text)
    assert time.process_time() - started < 20


@pytest.mark.parametrize(
    "number", ["4111 1111 1111 1111", "5555-5555-5555-4444", "378282246310005", "3782 822463 10005"]
)
def test_card_numbers_go(number: str) -> None:
    assert redact(f"my card is {number}, exp 12/27").text == "my card is [secret:card], exp 12/27"


@pytest.mark.parametrize(
    "account",
    [
        "BE68 5390 0754 7034",
        "DE89370400440532013000",
        "GB82 WEST 1234 5698 7654 32",
        "nl91abna0417164300",
        "NO93 8601 1117 947",
    ],
)
def test_account_numbers_go(account: str) -> None:
    assert redact(f"pay to {account} by Friday").text == "pay to [secret:iban] by Friday"


@pytest.mark.parametrize("unseen", ["\u200b", "\u2060", "\ufeff", "\u202e", "\U000e0041"])
def test_characters_that_cannot_be_seen_hide_no_secret(unseen: str) -> None:
    secret = SECRETS["github"]
    done = redact(f"it\u200ds {unseen.join(secret)} and {secret[:9]}{unseen}{secret[9:]}.")
    assert done.n == 2 and done.text == "it\u200ds [secret:github_token] and [secret:github_token]."
    assert redact(done.text).text == done.text
    bare = redact(f"the admin password is Plum-Kettle-4471, so type Plum{unseen}-Kettle-4471")
    assert "4471" not in bare.text


def test_no_number_of_a_long_conversation_is_taken_for_money() -> None:
    files = sorted((_DATA / "locomo").glob("*.json"))
    if not files:
        pytest.skip("no LoCoMo conversations; set SLOWWAVE_DATA to the folder that holds them")
    kinds = {
        kind
        for file in files
        for part in json.loads(file.read_text())["conversation"].values()
        if isinstance(part, list)
        for turn in part
        for kind in redact(turn["text"]).kinds
    }
    assert not kinds & {"card", "iban"}


def _broken(secret: str, by: str) -> str:
    half = len(secret) // 2
    return secret[:half] + by + secret[half:]


def _coded(secret: str) -> str:
    return secret.replace("_", "&#95;").replace("-", "&#x2d;").replace(":", "&#58;")


@pytest.mark.parametrize(
    "name", ["anthropic", "github", "stripe live", "groq", "slack bot", "google", "openai project", "gitlab"]
)
def test_a_secret_goes_however_it_is_written(name: str) -> None:
    secret = SECRETS[name]
    packed = base64.b64encode(f"password of the mill: {secret}".encode()).decode()
    texts = [
        f"it wrapped here:\n{_broken(secret, chr(10))}\nand went on",
        f"export KILN={_broken(secret, chr(92) + chr(10))}",
        f"> they wrote\n> {_broken(secret, chr(10) + '> ')}\n\nthanks",
        f"<code>{_coded(secret)}</code>",
        f"the manifest says `kiln: {packed}`",
    ]
    for text in texts:
        redacted = redact(text).text
        assert not any(
            part in redacted for part in (secret[-12:], secret[:16], _coded(secret)[-12:], packed[:24], packed[-24:])
        ), redacted
        assert "[secret:" in redacted
        assert redact(redacted).text == redacted
    assert [r.text for r in redact_all(texts * 30)] == [redact(text).text for text in texts] * 30


@pytest.mark.parametrize(
    "label", ["token=", "password: ", "https://kiln.example.invalid/?api_key=", "Authorization: Bearer "]
)
def test_a_label_in_an_address_announces_as_any_other(label: str) -> None:
    text = f"GET /go?next={quote(label + _MIX[:20], safe='')}&page=2 was slow"
    assert _MIX[:20] not in redact(text).text
    assert redact(text).text.endswith(" was slow")


@pytest.mark.parametrize(
    "text",
    [
        "The build is at releases/kiln\nversion2.1-final came later.",
        base64.b64encode(b"The kiln is fired at cone six, and the gallery opens in May.").decode(),
        "see https://kiln.example.invalid/wiki/a%20b%2Fc%3Fpage%3D2",
        "Tom &amp; Ada fire &quot;celadon&quot; on Fridays",
        "adapters/sources/database/reading.py\nadapters/sources/hermes2/rows.py",
    ],
)
def test_what_is_merely_written_otherwise_stays(text: str) -> None:
    assert redact(text).text == text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (
            "GET https://a.invalid/v1?token=Zk39dLq0Xw82&page=2 failed",
            "GET https://a.invalid/v1?token=[secret:token]&page=2 failed",
        ),
        (
            "curl 'https://a.invalid/?q=x&access_token=Zk39dLq0Xw82mN&sort=asc'",
            "curl 'https://a.invalid/?q=x&access_token=[secret:token]&sort=asc'",
        ),
        (
            "https://a.invalid/?user=ana&pwd=hunter2&lang=en",
            "https://a.invalid/?user=ana&pwd=[secret:password]&lang=en",
        ),
        ("password=ab1&cd12=x9", "password=[secret:password]"),
        ("password=p#a1ssword", "password=[secret:password]"),
    ],
)
def test_of_an_address_only_the_secret_field_goes(text: str, left: str) -> None:
    assert redact(text).text == left


@pytest.mark.parametrize("lead", ["", "> ", "  "])
def test_words_packed_over_several_lines_go_whole(lead: str) -> None:
    words = "Here you go, the api_key=Zk39dLq0Xw82mNp7 and then the password: rosebud-Tulip77, keep both of them safe please."
    packed = base64.b64encode(words.encode()).decode()
    lines = [packed[at : at + 40] for at in range(0, len(packed), 40)]
    text = f"{lead}{f'{chr(10)}{lead}'.join(lines)}\nThanks, Ana"
    assert redact(text).text == f"{lead}[secret:token]\nThanks, Ana"


def test_packed_lines_without_a_secret_stay() -> None:
    packed = base64.b64encode(
        b"Nothing to see here, only the minutes of our meeting about the boat and the dog." * 2
    ).decode()
    text = "\n".join(packed[at : at + 40] for at in range(0, len(packed), 40))
    assert redact(text).text == text
