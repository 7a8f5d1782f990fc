// SPDX-License-Identifier: Apache-2.0
//
// usage: node peers.js FOLDER_OF_THE_CLIENT TABLE_ENDPOINT
//
// What the service's client for JavaScript pays for an operation: lines CLIENT, TAB, OPERATION, TAB, microseconds of CPU time
// of this process, medians of seven rounds. scripts/bench-peers starts the server with canned answers.

'use strict';

const { createRequire } = require('module');
const [, , folder, endpoint] = process.argv;
const load = createRequire(folder + '/package.json');
const { AzureNamedKeyCredential, TableClient } = load('@azure/data-tables');
const { version } = require(folder + '/node_modules/@azure/data-tables/package.json');

const credential = new AzureNamedKeyCredential('account', Buffer.alloc(64, 7).toString('base64'));
const options = { allowInsecureConnection: true, retryOptions: { maxRetries: 0 } };
const client = (table) => new TableClient(endpoint, table, credential, options);
const employees = client('employees');
const pages = client('pages');

function employee(number) {
    const text = String(100000 + number);
    return {
        partitionKey: 'Sales', rowKey: 'empid_' + String(number).padStart(6, '0'), first: 'Donald', last: 'Hall' + text,
        email: `donh${text}@contoso.com`, phone: '+1 555 ' + text, city: 'Seattle, Washington',
        notes: 'Talks to customers in the north and knows every one of them by name. '.repeat(8),
        age: 20 + number % 50, level: number, balance: -7 * number, total: 9876543200000n + BigInt(number),
        score: 12.5 + number / 8, active: number % 3 !== 0, hired: new Date(Date.UTC(2014, 7, 22, 10, 20, 40)),
    };
}

const group = Array.from({ length: 100 }, (_, n) => ['create', employee(n)]);

const operations = {
    insert: [300, () => employees.createEntity(employee(212))],
    'point read': [300, () => employees.getEntity('Sales', 'empid_000212')],
    'page of 1,000': [10, async () => {
        let rows = 0;
        for await (const row of pages.listEntities()) rows += row.last ? 1 : 0;
        if (rows !== 1000) throw new Error(`a page of ${rows} rows`);
    }],
    'group of 100': [10, () => employees.submitTransaction(group)],
};

async function round([calls, operation]) {
    const begin = process.cpuUsage();
    for (let i = 0; i < calls; ++i) await operation();
    const { user, system } = process.cpuUsage(begin);
    return (user + system) / calls;
}

async function main() {
    const rounds = Object.fromEntries(Object.keys(operations).map((name) => [name, []]));
    for (let i = 0; i < 8; ++i)
        for (const [name, operation] of Object.entries(operations)) {
            const took = await round(operation);
            if (i > 0) rounds[name].push(took);  // the first one compiles
        }
    for (const [name, times] of Object.entries(rounds))
        console.log(`@azure/data-tables ${version}, Node.js ${process.versions.node}\t${name}\t` +
                    times.sort((a, b) => a - b)[3].toFixed(1));
}

main().catch((e) => {
    console.error(e);
    process.exitCode = 1;
});
