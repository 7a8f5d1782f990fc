// SPDX-License-Identifier: Apache-2.0
#include "support/azurite.hpp"

#include "support/free_port.hpp"

#include "tablemap/rest/access_signature.hpp"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <utility>

namespace tablemap::test {
namespace {

std::string endpoint(std::string const& service, std::uint16_t port) {
    return service + "Endpoint=http://127.0.0.1:" + std::to_string(port) + "/devstoreaccount1;";
}

}  // namespace

std::optional<std::string> azurite::program() {
    if (auto const* named = std::getenv("TABLEMAP_AZURITE"); named && *named) return named;
    std::string const installed = TABLEMAP_AZURITE_FOLDER "/node_modules/azurite/dist/src/azurite.js";
    if (std::filesystem::exists(installed)) return installed;
    return std::nullopt;
}

azurite::azurite() { start({}); }

azurite::azurite(std::string const& certificate, std::string const& key) {
    start({"--oauth", "basic", "--cert", certificate, "--key", key});
}

void azurite::start(std::vector<std::string> const& more) {
    auto const file = program();
    if (!file) throw std::runtime_error{"Azurite is not installed: run scripts/setup"};
    std::string said;
    for (int attempt = 0; attempt < 3; ++attempt) {
        ports_ = {free_port(), free_port(), free_port()};
        std::vector<std::string> command{"node", *file, "--disableTelemetry", "--inMemoryPersistence", "--silent"};
        for (auto const& [service, port] :
             {std::pair{"table", ports_.tables}, std::pair{"queue", ports_.queues}, std::pair{"blob", ports_.blobs}}) {
            auto const option = "--" + std::string{service};
            command.insert(command.end(), {option + "Host", "127.0.0.1", option + "Port", std::to_string(port)});
        }
        command.insert(command.end(), more.begin(), more.end());
        process_ = std::make_unique<child_process>(command);
        // Said of the last of the three services, once it listens.
        if (!process_->wait_for_line("Table service is successfully listening", std::chrono::minutes{1}).empty())
            return;
        said = process_->output();
    }
    throw std::runtime_error{"Azurite did not start: " + said};
}

azurite& azurite::shared() {
    static azurite one;
    return one;
}

std::string azurite::connection_string() const {
    auto const with_key = connection_string_to(ports_);
    auto const* const asked = std::getenv("TABLEMAP_AZURITE_CREDENTIAL");
    std::string const credential = asked ? asked : "";
    if (credential == "lite") return with_key + "authentication=SharedKeyLite;";
    if (credential != "signature") return with_key;
    using enum account_permission;
    using enum account_resource;
    account_access all{.permissions = read | write | erase | list | add | create | update | process,
                       .resources = service | container | object,
                       .services = account_service::table | account_service::queue | account_service::blob};
    all.terms.expiry = ticks::now() + tick_duration{std::chrono::hours{24}};
    return make_access_signature(with_key, all).connection_string + ";" + endpoint("Queue", ports_.queues) +
           endpoint("Blob", ports_.blobs);
}

std::string azurite::connection_string_to(azurite_ports const& p) {
    auto text = connection_string_to(p.tables);
    if (p.queues != 0) text += endpoint("Queue", p.queues);
    if (p.blobs != 0) text += endpoint("Blob", p.blobs);
    return text;
}

std::string azurite::connection_string_to(std::uint16_t port) {
    return "DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;"
           "AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==;" +
           endpoint("Table", port);
}

}  // namespace tablemap::test
