// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// Confirms messages whose sender or organizer is not the expected one.
public protocol SchedulingPrompt {
  /// Whether a user can be asked.
  var canAsk: Bool { get }

  /// Asks whether a message is applied in spite of its concerns; the default answer is no.
  ///
  /// - Parameter question: The message and its concerns.
  /// - Returns: Whether the user confirms.
  /// - Throws: `CancellationError`.
  func confirm(_ question: SchedulingQuestion) async throws -> Bool
}

/// A message that the user has to confirm.
public struct SchedulingQuestion: Hashable, Sendable {
  /// The name of the mail or the file.
  public let label: String
  /// The title of the stored item, or of the message.
  public let title: String
  /// The method; nil for a calendar without METHOD.
  public let method: SchedulingMethod?
  /// The reasons for the question.
  public let concerns: [SchedulingConcern]

  /// Creates a question.
  ///
  /// - Parameters:
  ///   - label: The name of the mail or the file.
  ///   - title: The title of the item.
  ///   - method: The method; nil for none.
  ///   - concerns: The reasons for the question.
  public init(
    label: String, title: String, method: SchedulingMethod?, concerns: [SchedulingConcern]
  ) {
    self.label = label
    self.title = title
    self.method = method
    self.concerns = concerns
  }
}

extension EpactError {
  /// The error for a message that the user did not confirm.
  init(unconfirmed concerns: [SchedulingConcern], in label: String) {
    self.init(
      .undecided, "\(label): the message is not confirmed", details: concerns.map(\.description),
      subject: label, remedy: .confirmSender)
  }

  /// The error for a message that the user did not confirm.
  package init(unconfirmed question: SchedulingQuestion) {
    self.init(unconfirmed: question.concerns, in: question.label)
  }
}
