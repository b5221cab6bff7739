// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync

/// A folder under write-only access: it holds nothing that could read.
struct AppendOnlyFolder: RemoteAppender {
  let folder: any LocalAppender

  func append(_ item: CalendarItem) async throws -> AppendOutcome {
    try await folder.append(item)
  }
}
