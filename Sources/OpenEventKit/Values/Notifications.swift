// SPDX-License-Identifier: Apache-2.0

public import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
extension NSNotification.Name {
  /// A change of the calendars, by another process, by another store or by the own one.
  ///
  /// All events that a program holds may be outdated.
  public static let EKEventStoreChanged = NSNotification.Name("EKEventStoreChangedNotification")
}

extension EKEventStore {
  /// A change of the calendars, as a message of Foundation.
  ///
  /// ```swift
  /// let token = NotificationCenter.default.addObserver(of: store, for: .changed) { _ in reload() }
  /// ```
  public struct EventStoreChanged: NotificationCenter.MainActorMessage {
    /// The store that posts the message.
    public typealias Subject = EKEventStore

    /// The name of the notification for the same change.
    public static var name: Notification.Name { .EKEventStoreChanged }

    /// Creates a message.
    public init() {}
  }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<EKEventStore.EventStoreChanged> {
  /// A change of the calendars.
  public static var changed: Self { .init() }
}

extension NotificationCenter {
  /// The notifications of a center, as a sequence.
  ///
  /// Each iterator receives the notifications that are posted from its creation on.
  public struct Notifications: AsyncSequence, Sendable {
    /// A notification that the center hands from the posting thread to the one that iterates.
    fileprivate struct Posted: @unchecked Sendable {
      let notification: Notification
    }

    /// The object whose notifications are wanted, which is compared and not used.
    fileprivate struct Sender: @unchecked Sendable {
      let object: AnyObject?
    }

    fileprivate let center: NotificationCenter
    fileprivate let name: Notification.Name
    fileprivate let sender: Sender

    /// Creates an iterator, which receives notifications from now on.
    public func makeAsyncIterator() -> Iterator {
      let (stream, continuation) = AsyncStream.makeStream(of: Posted.self)
      let observer = Observer(
        center,
        center.addObserver(forName: name, object: sender.object, queue: nil) {
          continuation.yield(Posted(notification: $0))
        })
      continuation.onTermination = { _ in observer.remove() }
      return Iterator(base: stream.makeAsyncIterator())
    }

    /// The iterator of the notifications.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate var base: AsyncStream<Posted>.Iterator

      /// Waits for the next notification.
      ///
      /// - Parameter actor: The actor that waits.
      /// - Returns: The notification, or nil if the task is cancelled.
      public mutating func next(
        isolation actor: isolated (any Actor)?
      ) async -> Notification? {
        await base.next(isolation: actor)?.notification
      }
    }
  }

  /// Returns the notifications with a name, as a sequence.
  ///
  /// ```swift
  /// for await _ in NotificationCenter.default.notifications(named: .EKEventStoreChanged) {
  ///   reload()
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - object: The object that posts the notifications; nil for any.
  /// - Returns: The sequence, which ends when its task is cancelled.
  @_disfavoredOverload
  public func notifications(
    named name: Notification.Name, object: AnyObject? = nil
  ) -> Notifications {
    Notifications(center: self, name: name, sender: Notifications.Sender(object: object))
  }
}

/// The registration of an iterator at a center, which may be removed on any thread.
private struct Observer: @unchecked Sendable {
  private let center: NotificationCenter
  private let token: any NSObjectProtocol

  init(_ center: NotificationCenter, _ token: any NSObjectProtocol) {
    self.center = center
    self.token = token
  }

  func remove() {
    center.removeObserver(token)
  }
}
