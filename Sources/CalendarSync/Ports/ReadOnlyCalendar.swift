// SPDX-License-Identifier: Apache-2.0

package import CalendarModel

/// A remote calendar that cannot be written: each write is refused for the same reason.
package protocol ReadOnlyCalendar: RemoteCalendar {
  /// The reason, as a sentence without a period.
  static var reason: String { get }
}

extension ReadOnlyCalendar {
  package func create(_ item: CalendarItem) async throws -> WriteOutcome {
    .refused(reason: Self.reason)
  }

  package func update(
    _ href: Href, to item: CalendarItem, ifMatch etag: EntityTag
  ) async throws -> WriteOutcome {
    .refused(reason: Self.reason)
  }

  package func delete(_ href: Href, ifMatch etag: EntityTag) async throws -> WriteOutcome {
    .refused(reason: Self.reason)
  }

  package func move(
    _ item: CalendarItem, from source: RemoteEntry
  ) async throws -> WriteOutcome {
    .refused(reason: Self.reason)
  }
}
