// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/child_process.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tablemap::test {

/// The table service of the storage emulator, empty, in memory and on a port of its own.
class azurite {
public:
    /// The emulator's program: what the environment variable TABLEMAP_AZURITE names, else what scripts/setup installs.
    /// Nothing if there is none: tests should say so and skip.
    static std::optional<std::string> program();

    /// Starts it and waits until it answers; throws with the emulator's words if it does not.
    azurite();

    /// The same behind TLS, with the certificate and its key in these files. It takes access tokens, too, of which it
    /// checks everything but the signature.
    azurite(std::string const& certificate, std::string const& key);

    /// One for the whole test process.
    static azurite& shared();

    std::uint16_t port() const noexcept { return port_; }

    /// Names the emulator's well-known account, with the credential that the environment variable
    /// TABLEMAP_AZURITE_CREDENTIAL asks for: its key, or `lite` for that with the other form of signature, or
    /// `signature` for a shared access signature that allows everything. Not for one behind TLS.
    std::string connection_string() const;

    /// The same account at another port of this machine, where something stands before the emulator.
    static std::string connection_string_to(std::uint16_t port);

private:
    void start(std::vector<std::string> const& more);

    std::uint16_t port_ = 0;
    std::unique_ptr<child_process> process_;
};

}  // namespace tablemap::test
