// SPDX-License-Identifier: Apache-2.0

public import ICalSyntax

/// Something worth saying about one of the sources of a query.
public struct OccurrenceFinding: Hashable, Sendable {
  /// The place of the source, as `OccurrenceQuery.add` was told it.
  public let source: Int
  /// What there is to say.
  public let diagnostic: Diagnostic
}

extension DiagnosticCode {
  /// An override describes an occurrence that its series does not have; it is kept as one.
  public static let orphanOverride = DiagnosticCode(rawValue: "occurrence.orphan")
  /// An override without a series of its own has a rule, by which it is expanded.
  public static let recurringOverride = DiagnosticCode(rawValue: "occurrence.recurring-override")
  /// The rules of a series end before its start, so that it has no instance.
  public static let endedSeries = DiagnosticCode(rawValue: "occurrence.ended")
  /// A rule cannot be expanded, and only the start and the single dates of its item are there.
  public static let unusableRule = DiagnosticCode(rawValue: "occurrence.rule")
  /// The search for occurrences was given up at a limit, so that some may be missing.
  public static let truncatedSeries = DiagnosticCode(rawValue: "occurrence.truncated")
}

/// What there is to say, up to a limit.
struct FindingList: Sendable {
  private(set) var findings: [OccurrenceFinding] = []
  let limit: Int

  init(limit: Int) {
    self.limit = max(1, limit)
  }

  mutating func add(_ diagnostics: some Sequence<Diagnostic>, source: Int) {
    for diagnostic in diagnostics where findings.count < limit {
      findings.append(OccurrenceFinding(source: source, diagnostic: diagnostic))
    }
  }
}
