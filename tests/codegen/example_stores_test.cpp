// SPDX-License-Identifier: Apache-2.0
//
// Infers schemas from the stores that the examples leave behind. They are those under examples/, and the types that are
// generated from them read the stores.

#include "codegen/cases.hpp"
#include "codegen/fixed_point.hpp"

#include <examples/archive.hpp>
#include <examples/claims.hpp>
#include <examples/company.hpp>
#include <examples/documents.hpp>
#include <examples/personnel.hpp>
#include <examples/quickstart.hpp>
#include <examples/signins.hpp>
#include <examples/telemetry.hpp>

#include <gtest/gtest.h>

#include <string>

namespace tablemap::test {
namespace {

/// One table of the store of an example.
struct example_table {
    std::string folder{};  ///< in which the example ran
    std::string store{};   ///< the name of its file and of the schema
    std::string table{};
};

store_ptr open_store(example_table const& e) {
    return open("embedded:" TABLEMAP_EXAMPLE_RUNS "/" + e.folder + "/" + e.store + ".db");
}

/// Expects that the schema of the store is the one in the repository.
void expect_schema(example_table const& e) {
    EXPECT_EQ(schema_of(open_store(e), e.table, "inferred::" + e.store),
              read_text(TABLEMAP_CODEGEN_CASES "/examples/" + e.store + ".json"));
}

/// Expects, too, that its types read and write the rows.
template <class... Types> void expect_example(example_table const& e) {
    expect_schema(e);
    expect_fixed_point<Types...>(open_store(e), e.table);
}

TEST(example_stores, lead_to_schemas_that_are_fixed_points) {
    expect_example<inferred::archive::former_employee>({"archive_worker", "archive", "FormerEmployees"});
    expect_example<inferred::claims::claim, inferred::claims::receipt>({"expense_claims", "claims", "ExpenseClaims"});
    expect_example<inferred::company::employee, inferred::company::department>({"company", "company", "Company"});
    expect_example<inferred::documents::review, inferred::documents::doc>({"documents", "documents", "Documents"});
    expect_example<inferred::quickstart::subdivision, inferred::quickstart::country>(
        {"quickstart", "quickstart", "Iso3166"});
    expect_example<inferred::signins::signins20140730>({"sign_ins", "signins", "signins20140730"});
    expect_example<inferred::telemetry::reading>({"telemetry_ingest", "telemetry", "Readings"});
}

TEST(example_stores, with_encrypted_properties_are_read_without_a_key) {
    example_table const personnel{"personnel_records", "personnel", "Personnel"};
    expect_schema(personnel);
    EXPECT_EQ(count_read<inferred::personnel::personnel>(open_store(personnel), "Personnel"), 2u);
}

}  // namespace
}  // namespace tablemap::test
