"""What secrets look like: tokens known by their own shape, and values known by the words around them.

Belongs here: patterns, and when a labelled value is one. Does not belong here: replacing.
"""

from __future__ import annotations

import re

from adapters.redact import documents

# Tokens that give themselves away. Each starts where no letter or digit stands before it.
SHAPES = {
    "anthropic_key": r"sk-ant-[\w-]{12,}",
    "provider_key": r"sk-(?=[\w-]*\d)[\w-]{16,}",
    "stripe_key": r"(?:sk|pk|rk)_(?:live|test)_\w{10,}|whsec_[\w+/=]{16,}",
    "github_token": r"gh[pousr]_\w{20,}|github_pat_\w{20,}",
    "gitlab_token": r"gl(?:pat|dt|ft|soat|rt|cbt|imt|ptt|agent|oas|ffct)-[\w-]{16,}|GR1348941[\w-]{16,}",
    "slack_token": r"xox[a-z](?:\.xox[a-z])?-[\w-]{10,}|xapp-[\w-]{10,}",
    "webhook": r"https://(?:hooks\.slack\.com/(?:services|workflows)|discord(?:app)?\.com/api/webhooks)/[\w/-]{12,}",
    "aws_key": r"(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{12,}",
    "google_key": r"AIza[\w-]{30,}|ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,}|1//0[\w-]{30,}",
    "npm_token": r"npm_[A-Za-z0-9]{30,}",
    "pypi_token": r"pypi-[\w-]{16,}",
    "rubygems_token": r"rubygems_[a-f0-9]{40,}",
    "docker_token": r"dckr_(?:pat|oat)_[\w-]{20,}",
    "huggingface_token": r"(?:hf|api_org)_[A-Za-z0-9]{30,}",
    "digitalocean_token": r"do[opr]_v1_[a-f0-9]{40,}",
    "shopify_token": r"shp(?:at|ss|ca|pa)_[a-fA-F0-9]{32}",
    "sendgrid_key": r"SG\.[\w-]{16,}\.[\w-]{16,}",
    "mailgun_key": r"key-[a-f0-9]{32}|[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8}",
    "mailchimp_key": r"[0-9a-f]{32}-us\d{1,2}",
    "square_token": r"sq0(?:atp|csp|idp)-[\w-]{22,}|EAAA[\w-]{56,}",
    "twilio_key": r"(?:AC|SK)[0-9a-f]{32}",
    "telegram_token": r"\d{8,10}:[\w-]{35}",
    "discord_token": r"[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}",
    "facebook_token": r"EAA[A-Z][A-Za-z0-9]{60,}",
    "linear_key": r"lin_(?:api|oauth)_[A-Za-z0-9]{32,}",
    "notion_token": r"(?:ntn|secret)_[A-Za-z0-9]{36,}",
    "figma_token": r"fig[dou]r?_[\w-]{36,}",
    "postman_key": r"PMAK-[a-f0-9]{20,}(?:-[a-f0-9]+)?",
    "tailscale_key": r"tskey-[\w-]{16,}",
    "vault_token": r"hv[sbr]\.[\w-]{20,}",
    "terraform_token": r"[A-Za-z0-9]{14}\.atlasv1\.[\w-]{40,}",
    "atlassian_token": r"AT(?:ATT|CTT|BB)[\w=-]{20,}",
    "databricks_token": r"dapi[a-f0-9]{32}(?:-\d)?",
    "grafana_token": r"gl(?:c|sa)_[\w+/=-]{30,}",
    "newrelic_key": r"NR(?:AK|JS|II|RA)-[\w-]{20,}",
    "sentry_token": r"sntry[su]_[\w+/=-]{30,}",
    "model_host_key": r"(?:gsk|xai|pplx|nvapi|tvly|fw|r8|jina|co|fc|lsv2_(?:pt|sk))[_-](?=\w*\d)\w{20,}",
    "posthog_key": r"ph[cx]_[A-Za-z0-9]{30,}",
    "supabase_key": r"sb(?:p|_secret|_publishable)_[\w-]{20,}",
    "planetscale_token": r"pscale_(?:tkn|pw|oauth)_[\w.-]{30,}",
    "doppler_token": r"dp\.(?:pt|st|ct|scim|audit)\.[\w.]{30,}",
    "onepassword_token": r"ops_eyJ[\w=-]{40,}|A3-[A-Z0-9]{6}-[A-Z0-9]{6,11}(?:-[A-Z0-9]{5}){3,4}",
    "fly_token": r"fo1_[\w-]{30,}|FlyV1\s+fm\d_[\w+/=,-]{30,}",
    "heroku_key": r"HRKU-[\w-]{30,}",
    "hubspot_token": r"pat-(?:na|eu|ap)\d-[a-f0-9-]{30,}",
    "airtable_token": r"pat[A-Za-z0-9]{14}\.[a-f0-9]{60,}",
    "asana_token": r"[12]/\d{13,}(?:/\d{13,})?:[a-f0-9]{32}",
    "age_key": r"AGE-SECRET-KEY-1[A-Z0-9]{50,}",
    "wallet_key": r"[xyzt]prv[A-Za-z0-9]{90,}",
    "azure_secret": r"[\w~.-]{3}\dQ~[\w~.-]{31,34}",
    "dynatrace_token": r"dt0[a-z]\d\d\.[A-Z0-9]{20,}\.[A-Z0-9]{40,}",
    "dropbox_token": r"sl\.(?:u\.)?[\w-]{60,}",
    "firebase_key": r"AAAA[\w-]{7}:[\w-]{100,}",
    "twitter_token": r"AAAAAAAAAAAAAAAAAAA[\w%]{50,}",
    "resend_key": r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}",
    "alibaba_key": r"LTAI[A-Za-z0-9]{12,}",
    "bedrock_key": r"ABSK[\w+/=]{80,}",
    "jetbrains_token": r"perm:[\w=.-]{30,}",
    "hosting_token": r"(?:nfp|rnd|vc[pkari]?|bkua|sgp|pcsk|tgp_v1|y0)[_-]?(?=\w*\d)[\w-]{30,}",
    "shop_key": r"(?:shippo_live|rzp_live|EZ[AT]K|CFPAT|xkeysib|sess)[_-]?(?=\w*\d)[\w-]{24,}",
    "jwt": r"eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?",
}
SHAPE = re.compile(r"(?<![A-Za-z0-9])(?:" + "|".join(f"(?P<{kind}>{shape})" for kind, shape in SHAPES.items()) + ")")

# A key file in text: to its end mark, or as far as its lines of code reach where the end was cut off.
_KEY_NAME = r"(?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?"
KEY_BLOCK = re.compile(
    rf"-----BEGIN {_KEY_NAME}-----(?:(?:(?!-----BEGIN)[\s\S]){{0,20000}}?-----END {_KEY_NAME}-----|(?:[\w+/=:,.-]|\\n|\s(?=\S{{24}}))*)"
    r"|PuTTY-User-Key-File-\d[\s\S]{0,20000}?Private-MAC: *[0-9a-f]+"
)

URL_PASSWORD = re.compile(r"://[^\s/:@\"'<>]{0,100}:(?P<password>[^\s\"'<>/]{1,200})@")

_PASSWORD = (
    r"pass[ _-]?(?:word|wd|phrase|code)|passwd|pwd|passwort|kennwort|mot de passe|contrase(?:ñ|n)a|senha|wachtwoord"
    r"|lösenord|hasło|пароль|密码|パスワード|(?P<weak>(?<![a-z])(?:wi-?fi|login|psk|pass(?= *[=:])))"
)
_TOKEN = (
    r"(?:secret|api|access|private|signing|encryption|account|master|licen[cs]e|subscription|deploy|webhook|session)[ _-]?"
    r"(?:access[ _-]?)?(?:key|token|secret)|(?:recovery|backup|one[- ]time|verification|2fa|otp|mfa)[ _-]?(?:code|seed)"
    r"|token|secret|credentials?|apikey|x-[\w-]{0,20}signature|(?<![a-z])(?:sig|otp|auth|authorization|cookie|session(?:_?id)?)"
)
_CODE = (
    r"(?<![a-z])(?:pin(?:[ -]?(?:code|number))?|cvv|cvc|(?:door|gate|alarm|lock|entry|entrance|access|security|safe|unlock)"
    r"[ -](?:code|pin|combination))"
)
# A quote may be escaped (JSON within JSON); a link may be a sign or a word.
_Q = r"[\\\"'`*]{0,4}"
_SIGN = r"(?:=>|:=|->|→|==?|[:>|：])"
_SAYS = r"(?:is now|is still|is|was|to|will be|ist|lautet|est|es|é)"
_WORDS = r"(?:[\w-]+ ){0,3}?"
_PHRASE = r"(?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8}"
# A quoted value may have spaces in it.
_WHOLE = r"(?P<quote>[\"'`])(?P<value>[^\"'`\\\n]{3,100})(?P=quote)"
_VALUE_SIGN = r"[^\s\"'`<>\\]"
_VALUE = rf"(?P<value>{_VALUE_SIGN}{{3,300}})"

LABELS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        ("password", rf"(?:{_PASSWORD}){_Q}\s{{0,3}}(?:(?P<sign>{_SIGN})|(?P<says>{_SAYS})) {{0,3}}\\?{_WHOLE}"),
        ("password", rf"(?:{_PASSWORD})(?:_?(?:hash|value))?{_Q}\s{{0,3}}(?P<sign>{_SIGN})\s{{0,3}}{_Q}{_VALUE}"),
        ("password", rf"(?:{_PASSWORD}){_Q}(?P<gap>[^\n.=:!?]{{0,40}}?) (?P<says>{_SAYS})[ :]{{1,2}}(?P<quote>{_Q}){_VALUE}"),
        ("password", rf"(?:{_PASSWORD}) (?P<quote>{_Q}){_VALUE}"),
        ("password", rf"pass[ _-]?phrase(?P<gap> [^\n=:!?\"]{{1,40}}?)\s?(?P<sign>[:=]) {{0,3}}\\?{_WHOLE}"),
        ("password", rf"(?:{_PASSWORD})(?P<gap> [^\n.=:!?\"]{{1,40}}?)\s?(?P<sign>[:=]) {{0,3}}\\?(?=[\"'`][^\"'`\n]{{0,100}}\d){_WHOLE}"),
        ("token", rf"(?:{_TOKEN}){_Q}\s{{0,3}}(?P<sign>{_SIGN})\s{{0,3}}{_Q}(?:(?:bearer|basic|token) +)?{_VALUE}"),
        ("token", rf"(?:{_TOKEN}|(?<![a-z])key){_Q}(?P<gap>[^\n.=:!?]{{0,40}}?) (?P<says>{_SAYS})[ :]{{1,2}}{_Q}{_VALUE}"),
        ("token", rf"(?:bearer|--(?:token|api-key|secret|auth-token)|(?:{_TOKEN}|(?<![a-z])key)) {_Q}{_VALUE}"),
        ("code", rf"{_CODE}(?:[^\n.=:!?\d]{{0,30}}? (?:{_SAYS})|{_Q}\s?{_SIGN})?\s{{1,2}}{_Q}(?P<value>\d[\d-]{{2,9}})(?![\w%])"),
        ("document", documents.label(_SAYS, _SIGN, _Q)),
        ("password", rf"(?<!\S){_Q}(?P<value>[^\s\"'`<>\\]{{6,100}}){_Q},? (?:as|is) (?:the|my|our|your|its) {_WORDS}(?:{_PASSWORD})"),
        ("password", r"\blogin \S{1,100}\s+password (?P<value>\S{3,200})"),
        ("password", r"\b(?:curl|wget|http)\b[^\n]{0,200}? (?:-u|--user)[ =]?[\"']?[^\s:\"']{1,100}:(?P<value>[^\s\"']{3,200})"),
        ("password", r"\b(?:sshpass|mysql|mysqldump|mariadb)\b[^\n]{0,100}? -p ?[\"']?(?P<value>[^\s\"'-][^\s\"']{2,200})"),
        ("wallet_phrase", rf"(?:seed|recovery|mnemonic) (?:phrase|words)\W{{1,3}}(?:is |are |my )?(?P<value>{_PHRASE})"),
    )
)  # fmt: skip

# The least that such a value has if it is a secret, for an engine that knows no looking around: a token's has a digit or is very long;
# a password's that nothing but its place announces looks made up.
_TOKEN_VALUE = rf"{_VALUE_SIGN}*\p{{N}}|(?:{_VALUE_SIGN}{{8}}){{4}}"
_MADE_UP_SIGN = r"[^\s\"'`<>\\A-Za-z]"
_MADE_UP_VALUE = "|".join(
    (
        rf"{_VALUE_SIGN}*\p{{N}}",
        rf"{_VALUE_SIGN}{{2,}}(?-i:\p{{Uppercase}})",
        rf"{_VALUE_SIGN}*{_MADE_UP_SIGN}{_VALUE_SIGN}*{_MADE_UP_SIGN}",
    )
)


def least(kind: str, pattern: re.Pattern[str]) -> str:
    """The pattern of a label with no more of its value than every secret of its kind has (see `is_secret`)."""
    is_bare = kind == "password" and not {"sign", "says"} & pattern.groupindex.keys()
    value = _TOKEN_VALUE if kind == "token" else _MADE_UP_VALUE if is_bare else ""
    return pattern.pattern.replace(_VALUE, f"(?:{value})") if value else pattern.pattern


# What people write after "password is" or "password:" that is no password.
ORDINARY = frozenset(
    """a about after again all already also always an and any are as at bad because been before being best better blank
    broken but by cached changed changing compromised correct could default different done easy empty encrypted enough even
    expired expires expiring false fine for forgotten from gone good has hashed have here hidden if important in incorrect
    invalid it its just kept known leaked less like locked long lost managed manager missing more most much must my needed
    never new nil no none not now null of off okay old on one only optional or our out please policy protected public
    rather really required requires reset resetting rotated safe same saved secret secure secured set shared short should
    similar so something sort spoken still stored string strong stuff such temporary that the their there they this to too
    true two unchanged undefined unique unknown unset until updated used user very visible was weak what when where which
    see ask who why will with working would written wrong yes yet you your login username email word words
    ist est nicht falsch vergessen das der die le la pas""".split()  # noqa: SIM905
)
_STAND_IN = re.compile(
    r"\[secret:|[<${%]|\*{3}|x{3,}$|\.{2,}|•|os\.environ|process\.env|getenv|env\.|config\.|self\.|secrets\.",
    re.IGNORECASE,
)
_ENDING = ".,;:!?)]}'\"`*|&"


# In an address the next field follows: "?token=S&page=2".
_IN_ADDRESS = re.compile(r"[?&;][\w.-]{0,40}$")
_NEXT_FIELD = re.compile(r"&(?:amp;)?[A-Za-z_][\w.\[\]-]{0,40}=")
_LEAST_FIELD = 6


def bare(value: str) -> str:
    """The value without the punctuation of the sentence it stands in."""
    return value.rstrip(_ENDING)


def value_of(found: re.Match[str]) -> str:
    """The value that a label announces, bare; as a field of an address, without the fields that follow."""
    value = found["value"]
    if "&" in value and (after := _NEXT_FIELD.search(value, _LEAST_FIELD)):
        head = found.string[max(0, found.start() - 41) : found.start()]
        value = value[: after.start()] if _IN_ADDRESS.search(head) else value
    return bare(value)


def is_strong(value: str) -> bool:
    """Whether a word looks made up: letters with digits, or capitals inside, or several signs."""
    letters = sum(c.isalpha() for c in value)
    digits = sum(c.isdigit() for c in value)
    signs = len(value) - letters - digits
    return (letters > 0 and digits > 0) or (letters > 0 and signs >= 2) or any(c.isupper() for c in value[2:])


def is_secret(kind: str, found: re.Match[str]) -> bool:
    """Whether a labelled value is a secret, and not an ordinary word after the word "password"."""
    groups = found.groupdict()
    value = value_of(found)
    if _STAND_IN.match(value) or len(value) < 3:
        return False
    if kind in ("code", "wallet_phrase"):
        return True
    if kind == "document":
        return documents.is_number(value)
    if kind == "token":
        return len(value) >= 8 and (len(value) >= 32 or (is_strong(value) and any(c.isdigit() for c in value)))
    return _is_password(value, groups, _is_last_word(found))


def _is_last_word(found: re.Match[str]) -> bool:
    after = found.string[found.start("value") + len(value_of(found)) :][:5]
    return not after or after[0] in ".,;!?)\n\"'`*" or after.startswith(" and ")


def _is_password(value: str, groups: dict[str, str | None], is_last: bool) -> bool:
    plain = value.casefold()
    if plain in ORDINARY or (groups.get("weak") and not is_strong(value)):
        return False
    if groups.get("sign"):
        return groups["sign"] not in ("|", ">") or is_strong(value)
    is_made_up = is_strong(value) or (value.isdigit() and len(value) >= 4)
    if not groups.get("says"):
        return (is_made_up and len(value) >= 4) if "quote" in groups else is_strong(value)
    # "my password is rosebud." is one; "my password for the bank is stored there" is none.
    is_quoted = bool(groups.get("quote"))
    return is_made_up or is_quoted or (is_last and not groups.get("gap") and not plain.endswith(("ed", "ing", "ly")))
