// SPDX-License-Identifier: Apache-2.0

/// An element that `ComponentReader` finds, in stream order.
public enum ReaderElement: Hashable, Sendable {
  /// The start of a VCALENDAR (RFC 5545 §3.4), with its position and byte offset in the stream.
  case calendarBegan(SourcePosition, offset: Int)
  /// A property of the calendar itself, or a line outside of any component.
  case property(Property)
  /// A complete component directly inside the calendar, with all nested ones.
  ///
  /// A component outside of any calendar is returned too, after a diagnostic.
  case component(Component)
  /// The end of the calendar, with the byte offset in the stream after it.
  ///
  /// It is complete if it has its own END line; otherwise the file ended or another calendar began.
  case calendarEnded(isComplete: Bool, offset: Int)
  /// A diagnostic about the preceding lines; indirect, to keep the other cases small.
  indirect case diagnostic(Diagnostic)
}
