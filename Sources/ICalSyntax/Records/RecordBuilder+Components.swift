// SPDX-License-Identifier: Apache-2.0

/// The stack of open components, and what becomes of them when they end.
extension RecordBuilder {
  /// Puts a component on the stack.
  ///
  /// - Parameters:
  ///   - nameIndex: The number of its name, if a table knows it and it is in upper case.
  ///   - line: The line that begins it.
  mutating func push(nameIndex: Int?, _ line: LineRecord) {
    if open.isEmpty {
      if isRepeated { findings.removeAll() }
      isRepeated = false
      checkpoint = Checkpoint(
        offset: Int(line.start), lineNumber: Int(line.lineNumber), findingCount: findings.count,
        hasComponents: hasComponents, isOutsideReported: isOutsideReported,
        bareLineEnd: firstBareLineEnd)
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

  /// Takes the innermost component from the stack and hands it to the one around it, or out.
  ///
  /// - Parameter endLine: The line that ends it, or nil if there is none.
  mutating func pop(endLine: LineRecord?) {
    endRun()
    guard let closed = open.popLast() else { return }
    var record = records[closed.record]
    if scattered.count > closed.firstScattered { gather(from: closed.firstScattered, in: &record) }
    record.childCount = UInt32(pending.count - closed.firstPending)
    record.firstChild = UInt32(children.count)
    if record.childCount > 0 { moveChildren(from: closed.firstPending) }
    record.isComplete = endLine != nil
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

  /// Puts components side by side whose parent has ended.
  private mutating func moveChildren(from first: Int) {
    for index in first..<pending.count { children.append(pending[index]) }
    pending.removeLast(pending.count - first)
  }

  /// Notes how many properties of the innermost component lie side by side.
  private mutating func endRun() {
    guard isContiguous, let last = open.last else { return }
    isContiguous = false
    records[last.record].propertyCount =
      UInt32(lines.count) - records[last.record].firstProperty
  }

  /// Puts all properties of a component side by side, behind everything else.
  private mutating func gather(from firstScattered: Int, in record: inout ComponentRecord) {
    let run = record.propertyLines
    record.firstProperty = UInt32(lines.count)
    record.propertyCount += UInt32(scattered.count - firstScattered)
    // One by one: a slice of the lines would make a copy of all of them.
    for index in run { lines.append(lines[index]) }
    lines.append(contentsOf: scattered[firstScattered...])
    scattered.removeSubrange(firstScattered...)
  }
}
