// SPDX-License-Identifier: Apache-2.0

extension RemoteError {
  /// Creates the error for rejected or missing credentials (status 401).
  static func unauthorized(_ url: RemoteURL, _ credentials: Credentials?) -> RemoteError {
    let message =
      if let credentials {
        credentials.expire
          ? "the server does not accept the access token, not even a new one: the login behind it may "
            + "have expired or been withdrawn; log in again with the program that makes the tokens"
          : "the server does not accept the user name and password" + hint(for: url.host)
      } else {
        "the server wants a user name and a password"
      }
    return RemoteError(code: .credentials, subject: url.description, message: message)
  }

  /// A hint for services that require an app-specific password.
  private static func hint(for host: String) -> String {
    let place = appPasswordPlaces.first { domain, _ in
      host == domain || host.hasSuffix("." + domain)
    }
    guard let (_, service) = place else {
      return " (some services want a password made for each program)"
    }
    return "; \(service)"
  }

  private static let appPasswordPlaces = [
    (
      "icloud.com",
      "iCloud wants an app-specific password, made at account.apple.com, and never takes that of the "
        + "account; a change of that password withdraws all of them"
    ),
    (
      "fastmail.com",
      "Fastmail wants an app password, made in its settings under Privacy & Security"
    ),
    (
      "yahoo.com", "Yahoo wants an app password, made in the settings of the account under Security"
    ),
    ("mailbox.org", "with a second factor, mailbox.org wants an application password"),
    (
      "googleusercontent.com",
      "Google takes no passwords here, but access tokens: see token-command in the documentation"
    ),
    (
      "google.com",
      "Google takes no passwords here, but access tokens: see token-command in the documentation"
    ),
  ]
}
