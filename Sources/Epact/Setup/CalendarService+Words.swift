// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes

extension CalendarService {
  /// The facts for the user before the setup of the service, as sentences.
  var introduction: String {
    let words =
      switch interface {
      case .calDAV(let address): "its calendars are at \(address)."
      case .google: VendorSettings.Vendor.google.introduction
      case .graph: VendorSettings.Vendor.graph.introduction
      case .ownServers, .none: ""
      }
    // The credentials of a vendor are those of the sign-in, which its introduction describes.
    guard case .calDAV = interface, !credentials.isEmpty else { return words }
    return "\(words) \(credentials)."
  }
}

extension VendorSettings.Vendor {
  /// The name of the calendars of the vendor.
  package var title: String {
    switch self {
    case .google: "Google Calendar"
    case .graph: "Outlook"
    }
  }

  /// The usual name of a remote.
  var usualName: String {
    switch self {
    case .google: "google"
    case .graph: "outlook"
    }
  }

  /// The title of the article that describes the setup.
  package var article: String {
    switch self {
    case .google: "Google Calendar"
    case .graph: "Microsoft calendars"
    }
  }

  fileprivate var introduction: String {
    "you sign in by a client of your own. The article \"\(article)\" describes how to create one. Preview: "
      + "built to the documentation, and not tried at the service."
  }

  /// The next step after the setup, as sentences.
  package var nextStep: String {
    switch self {
    case .google:
      "Google gives the client a secret, too: state in the remote, with client-secret-command, how it is "
        + "read. The article \"\(article)\" describes each step."
    case .graph:
      "The article \"\(article)\" describes the client, and what Microsoft holds of an item."
    }
  }
}
