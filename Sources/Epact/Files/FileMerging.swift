// SPDX-License-Identifier: Apache-2.0

public import CalendarFiles
import CalendarModel
public import CalendarStore
public import CalendarSync

extension CalendarFile {
  /// Merges two versions of a file item by item, and property by property.
  ///
  /// The result is the local file with the changes of the remote one. Where both versions changed
  /// the same property differently, the policies decide, and the conflict is part of the result.
  ///
  /// - Parameters:
  ///   - base: The common ancestor; nil if there is none, so that nothing counts as deleted.
  ///   - local: The local version.
  ///   - remote: The remote version.
  ///   - policies: The resolutions of conflicts.
  /// - Returns: The merged file with its conflicts.
  /// - Throws: `EpactError` unless all versions are complete.
  public static func merge(
    base: CalendarFile?, local: CalendarFile, remote: CalendarFile,
    policies: MergePolicies = MergePolicies()
  ) throws -> FileMerge.Result {
    let versions = Versions(
      base: try base?.iCalendarBytes, local: try local.iCalendarBytes,
      remote: try remote.iCalendarBytes)
    return try versions.merged(policies, NormalForm(zones: local.zones)) {
      "the \($0.rawValue) file"
    }
  }

  /// Merges two versions of a file of iCalendar text, read from their sources.
  ///
  /// - Parameters:
  ///   - base: The common ancestor; an empty or missing file means that there is none.
  ///   - local: The local version.
  ///   - remote: The remote version.
  ///   - policies: The resolutions of conflicts.
  ///   - machine: The time zones.
  /// - Returns: The merged file with its conflicts.
  /// - Throws: `FileError` for a version that cannot be read; `EpactError` for one that is incomplete; `CancellationError`.
  public static func merge(
    base: FileSource, local: FileSource, remote: FileSource,
    policies: MergePolicies = MergePolicies(), machine: Machine = .live()
  ) throws -> FileMerge.Result {
    let reason = "the file is too large to be merged"
    let versions = Versions(
      base: try base.bytesIfPresent(limit: sizeLimit, reason),
      local: try local.bytes(limit: sizeLimit, reason),
      remote: try remote.bytes(limit: sizeLimit, reason))
    return try versions.merged(policies, machine.normalForm) { version in
      switch version {
      case .base: base.label
      case .local: local.label
      case .remote: remote.label
      }
    }
  }

  /// The bytes as iCalendar in UTF-8: the original ones if they are that.
  private var iCalendarBytes: [UInt8] {
    get throws { form == .iCalendar && charset == nil ? bytes : try bytes(as: .iCalendar) }
  }
}

/// The bytes of the versions of a file.
private struct Versions {
  let base: [UInt8]?
  let local: [UInt8]
  let remote: [UInt8]

  func merged(
    _ policies: MergePolicies, _ normalForm: NormalForm, name: (FileMerge.Version) -> String
  ) throws(EpactError) -> FileMerge.Result {
    let merge = FileMerge(ThreeWayMerge(policies: policies, normalForm: normalForm))
    do throws(FileMerge.Refusal) {
      return try merge.merge(base: base, local: local, remote: remote)
    } catch {
      let name = name(error.version)
      throw EpactError(.failed, "\(name) cannot be merged: \(error.reason)", subject: name)
    }
  }
}
