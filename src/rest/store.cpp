// SPDX-License-Identifier: Apache-2.0
#include "tablemap/rest/store.hpp"

#include "rest/response_reader.hpp"
#include "rest/bearer_transport.hpp"
#include "rest/cosmos_check.hpp"
#include "rest/cosmos_store.hpp"
#include "rest/http_date.hpp"
#include "rest/refusal_advice.hpp"
#include "rest/request_builder.hpp"
#include "rest/request_check.hpp"
#include "rest/shared_key.hpp"
#include "rest/transport_settings.hpp"
#include "tablemap/detail/rest/token_cache.hpp"
#include "tablemap/detail/store/environment.hpp"
#include "store/local_response.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace tablemap::inline v0_1 {
namespace {

constexpr std::size_t longest_request_id = 1024;

// The documented limits of the service; beyond them it answers that it is busy.
constexpr double entities_per_second_of_partition = 2'000;
constexpr double entities_per_second_of_account = 20'000;

store_context context_of(http_origin const& origin) {
    store_context c;
    c.default_retry = retry_policy::exponential();
    c.server_address = origin.host;
    std::from_chars(origin.port.data(), origin.port.data() + origin.port.size(), c.server_port);
    return c;
}

capabilities capabilities_of(service_endpoint const& endpoint) {
    tablemap::capabilities c;
    c.name = "rest";
    c.remote = true;
    c.ordered_results = !endpoint.is_cosmos();
    c.transaction_bytes = detail::transaction_bytes_at(endpoint);
    c.transaction_overhead = detail::transaction_overhead_at(endpoint);
    if (!endpoint.is_cosmos()) {
        c.partition_rate = entities_per_second_of_partition;
        c.account_rate = entities_per_second_of_account;
    }
    return c;
}

std::string_view client_request_id_of(http_request const& r) noexcept {
    auto const at = std::find_if(r.headers.begin(), r.headers.end(),
                                 [](auto const& h) { return h.first == "x-ms-client-request-id"; });
    return at == r.headers.end() ? std::string_view{} : at->second;
}

storage_service service_of(request const& r) noexcept {
    if (std::holds_alternative<queue_request>(r)) return storage_service::queues;
    return std::holds_alternative<blob_request>(r) ? storage_service::blobs : storage_service::tables;
}

bool is_port_of_emulator(std::string_view port) noexcept {
    return port == "10000" || port == "10001" || port == "10002";
}

/// True for errors that a transport gives without an attempt to send.
bool never_left(error const& e) noexcept {
    return e.code() == library_errc::credential_failed || e.code() == transport_errc::invalid_request;
}

/// Transports do not name the host that they could not reach.
error with_endpoint(error const& e, http_origin const& o) {
    if (e.code() != transport_errc::cannot_connect && e.code() != transport_errc::name_not_found &&
        e.code() != transport_errc::tls_failed)
        return e;
    auto details = e.details();
    auto endpoint = "endpoint " + detail::bracketed(o.host) + ":" + o.port;
    if (e.code() == transport_errc::cannot_connect && is_port_of_emulator(o.port))
        endpoint += "; is the emulator running?";
    details.reason += details.reason.empty() ? endpoint : " (" + endpoint + ")";
    return error{e.code(), std::move(details)};
}

class rest_store final : public store {
public:
    explicit rest_store(rest_options options)
        : options_(std::move(options)),
          capabilities_(capabilities_of(options_.account.endpoint)),
          context_(context_of(options_.account.endpoint.origin)) {}

    tablemap::capabilities const& capabilities() const noexcept override { return capabilities_; }
    store_context const& context() const noexcept override { return context_; }

    response execute(request const& r, call_options const& o) override {
        if (auto const why = detail::environment{o}.why_stop()) return detail::not_sent(r, why);
        auto const message = prepare(r, o);
        if (!message) return refused(r, message.error());
        return read(r, *message, options_.transport->call(*message, o));
    }

    void async_execute(request const& r, call_options const& o, receiver& to) override {
        if (auto const why = detail::environment{o}.why_stop()) return to.complete(detail::not_sent(r, why));
        auto message = prepare(r, o);
        if (!message) return to.complete(refused(r, message.error()));
        auto* const c = new call{*this, r, to, *std::move(message)};
        options_.transport->send(c->message, o, *c);
    }

private:
    /// One request on its way: the only object on the heap that it costs, gone before its response is taken.
    struct call final : http_receiver {
        rest_store const& store;
        request const& asked;
        receiver& to;
        http_request message;

        call(rest_store const& s, request const& r, receiver& t, http_request m)
            : store(s), asked(r), to(t), message(std::move(m)) {}

        void complete(http_result&& result) noexcept override {
            auto answer = store.try_read(asked, message, std::move(result));
            auto& receiver = to;
            delete this;
            receiver.complete(std::move(answer));
        }
    };

    ticks now() const { return options_.now ? options_.now() : ticks::now(); }

    /// The signed message.
    result<http_request> prepare(request const& r, call_options const& o) const {
        try {
            return try_prepare(r, o);
        } catch (error const& e) {
            return failure{e};
        }
    }

    /// Refuses what this endpoint does not have.
    result<void> check_support(request const& r) const {
        auto const unsupported = [](char const* reason) { return fail(library_errc::unsupported, {.reason = reason}); };
        if (service_of(r) != options_.service)
            return unsupported("this store speaks to another service of the account: open one for this service, or all "
                               "of them by their connection string");
        if (options_.is_secondary && is_write(r))
            return unsupported("the secondary endpoint of an account can only be read");
        if (!options_.is_secondary && !options_.account.endpoint.is_cosmos() &&
            std::holds_alternative<get_service_statistics>(r))
            return unsupported("only the secondary endpoint of an account tells statistics: this one has none; give "
                               "TableSecondaryEndpoint beside TableEndpoint");
        return {};
    }

    result<http_request> try_prepare(request const& r, call_options const& o) const {
        if (auto const ok = check_support(r); !ok) return failure{ok.error()};
        if (auto const ok = detail::check_request(r); !ok) return failure{ok.error()};
        if (options_.account.endpoint.is_cosmos())
            if (auto const ok = detail::check_for_cosmos(r); !ok) return failure{ok.error()};
        auto& clock = o.clock ? *o.clock : clock::system();
        std::string id = o.request_id;
        if (id.empty()) id = random_guid(clock).text();
        if (id.size() > longest_request_id ||
            !std::all_of(id.begin(), id.end(), [](char c) { return c >= ' ' && c < 0x7F; }))
            return fail(transport_errc::invalid_request,
                        {.reason = "call_options::request_id must be at most 1 KiB of visible ASCII and blanks"});
        detail::message_frame frame{options_.account.endpoint, id, now()};
        if (std::holds_alternative<token_credential>(*options_.account.credential))
            frame.service_version = detail::version_with_tokens;
        if (std::holds_alternative<transact>(r)) {
            frame.batch = random_guid(clock);
            frame.changeset = random_guid(clock);
        }
        auto message = detail::build_request(r, frame);
        auto const signed_as = options_.service == storage_service::tables ? detail::signed_service::tables
                                                                           : detail::signed_service::queues_and_blobs;
        if (message) detail::authorize(*message, options_.account, signed_as);
        return message;
    }

    /// The function that tells the time may throw.
    response try_read(request const& r, http_request const& sent, http_result&& result) const noexcept {
        try {
            return read(r, sent, std::move(result));
        } catch (...) {
            return detail::response_of_throwing(r);
        }
    }

    response read(request const& r, http_request const& sent, http_result&& result) const {
        auto const trip = std::make_shared<round_trip>();
        trip->client_request_id = client_request_id_of(sent);
        if (!result.failure || result.failure->outcome() == outcome::in_doubt) trip->bytes_sent = sent.body.size();
        trip->secondary = options_.is_secondary;
        std::optional<ticks> served_at;
        if (!result.failure) {
            trip->status = result.response.status;
            trip->bytes_received = result.response.body.size();
            if (auto const* id = result.response.header("x-ms-request-id")) trip->request_id = *id;
            if (auto const* date = trip->status < 400 ? nullptr : result.response.header("Date"))
                served_at = detail::parse_http_date(*date);
        }
        bool const was_refused_here = result.failure && never_left(*result.failure);
        auto answer = result.failure ? refused(r, with_endpoint(*result.failure, options_.account.endpoint.origin))
                                     : detail::read_response(r, std::move(result.response), now(), kind_);
        if (answer.failure) {
            auto details = answer.failure->details();
            details.client_request_id = trip->client_request_id;
            answer.failure = error{answer.failure->code(), std::move(details)};
            answer.failure = detail::with_advice(*answer.failure, r, options_.account, now(), served_at);
        }
        if (!was_refused_here) answer.trip = trip;
        return answer;
    }

    static response refused(request const& r, error const& e) {
        return response::failed(e.in(action_of(r), table_of(r)));
    }

    rest_options const options_;
    tablemap::capabilities const capabilities_;
    store_context const context_;
    detail::table_service_kind const kind_ =
        options_.account.endpoint.is_cosmos() ? detail::table_service_kind::cosmos : detail::table_service_kind::azure;
};

/// The transport with a token added to each request.
std::shared_ptr<transport> with_tokens(rest_options const& o, token_credential const& c) {
    auto const* const own =
        o.account.endpoint.is_cosmos() ? "https://cosmos.azure.com/.default" : "https://storage.azure.com/.default";
    auto now = o.now ? o.now : std::function<ticks()>{&ticks::now};
    return detail::make_bearer_transport(o.transport, c.cache(), c.scope().empty() ? own : c.scope(), std::move(now));
}

}  // namespace

result<store_ptr> open_rest(rest_options options) {
    auto missing = [](char const* what) {
        return fail(library_errc::invalid_connection_string, {.reason = what, .action = "open"});
    };
    auto const& account = options.account;
    if (!account.credential) return missing("the account's credential is missing");
    if (account.name.empty() && detail::signs_with_key(*account.credential))
        return missing("the account's name is missing");
    if (account.endpoint.origin.host.empty()) return missing("the account's endpoint is missing");
    if (!options.transport) return missing("a transport is needed to reach the service");
    if (auto const r = detail::check_credential(*account.credential, account.endpoint.origin.scheme); !r)
        return failure{r.error().in("open", {})};
    if (auto const* c = std::get_if<token_credential>(&*account.credential))
        options.transport = with_tokens(options, *c);
    auto now = options.now ? options.now : std::function<ticks()>{&ticks::now};
    bool const is_cosmos = account.endpoint.is_cosmos();
    auto plain = std::make_shared<rest_store>(std::move(options));
    if (!is_cosmos) return plain;
    return detail::make_cosmos_store(std::move(plain), std::move(now));
}

}  // namespace tablemap
