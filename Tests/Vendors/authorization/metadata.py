# SPDX-License-Identifier: Apache-2.0
"""Metadata of issuers (RFC 8414, OpenID Connect Discovery) and of protected resources (RFC 9728)."""

from authlib.oauth2.rfc8628 import DEVICE_CODE_GRANT_TYPE

from exchange import json_answer


def _overridden(fields, override):
    """The fields with the replacements of a setting; None removes a field."""
    merged = {**fields, **override}
    return {name: value for name, value in merged.items() if value is not None}


def issuer_metadata(issuer):
    """The metadata of an authorization server (RFC 8414 §2)."""
    settings, address = issuer.settings, issuer.address
    grants = ["authorization_code", "refresh_token"]
    fields = {
        "issuer": address,
        "authorization_endpoint": address + "/authorize",
        "token_endpoint": address + "/token",
        "scopes_supported": settings["scopes-supported"],
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "token_endpoint_auth_methods_supported": ["none", "client_secret_basic", "client_secret_post"],
        "code_challenge_methods_supported": settings["pkce-methods"],
        "authorization_response_iss_parameter_supported": True if settings["iss"] != "absent" else None,
    }
    if settings["device-flow"] == "present":
        fields["device_authorization_endpoint"] = address + "/device"
        grants.append(DEVICE_CODE_GRANT_TYPE)
    if settings["revocation"] != "absent":
        fields["revocation_endpoint"] = address + "/revoke"
        fields["revocation_endpoint_auth_methods_supported"] = fields["token_endpoint_auth_methods_supported"]
    fields["grant_types_supported"] = grants
    return fields


def authorization_server(issuer):
    """The answer of `/.well-known/oauth-authorization-server/ISSUER`."""
    return json_answer(_overridden(issuer_metadata(issuer), issuer.settings["metadata-override"]))


def openid_configuration(issuer):
    """The same with the fields that OpenID Connect Discovery §3 requires besides."""
    fields = {**issuer_metadata(issuer), "jwks_uri": issuer.address + "/jwks", "subject_types_supported": ["public"],
              "id_token_signing_alg_values_supported": ["RS256"]}
    return json_answer(_overridden(fields, issuer.settings["metadata-override"]))


def protected_resource(issuer, path):
    """The answer of `/.well-known/oauth-protected-resource/PATH` (RFC 9728 §3)."""
    rule = issuer.settings["resource-metadata"]
    if rule == "absent":
        return json_answer({"error": "not found"}, 404)
    resource = issuer.base + path
    if rule == "prefix" and path.startswith(f"/dav/{issuer.name}"):
        resource = f"{issuer.base}/dav/{issuer.name}/"
    if rule == "wrong":
        resource = "https://another.example" + path
    fields = {
        "resource": resource, "authorization_servers": [issuer.address],
        "scopes_supported": issuer.settings["scopes-supported"], "bearer_methods_supported": ["header"],
    }
    return json_answer(_overridden(fields, issuer.settings["resource-metadata-override"]))
