// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tablemap::inline v0_1 {

/// A text without the credentials in it, for logs: each is replaced by "[redacted]".
///
/// Covers account keys, shared access signatures (`sig=…`), `SharedAccessSignature=…`, what follows `SharedKey`,
/// `SharedKeyLite`, `Bearer` and other schemes in an `Authorization` or `Proxy-Authorization` header, name and password
/// in a URL, access tokens in the form of a JWT, and texts that stand alone but are as long as a key or a signature in
/// base64. Keys and values of the user's data are left as they are.
std::string redacted(std::string_view text);

}  // namespace tablemap
