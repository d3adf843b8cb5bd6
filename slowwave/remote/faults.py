"""What can be wrong with an object store, each as an error that names the next step.

Belongs here: what the server or its client said, in words. Does not belong here: asking it (`objects`).
"""

from __future__ import annotations

import os
import re
from ipaddress import ip_address
from urllib.parse import urlsplit

from slowwave.errors import SlowwaveError, StoreNotFound, StoreUnreachable, UsageError
from slowwave.remote import Place

ENDPOINTS = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT")
_CODE = re.compile(r"<Code>(\w+)</Code>")
_REFUSED = ("AccessDenied", "InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "AllAccessDisabled")


def told(place: Place, key: str, error: Exception) -> SlowwaveError:
    """The error as a person can act on it."""
    text = str(error)
    code = (_CODE.findall(text) or [""])[0]
    where = f"{place}/{key}" if key else str(place)
    at = f" at {endpoint()}" if endpoint() else ""
    if code == "NoSuchBucket":
        return StoreNotFound(
            f"there is no bucket {place.bucket}{at}",
            "Make the bucket first, or check its name, AWS_REGION and AWS_ENDPOINT_URL.",
        )
    if _has_no_credentials(text):
        return UsageError(
            f"no credentials for {place} were found",
            "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN where there is one), or run under a role.",
        )
    if code in _REFUSED or type(error).__name__ in ("PermissionDeniedError", "UnauthenticatedError"):
        return UsageError(
            f"{where} was refused{at}: {code or 'permission denied'}",
            "Check the credentials in the environment; a reader needs to list and get, an agent that records to put, a night all of "
            "these and to delete.",
        )
    if code == "NotImplemented" or type(error).__name__ in ("NotSupportedError", "NotImplementedError"):
        return unsupported(place)
    return StoreUnreachable(
        f"the object store{at} does not answer for {where}: {first_line(text)}",
        "Try again later; check the network and AWS_ENDPOINT_URL if it goes on. The last version still serves.",
    )


def unsupported(place: Place) -> UsageError:
    """The error for a server on which two writers could not be kept apart."""
    return UsageError(
        f"the object store of {place} does not keep to conditional puts (If-Match, If-None-Match)",
        "Use one that does (AWS S3, MinIO, Cloudflare R2 and others), or keep the store in a folder.",
    )


def endpoint() -> str:
    """The server that the environment names; empty for Amazon's."""
    return next((value for name in ENDPOINTS if (value := os.environ.get(name))), "")


def may_be_plain(place: Place) -> bool:
    """Whether words may go over plain http: to this machine alone, unless the environment says otherwise."""
    named = urlsplit(endpoint())
    if named.scheme != "http":
        return False
    if os.environ.get("AWS_ALLOW_HTTP", "").lower() not in ("1", "true") and not _is_loopback(named.hostname or ""):
        raise UsageError(
            f"{place} would go over plain http to {named.hostname}, readable on the way",
            "Use an https address in AWS_ENDPOINT_URL, or set AWS_ALLOW_HTTP=true where the network is trusted.",
        )
    return True


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _has_no_credentials(text: str) -> bool:
    return "169.254.169.254" in text or "latest/api/token" in text or "Missing AccessKeyId" in text


def first_line(text: str) -> str:
    return (text.splitlines() or [""])[0].partition(" Debug source")[0][:300]
