// SPDX-License-Identifier: Apache-2.0

public import CalendarFiles
import CalendarLanguage
public import CalendarRemotes
public import CalendarStore
public import CalendarSync
public import Foundation
public import ICUServices

// `localizedDescription` is the description of an error, or its words; without this it names only the
// type.

extension EpactError: LocalizedError {
  /// The description of the error.
  public var errorDescription: String? { description }
}

extension LibraryError: LocalizedError {
  /// The description of the error.
  public var errorDescription: String? { description }
}

extension HoldingRefusal: LocalizedError {
  /// The reason in English.
  public var errorDescription: String? { words }
}

extension QueryError: LocalizedError {
  /// The description of the error.
  public var errorDescription: String? { description }
}

extension ConfigurationError: LocalizedError {
  /// The description of the error.
  public var errorDescription: String? { description }
}

extension DatePhraseError: LocalizedError {
  /// The description of the error.
  public var errorDescription: String? { description }
}

extension RowColumnError: LocalizedError {
  /// The description of the error.
  public var errorDescription: String? { description }
}

extension FileError: LocalizedError {
  /// The description of the error.
  public var errorDescription: String? { description }
}

extension AccessError: LocalizedError {
  /// The words of the error.
  public var errorDescription: String? { words }
}

extension ConflictError: LocalizedError {
  /// The words of the error.
  public var errorDescription: String? { words }
}

extension UndoError: LocalizedError {
  /// The words of the error.
  public var errorDescription: String? { words }
}

extension UnavailableSide: LocalizedError {
  /// The description of the error.
  public var errorDescription: String? { description }
}

extension StoreError: LocalizedError {
  /// The description of the error.
  public var errorDescription: String? { description }
}

extension PostgreSQLAddress.Problem: LocalizedError {
  /// The description of the error.
  public var errorDescription: String? { description }
}

extension BatchError: LocalizedError {
  /// The description of the error.
  public var errorDescription: String? { description }
}

extension FileMerge.Refusal: LocalizedError {
  /// The description of the error.
  public var errorDescription: String? { description }
}

extension ICUError: LocalizedError {
  /// The description of the error.
  public var errorDescription: String? { description }
}

extension RemoteError: LocalizedError {
  /// The description of the error.
  public var errorDescription: String? { description }
}

extension HTTPError: LocalizedError {
  /// The description of the error.
  public var errorDescription: String? { description }
}
