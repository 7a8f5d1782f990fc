// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/child_process.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tablemap::test {

/// The ports of the emulator's services; 0: not used.
struct azurite_ports {
    std::uint16_t tables = 0;
    std::uint16_t queues = 0;
    std::uint16_t blobs = 0;
};

/// The services of the storage emulator, empty, in memory and each on a port of its own.
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

    std::uint16_t port() const noexcept { return ports_.tables; }
    azurite_ports const& ports() const noexcept { return ports_; }

    /// Names the emulator's well-known account, with the credential that the environment variable
    /// TABLEMAP_AZURITE_CREDENTIAL asks for: its key, or `lite` for that with the other form of signature, or
    /// `signature` for a shared access signature that allows everything. Not for one behind TLS.
    std::string connection_string() const;

    /// The same account with its key at these ports.
    static std::string connection_string_to(azurite_ports const& p);

    /// The tables of the same account at another port of this machine, where something stands before the emulator.
    static std::string connection_string_to(std::uint16_t port);

private:
    void start(std::vector<std::string> const& more);

    azurite_ports ports_{};
    std::unique_ptr<child_process> process_;
};

}  // namespace tablemap::test
