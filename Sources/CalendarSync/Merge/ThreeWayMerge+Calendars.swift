// SPDX-License-Identifier: Apache-2.0

package import ICalSyntax

extension ThreeWayMerge {
  /// Merges what the versions of a file say of their calendar as a whole: its name, its colour, and
  /// components that are no items.
  ///
  /// VERSION, CALSCALE and METHOD are those of the local version: they tell what kind of file it is.
  ///
  /// - Parameters:
  ///   - base: The calendar that both versions came from, without its items and time zones; nil if
  ///     there is none.
  ///   - local: That of the local version.
  ///   - remote: That of the remote version.
  /// - Returns: The merged calendar, which is the local one if nothing came of the remote one, and the
  ///   conflicts.
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
