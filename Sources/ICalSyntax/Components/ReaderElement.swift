// SPDX-License-Identifier: Apache-2.0

/// What `ComponentReader` finds in a stream, in the order of the stream.
public enum ReaderElement: Hashable, Sendable {
  /// A VCALENDAR begins (RFC 5545 §3.4), at this place and this offset in bytes into the stream.
  case calendarBegan(SourcePosition, offset: Int)
  /// A property of the calendar itself, or a line that stands outside of any component.
  case property(Property)
  /// A component directly inside the calendar is complete, with all that is nested in it.
  ///
  /// A component that stands outside of any calendar is delivered too, after a diagnostic.
  case component(Component)
  /// The calendar ended before this offset in bytes into the stream; with an END line of its own, or
  /// because the file ended or another calendar began.
  case calendarEnded(isComplete: Bool, offset: Int)
  /// Something is worth saying about the lines just read; indirect, so that all others are small.
  indirect case diagnostic(Diagnostic)
}
