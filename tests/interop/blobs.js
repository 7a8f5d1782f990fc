// SPDX-License-Identifier: Apache-2.0
//
// usage: node blobs.js put CONTAINER NAME HEX        puts a blob
//        node blobs.js get CONTAINER NAME            prints the bytes of a blob and its content type
//        node blobs.js part CONTAINER NAME FROM COUNT    prints some bytes of a blob
//        node blobs.js append CONTAINER NAME HEX     appends to a blob, which is made if it is not there
//        node blobs.js blocks CONTAINER NAME HEX…    makes a blob of blocks
//        node blobs.js ids CONTAINER NAME            prints the ids of the blocks of a blob
//        node blobs.js list CONTAINER [PREFIX]       prints the names of all blobs, in pages of two
//
// The service's own client as a peer of tablemap. The connection string comes in TABLEMAP_STORE. Names and bytes are
// hexadecimal digits. The last line is "done".

'use strict';

const { createRequire } = require('module');
const client = createRequire(process.env.TABLEMAP_STORAGE_SDK + '/package.json')('@azure/storage-blob');

const hex = (bytes) => Buffer.from(bytes).toString('hex');
const bytes = (digits) => Buffer.from(digits, 'hex');
const text = (digits) => bytes(digits).toString('utf8');

const actions = {
    async put(container, name, digits) {
        await container.createIfNotExists();
        const body = bytes(digits);
        await container.getBlockBlobClient(text(name)).upload(body, body.length, {
            blobHTTPHeaders: { blobContentType: 'text/css' },
        });
    },
    async get(container, name) {
        const blob = container.getBlobClient(text(name));
        console.log('bytes ' + hex(await blob.downloadToBuffer()));
        console.log('type ' + (await blob.getProperties()).contentType);
    },
    async part(container, name, from, count) {
        const part = await container.getBlobClient(text(name)).downloadToBuffer(Number(from), Number(count));
        console.log('bytes ' + hex(part));
    },
    async append(container, name, digits) {
        await container.createIfNotExists();
        const blob = container.getAppendBlobClient(text(name));
        await blob.createIfNotExists();
        const body = bytes(digits);
        await blob.appendBlock(body, body.length);
    },
    async blocks(container, name, ...parts) {
        await container.createIfNotExists();
        const blob = container.getBlockBlobClient(text(name));
        const ids = parts.map((_, i) => Buffer.from('block ' + i).toString('base64'));
        for (const [i, digits] of parts.entries()) {
            const body = bytes(digits);
            await blob.stageBlock(ids[i], body, body.length);
        }
        await blob.commitBlockList(ids);
    },
    async ids(container, name) {
        const list = await container.getBlockBlobClient(text(name)).getBlockList('committed');
        for (const block of list.committedBlocks)
            console.log('id ' + Buffer.from(block.name, 'base64').toString('utf8') + ' ' + block.size);
    },
    async list(container, prefix = '') {
        const pages = container.listBlobsFlat({ prefix: text(prefix) }).byPage({ maxPageSize: 2 });
        for await (const page of pages)
            for (const blob of page.segment.blobItems) console.log('name ' + hex(Buffer.from(blob.name, 'utf8')));
    },
};

const [action, name, ...rest] = process.argv.slice(2);
const service = client.BlobServiceClient.fromConnectionString(process.env.TABLEMAP_STORE);
actions[action](service.getContainerClient(name), ...rest).then(
    () => console.log('done'),
    (e) => {
        console.error(e.message);
        process.exit(1);
    });
