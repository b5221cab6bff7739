// SPDX-License-Identifier: Apache-2.0

package import ICalSyntax

extension ThreeWayMerge {
  /// Merges the calendar properties of two files and their components that are not items.
  ///
  /// VERSION, CALSCALE and METHOD are taken from the local version, because they define the kind of
  /// the file.
  ///
  /// - Parameters:
  ///   - base: The common ancestor, without its items and time zones; nil if there is none.
  ///   - local: The local version.
  ///   - remote: The remote version.
  /// - Returns: The merged calendar, which equals the local one if the remote one adds nothing, and
  ///   the conflicts.
  package func merge(
    calendar base: Component?, local: Component, remote: Component
  ) -> (calendar: Component, conflicts: [MergeConflict]) {
    let clock = MergeClock(normalForm, items: [])
    let base = base.map(Self.withoutKind)
    let versions = MergeVersions(
      localBase: base, remoteBase: base, local: local, remote: Self.withoutKind(of: remote))
    let layout = MergeLayout(
      of: versions.all, component: .calendar, isFused: false, clock: clock)
    var merge = ComponentMerge(
      versions, layout, MergeSettings(policies: policies, path: local.name.canonicalName))
    let merged = merge.merged()
    return (merged, merge.conflicts)
  }

  private static func withoutKind(of calendar: Component) -> Component {
    var copy = calendar
    for name in [PropertyName.version, .calscale, .method] { copy[name] = nil }
    return copy
  }
}
