// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// The state of one item on the remote, after listing and fetching.
struct RemoteState {
  /// The href and ETag.
  let entry: RemoteEntry
  /// The item, or nil if its ETag shows that it is unchanged since the sides last agreed.
  let item: CalendarItem?
}
