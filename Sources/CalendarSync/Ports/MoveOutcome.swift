// SPDX-License-Identifier: Apache-2.0

/// The outcome of a move between two calendars of one account.
public enum MoveOutcome: Hashable, Sendable {
  /// The item was moved. Without a tag, the next listing supplies it.
  case moved(href: Href, etag: EntityTag?)
  /// The source changed, or the destination is taken: nothing was moved. The next run handles it.
  case conditionFailed
  /// The remote rejects the move; `reason` is its own message.
  case refused(reason: String)
}
