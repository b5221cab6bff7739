// SPDX-License-Identifier: Apache-2.0

import CalendarSync

/// Changes several files in several folders: all of them durably, or none.
///
/// ```swift
/// let batch = FileBatch(journal: stateFolder + "/batches")
/// try batch.recover()
/// try batch.commit([
///   FileReplacement(path: workFolder + "/a.ics", expected: revision, contents: nil),
///   FileReplacement(path: homeFolder + "/a.ics", expected: nil, contents: bytes),
/// ])
/// ```
///
/// - New contents are written to temporary files and are durable before any file is changed.
/// - Then a journal with the old and the new contents is made durable. It decides the batch.
/// - Then the temporary files are renamed, and the journal is removed.
///
/// If a step fails, the old contents are restored before `commit(_:)` throws. If the process ends
/// at any point, `recover()` completes or undoes the batch. In between, other programs may see some
/// of the files in their new form.
///
/// A file that another program changed is never overwritten: neither by a batch, which fails, nor
/// by the recovery of one, which keeps that file. Processes of Epact take turns by a lock on each
/// folder, where the file system supports it.
///
/// A single replacement needs no journal.
public struct FileBatch: Sendable {
  private let journal: String

  /// Creates a batch; its functions create the folder of the journals on demand.
  ///
  /// - Parameter folder: The folder of the journals, the same one for all processes of a user.
  public init(journal folder: String) {
    journal = folder
  }

  /// Makes all replacements durably, or none of them.
  ///
  /// - Throws: `BatchError`. No replacement took effect, unless the code is `.unfinished`.
  public func commit(_ replacements: [FileReplacement]) throws(BatchError) {
    guard !replacements.isEmpty else { return }
    // The error would be that of another batch.
    try? recover()
    let plan = try BatchPlan(replacements)
    let parts = plan.parts
    // Most failures occur here, before anything is changed: a full disk, a missing permission.
    var prepared = try BatchError.converting { () throws(StoreError) in
      try plan.prepare(parts.first ?? [])
    }
    let record = try BatchError.converting { () throws(StoreError) in
      plan.files.count > 1
        ? try BatchJournal(of: plan.files.map { JournalEntry($0) }, in: journal) : nil
    }
    do throws(BatchError) {
      try BatchError.converting { () throws(StoreError) in try record?.publish() }
      for (number, part) in parts.enumerated() {
        if number > 0 {
          prepared = try BatchError.converting { () throws(StoreError) in try plan.prepare(part) }
        }
        try Self.commit(prepared)
      }
      try BatchError.converting { () throws(StoreError) in
        try plan.synchronize()
        try record?.remove()
      }
    } catch {
      prepared = []
      try undo(plan, record, after: error)
      throw error
    }
  }

  /// Makes groups of replacements durably, each of them or nothing of it.
  ///
  /// All groups are one batch, unless that fails. Then its halves are tried.
  ///
  /// - Returns: The error of each group that was not made, in order.
  package func commit(each groups: ArraySlice<[FileReplacement]>) -> [BatchError?] {
    guard let error = error(of: groups.flatMap(\.self)) else { return groups.map { _ in nil } }
    guard groups.count > 1, !error.concernsAll else { return groups.map { _ in error } }
    let middle = groups.startIndex + groups.count / 2
    return commit(each: groups[..<middle]) + commit(each: groups[middle...])
  }

  /// Makes replacements, and returns the error; nil if they were made.
  private func error(of replacements: [FileReplacement]) -> BatchError? {
    do throws(BatchError) {
      try commit(replacements)
      return nil
    } catch {
      return error
    }
  }

  private static func commit(_ prepared: [PreparedFile]) throws(BatchError) {
    for file in prepared {
      let isDone = try BatchError.converting { () throws(StoreError) in try file.commit() }
      guard isDone else { throw .conditionFailed(file.file.path) }
    }
  }

  private func undo(
    _ plan: BatchPlan, _ record: BatchJournal?, after failure: BatchError
  ) throws(BatchError) {
    do throws(StoreError) {
      try record?.revoke()
      for file in plan.files.reversed() { try file.undo() }
      try plan.synchronize(ifReplaced: false)
      try record?.remove()
    } catch {
      throw BatchError(
        code: .unfinished, path: failure.path,
        message: "\(failure.message); the old files cannot be restored now: \(error.description)",
        cause: failure.cause ?? error)
    }
  }
}

// MARK: Recovery

extension FileBatch {
  /// Completes or undoes the batches of processes that ended meanwhile; without any, it only lists
  /// a folder.
  ///
  /// The files of folders that are not available, such as those on a disk that is not mounted,
  /// remain in the journal for a later call.
  ///
  /// - Throws: The first `StoreError`, after all batches were tried.
  public func recover() throws(StoreError) {
    let folder: OpenFolder
    do throws(StoreError) {
      folder = try OpenFolder(journal)
    } catch {
      guard error.code == .notFound else { throw error }
      return
    }
    let names = try folder.names().names
    if names.contains(where: { TemporaryFile.isName($0.utf8) }) { try folder.removeLeftOvers() }
    var failure: StoreError?
    for name in names {
      guard let direction = BatchJournal.Direction(name) else { continue }
      do throws(StoreError) {
        try recover(name, direction, in: folder)
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }

  private func recover(
    _ name: String, _ direction: BatchJournal.Direction, in folder: borrowing OpenFolder
  ) throws(StoreError) {
    let file: OpenFile
    do throws(StoreError) {
      file = try folder.openFile(name)
    } catch {
      guard error.code == .notFound else { throw error }
      return
    }
    switch try file.lock() {
    case .taken: break
    case .heldByAnother: return
    case .unsupported:
      throw StoreError(
        code: .failed, path: folder.path(of: name),
        message: "cannot lock: the file system does not support locks; store the state on another "
          + "one")
    }
    do throws(StoreError) {
      try recover(name, direction, locked: file, in: folder)
    } catch {
      file.unlock()
      throw error
    }
    // Closing the file releases the lock, too, unless a new child process still has it open.
    file.unlock()
  }

  private func recover(
    _ name: String, _ direction: BatchJournal.Direction, locked file: borrowing OpenFile,
    in folder: borrowing OpenFolder
  ) throws(StoreError) {
    // Its process may have ended the batch before the lock was taken.
    guard try folder.status(of: name)?.number == file.status().number else { return }
    guard let entries = JournalFormat.entries(try file.readAll(limit: JournalFormat.sizeLimit))
    else { return try setAside(name, in: folder) }
    let rest = try settle(entries, direction)
    if rest.isEmpty {
      try folder.remove(name)
      try folder.synchronize()
    } else if rest.count < entries.count {
      // A later recovery must not judge the settled files again: people may delete them meanwhile.
      try BatchJournal(of: rest, in: journal).replace(name)
    }
  }

  /// Gives the files of a journal their new or old contents, and returns those that are not
  /// available.
  private func settle(
    _ entries: [JournalEntry], _ direction: BatchJournal.Direction
  ) throws(StoreError) -> [JournalEntry] {
    var folders: [String: BatchFolder] = [:]
    for path in Set(entries.map(\.folder)) {
      do throws(StoreError) {
        folders[path] = try BatchFolder(path)
      } catch {
        guard [.notFound, .notRegular].contains(error.code) else { throw error }
      }
    }
    var files: [BatchFile] = []
    var rest: [JournalEntry] = []
    for entry in entries {
      if let folder = folders[entry.folder], folder.anchor.identity.text == entry.identity {
        files.append(entry.file(in: folder))
      } else {
        rest.append(entry)
      }
    }
    let plan = BatchPlan(files)
    try BatchFolder.lock(plan.folders)
    for file in files {
      switch direction {
      case .forward: try file.finish()
      case .back: try file.undo()
      }
    }
    try plan.synchronize()
    for folder in plan.folders { try folder.folder.removeLeftOvers() }
    return rest
  }

  /// Renames a damaged journal, so that it is reported once.
  private func setAside(_ name: String, in folder: borrowing OpenFolder) throws(StoreError) {
    let aside = name + ".damaged"
    try folder.rename(name, replacing: aside)
    try folder.synchronize()
    throw StoreError(
      code: .corrupt, path: folder.path(of: aside),
      message: "the journal of an interrupted change is damaged; some of its files may have their "
        + "new contents, and others their old ones")
  }
}
