// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/entity_key.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace tablemap::inline v0_1 {

/// The origin of an error. An error condition: `e.code() == error_source::service` holds for every code of that area.
enum class error_source {
    library = 1,  ///< found by tablemap itself, before or after the store was asked
    service,      ///< reported by the table service, or by a store that keeps the service's rules
    transport,    ///< on the way to a remote store
    store,        ///< the embedded store's file
};

/// The kind of an error, in whichever area its code is. An error condition, like `error_source`.
enum class error_kind {
    invalid_argument = 1,  ///< a name, key, value or call that can never work
    not_found,             ///< no such table or entity
    already_exists,        ///< a table or an entity is there already
    precondition_failed,   ///< the etag is no longer the entity's
    too_large,             ///< a limit of the service
    type_mismatch,         ///< what is stored does not fit the C++ type
    unavailable,           ///< busy or throttled: the same call may work later
    timed_out,             ///< the deadline passed
    cancelled,             ///< a stop was requested
    denied,                ///< not allowed
    corrupt,               ///< data that was read is not what a store or this library writes
    no_space,              ///< the store may not grow
    unsupported,           ///< this store cannot do that
    failed,                ///< any other failure of the store or its surroundings
};

/// The effect of a write.
enum class outcome {
    not_applied,  ///< nothing was changed
    applied,      ///< the change is stored
    in_doubt,     ///< the response was lost: the change may be stored or not
};

/// Faults that tablemap finds itself (`error_source::library`).
enum class library_errc {
    invalid_key = 1,        ///< a character that keys may not hold, or text that is not UTF-8
    key_too_large,          ///< more than 512 UTF-16 code units
    key_part_does_not_fit,  ///< a part is too wide, negative, holds the text that ends it, or leaves the key empty
    unreadable_key,         ///< a stored key that the mapping cannot have written
    invalid_table_name,
    invalid_property_name,
    invalid_text,         ///< a string that is not UTF-8
    value_out_of_range,   ///< outside what the property's type can hold
    value_too_large,      ///< more bytes than a property or a list may have
    entity_too_large,     ///< more than 1 MiB in one entity
    too_many_properties,  ///< more than 252
    type_mismatch,        ///< the stored value does not fit the member
    merge_cannot_remove,  ///< a merge of an empty optional
    missing_etag,         ///< a conditional write of an entity that was not read
    key_changed,          ///< `modify` was given a function that changes a member of the key
    malformed_response,   ///< bytes of a store that are no entity or page
    too_many_conflicts,   ///< `modify` or `retry_on_conflict` met a faster writer every time
    response_lost,  ///< the connection was lost while the response came; the outcome tells whether a write is in doubt
    deadline_exceeded,
    cancelled,
    invalid_connection_string,
    unsupported,
    missing_property,        ///< a row lacks a property that its type requires
    unknown_property,        ///< a row has a property that its type refuses
    another_type,            ///< a row's discriminator names another type
    unknown_version,         ///< a row was written by a later version of its type
    upgrade_failed,          ///< an upgrade function threw an exception
    outdated_entity,         ///< a merge of an entity whose row has an older version of its type
    invalid_cursor,          ///< a continuation that this query did not produce
    invalid_filter,          ///< text that is no filter
    invalid_ledger,          ///< text that is no ledger of a bulk write
    incomplete_write,        ///< rows of a bulk write are not stored
    no_encryption_key,       ///< a table with encrypted members on a store without keys, or none to write with
    invalid_encryption_key,  ///< a key of a wrong length, or an id that cannot be one
    unknown_encryption_key,  ///< an encrypted value names a key that the program does not have
    malformed_ciphertext,    ///< a value that is no encrypted one, or not all of one
    misplaced_ciphertext,  ///< an encrypted value of another table, row, property or type, or of another key of that id
    altered_ciphertext,    ///< an encrypted value that was changed since it was written
    unencrypted_value,     ///< an encrypted member whose property holds a value that is not encrypted
    unreadable_legacy_row,     ///< a row of an older client's encryption that cannot be decrypted
    credential_failed,         ///< the program's own function gave no token
    invalid_access_signature,  ///< terms of which no shared access signature can be made
    unique_value_taken,        ///< another entity has this value in a unique index
    effect_failed,             ///< a handler of a relay failed
    period_over,               ///< an entity whose table a `rolling_table` does not create, since it is too old
};

/// Codes of the services of tables, queues and blobs, used by every store. `service_code_name` gives their names at the
/// service ("EntityAlreadyExists"). A code that is not listed here arrives as the code that its HTTP status stands for,
/// or, at 404, 409 and 412, on which programs act, as `unknown`; `server_text()` holds its name.
enum class service_errc {
    unknown = 1,
    entity_already_exists,
    table_already_exists,
    table_being_deleted,
    resource_not_found,
    table_not_found,
    update_condition_not_satisfied,
    invalid_input,
    invalid_resource_name,
    invalid_value_type,
    invalid_duplicate_row,
    commands_in_batch_act_on_different_partitions,
    duplicate_properties_specified,
    entity_too_large,
    key_value_too_large,
    out_of_range_input,
    properties_need_value,
    property_name_invalid,
    property_name_too_long,
    property_value_too_large,
    request_body_too_large,
    too_many_properties,
    server_busy,
    operation_timed_out,
    internal_error,
    table_server_out_of_memory,
    too_many_requests,
    authentication_failed,
    authorization_failure,
    authorization_permission_mismatch,
    authorization_resource_type_mismatch,
    authorization_service_mismatch,
    authorization_protocol_mismatch,
    authorization_source_ip_mismatch,
    insufficient_account_permissions,
    account_is_disabled,
    key_based_authentication_not_permitted,
    invalid_authentication_info,
    no_authentication_information,
    invalid_operation,
    not_implemented,
    method_not_allowed,
    unsupported_http_verb,
    media_type_not_supported,
    atom_format_not_supported,
    json_format_not_supported,
    content_length_exceeded,
    missing_content_length_header,
    missing_required_header,
    unsupported_header,
    invalid_header_value,
    invalid_uri,
    invalid_query_parameter_value,
    out_of_range_query_parameter_value,
    host_information_not_present,
    operator_invalid,
    partition_key_not_specified,
    partition_key_property_cannot_be_updated,
    primary_key_property_is_invalid_type,
    duplicate_key_property_specified,
    invalid_xml_document,
    queue_not_found,
    queue_already_exists,
    queue_being_deleted,
    queue_disabled,
    message_not_found,
    message_too_large,
    pop_receipt_mismatch,
    invalid_marker,
    container_not_found,
    container_already_exists,
    container_being_deleted,
    container_disabled,
    blob_not_found,
    blob_already_exists,
    blob_archived,
    append_position_condition_not_met,
    max_blob_size_condition_not_met,
    block_count_exceeds_limit,
    invalid_blob_type,
    invalid_blob_or_block,
    invalid_block_id,
    invalid_block_list,
    invalid_range,
    lease_id_missing,
    snapshots_present,
};

/// Faults of the embedded store's file (`error_source::store`).
enum class store_errc {
    cannot_open = 1,   ///< the path cannot be opened or created
    not_a_database,    ///< a file that SQLite did not write
    foreign_database,  ///< an SQLite database of another program
    newer_format,      ///< written by a later version of tablemap
    corrupt,
    full,  ///< the disk or `max_page_count`
    busy,  ///< another process held the file for too long
    read_only,
    io_failed,
    failed,     ///< anything else that SQLite reports
    file_gone,  ///< the file was deleted, renamed or replaced while it was open
};

/// Faults between tablemap and a remote store (`error_source::transport`).
enum class transport_errc {
    cannot_connect = 1,  ///< refused, or no route to the server
    name_not_found,      ///< the server's name has no address
    tls_failed,          ///< no encrypted connection, or a certificate that cannot be trusted
    connection_lost,     ///< before the response began
    response_cut_short,  ///< the connection was lost within the response
    response_too_large,  ///< more than `transport_options::largest_response`
    malformed_http,      ///< what came is no response in HTTP
    timed_out,           ///< no response within `transport_options::longest_request`
    invalid_request,     ///< text that HTTP cannot carry in a target, a method or a header
    failed,              ///< anything else
};

std::error_category const& library_category() noexcept;
std::error_category const& service_category() noexcept;
std::error_category const& store_category() noexcept;
std::error_category const& transport_category() noexcept;
std::error_category const& error_source_category() noexcept;
std::error_category const& error_kind_category() noexcept;

inline std::error_code make_error_code(library_errc e) noexcept { return {static_cast<int>(e), library_category()}; }
inline std::error_code make_error_code(service_errc e) noexcept { return {static_cast<int>(e), service_category()}; }
inline std::error_code make_error_code(store_errc e) noexcept { return {static_cast<int>(e), store_category()}; }
inline std::error_code make_error_code(transport_errc e) noexcept {
    return {static_cast<int>(e), transport_category()};
}
inline std::error_condition make_error_condition(error_source s) noexcept {
    return {static_cast<int>(s), error_source_category()};
}
inline std::error_condition make_error_condition(error_kind k) noexcept {
    return {static_cast<int>(k), error_kind_category()};
}

/// The service's own name of a code, such as "EntityAlreadyExists"; empty for `service_errc::unknown`.
std::string_view service_code_name(service_errc e) noexcept;

/// The code of a service name; `service_errc::unknown` for a name that is not listed.
service_errc service_code_from_name(std::string_view name) noexcept;

/// One fault of a row that was read.
struct property_fault {
    std::error_code code{};
    std::string property{};  ///< its name in the store, or the member of a key
    std::string expected{};  ///< a type such as "Edm.Int32"; empty if the fault is another than the type
    std::string found{};     ///< the stored type, where one is expected
    std::string reason{};    ///< what is wrong and what to do, a sentence without its full stop

    friend bool operator==(property_fault const& a, property_fault const& b);
};

/// Details of a failure beside its code. All but `server_text` and `failed_key` is made by tablemap and holds no key
/// and no value of the user's data.
struct error_details {
    std::string reason{};             ///< what is wrong and what to do, a sentence without its full stop
    std::string action{};             ///< the action that failed, such as "insert"
    std::string table{};              ///< the table's name
    std::string member{};             ///< the member or property at fault
    std::string server_text{};        ///< the text of a store, without credentials: may hold keys and values
    std::string request_id{};         ///< the id of the request at a remote store, for its support
    std::string client_request_id{};  ///< the id that the request carried: `call_options::request_id` or a random one
    tablemap::outcome outcome = tablemap::outcome::not_applied;
    std::optional<std::size_t> failed_index{};  ///< in a group transaction: the operation at fault, from 0
    std::optional<entity_key> failed_key{};     ///< its entity, where tablemap can tell; data of the user
    std::string failed_action{};                ///< its action, such as "insert"
    std::vector<property_fault> faults{};       ///< everything that is wrong with a row that cannot be read

    friend bool operator==(error_details const& a, error_details const& b);
};

/// The one exception type of tablemap, and the error of every `result<T>`.
///
/// Compare `code()` with a code (`service_errc::table_not_found`) or with a condition (`error_kind::not_found`).
/// `what()` says what failed, on which table and member, and what to do; it holds no key, no value and no text of a
/// server. Copies are cheap and share their text. The accessors of a temporary error return copies.
///
/// \par Thread safety
/// Immutable.
class error : public std::system_error {
public:
    explicit error(std::error_code code, error_details details = {});

    // No moves: an error that was moved from would have nothing to say, and what() may be asked of it.
    error(error const&) noexcept;
    error& operator=(error const&) noexcept;
    ~error() override;

    char const* what() const noexcept override;

    error_kind kind() const noexcept;
    error_source source() const noexcept;

    /// True if the same call may succeed later without any change: busy, throttled, timed out at the store. False for a
    /// write that is in doubt: read first whether it was stored.
    bool retryable() const noexcept;

    /// The effect of the write; `not_applied` for reads. After `in_doubt`, read whether the change was stored.
    tablemap::outcome outcome() const noexcept;

    std::string const& table() const& noexcept;
    std::string table() const&&;
    std::string const& member() const& noexcept;
    std::string member() const&&;

    /// The text of the store. It may hold keys and values of the data: do not log it by default.
    std::string const& server_text() const& noexcept;
    std::string server_text() const&&;

    /// The operation at fault in a failed group transaction, counted from 0, if the store reported it.
    std::optional<std::size_t> failed_index() const noexcept;

    /// The keys of that operation's entity. They are data of the user, and not in `what()`: do not log them by default.
    std::optional<entity_key> const& failed_key() const& noexcept;
    std::optional<entity_key> failed_key() const&&;

    /// The action of that operation, such as "insert"; empty if there is none.
    std::string const& failed_action() const& noexcept;
    std::string failed_action() const&&;

    /// Everything that is wrong with a row that cannot be read; empty for other errors. `code()` is that of the first
    /// fault.
    std::span<property_fault const> faults() const& noexcept;
    std::vector<property_fault> faults() const&&;

    error_details const& details() const& noexcept;
    error_details details() const&&;

    /// The same error with the `action`, and with the table unless the error names one already.
    error in(std::string_view action, std::string_view table) const;

    /// The same error for this member or property.
    error at(std::string_view member) const;

    /// The same error with another outcome.
    error with(tablemap::outcome o) const;

    friend bool operator==(error const& a, error const& b) noexcept;

private:
    struct block;
    std::shared_ptr<block const> block_;
};

}  // namespace tablemap

template <> struct std::is_error_code_enum<tablemap::library_errc> : std::true_type {};
template <> struct std::is_error_code_enum<tablemap::service_errc> : std::true_type {};
template <> struct std::is_error_code_enum<tablemap::store_errc> : std::true_type {};
template <> struct std::is_error_code_enum<tablemap::transport_errc> : std::true_type {};
template <> struct std::is_error_condition_enum<tablemap::error_source> : std::true_type {};
template <> struct std::is_error_condition_enum<tablemap::error_kind> : std::true_type {};
