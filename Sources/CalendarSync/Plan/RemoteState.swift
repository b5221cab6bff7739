// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// What is known of one item on the remote, after listing and fetching.
struct RemoteState {
  /// Where it is and which version it has.
  let entry: RemoteEntry
  /// The item, or nil if its tag says that it is what it was when the sides last agreed.
  let item: CalendarItem?
}
