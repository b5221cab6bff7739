// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync

/// The interface of a vendor for adding events to one calendar, and nothing else.
protocol VendorAdding: Sendable {
  /// The form of an item that is added without people.
  var form: any VendorForm { get }
  /// The number of requests that may be in flight at once.
  var requestsAtOnce: Int { get }

  /// Adds an item at the place that its UID determines.
  func add(_ item: VendorItem) async throws -> AppendOutcome
}

/// A calendar of a vendor under write-only access.
///
/// No request reads. An item with overrides would need requests that read or change, so that only
/// single events and plain series are added.
struct VendorAppender<Interface: VendorAdding>: RemoteAppender {
  private let interface: Interface

  init(_ interface: Interface) {
    self.interface = interface
  }

  var requestsAtOnce: Int { interface.requestsAtOnce }
  var holding: (any ItemHolding)? { AdditionHolding(form: interface.form) }

  func append(_ item: CalendarItem) async throws -> AppendOutcome {
    let divided: VendorItem
    do throws(HoldingRefusal) {
      divided = try interface.form.divide(item)
      try interface.form.expectAddition(of: divided)
    } catch {
      return .refused(reason: "the vendor cannot hold it (\(error.code))")
    }
    return try await interface.add(divided)
  }
}

/// The parts of an item that a vendor holds after one request.
private struct AdditionHolding: ItemHolding {
  let form: any VendorForm

  var table: HoldingTable { form.table }

  func fit(of item: CalendarItem, replacing held: HeldItem?) -> ItemFit {
    let fit = form.fit(of: item, replacing: nil)
    if case .refused = fit { return fit }
    do throws(HoldingRefusal) {
      try form.expectAddition(of: try form.divide(item))
      return fit
    } catch {
      return .refused(error)
    }
  }
}
