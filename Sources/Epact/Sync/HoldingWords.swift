// SPDX-License-Identifier: Apache-2.0

public import CalendarSync

extension HoldingRefusal {
  /// The reason in English, for display, after "the remote cannot hold it: ".
  public var words: String {
    switch self {
    case .component(let name): "it has no \(Self.kind(name))"
    case .noSeries: "the item has changed occurrences only, and not their series"
    case .foreignSeries: "the series of these occurrences belongs to another person's calendar"
    case .returning(let time):
      "it deleted the occurrence at \(time) and cannot restore it; only a new series has it again"
    case .noStart: "the event has no start that can be read"
    case .endBeforeStart: "the event ends before it starts"
    case .recurrence(let line): "it has no equivalent of \(line)"
    case .stray(let time): "RECURRENCE-ID \(time) is at no occurrence of the series"
    case .following(let time):
      "RECURRENCE-ID \(time) changes all following occurrences, and it changes single ones only"
    case .timeZone(let name): "no time zone that it knows has the rules of \(name)"
    case .size(let bytes, let limit):
      "\(bytes) bytes have no field there, and it takes \(limit)"
    case .altered(let name): "it would return \(name) in another form"
    case .exclusions:
      "a series without some of its occurrences can only be added with full access"
    case .mail:
      "it would mail the attendees; to allow that, set invitations = \"send\""
    case .overrides: "a series with changed occurrences can only be added with full access"
    }
  }

  private static func kind(_ component: String) -> String {
    switch component {
    case "VTODO": "tasks"
    case "VJOURNAL": "journal entries"
    default: component
    }
  }
}

extension PlannedOperation {
  /// The reason in English, with what goes into the stash of the remote, for display.
  ///
  /// - Parameter isMirror: Whether the run is that of a mirror; the words are those of a sync otherwise.
  /// - Returns: The words.
  public func words(ofMirror isMirror: Bool) -> String {
    let words = reason.words(ofMirror: isMirror)
    guard !stashed.isEmpty else { return words }
    return "\(words); stored there without a field of its own: \(stashed.joined(separator: ", "))"
  }
}
