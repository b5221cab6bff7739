// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarRemotes
import Epact

/// The options of `epact init` for custom certificates and client authentication.
struct InitConnection: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The certificates to trust instead of the system's, in PEM form.", valueName: "file"),
    completion: .file())
  var caFile: String?

  @Option(
    help: ArgumentHelp(
      "The public key that the server must have, as sha256//DIGEST; repeat it for more.",
      valueName: "pin"),
    transform: { text in
      guard let pin = PublicKeyPin(text) else {
        throw ValidationError(
          "expected sha256// and the 44 characters of a public key's digest in base64")
      }
      return pin
    })
  var pin: [PublicKeyPin] = []

  @Option(
    help: ArgumentHelp(
      "The certificate to show to a server that asks for one, in PEM form.", valueName: "file"),
    completion: .file())
  var clientCertificate: String?

  @Option(
    help: ArgumentHelp("Its private key, where it is in a file of its own.", valueName: "file"),
    completion: .file())
  var clientKey: String?

  func validate() throws {
    guard clientKey == nil || clientCertificate != nil else {
      throw ValidationError("--client-key goes with a --client-certificate")
    }
  }

  /// The trusted servers and the client certificate.
  func identity(_ paths: PathResolver) -> NetworkIdentity {
    let client = clientCertificate.map { certificate in
      NetworkIdentity.Client(
        certificateFile: paths.absolute(certificate),
        keyFile: paths.absolute(clientKey ?? certificate))
    }
    return NetworkIdentity(caFile: caFile.map(paths.absolute), pins: pin, client: client)
  }
}
