// SPDX-License-Identifier: Apache-2.0

/// What became of a move between two calendars of one account.
public enum MoveOutcome: Hashable, Sendable {
  /// The item is here now, and there no more. No tag means that it has to be learned from the next listing.
  case moved(href: Href, etag: EntityTag?)
  /// The item changed there, or its place here is taken: nothing was done, and it is left for the next run.
  case conditionFailed
  /// The remote refuses it, in its own words.
  case refused(reason: String)
}
