// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Epact
import ICalSyntax

/// An output format of `epact convert`.
enum CalendarForm: String, CaseIterable, ExpressibleByArgument, Sendable {
  case ics
  case jcal
  case ndjson
  case csv

  /// Creates the writer of the format.
  func makeWriter(isSafeCSV: Bool, isCanonical: Bool) -> any CalendarWriter {
    switch self {
    case .ics: LinesWriter(isCanonical: isCanonical)
    case .jcal: JCalDocumentWriter()
    case .ndjson:
      RowsWriter { [writer = NDJSONWriter()] component, bytes in
        writer.write(component, to: &bytes)
      }
    case .csv: .rows(CSVWriter(isSafeForSpreadsheets: isSafeCSV))
    }
  }
}

extension CalendarWriter where Self == RowsWriter {
  /// A writer of a table with a header.
  fileprivate static func rows(_ writer: CSVWriter) -> RowsWriter {
    var header: [UInt8] = []
    writer.writeHeader(to: &header)
    return RowsWriter(header: header) { component, bytes in writer.write(component, to: &bytes) }
  }
}
