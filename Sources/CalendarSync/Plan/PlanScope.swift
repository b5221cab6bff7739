// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// The context of the whole run for the planner of one part.
struct PlanScope {
  /// The items that were fetched for this part.
  var asked: Set<Href>
  /// The total number of items that the sides agreed on.
  var knownCount: Int
  /// Whether a local file with a name unknown to the ledger is unreadable.
  var hasStray: Bool
  /// The items that earlier parts have handled.
  var decided: Set<UID>
  /// The items whose files exist but could not be read again.
  var unknown: Set<UID>
  /// The resources that exist on the remote but are not listed.
  var held: Set<Href> = []
  /// The items whose addition was interrupted, and that another calendar knows.
  var elsewhere: Set<UID> = []
  /// Whether this is the first part, which reports problems that belong to no part.
  var isFirst: Bool
  /// Whether the run compares full contents, and reports known losses of the remote again.
  var isVerifying = false
}
