// SPDX-License-Identifier: Apache-2.0

public import ICalSyntax

/// A finding about a source of a query.
public struct OccurrenceFinding: Hashable, Sendable {
  /// The number of the source, as passed to `OccurrenceQuery.add`.
  public let source: Int
  /// The diagnostic.
  public let diagnostic: Diagnostic
}

extension DiagnosticCode {
  /// An override has no instance in its series; it is kept as an occurrence.
  public static let orphanOverride = DiagnosticCode(rawValue: "occurrence.orphan")
  /// An override without a series has a rule, which is expanded.
  public static let recurringOverride = DiagnosticCode(rawValue: "occurrence.recurring-override")
  /// The rules of a series end before its start, so that it has no instances.
  public static let endedSeries = DiagnosticCode(rawValue: "occurrence.ended")
  /// A rule cannot be expanded, so that only the start and the single dates remain.
  public static let unusableRule = DiagnosticCode(rawValue: "occurrence.rule")
  /// The search for occurrences was stopped at a limit, so that some may be missing.
  public static let truncatedSeries = DiagnosticCode(rawValue: "occurrence.truncated")
}

/// Findings, up to a limit.
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
