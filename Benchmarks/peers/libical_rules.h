// SPDX-License-Identifier: Apache-2.0

// The part of libical's work that is about recurrence rules; see Runner/Workloads+Rules.swift.

#pragma once

/// Reads a rule, a start, a zone, a count and a target with spaces between them.
void prepare_rule(const char *text);

/// Expands the rule from its start on.
void expand(void);

/// Expands it in its zone, as points in time.
void expand_zoned(void);

/// Looks for the first instance from the target on, and from each of the days after it.
void seek(void);

/// Prints what the last of these found; nothing if there was none.
void print_rule_answers(void);
