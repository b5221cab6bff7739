// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import CalendarSync
import Epact

/// Undoes an import in its calendar.
struct ImportUndo {
  let run: PastRun
  let binding: SyncBinding
  let ledger: any LedgerStore
  let context: Context

  /// Undoes the import.
  ///
  /// - Parameters:
  ///   - isDryRun: Whether the changes are only shown.
  ///   - isSilent: Whether text output is suppressed because JSON is printed at the end.
  /// - Returns: The report of the changes.
  /// - Throws: `StoreError` if the calendar cannot be used.
  func report(isDryRun: Bool, isSilent: Bool) async throws -> SyncReport {
    let calendar: any LocalCalendar
    do throws(StoreError) {
      calendar = try LocalCalendars.open(
        path: binding.local, for: isDryRun ? .reading : .writing)
    } catch {
      guard error.code == .notFound else { throw error }
      throw Failure(.nothingDone, "the calendar is not at \(binding.local)")
    }
    let name = SafeText.escaped(binding.local)
    let recorder = SyncRecorder(
      sync: name, isDryRun: isDryRun, isSilent: isSilent, context)
    recorder.takesBack(isImport: true)
    let summary = try await CalendarRun(
      of: calendar, ledger: ledger, normalForm: context.normalForm, now: context.machine.now
    ).undo(run, ledger, isDryRun: isDryRun) { recorder.record($0) }
    return recorder.report(summary)
  }
}
