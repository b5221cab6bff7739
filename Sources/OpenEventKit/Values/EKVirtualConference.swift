// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The identifier of a kind of room of a provider.
public typealias EKVirtualConferenceRoomTypeIdentifier = String

/// A kind of room that a provider of virtual conferences has.
open class EKVirtualConferenceRoomTypeDescriptor: NSObject, @unchecked Sendable {
  /// The title of the kind, for display.
  public let title: String
  /// The identifier of the kind.
  public let identifier: EKVirtualConferenceRoomTypeIdentifier

  /// Creates a kind of room.
  ///
  /// - Parameters:
  ///   - title: The title, for display.
  ///   - identifier: The identifier, which is unique for the provider.
  public init(title: String, identifier: EKVirtualConferenceRoomTypeIdentifier) {
    self.title = title
    self.identifier = identifier
  }
}

/// A URL for joining a virtual conference.
open class EKVirtualConferenceURLDescriptor: NSObject, @unchecked Sendable {
  /// The title of the URL, for display; nil for none.
  public let title: String?
  /// The URL.
  public let url: URL

  /// Creates a URL for joining.
  ///
  /// - Parameters:
  ///   - title: The title, for display; nil for none.
  ///   - url: The URL.
  public init(title: String?, url: URL) {
    self.title = title
    self.url = url
  }
}

/// A virtual conference: a room with URLs for joining.
open class EKVirtualConferenceDescriptor: NSObject, @unchecked Sendable {
  /// The title of the conference, for display; nil for none.
  public let title: String?
  /// The URLs for joining, the preferred one first.
  public let urlDescriptors: [EKVirtualConferenceURLDescriptor]
  /// More about the conference, for display; nil for none.
  public let conferenceDetails: String?

  /// Creates a virtual conference.
  ///
  /// - Parameters:
  ///   - title: The title, for display; nil for none.
  ///   - urlDescriptors: The URLs for joining, the preferred one first.
  ///   - conferenceDetails: More about the conference, for display; nil for none.
  public init(
    title: String?, urlDescriptors: [EKVirtualConferenceURLDescriptor], conferenceDetails: String?
  ) {
    self.title = title
    self.urlDescriptors = urlDescriptors
    self.conferenceDetails = conferenceDetails
  }
}

/// A provider of virtual conferences, which programs subclass.
///
/// A subclass overrides one form of each method; the other form calls it. Linux has no extensions
/// of other programs, so that a provider serves the program that contains it.
open class EKVirtualConferenceProvider: NSObject {
  /// A provider that a task of its own asks; only that task uses it.
  private struct Handed: @unchecked Sendable {
    let provider: EKVirtualConferenceProvider
  }

  /// Whether the other form of a method calls this one: then the subclass overrides neither.
  @TaskLocal private static var isForwarding = false

  private static let notOverridden = EKError(
    .osNotSupported, "The provider of virtual conferences does not override the method.")

  /// Creates a provider.
  public override init() {}

  /// Returns the kinds of rooms of the provider.
  ///
  /// - Returns: The kinds of rooms.
  /// - Throws: The error of the provider.
  open func fetchAvailableRoomTypes() async throws -> [EKVirtualConferenceRoomTypeDescriptor] {
    try await Self.$isForwarding.withValue(true) {
      try await withCheckedThrowingContinuation { continuation in
        fetchAvailableRoomTypes { continuation.resume(with: Self.result($0, $1)) }
      }
    }
  }

  /// Fetches the kinds of rooms of the provider.
  ///
  /// - Parameter completionHandler: Receives either the kinds of rooms or an error.
  open func fetchAvailableRoomTypes(
    completionHandler:
      @escaping @Sendable (
        [EKVirtualConferenceRoomTypeDescriptor]?, (any Error)?
      ) -> Void
  ) {
    guard !Self.isForwarding else { return completionHandler(nil, Self.notOverridden) }
    let handed = Handed(provider: self)
    Task {
      do {
        completionHandler(try await handed.provider.fetchAvailableRoomTypes(), nil)
      } catch {
        completionHandler(nil, error)
      }
    }
  }

  /// Returns a new conference in a room.
  ///
  /// - Parameter identifier: The identifier of the kind of room.
  /// - Returns: The conference.
  /// - Throws: The error of the provider.
  open func fetchVirtualConference(
    identifier: EKVirtualConferenceRoomTypeIdentifier
  ) async throws -> EKVirtualConferenceDescriptor {
    try await Self.$isForwarding.withValue(true) {
      try await withCheckedThrowingContinuation { continuation in
        fetchVirtualConference(identifier: identifier) {
          continuation.resume(with: Self.result($0, $1))
        }
      }
    }
  }

  /// Fetches a new conference in a room.
  ///
  /// - Parameters:
  ///   - identifier: The identifier of the kind of room.
  ///   - completionHandler: Receives either the conference or an error.
  open func fetchVirtualConference(
    identifier: EKVirtualConferenceRoomTypeIdentifier,
    completionHandler: @escaping @Sendable (EKVirtualConferenceDescriptor?, (any Error)?) -> Void
  ) {
    guard !Self.isForwarding else { return completionHandler(nil, Self.notOverridden) }
    let handed = Handed(provider: self)
    Task {
      do {
        completionHandler(
          try await handed.provider.fetchVirtualConference(identifier: identifier), nil)
      } catch {
        completionHandler(nil, error)
      }
    }
  }

  private static func result<Value>(
    _ value: Value?, _ error: (any Error)?
  ) -> Result<Value, any Error> {
    value.map { .success($0) } ?? .failure(error ?? EKError(.internalFailure))
  }
}
