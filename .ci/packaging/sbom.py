#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the bill of materials of a release (CycloneDX 1.5, JSON) to standard output.

usage: sbom.py VERSION EPOCH PROGRAMS PACKAGE SCRATCH

Components are the Swift packages that are linked into the programs, the Swift toolchain, whose libraries are linked, too, and
the Debian packages that PACKAGE depends on. Licences are those of .ci/packaging/copyright; a linked package without one is an error.
"""
import datetime
import json
import pathlib
import re
import subprocess
import sys
import uuid

SPDX = {"Expat": "MIT", "Apache-2.0 with Swift exception": "Apache-2.0 WITH Swift-exception"}


def output(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def licences(path):
    """The licence of each path in a file of copyrights (DEP-5), by the path."""
    found = {}
    for stanza in path.read_text().split("\n\n"):
        fields = dict(re.findall(r"^(Files|License): *(.+)$", stanza, re.M))
        if "Files" in fields:
            found[fields["Files"]] = SPDX.get(fields["License"], fields["License"])
    return found


def licence(name):
    """A licence as a component has it: an identifier of SPDX, or an expression."""
    return [{"expression": name}] if " " in name else [{"license": {"id": name}}]


def resolved(scratch):
    """The repository and the version of each resolved Swift package, by its folder."""
    state = json.loads((scratch / "workspace-state.json").read_text())
    return {
        entry["subpath"]: (entry["packageRef"]["location"], entry["state"]["checkoutState"]["version"])
        for entry in state["object"]["dependencies"]
    }


def swift_packages(linked, scratch, known):
    sources = resolved(scratch)
    for name in linked:
        files = f"checkouts/{name}/*"
        if files not in known:
            sys.exit(f"sbom: .ci/packaging/copyright has no licence of {files}")
        location, version = sources[name]
        owner = re.search(r"github\.com/([^/]+)/", location)
        yield {
            "type": "library",
            "bom-ref": f"swift:{name}",
            "name": name,
            "version": version,
            "licenses": licence(known[files]),
            "purl": f"pkg:swift/github.com/{owner[1]}/{name}@{version}",
            "externalReferences": [{"type": "vcs", "url": location}],
        }


def toolchain(known):
    version = re.search(r"Swift version (\S+)", output("swift", "--version"))[1]
    return {
        "type": "framework",
        "bom-ref": "swift-toolchain",
        "name": "swift",
        "version": version,
        "description": "Runtime, standard library, Dispatch and Foundation, linked statically",
        "licenses": licence(known["toolchain/swift/*"]),
    }


def debian_packages(package):
    """The packages of the fields Depends and Recommends: the first installed one of each choice."""
    for field, scope in (("Depends", "required"), ("Recommends", "optional")):
        for choice in output("dpkg-deb", "--field", package, field).strip().split(", "):
            names = [re.match(r"\S+", name.strip())[0] for name in choice.split("|")]
            yield debian_component(names, scope)


def debian_component(names, scope):
    for name in names:
        shown = subprocess.run(
            ["dpkg-query", "-W", "-f", "${db:Status-Abbrev} ${Version}", name], capture_output=True, text=True)
        if shown.stdout.startswith("ii"):
            version = shown.stdout.split()[-1]
            break
    else:
        name, version = names[0], None
    component = {"type": "library", "bom-ref": f"deb:{name}", "name": name, "scope": scope}
    purl = f"pkg:deb/debian/{name}"
    if version:
        component["version"] = version
        purl += f"@{version}"
    return component | {"purl": purl}


def main():
    version, epoch, programs, package, scratch = sys.argv[1:]
    known = licences(pathlib.Path(__file__).with_name("copyright"))
    linked = pathlib.Path(programs, "linked.txt").read_text().split()
    components = [
        *swift_packages(linked, pathlib.Path(scratch), known), toolchain(known), *debian_packages(package)
    ]
    time = datetime.datetime.fromtimestamp(int(epoch), datetime.timezone.utc)
    document = {
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, f'epact {version} {epoch}')}",
        "version": 1,
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "application",
                "bom-ref": "epact",
                "name": "epact",
                "version": version,
                "licenses": licence("Apache-2.0"),
            },
        },
        "components": components,
        "dependencies": [{"ref": "epact", "dependsOn": [part["bom-ref"] for part in components]}],
    }
    json.dump(document, sys.stdout, indent=2, ensure_ascii=False)
    print()


main()
