// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import CalendarSync

/// Takes back an import, in the calendar that it went into.
struct ImportUndo {
  let run: PastRun
  let binding: SyncBinding
  let ledger: any LedgerStore
  let context: Context

  /// Takes it back.
  ///
  /// - Parameters:
  ///   - isDryRun: Whether it is only shown what would be done.
  ///   - isSilent: Whether nothing is shown for people, because an object for programs comes at the end.
  /// - Returns: What was done.
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
