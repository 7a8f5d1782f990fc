// SPDX-License-Identifier: Apache-2.0
#include "loopback_server.hpp"

#include "sample.hpp"
#include "support/child_process.hpp"
#include "support/free_port.hpp"

#include <fstream>
#include <sstream>

namespace bench {

loopback_server& loopback_server::instance() {
    static loopback_server s;
    return s;
}

loopback_server::loopback_server() : body_(answered(make_employee(212))) {
    for (int attempt = 0; attempt < 3; ++attempt)
        if (start()) return;
    std::fprintf(stderr, "%s", process_->output().c_str());
    require(false, "nginx did not start: install it (the package nginx-light)");
}

loopback_server::~loopback_server() {
    process_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
}

tablemap::storage_account loopback_server::account() const {
    return {.name = "account",
            .credential = tablemap::shared_key_credential{tablemap::account_key{tablemap::bytes(64, std::byte{7})}},
            .endpoint = {.origin = origin()}};
}

bool loopback_server::start() {
    port_ = std::to_string(tablemap::test::free_port());
    folder_ = std::filesystem::path{TABLEMAP_BENCH_NGINX_FOLDER} / port_;
    std::filesystem::create_directories(folder_);
    std::ofstream{folder_ / "entity.json"} << body_;
    std::ofstream{folder_ / "page.json"} << make_page(page_size);
    std::ofstream{folder_ / "contact_page.json"} << make_page<contact>(page_size);
    std::ofstream{folder_ / "group.txt"} << make_group_answer(group_size);
    std::ofstream{folder_ / "nginx.conf"} << configuration();
    auto const program = std::filesystem::exists("/usr/sbin/nginx") ? "/usr/sbin/nginx" : "nginx";
    process_ = std::make_unique<tablemap::test::child_process>(
        std::vector<std::string>{program, "-p", folder_.string(), "-c", "nginx.conf"});
    return !process_->wait_for_line("event method", std::chrono::seconds{10}).empty();  // said once it listens
}

std::string loopback_server::configuration() const {
    std::stringstream read;
    read << std::ifstream{TABLEMAP_BENCH_NGINX_CONF}.rdbuf();
    auto text = read.str();
    constexpr std::string_view placeholder = "@port@";
    return text.replace(text.find(placeholder), placeholder.size(), port_);
}

}  // namespace bench
