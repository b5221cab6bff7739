// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// What the planner of a part of a run has to know of the whole.
struct PlanScope {
  /// The items that were fetched for this part.
  var asked: Set<Href>
  /// How many items the sides agreed on, in all.
  var knownCount: Int
  /// Whether there is a local file that cannot be read under a name that the ledger does not know.
  var hasStray: Bool
  /// The items that an earlier part has dealt with.
  var decided: Set<UID>
  /// The items whose files could not be read again: they are there, and nobody knows what they are.
  var unknown: Set<UID>
  /// Where the remote has something that it does not list.
  var held: Set<Href> = []
  /// The items that a cut-off run was about to add, and that another calendar has known.
  var elsewhere: Set<UID> = []
  /// Whether it is the first part, which tells of what belongs to none.
  var isFirst: Bool
  /// Whether everything is looked at, and what the remote is known to have lost is told of again.
  var isVerifying = false
}
