// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync

/// A folder under write-only access, without any capability to read.
struct AppendOnlyFolder: RemoteAppender {
  let folder: any LocalAppender
  let note: AccessNote?

  func append(_ item: CalendarItem) async throws -> AppendOutcome {
    try await note?(AccessRequest(.add, "add", of: "item"))
    return try await folder.append(item)
  }
}
