// SPDX-License-Identifier: Apache-2.0
//
// usage: node tables.js
//
// The service's own client calls every operation of tables, and checks what comes back. The connection string comes in
// TABLEMAP_STORE. Prints a line for each step; the last line is "done".

'use strict';

const assert = require('assert');
const { createRequire } = require('module');
const { AzureNamedKeyCredential, AzureSASCredential, TableClient, TableServiceClient, TableTransaction, generateAccountSas,
        generateTableSas, odata } =
    createRequire(process.env.TABLEMAP_STORAGE_SDK + '/package.json')('@azure/data-tables');

const connection = process.env.TABLEMAP_STORE;
const part = (name) => connection.match(new RegExp(`${name}=([^;]*)`))[1];
const options = { allowInsecureConnection: true, retryOptions: { maxRetries: 0 } };
const service = TableServiceClient.fromConnectionString(connection, options);
const client = (table) => TableClient.fromConnectionString(connection, table, options);
const credential = new AzureNamedKeyCredential(part('AccountName'), part('AccountKey'));

async function all(pages) {
    const list = [];
    for await (const element of pages) list.push(element);
    return list;
}

async function refusedWith(promise, status, code) {
    try {
        await promise;
    } catch (e) {
        assert.strictEqual(e.statusCode, status, e.message);
        const said = e.code || (e.details && e.details.odataError && e.details.odataError.code) || e.message;
        assert.ok(String(said).includes(code) || e.message.includes(code), `${code} expected: ${e.message}`);
        return e;
    }
    assert.fail(`refused with ${status} ${code} expected`);
}

const steps = {
    async tables() {
        await service.createTable('People');
        await service.createTable('people');  // the client takes 409 for success
        await client('Other1').createTable();
        assert.deepStrictEqual((await all(service.listTables())).map((t) => t.name), ['Other1', 'People']);
        const some = service.listTables({ queryOptions: { filter: odata`TableName eq 'People'` } });
        assert.deepStrictEqual((await all(some)).map((t) => t.name), ['People']);
        await service.deleteTable('Other1');
        await refusedWith(client('Other1').getEntity('a', 'b'), 404, 'TableNotFound');
    },

    async entities() {
        const people = client('People');
        const row = { partitionKey: "O'Brien", rowKey: '100% é日本😀+&=', Name: 'x\n"y"', On: true, Age: 5, Ratio: 2.5,
                      Whole: { type: 'Double', value: '3' }, Big: 9007199254740993n, When: new Date(1700000000000),
                      Id: { type: 'Guid', value: 'c9da6455-213d-42c9-9a79-3e9149a57833' }, Raw: new Uint8Array([1, 2, 255]) };
        const inserted = await people.createEntity(row);
        const found = await people.getEntity(row.partitionKey, row.rowKey);
        assert.strictEqual(found.etag, inserted.etag);
        assert.strictEqual(found.Name, row.Name);
        assert.strictEqual(found.Big, row.Big);
        assert.strictEqual(found.When.getTime(), row.When.getTime());
        assert.deepStrictEqual(Buffer.from(found.Raw), Buffer.from(row.Raw));
        assert.strictEqual(found.Id.value, row.Id.value);
        assert.strictEqual(found.Whole, 3);
        assert.ok(!Number.isNaN(Date.parse(found.timestamp)));
        await refusedWith(people.createEntity(row), 409, 'EntityAlreadyExists');
        await refusedWith(people.getEntity('a', 'missing'), 404, 'ResourceNotFound');
    },

    async writes() {
        const people = client('People');
        const key = { partitionKey: 'w', rowKey: '1' };
        await people.upsertEntity({ ...key, A: 1, B: 2 }, 'Replace');
        await people.upsertEntity({ ...key, B: 3 }, 'Merge');
        const merged = await people.getEntity('w', '1');
        assert.deepStrictEqual([merged.A, merged.B], [1, 3]);
        await people.updateEntity({ ...key, C: 4 }, 'Replace', { etag: merged.etag });
        await refusedWith(people.updateEntity({ ...key, C: 5 }, 'Merge', { etag: merged.etag }), 412,
                          'UpdateConditionNotSatisfied');
        const replaced = await people.getEntity('w', '1');
        assert.deepStrictEqual([replaced.A, replaced.C], [undefined, 4]);
        await refusedWith(people.updateEntity({ partitionKey: 'w', rowKey: 'none' }, 'Merge'), 404, 'ResourceNotFound');
        await refusedWith(people.deleteEntity('w', '1', { etag: merged.etag }), 412, 'UpdateConditionNotSatisfied');
        await people.deleteEntity('w', '1');
        await refusedWith(people.deleteEntity('w', '1'), 404, 'ResourceNotFound');
    },

    async groups() {
        const people = client('People');
        const group = new TableTransaction();
        for (let i = 0; i < 100; ++i) group.createEntity({ partitionKey: 'g', rowKey: String(1000 + i), I: i });
        const answer = await people.submitTransaction(group.actions);
        assert.strictEqual(answer.status, 202);
        assert.strictEqual(answer.subResponses.length, 100);
        assert.ok(answer.subResponses.every((r) => r.status === 204 && r.etag));
        const e = await refusedWith(people.submitTransaction([
            ['upsert', { partitionKey: 'g', rowKey: 'new' }],
            ['create', { partitionKey: 'g', rowKey: '1000' }],
        ]), 409, 'EntityAlreadyExists');
        assert.ok(/1:/.test(e.message), e.message);
        await refusedWith(people.getEntity('g', 'new'), 404, 'ResourceNotFound');
        await people.submitTransaction([
            ['update', { partitionKey: 'g', rowKey: '1000', J: 1 }, 'Merge'],
            ['update', { partitionKey: 'g', rowKey: '1001', J: 1 }, 'Replace'],
            ['upsert', { partitionKey: 'g', rowKey: '2000', J: 1 }, 'Merge'],
            ['delete', { partitionKey: 'g', rowKey: '1099' }],
        ]);
        assert.strictEqual((await people.getEntity('g', '1000')).I, 0);
    },

    async queries() {
        const people = client('People');
        const found = await all(people.listEntities(
            { queryOptions: { filter: odata`PartitionKey eq 'g' and I ge ${10} and I lt ${20}`, select: ['I'] } }));
        assert.deepStrictEqual(found.map((e) => e.I), [10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
        assert.strictEqual(found[0].rowKey, undefined);
        const sizes = [];
        const pages = people.listEntities({ queryOptions: { filter: "PartitionKey eq 'g'" } }).byPage({ maxPageSize: 30 });
        for await (const page of pages) sizes.push(page.length);
        assert.deepStrictEqual(sizes, [30, 30, 30, 10]);
        await refusedWith(all(people.listEntities({ queryOptions: { filter: 'a b c' } })), 400, 'InvalidInput');
    },

    async settings() {
        await service.setProperties({ hourMetrics: { version: '1.0', enabled: true, includeAPIs: true,
                                                     retentionPolicy: { enabled: true, days: 3 } } });
        assert.strictEqual((await service.getProperties()).hourMetrics.retentionPolicy.days, 3);
        const policy = { start: new Date(Date.now() - 3600e3), expiry: new Date(Date.now() + 3600e3), permission: 'r' };
        await client('People').setAccessPolicy([{ id: 'reading', accessPolicy: policy }]);
        const policies = await client('People').getAccessPolicy();
        assert.deepStrictEqual(policies.map((p) => [p.id, p.accessPolicy.permission]), [['reading', 'r']]);
    },

    async signatures() {
        const url = part('TableEndpoint');
        const expiresOn = new Date(Date.now() + 3600e3);
        const by = (sas) => new TableClient(url, 'People', new AzureSASCredential(sas), options);
        const table = (o) => by(generateTableSas('People', credential, { expiresOn, ...o }));
        const reader = table({ permissions: { query: true } });
        assert.strictEqual((await reader.getEntity('g', '1005')).I, 5);
        await refusedWith(reader.deleteEntity('g', '1005'), 403, 'AuthorizationPermissionMismatch');
        const range = { startPartitionKey: 'g', startRowKey: '1010', endPartitionKey: 'g', endRowKey: '1012' };
        const limited = table({ permissions: { query: true, update: true }, ...range });
        assert.deepStrictEqual((await all(limited.listEntities())).map((e) => e.rowKey), ['1010', '1011', '1012']);
        await refusedWith(limited.updateEntity({ partitionKey: 'g', rowKey: '1013' }, 'Merge'), 403, 'AuthorizationFailure');
        const over = table({ permissions: { query: true }, startsOn: new Date(0), expiresOn: new Date(Date.now() - 1000) });
        await refusedWith(over.getEntity('g', '1005'), 403, 'AuthenticationFailed');
        const named = by(generateTableSas('People', credential, { identifier: 'reading' }));
        assert.strictEqual((await named.getEntity('g', '1005')).I, 5);
        const account = generateAccountSas(credential, { expiresOn, resourceTypes: 'sco', permissions: { query: true, list: true } });
        const lister = new TableServiceClient(url, new AzureSASCredential(account), options);
        assert.deepStrictEqual((await all(lister.listTables())).map((t) => t.name), ['People']);
        await refusedWith(lister.createTable('Denied'), 403, 'AuthorizationPermissionMismatch');
    },

    async strangers() {
        const wrong = new AzureNamedKeyCredential(part('AccountName'), Buffer.from('another').toString('base64'));
        const stranger = new TableClient(part('TableEndpoint'), 'People', wrong, options);
        await refusedWith(stranger.getEntity('g', '1005'), 403, 'AuthenticationFailed');
    },
};

(async () => {
    for (const [name, step] of Object.entries(steps)) {
        await step();
        console.log(name);
    }
    console.log('done');
})().catch((e) => {
    console.log('failed: ' + e.stack);
    process.exit(1);
});
