// SPDX-License-Identifier: Apache-2.0

package import CivilTime

/// The time in which occurrences can match a query, so that endless series need not be searched.
package struct QueryBounds: Hashable {
  /// The first and the last second; both are included.
  private(set) var lower: Int64
  private(set) var upper: Int64

  /// All of the years 1 through 9999.
  package static let unlimited = QueryBounds(lower: -62_135_596_800, upper: 253_402_300_799)

  /// A range that intersects every occurrence within the bounds.
  package var range: Range<Instant> {
    // The end of an occurrence is exclusive, and local times differ by up to a day.
    let slack: Int64 = 2 * 86_400
    let (first, last) = (lower - slack, upper + slack)
    return Instant(secondsSinceEpoch: first)..<Instant(secondsSinceEpoch: max(first, last))
  }

  /// The time that is in both.
  func intersection(_ other: QueryBounds) -> QueryBounds {
    QueryBounds(lower: max(lower, other.lower), upper: min(upper, other.upper))
  }

  /// The time from the first through the last one of both.
  func union(_ other: QueryBounds) -> QueryBounds {
    QueryBounds(lower: min(lower, other.lower), upper: max(upper, other.upper))
  }
}

extension ItemQuery.Node {
  /// The bounds that the comparisons of start, end and due time imply, in any time zone.
  var bounds: QueryBounds {
    switch self {
    case .all(let nodes):
      return nodes.reduce(.unlimited) { $0.intersection($1.bounds) }
    case .any(let nodes):
      guard let first = nodes.first else { return .unlimited }
      return nodes.dropFirst().reduce(first.bounds) { $0.union($1.bounds) }
    case .test(let field, let relation, .date(let span)):
      guard field == .start || field == .end || field == .due else { return .unlimited }
      return Self.bounds(relation, span)
    case .not, .text, .test, .has: return .unlimited
    }
  }

  private static func bounds(_ relation: QueryOperator, _ span: DateSpan) -> QueryBounds {
    var bounds = QueryBounds.unlimited
    let first = seconds(span.start)
    let last = span.end.map(seconds) ?? first
    if relation == .equal || relation == .greater || relation == .greaterOrEqual {
      bounds = bounds.intersection(QueryBounds(lower: first, upper: bounds.upper))
    }
    if relation == .equal || relation == .less || relation == .lessOrEqual {
      bounds = bounds.intersection(QueryBounds(lower: bounds.lower, upper: last))
    }
    return bounds
  }

  /// The seconds of a moment, as if it were in UTC.
  private static func seconds(_ moment: Moment) -> Int64 {
    switch moment {
    case .date(let date): CivilDateTime(date, .midnight).wallSeconds
    case .local(let wall): wall.wallSeconds
    case .instant(let instant): instant.secondsSinceEpoch
    }
  }
}

extension ItemQuery {
  /// Words in lower case and ASCII that the titles, places or descriptions of every matching item
  /// contain.
  package var requiredWords: [[UInt8]] {
    Set(root.requiredWords).sorted().map { Array($0.utf8) }
  }
}

extension ItemQuery.Node {
  fileprivate var requiredWords: [String] {
    switch self {
    case .all(let nodes): nodes.flatMap(\.requiredWords)
    case .text(let text), .test(.title, .contains, .text(let text)),
      .test(.title, .equal, .text(let text)), .test(.location, .contains, .text(let text)),
      .test(.location, .equal, .text(let text)), .test(.description, .contains, .text(let text)),
      .test(.description, .equal, .text(let text)):
      text.text.utf8.allSatisfy { $0 < 0x80 }
        ? text.text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init) : []
    case .any, .not, .has, .test: []
    }
  }
}
