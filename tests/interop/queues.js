// SPDX-License-Identifier: Apache-2.0
//
// usage: node queues.js put QUEUE HEX…           puts a message for each text
//        node queues.js get QUEUE COUNT          takes messages, and prints their texts
//        node queues.js counts QUEUE             takes messages, and prints how often each was taken, and its text
//        node queues.js take QUEUE SECONDS       hides a message for so long, and prints its id and its receipt
//        node queues.js show QUEUE ID RECEIPT HEX   shows a message at once, with another text
//        node queues.js erase QUEUE ID RECEIPT   deletes a message
//
// The service's own client as a peer of tablemap. The connection string comes in TABLEMAP_STORE. Texts are the
// hexadecimal digits of their UTF-8. The last line is "done".

'use strict';

const { createRequire } = require('module');
const client = createRequire(process.env.TABLEMAP_STORAGE_SDK + '/package.json')('@azure/storage-queue');

const hex = (text) => Buffer.from(text, 'utf8').toString('hex');
const text = (digits) => Buffer.from(digits, 'hex').toString('utf8');

const actions = {
    async put(queue, ...texts) {
        await queue.createIfNotExists();
        for (const digits of texts) await queue.sendMessage(text(digits));
    },
    async get(queue, count) {
        const got = await queue.receiveMessages({ numberOfMessages: Number(count) });
        for (const m of got.receivedMessageItems) console.log('text ' + hex(m.messageText));
    },
    async counts(queue) {
        const got = await queue.receiveMessages({ numberOfMessages: 32 });
        for (const m of got.receivedMessageItems) console.log(m.dequeueCount + ' ' + hex(m.messageText));
    },
    async take(queue, seconds) {
        const got = await queue.receiveMessages({ visibilityTimeout: Number(seconds) });
        for (const m of got.receivedMessageItems) console.log('taken ' + m.messageId + ' ' + m.popReceipt);
    },
    async show(queue, id, receipt, digits) {
        await queue.updateMessage(id, receipt, text(digits), 0);
    },
    async erase(queue, id, receipt) {
        await queue.deleteMessage(id, receipt);
    },
};

const [action, name, ...rest] = process.argv.slice(2);
const service = client.QueueServiceClient.fromConnectionString(process.env.TABLEMAP_STORE);
actions[action](service.getQueueClient(name), ...rest).then(
    () => console.log('done'),
    (e) => {
        console.error(e.message);
        process.exit(1);
    });
