#!/bin/sh
# Syncs the due accounts of a host on one machine: some processes at a time, each with a part of the names.
#
# usage: nightly.sh [PROCESSES [NAMES]]
#
# PROCESSES run at a time (default: one a core), each with up to NAMES names (default: 200). The answers, one
# line of JSON each, are on standard output. The exit status is not 0 if a process ended before it had
# answered all of its names.
set -eu

processes=${1:-$(nproc)}
names=${2:-200}

# Lines of several processes do not mix: each is written at once.
# shellcheck disable=SC2016 # the inner shell expands it
epact accounts list --due --names |
  xargs -r -P "$processes" -n "$names" sh -c 'printf "%s\n" "$@" | epact sync --accounts -' names
