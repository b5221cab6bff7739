// SPDX-License-Identifier: Apache-2.0

/// The stack of open components, and the completion of their records.
extension RecordBuilder {
  /// Pushes a component onto the stack.
  ///
  /// - Parameters:
  ///   - nameIndex: The index of its name if it is known and in upper case.
  ///   - line: The BEGIN line.
  mutating func push(nameIndex: Int?, _ line: LineRecord) {
    if open.isEmpty {
      if isRepeated { findings.removeAll() }
      isRepeated = false
      checkpoint = Checkpoint(
        offset: Int(line.start), lineNumber: Int(line.lineNumber), findingCount: findings.count,
        hasComponents: hasComponents, isOutsideReported: isOutsideReported,
        otherLineEnds: otherLineEnds)
      let limit = Int(line.start).addingReportingOverflow(limits.componentSize)
      componentLimit = limit.overflow ? .max : limit.partialValue
      firstLine = lines.count
      firstParameter = parameterCount
    }
    endRun()
    open.append(
      OpenComponent(
        record: records.count, firstPending: pending.count, firstScattered: scattered.count))
    records.append(
      ComponentRecord(nameIndex: nameIndex, beginLine: lines.count, start: line.start))
    lines.append(line)
    isContiguous = true
  }

  /// Pops the innermost component and adds it to its parent, or to the findings if it has none.
  ///
  /// - Parameters:
  ///   - endLine: The END line, or nil if there is none.
  ///   - isWhole: Whether the component is whole although it has no END line.
  mutating func pop(endLine: LineRecord?, isWhole: Bool = false) {
    endRun()
    guard var closed = open.popLast() else { return }
    if endLine == nil, isWhole {
      // It is written with an END line, and so are the components around it.
      closed.hasStrayEnd = true
      for index in open.indices { open[index].hasStrayEnd = true }
    }
    var record = records[closed.record]
    if scattered.count > closed.firstScattered { gather(from: closed.firstScattered, in: &record) }
    record.childCount = UInt32(pending.count - closed.firstPending)
    record.firstChild = UInt32(children.count)
    if record.childCount > 0 { moveChildren(from: closed.firstPending) }
    record.isComplete = endLine != nil || isWhole
    record.hasStrayEnd = closed.hasStrayEnd
    if let endLine { record.end = endLine.end }
    records[closed.record] = record
    if open.isEmpty {
      findings.append(.component(closed.record))
      checkpoint = nil
      componentLimit = .max
    } else {
      pending.append(UInt32(closed.record))
    }
  }

  /// Makes the children of a closed component contiguous.
  private mutating func moveChildren(from first: Int) {
    for index in first..<pending.count { children.append(pending[index]) }
    pending.removeLast(pending.count - first)
  }

  /// Records the number of contiguous properties of the innermost component.
  private mutating func endRun() {
    guard isContiguous, let last = open.last else { return }
    isContiguous = false
    records[last.record].propertyCount =
      UInt32(lines.count) - records[last.record].firstProperty
  }

  /// Moves all properties of a component to the end, so that they are contiguous.
  private mutating func gather(from firstScattered: Int, in record: inout ComponentRecord) {
    let run = record.propertyLines
    record.firstProperty = UInt32(lines.count)
    record.propertyCount += UInt32(scattered.count - firstScattered)
    // One by one, because a slice of the lines would copy all of them.
    for index in run { lines.append(lines[index]) }
    lines.append(contentsOf: scattered[firstScattered...])
    scattered.removeSubrange(firstScattered...)
  }
}

/// A component that has begun and not ended.
struct OpenComponent: BitwiseCopyable {
  /// The index of its record.
  let record: Int
  /// The number of pending children when it began.
  let firstPending: Int
  /// The number of scattered properties in the enclosing components when it began.
  ///
  /// Scattered properties come after a nested component, so they are not contiguous with the
  /// others.
  let firstScattered: Int
  /// Whether it contains an unmatched END line, or lacks one, so that its bytes are not well-formed.
  var hasStrayEnd = false
}
