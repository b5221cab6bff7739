// SPDX-License-Identifier: Apache-2.0

/// A component that is being read: its lines, before the block that they lie in is complete.
struct ComponentDraft: Sendable {
  let name: ComponentName
  let begin: ContentLine
  var properties: [ContentLine] = []
  var components: [ComponentDraft] = []
  /// The line that ends it, once it is read.
  var end: ContentLine?
  /// Whether a line in it ends nothing; its bytes could then end what they are written into.
  var hasStrayEnd = false
  /// The number of lines in it and in what is nested in it.
  var lineCount = 1

  init(name: ComponentName, begin: ContentLine) {
    self.name = name
    self.begin = begin
  }

  /// The component, now that its lines have a block to point into.
  func component(in buffer: SourceBuffer) -> Component {
    let source =
      hasStrayEnd ? nil : end.map { SourceRange(buffer: buffer, range: begin.start..<$0.end) }
    return Component(
      name,
      properties: properties.map { Property(SourceLine(buffer: buffer, line: $0)) },
      components: components.map { $0.component(in: buffer) },
      isComplete: end != nil,
      position: SourcePosition(line: begin.lineNumber, column: 1),
      source: source)
  }

  /// The same draft after its block was moved.
  func shifted(by distance: Int) -> ComponentDraft {
    var begin = begin
    begin.shift(by: distance)
    var draft = ComponentDraft(name: name, begin: begin)
    draft.properties = properties
    for index in draft.properties.indices { draft.properties[index].shift(by: distance) }
    draft.components = components.map { $0.shifted(by: distance) }
    draft.end = end
    draft.end?.shift(by: distance)
    draft.lineCount = lineCount
    draft.hasStrayEnd = hasStrayEnd
    return draft
  }
}
