// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// The text of an alarm (DESCRIPTION, RFC 5545 §3.6.6) that repeats the title of its component.
///
/// Many programs write the title into the text, and change both together. Such a change is part of the
/// edit of the title, so that the text is that of the side whose title applies:
///
/// ```
/// base      SUMMARY:Review     DESCRIPTION:Review
/// local     SUMMARY:Report     DESCRIPTION:Report
/// remote    SUMMARY:Meeting    DESCRIPTION:Review
/// decision  remote             remote
/// merged    SUMMARY:Meeting    DESCRIPTION:Review
/// ```
struct AlarmText {
  private let component: MergeVersions
  /// The outcome for the title; a title without edits has the local version.
  private let title: MergeConflict.Outcome

  init(of component: MergeVersions, title: MergeConflict.Outcome) {
    self.component = component
    self.title = title
  }

  /// Whether the title decides about the text of an alarm: a side changed it with the title, and none
  /// in another way.
  func followsTitle(in alarm: MergeVersions) -> Bool {
    let (here, there) = (
      change(of: alarm.local, since: alarm.localBase, on: .local),
      change(of: alarm.remote, since: alarm.remoteBase, on: .remote)
    )
    return here != .other && there != .other && (here == .title || there == .title)
  }

  /// Whether a side changed the text of an alarm only with the title.
  func followsTitle(_ alarm: Component, since base: Component, on side: MergeSide) -> Bool {
    change(of: alarm, since: base, on: side) == .title
  }

  /// The text for the merged alarm.
  func merged(of alarm: MergeVersions) -> Property? {
    title.side == .local ? alarm.local[.descriptionText] : alarm.remote[.descriptionText]
  }

  /// The text for the local alarm with the base of what waits.
  func undecided(of alarm: MergeVersions) -> Property? {
    title == .waits ? alarm.localBase?[.descriptionText] : alarm.local[.descriptionText]
  }

  private enum Change {
    case none, title, other
  }

  private func change(
    of alarm: Component, since base: Component?, on side: MergeSide
  ) -> Change {
    let (own, before) =
      side == .local
      ? (component.local, component.localBase) : (component.remote, component.remoteBase)
    guard alarm.name == .alarm, let base, let before else { return .other }
    let (text, old) = (alarm[.descriptionText]?.text, base[.descriptionText]?.text)
    guard text != old else { return .none }
    return text != nil && text == own[.summary]?.text && old == before[.summary]?.text
      ? .title : .other
  }
}
