// SPDX-License-Identifier: Apache-2.0

/// The lines that begin and end a component, where they are not just `BEGIN:` or `END:` and its name.
///
/// A parameter and bytes that are not UTF-8 survive so when the component is changed.
struct ComponentSpelling: Sendable {
  /// The unfolded line that begins the component.
  let begin: [UInt8]
  /// The unfolded line that ends it.
  let end: [UInt8]

  /// Looks at the line that begins a component; nil if there is nothing unusual about it.
  init?(_ line: LineRecord, in block: RecordBlock) {
    let text = block.withText(of: line) { Array(copying: $0) }
    let rest = Array(text[min(Int(line.valueStart), text.count)...])
    let spelling = Array(rest[rest.span.trimmedRange])
    let name = block.withText(of: line) { line.componentName(in: $0) }
    let hasParameters = Int(line.valueStart) > Int(line.nameLength) + 1
    guard hasParameters || !spelling.elementsEqual(name.rawName.utf8) else { return nil }
    begin = text
    end = Array("END:".utf8) + spelling
  }
}
