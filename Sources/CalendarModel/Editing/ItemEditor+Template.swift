// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax

extension ItemEditor {
  /// The component for an occurrence that has no override of its own.
  func template<Content: ItemContent>(
    at wall: CivilDateTime, in components: [Component], _ main: Component,
    _ series: inout SeriesView<Content>
  ) -> Component {
    var template = OccurrenceTemplate(of: main, among: components, series)
    return template.component(at: wall)
  }
}
