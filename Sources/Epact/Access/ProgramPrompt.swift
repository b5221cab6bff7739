// SPDX-License-Identifier: Apache-2.0

public import CalendarSync

/// Asks the user for the access of a program to the local calendars.
public protocol ProgramPrompt: Sendable {
  /// Whether the user can be asked.
  var canAsk: Bool { get }

  /// Asks the question, and waits for the answer.
  ///
  /// - Returns: The answer; nil if the user gave none, so that the question stays open.
  /// - Throws: An error that ends the request, such as `CancellationError`.
  func ask(_ question: ProgramQuestion) async throws -> ProgramAnswer?
}

/// A question about the access of a program.
///
/// All texts come from others. A prompt must escape them for display.
public struct ProgramQuestion: Hashable, Sendable {
  /// The identifier of the program.
  public let identifier: String
  /// The name of the program.
  public let program: String
  /// The requested tier.
  public let tier: AccessTier
  /// The kind of items.
  public let entity: ProgramEntity
  /// The purpose, verbatim from the program.
  public let purpose: String
  /// The names of the calendars that can take the program's events under write-only access, the
  /// default one first; empty for full access.
  public let calendars: [String]
  /// The status before the question: `notDetermined`, or `writeOnly` if full access is requested.
  public let status: ProgramStatus

  /// Creates a question.
  public init(
    about program: Program, tier: AccessTier, entity: ProgramEntity, purpose: String,
    calendars: [String] = [], status: ProgramStatus = .notDetermined
  ) {
    identifier = program.identifier
    self.program = program.name
    self.tier = tier
    self.entity = entity
    self.purpose = purpose
    self.calendars = calendars
    self.status = status
  }
}

/// The user's answer to the question of a program.
public enum ProgramAnswer: Hashable, Sendable {
  /// The user denies the requested tier.
  case denied
  /// The user grants the requested tier.
  ///
  /// For write-only access the name of the calendar for the events belongs to it; nil means the
  /// default calendar.
  case granted(calendar: String? = nil)
}
