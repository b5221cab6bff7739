// SPDX-License-Identifier: Apache-2.0

package import ICalSyntax

/// The files in folders of calendars that the calendars do not take as items, for a check of the
/// files.
///
/// A valid file may be none: a folder holds one item in each file, and two files with one UID are
/// one item.
///
/// ```swift
/// var faults = FolderFaults(of: library)
/// if let fault = faults.diagnostic(ofFileAt: path) { print(fault.message) }
/// ```
package struct FolderFaults {
  private let library: CalendarLibrary
  private let calendars: [String: CalendarInfo]
  /// The reasons for the names of files, for each folder that was asked for.
  private var reasons: [String: [String: String]] = [:]

  /// Takes the calendars of a library; reads none.
  ///
  /// - Parameter library: The library; without a valid configuration it has no folders.
  package init(of library: CalendarLibrary) {
    self.library = library
    let folders = ((try? library.calendars()) ?? []).filter { !$0.location.isFile }
    calendars = Dictionary(
      folders.map { (PathResolver.canonical($0.location.path), $0) }, uniquingKeysWith: { $1 })
  }

  /// The diagnostic of a file; nil for an item of a calendar, and for a file in no calendar's folder.
  ///
  /// A calendar is read when the first of its files is asked for.
  package mutating func diagnostic(ofFileAt path: String) -> Diagnostic? {
    guard !calendars.isEmpty else { return nil }
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { String(path[...$0]) } ?? "."
    if reasons[folder] == nil { reasons[folder] = read(PathResolver.canonical(folder)) }
    let name = String(slash.map { path[path.index(after: $0)...] } ?? path[...])
    return reasons[folder]?[name].map { reason in
      Diagnostic(.error, .notTaken, at: SourcePosition(line: 1, column: 1), reason)
    }
  }

  private func read(_ folder: String) -> [String: String] {
    guard let calendar = calendars[folder], (try? library.stamp(of: [calendar.name])) != nil else {
      return [:]
    }
    return Dictionary(
      library.unreadable(of: calendar).map { entry in
        let advice = entry.sharedUID == nil ? "; outside of the folder, it can be imported" : ""
        return (
          entry.name,
          "the calendar \(calendar.name) has no item of this file: \(entry.reason)\(advice)"
        )
      }, uniquingKeysWith: { first, _ in first })
  }
}

extension DiagnosticCode {
  /// A calendar of the configuration does not take a file of its folder as an item.
  package static let notTaken = DiagnosticCode(rawValue: "item.not-taken")
}
