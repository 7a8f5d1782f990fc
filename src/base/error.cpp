// SPDX-License-Identifier: Apache-2.0
#include "tablemap/base/error.hpp"

#include "base/error_name.hpp"
#include "base/error_text.hpp"

#include <array>
#include <utility>

namespace tablemap::inline v0_1 {
namespace {

struct code_row {
    int value;
    std::string_view name;  // the enumerator's; of a service code, the service's
    error_kind kind;
    bool retryable;
    char const* message;
};

template <class E>
constexpr code_row row(E value, std::string_view name, error_kind kind, char const* message, bool retryable = false) {
    return {static_cast<int>(value), name, kind, retryable, message};
}

using L = library_errc;
using S = service_errc;
using E = store_errc;
using T = transport_errc;
using K = error_kind;

constexpr std::array library_rows{
    row(L::invalid_key, "invalid_key", K::invalid_argument, "the key holds text that the service does not allow"),
    row(L::key_too_large, "key_too_large", K::too_large, "the key is longer than 512 UTF-16 code units"),
    row(L::key_part_does_not_fit, "key_part_does_not_fit", K::invalid_argument,
        "a key part does not fit the declared key"),
    row(L::unreadable_key, "unreadable_key", K::corrupt, "the stored key was not written by this mapping"),
    row(L::invalid_table_name, "invalid_table_name", K::invalid_argument, "the table name breaks the service's rules"),
    row(L::invalid_property_name, "invalid_property_name", K::invalid_argument,
        "the property name breaks the service's rules"),
    row(L::invalid_text, "invalid_text", K::invalid_argument, "the text is not valid UTF-8"),
    row(L::value_out_of_range, "value_out_of_range", K::invalid_argument,
        "the value is outside what the property's type can hold"),
    row(L::value_too_large, "value_too_large", K::too_large, "the value is larger than it may be"),
    row(L::entity_too_large, "entity_too_large", K::too_large, "the entity is larger than 1 MiB"),
    row(L::too_many_properties, "too_many_properties", K::too_large, "the entity has more than 252 properties"),
    row(L::type_mismatch, "type_mismatch", K::type_mismatch, "the stored value does not fit the C++ type"),
    row(L::merge_cannot_remove, "merge_cannot_remove", K::invalid_argument, "a merge cannot remove a property"),
    row(L::missing_etag, "missing_etag", K::invalid_argument, "the entity has no etag"),
    row(L::key_changed, "key_changed", K::invalid_argument, "the entity's key was changed"),
    row(L::malformed_response, "malformed_response", K::corrupt, "the store's response is no entity or page"),
    row(L::too_many_conflicts, "too_many_conflicts", K::precondition_failed, "another writer was faster every time"),
    row(L::response_lost, "response_lost", K::unavailable, "the response was lost", true),
    row(L::deadline_exceeded, "deadline_exceeded", K::timed_out, "the deadline passed"),
    row(L::cancelled, "cancelled", K::cancelled, "the operation was cancelled"),
    row(L::invalid_connection_string, "invalid_connection_string", K::invalid_argument,
        "the connection string cannot be used"),
    row(L::unsupported, "unsupported", K::unsupported, "the store does not support this"),
    row(L::missing_property, "missing_property", K::type_mismatch, "a row lacks a property that its type requires"),
    row(L::unknown_property, "unknown_property", K::type_mismatch, "a row has a property that its type does not have"),
    row(L::another_type, "another_type", K::type_mismatch, "a row is of another type"),
    row(L::unknown_version, "unknown_version", K::unsupported, "a row was written by a later version of its type"),
    row(L::upgrade_failed, "upgrade_failed", K::type_mismatch, "a row of an older version could not be upgraded"),
    row(L::outdated_entity, "outdated_entity", K::precondition_failed, "the row has an older version of its type"),
    row(L::invalid_cursor, "invalid_cursor", K::invalid_argument, "the continuation does not belong to this query"),
    row(L::invalid_filter, "invalid_filter", K::invalid_argument, "the text is no filter"),
    row(L::invalid_ledger, "invalid_ledger", K::invalid_argument, "the text is no ledger of a bulk write"),
    row(L::incomplete_write, "incomplete_write", K::failed, "not all rows are stored"),
    row(L::no_encryption_key, "no_encryption_key", K::invalid_argument, "there is no key to encrypt with"),
    row(L::invalid_encryption_key, "invalid_encryption_key", K::invalid_argument, "the encryption key cannot be used"),
    row(L::unknown_encryption_key, "unknown_encryption_key", K::denied, "the key of an encrypted value is not known"),
    row(L::malformed_ciphertext, "malformed_ciphertext", K::corrupt, "a value is not encrypted as it should be"),
    row(L::misplaced_ciphertext, "misplaced_ciphertext", K::corrupt, "an encrypted value belongs elsewhere"),
    row(L::altered_ciphertext, "altered_ciphertext", K::corrupt, "an encrypted value was altered"),
    row(L::unencrypted_value, "unencrypted_value", K::type_mismatch, "a value is stored unencrypted"),
    row(L::unreadable_legacy_row, "unreadable_legacy_row", K::corrupt,
        "a row encrypted by an older client cannot be read"),
    row(L::credential_failed, "credential_failed", K::denied, "no access token could be had"),
    row(L::invalid_access_signature, "invalid_access_signature", K::invalid_argument,
        "no shared access signature can be made of this"),
    row(L::unique_value_taken, "unique_value_taken", K::already_exists, "another entity has this value"),
    row(L::effect_failed, "effect_failed", K::failed, "a handler of a relay failed"),
    row(L::period_over, "period_over", K::invalid_argument, "the period of this entity is over"),
};

constexpr std::array service_rows{
    row(S::unknown, "unknown", K::failed, "the service reported a code that tablemap does not know"),
    row(S::entity_already_exists, "EntityAlreadyExists", K::already_exists, "the entity exists already"),
    row(S::table_already_exists, "TableAlreadyExists", K::already_exists, "the table exists already"),
    row(S::table_being_deleted, "TableBeingDeleted", K::unavailable, "the table is being deleted", true),
    row(S::resource_not_found, "ResourceNotFound", K::not_found, "the entity or table does not exist"),
    row(S::table_not_found, "TableNotFound", K::not_found, "the table does not exist"),
    row(S::update_condition_not_satisfied, "UpdateConditionNotSatisfied", K::precondition_failed,
        "the entity or blob was changed since it was read"),
    row(S::invalid_input, "InvalidInput", K::invalid_argument, "the request is malformed"),
    row(S::invalid_resource_name, "InvalidResourceName", K::invalid_argument, "the name breaks the rules"),
    row(S::invalid_value_type, "InvalidValueType", K::invalid_argument, "a value does not have its declared type"),
    row(S::invalid_duplicate_row, "InvalidDuplicateRow", K::invalid_argument,
        "a group transaction names one entity twice"),
    row(S::commands_in_batch_act_on_different_partitions, "CommandsInBatchActOnDifferentPartitions",
        K::invalid_argument, "a group transaction names two partitions"),
    row(S::duplicate_properties_specified, "DuplicatePropertiesSpecified", K::invalid_argument,
        "a property is given twice"),
    row(S::entity_too_large, "EntityTooLarge", K::too_large, "the entity is larger than 1 MiB"),
    row(S::key_value_too_large, "KeyValueTooLarge", K::too_large, "a key is longer than 512 UTF-16 code units"),
    row(S::out_of_range_input, "OutOfRangeInput", K::invalid_argument, "a value is outside its range"),
    row(S::properties_need_value, "PropertiesNeedValue", K::invalid_argument, "a key has no value"),
    row(S::property_name_invalid, "PropertyNameInvalid", K::invalid_argument, "a property name breaks the rules"),
    row(S::property_name_too_long, "PropertyNameTooLong", K::too_large,
        "a property name is longer than 255 characters"),
    row(S::property_value_too_large, "PropertyValueTooLarge", K::too_large, "a value is larger than 64 KiB"),
    row(S::request_body_too_large, "RequestBodyTooLarge", K::too_large, "the body of the request is too large"),
    row(S::too_many_properties, "TooManyProperties", K::too_large, "the entity has more than 252 properties"),
    row(S::server_busy, "ServerBusy", K::unavailable, "the store is busy", true),
    row(S::operation_timed_out, "OperationTimedOut", K::unavailable, "the store gave up on time", true),
    row(S::internal_error, "InternalError", K::unavailable, "the store failed for a reason of its own", true),
    row(S::table_server_out_of_memory, "TableServerOutOfMemory", K::unavailable, "the store ran out of memory", true),
    row(S::too_many_requests, "TooManyRequests", K::unavailable, "the store takes no more requests for now", true),
    row(S::authentication_failed, "AuthenticationFailed", K::denied, "the request's signature was refused"),
    row(S::authorization_failure, "AuthorizationFailure", K::denied, "the request is not authorised"),
    row(S::authorization_permission_mismatch, "AuthorizationPermissionMismatch", K::denied,
        "the credential lacks the permission"),
    row(S::authorization_resource_type_mismatch, "AuthorizationResourceTypeMismatch", K::denied,
        "the credential is not for this type of resource"),
    row(S::authorization_service_mismatch, "AuthorizationServiceMismatch", K::denied,
        "the credential is not for this service"),
    row(S::authorization_protocol_mismatch, "AuthorizationProtocolMismatch", K::denied,
        "the credential is not for this protocol"),
    row(S::authorization_source_ip_mismatch, "AuthorizationSourceIPMismatch", K::denied,
        "the credential is not for this machine's address"),
    row(S::insufficient_account_permissions, "InsufficientAccountPermissions", K::denied,
        "the account lacks the permission"),
    row(S::account_is_disabled, "AccountIsDisabled", K::denied, "the account is disabled"),
    row(S::key_based_authentication_not_permitted, "KeyBasedAuthenticationNotPermitted", K::denied,
        "the account does not take its keys as a credential"),
    row(S::invalid_authentication_info, "InvalidAuthenticationInfo", K::denied, "the credential is malformed"),
    row(S::no_authentication_information, "NoAuthenticationInformation", K::denied, "the credential is missing"),
    row(S::invalid_operation, "InvalidOperation", K::denied, "the operation is not allowed here"),
    row(S::not_implemented, "NotImplemented", K::unsupported, "the service cannot do that"),
    row(S::method_not_allowed, "MethodNotAllowed", K::unsupported, "the service does not take this method here"),
    row(S::unsupported_http_verb, "UnsupportedHttpVerb", K::unsupported, "the service does not know this method"),
    row(S::media_type_not_supported, "MediaTypeNotSupported", K::unsupported,
        "the service does not know this content type"),
    row(S::atom_format_not_supported, "AtomFormatNotSupported", K::unsupported, "the service speaks no Atom"),
    row(S::json_format_not_supported, "JsonFormatNotSupported", K::unsupported,
        "the service does not speak this form of JSON"),
    row(S::content_length_exceeded, "ContentLengthExceeded", K::too_large,
        "the request is larger than the service takes"),
    row(S::missing_content_length_header, "MissingContentLengthHeader", K::invalid_argument,
        "the request does not tell its length"),
    row(S::missing_required_header, "MissingRequiredHeader", K::invalid_argument, "a header is missing"),
    row(S::unsupported_header, "UnsupportedHeader", K::invalid_argument, "the service does not know a header"),
    row(S::invalid_header_value, "InvalidHeaderValue", K::invalid_argument, "a header's value is malformed"),
    row(S::invalid_uri, "InvalidUri", K::invalid_argument, "the request's URL is malformed"),
    row(S::invalid_query_parameter_value, "InvalidQueryParameterValue", K::invalid_argument,
        "a parameter of the URL is malformed"),
    row(S::out_of_range_query_parameter_value, "OutOfRangeQueryParameterValue", K::invalid_argument,
        "a parameter of the URL is outside its range"),
    row(S::host_information_not_present, "HostInformationNotPresent", K::invalid_argument,
        "the request does not tell its host"),
    row(S::operator_invalid, "OperatorInvalid", K::invalid_argument,
        "the filter holds an operator that does not exist"),
    row(S::partition_key_not_specified, "PartitionKeyNotSpecified", K::invalid_argument,
        "the partition key is missing"),
    row(S::partition_key_property_cannot_be_updated, "PartitionKeyPropertyCannotBeUpdated", K::invalid_argument,
        "a partition key cannot be changed"),
    row(S::primary_key_property_is_invalid_type, "PrimaryKeyPropertyIsInvalidType", K::invalid_argument,
        "a key is no string"),
    row(S::duplicate_key_property_specified, "DuplicateKeyPropertySpecified", K::invalid_argument,
        "a key is given twice"),
    row(S::invalid_xml_document, "InvalidXmlDocument", K::invalid_argument, "a setting is none that the service takes"),
    row(S::queue_not_found, "QueueNotFound", K::not_found, "the queue does not exist"),
    row(S::queue_already_exists, "QueueAlreadyExists", K::already_exists, "the queue exists already"),
    row(S::queue_being_deleted, "QueueBeingDeleted", K::unavailable, "the queue is being deleted", true),
    row(S::queue_disabled, "QueueDisabled", K::denied, "the queue is disabled"),
    row(S::message_not_found, "MessageNotFound", K::not_found, "the message does not exist"),
    row(S::message_too_large, "MessageTooLarge", K::too_large, "the message is larger than 64 KiB"),
    row(S::pop_receipt_mismatch, "PopReceiptMismatch", K::precondition_failed,
        "another receiver took or changed the message since"),
    row(S::invalid_marker, "InvalidMarker", K::invalid_argument, "the receipt is none of a queue"),
    row(S::container_not_found, "ContainerNotFound", K::not_found, "the container does not exist"),
    row(S::container_already_exists, "ContainerAlreadyExists", K::already_exists, "the container exists already"),
    row(S::container_being_deleted, "ContainerBeingDeleted", K::unavailable, "the container is being deleted", true),
    row(S::container_disabled, "ContainerDisabled", K::denied, "the container is disabled"),
    row(S::blob_not_found, "BlobNotFound", K::not_found, "the blob does not exist"),
    row(S::blob_already_exists, "BlobAlreadyExists", K::already_exists, "the blob exists already"),
    row(S::blob_archived, "BlobArchived", K::unsupported, "the blob is archived"),
    row(S::append_position_condition_not_met, "AppendPositionConditionNotMet", K::precondition_failed,
        "the blob has another size"),
    row(S::max_blob_size_condition_not_met, "MaxBlobSizeConditionNotMet", K::precondition_failed,
        "the blob would exceed the given size"),
    row(S::block_count_exceeds_limit, "BlockCountExceedsLimit", K::too_large, "the blob has too many blocks"),
    row(S::invalid_blob_type, "InvalidBlobType", K::invalid_argument, "the blob is of another kind"),
    row(S::invalid_blob_or_block, "InvalidBlobOrBlock", K::invalid_argument, "the block does not fit the blob"),
    row(S::invalid_block_id, "InvalidBlockId", K::invalid_argument, "the block id cannot be used"),
    row(S::invalid_block_list, "InvalidBlockList", K::invalid_argument,
        "a block of the list is neither staged nor in the blob"),
    row(S::invalid_range, "InvalidRange", K::invalid_argument, "the range begins behind the end of the blob"),
    row(S::lease_id_missing, "LeaseIdMissing", K::denied, "another client has a lease on it"),
    row(S::snapshots_present, "SnapshotsPresent", K::already_exists, "the blob has snapshots"),
};

constexpr std::array store_rows{
    row(E::cannot_open, "cannot_open", K::failed, "the file cannot be opened"),
    row(E::not_a_database, "not_a_database", K::corrupt, "the file is no database"),
    row(E::foreign_database, "foreign_database", K::invalid_argument, "the file is a database of another program"),
    row(E::newer_format, "newer_format", K::unsupported, "the file was written by a later version of tablemap"),
    row(E::corrupt, "corrupt", K::corrupt, "the database file is damaged"),
    row(E::full, "full", K::no_space, "the database may not grow"),
    row(E::busy, "busy", K::unavailable, "another process holds the database", true),
    row(E::read_only, "read_only", K::denied, "the database cannot be written"),
    row(E::io_failed, "io_failed", K::failed, "reading or writing the file failed"),
    row(E::failed, "failed", K::failed, "the database reported a failure"),
    row(E::file_gone, "file_gone", K::failed, "the file is not the one that was opened"),
};

constexpr std::array transport_rows{
    row(T::cannot_connect, "cannot_connect", K::unavailable, "the server cannot be reached", true),
    row(T::name_not_found, "name_not_found", K::unavailable, "the server's name has no address", true),
    row(T::tls_failed, "tls_failed", K::denied, "no trusted TLS connection can be made"),
    row(T::connection_lost, "connection_lost", K::unavailable, "the connection was lost", true),
    row(T::response_cut_short, "response_cut_short", K::unavailable, "the connection was lost within the response",
        true),
    row(T::response_too_large, "response_too_large", K::too_large, "the response is larger than the transport takes"),
    row(T::malformed_http, "malformed_http", K::corrupt, "the server's response is not HTTP"),
    row(T::timed_out, "timed_out", K::unavailable, "the server did not answer in time", true),
    row(T::invalid_request, "invalid_request", K::invalid_argument, "the request cannot be sent over HTTP"),
    row(T::failed, "failed", K::failed, "the transport failed"),
};

template <std::size_t N> constexpr bool values_count_from_one(std::array<code_row, N> const& rows) {
    for (std::size_t i = 0; i < N; ++i)
        if (rows[i].value != static_cast<int>(i) + 1) return false;
    return true;
}
template <std::size_t N> constexpr bool names_differ(std::array<code_row, N> const& rows) {
    for (std::size_t i = 0; i < N; ++i)
        for (std::size_t j = 0; j <= i; ++j)
            if (rows[i].name.empty() || (i != j && rows[i].name == rows[j].name)) return false;
    return true;
}
static_assert(names_differ(library_rows) && names_differ(service_rows) && names_differ(store_rows) &&
              names_differ(transport_rows));
static_assert(values_count_from_one(library_rows) && values_count_from_one(service_rows) &&
              values_count_from_one(store_rows) && values_count_from_one(transport_rows));

class area final : public std::error_category {
public:
    template <std::size_t N>
    constexpr area(char const* name, error_source source, std::array<code_row, N> const& rows) noexcept
        : name_(name), source_(source), rows_(rows.data()), size_(N) {}

    char const* name() const noexcept override { return name_; }
    std::string message(int value) const override {
        auto const* r = find(value);
        return r ? r->message : "unknown code " + std::to_string(value);
    }
    bool equivalent(int value, std::error_condition const& c) const noexcept override {
        if (c.category() == error_source_category()) return c.value() == static_cast<int>(source_);
        if (c.category() == error_kind_category()) {
            auto const* r = find(value);
            return r && c.value() == static_cast<int>(r->kind);
        }
        return default_error_condition(value) == c;
    }
    code_row const* find(int value) const noexcept {
        return value >= 1 && static_cast<std::size_t>(value) <= size_ ? rows_ + value - 1 : nullptr;
    }
    error_source source() const noexcept { return source_; }

private:
    char const* name_;
    error_source source_;
    code_row const* rows_;
    std::size_t size_;
};

class conditions final : public std::error_category {
public:
    constexpr conditions(char const* name, char const* const* texts, std::size_t size) noexcept
        : name_(name), texts_(texts), size_(size) {}
    char const* name() const noexcept override { return name_; }
    std::string message(int value) const override {
        if (value >= 1 && static_cast<std::size_t>(value) <= size_) return texts_[value - 1];
        return "unknown condition " + std::to_string(value);
    }

private:
    char const* name_;
    char const* const* texts_;
    std::size_t size_;
};

constexpr char const* source_texts[] = {"found by tablemap", "said by the service", "on the way to the store",
                                        "in the embedded store's file"};
constexpr char const* kind_texts[] = {"invalid argument", "not found",     "already exists", "precondition failed",
                                      "too large",        "type mismatch", "unavailable",    "timed out",
                                      "cancelled",        "denied",        "corrupt",        "no space",
                                      "unsupported",      "failed"};

area const library_area{"tablemap.library", error_source::library, library_rows};
area const service_area{"tablemap.service", error_source::service, service_rows};
area const store_area{"tablemap.store", error_source::store, store_rows};
area const transport_area{"tablemap.transport", error_source::transport, transport_rows};
conditions const source_conditions{"tablemap.source", source_texts, std::size(source_texts)};
conditions const kind_conditions{"tablemap.kind", kind_texts, std::size(kind_texts)};

code_row const* find_row(std::error_code code) noexcept {
    for (auto const* a : {&library_area, &service_area, &store_area, &transport_area})
        if (code.category() == *a) return a->find(code.value());
    return nullptr;
}

/// The remedy of a failure, whichever store reported it; empty where it is obvious.
std::string_view remedy_of(std::error_code code) noexcept {
    if (code == S::table_not_found) return "create the table first, for example with create_if_not_exists()";
    if (code == S::queue_not_found || code == S::container_not_found)
        return "create it first, for example with create_if_not_exists()";
    if (code == S::update_condition_not_satisfied) return "read it again and repeat the change, as modify does";
    return {};
}

/// True if the action ends with the kind of what it acts on.
bool names_resource(std::string_view action) noexcept {
    return action.ends_with("table") || action.ends_with("queue") || action.ends_with("container");
}

/// The words between an action and the name of what it acts on.
std::string place_before(std::string_view action, std::string_view place) {
    if (action.empty()) return std::string{place} + " ";
    return names_resource(action) ? " " : " in " + std::string{place} + " ";
}

std::string describe(std::error_code code, error_details const& d, detail::error_words const& words) {
    std::string text;
    if (!d.action.empty()) text += d.action;
    if (!d.table.empty()) text.append(place_before(text, words.place)).append("'" + d.table + "'");
    if (d.failed_index) text += ", operation " + std::to_string(*d.failed_index);
    if (!d.failed_action.empty()) text += " (" + d.failed_action + ")";
    if (!d.member.empty()) text += (text.empty() ? "member '" : ", member '") + d.member + '\'';
    if (!text.empty()) text += ": ";
    text += code.message();
    if (!d.reason.empty()) text += ": " + d.reason;
    if (!words.remedy.empty()) text.append(d.reason.empty() ? ": " : "; ").append(words.remedy);
    if (d.outcome == outcome::in_doubt) text += " (in doubt: the change may be stored or not)";
    return text;
}

}  // namespace

std::error_category const& library_category() noexcept { return library_area; }
std::error_category const& service_category() noexcept { return service_area; }
std::error_category const& store_category() noexcept { return store_area; }
std::error_category const& transport_category() noexcept { return transport_area; }
std::error_category const& error_source_category() noexcept { return source_conditions; }
std::error_category const& error_kind_category() noexcept { return kind_conditions; }

std::string_view service_code_name(service_errc e) noexcept {
    auto const* r = service_area.find(static_cast<int>(e));
    return r && e != service_errc::unknown ? r->name : std::string_view{};
}

service_errc service_code_from_name(std::string_view name) noexcept {
    for (auto const& r : service_rows)
        if (r.name == name) return static_cast<service_errc>(r.value);
    return service_errc::unknown;
}

std::string_view detail::error_name(std::error_code code) noexcept {
    auto const* r = find_row(code);
    return r ? r->name : std::string_view{};
}

std::string detail::describe(error const& e, error_words const& words) {
    return v0_1::describe(e.code(), e.details(), words);
}

bool operator==(property_fault const&, property_fault const&) = default;
bool operator==(error_details const&, error_details const&) = default;

struct error::block {
    error_details details;
    std::string what;
};

error::error(std::error_code code, error_details details) : std::system_error(code) {
    auto what = describe(code, details, {.remedy = remedy_of(code)});
    block_ = std::make_shared<block const>(block{std::move(details), std::move(what)});
}

error::error(error const&) noexcept = default;
error& error::operator=(error const&) noexcept = default;
error::~error() = default;

bool operator==(error const& a, error const& b) noexcept { return a.code() == b.code() && a.details() == b.details(); }

char const* error::what() const noexcept { return block_->what.c_str(); }

error_kind error::kind() const noexcept {
    auto const* r = find_row(code());
    return r ? r->kind : error_kind::failed;
}

error_source error::source() const noexcept {
    for (auto const* a : {&service_area, &store_area, &transport_area})
        if (code().category() == *a) return a->source();
    return error_source::library;
}

bool error::retryable() const noexcept {
    auto const* r = find_row(code());
    return r && r->retryable && block_->details.outcome != outcome::in_doubt;
}

outcome error::outcome() const noexcept { return block_->details.outcome; }
std::string const& error::table() const& noexcept { return block_->details.table; }
std::string const& error::member() const& noexcept { return block_->details.member; }
std::string const& error::server_text() const& noexcept { return block_->details.server_text; }
std::optional<std::size_t> error::failed_index() const noexcept { return block_->details.failed_index; }
std::optional<entity_key> const& error::failed_key() const& noexcept { return block_->details.failed_key; }
std::string const& error::failed_action() const& noexcept { return block_->details.failed_action; }
std::span<property_fault const> error::faults() const& noexcept { return block_->details.faults; }
error_details const& error::details() const& noexcept { return block_->details; }

std::string error::table() const&& { return block_->details.table; }
std::string error::member() const&& { return block_->details.member; }
std::string error::server_text() const&& { return block_->details.server_text; }
std::optional<entity_key> error::failed_key() const&& { return block_->details.failed_key; }
std::string error::failed_action() const&& { return block_->details.failed_action; }
std::vector<property_fault> error::faults() const&& { return block_->details.faults; }
error_details error::details() const&& { return block_->details; }

error error::in(std::string_view action, std::string_view table) const {
    auto d = block_->details;
    d.action = action;
    if (d.table.empty()) d.table = table;
    return error{code(), std::move(d)};
}

error error::at(std::string_view member) const {
    auto d = block_->details;
    d.member = member;
    return error{code(), std::move(d)};
}

error error::with(tablemap::outcome o) const {
    auto d = block_->details;
    d.outcome = o;
    return error{code(), std::move(d)};
}

}  // namespace tablemap
