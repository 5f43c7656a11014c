// The application whose routes agents use: its tools, resources and prompts, one of its rooms, and who may come in.
//
// `connect(era, path, card)` of each client connects to an endpoint of the application with a library card, or
// without one.
import assert from 'node:assert/strict';
import { check } from '../report.mjs';
import { refusal, textOf } from '../visitor.mjs';

const READER = 'card-7';
const LIBRARIAN = 'card-1';

/** Every route that is exposed to readers, as it is called, and what its result says. */
const CALLS = {
    books_search: [{ text: 'wells' }, ({ structuredContent }) => assert.equal(structuredContent.total, 2)],
    books_show: [{ id: 2 }, ({ structuredContent }) => assert.equal(structuredContent.title, 'Moby-Dick')],
    book_cover: [{ id: 2 }, ({ content: [block] }) => assert.deepEqual([block.type, block.mimeType], ['image', 'image/png'])],
    book_pages: [{ id: 2 }, result => assert.equal(textOf(result).split('\n').length, 4)],
    book_read_aloud: [{ id: 2 }, result => assert.match(textOf(result), /^event: page\ndata: Page 1/)],
    loans_borrow: [{ body: { book: 2, days: 7 } }, ({ structuredContent }) => assert.equal(structuredContent.headers.location, '/loans/2')],
    loans_mine: [{}, ({ structuredContent }) => assert.equal(structuredContent.body.loans.length, 1)],
    loans_give_back: [{ book: 2 }, ({ structuredContent }) => assert.deepEqual(structuredContent, { status: 204 })],
    room_state: [{ room_id: 'garden' }, ({ structuredContent }) => assert.ok('lights' in structuredContent)],
    room_lights: [{ room_id: 'garden', on: true }, ({ structuredContent }) => assert.equal(structuredContent.lights, true)],
    room_seats: [{ room_id: 'garden', body: { seats: 1 } }, ({ structuredContent }) => assert.ok(structuredContent.free_seats < 12)],
    hours: [{ 'accept-language': 'de' }, result => assert.match(textOf(result), /Täglich/)],
    recommend: [{ before: 1870 }, ({ content: [link] }) => assert.deepEqual([link.type, link.uri], ['resource_link', 'book://2'])]
};

/** Lets a client connect, do something, and leave. */
async function as(connect, era, path, card, body) {
    const client = await connect(era, path, card);
    try {
        return await body(client, (name, args) => client.callTool({ name, arguments: args }));
    } finally {
        await client.close();
    }
}

const checks = {
    'the exposed routes are listed as tools and each works': (connect, era) =>
        as(connect, era, '/mcp', READER, async (client, call) => {
            const { tools } = await client.listTools();
            const names = tools.map(({ name }) => name).sort();
            assert.deepEqual(names, [...Object.keys(CALLS), 'books_add', 'take_stock'].sort());
            for (const [name, [args, fits]] of Object.entries(CALLS)) {
                // Listed output schemas are checked by the client.
                const result = await call(name, args);
                assert.ok(!result.isError, `${name}: ${textOf(result)}`);
                fits(result);
            }
            return `${names.length} tools`;
        }),
    'statuses of failure are errors that the model reads': (connect, era) =>
        as(connect, era, '/mcp', READER, async (_, call) => {
            assert.match(await refusal(call('books_show', { id: 99 })), /no book 99/);
            await call('loans_borrow', { body: { book: 1, days: 3 } });
            assert.match(await refusal(call('loans_borrow', { body: { book: 1, days: 3 } })), /"status":409/);
            await call('loans_give_back', { book: 1 });
            assert.match(await refusal(call('loans_give_back', { book: 1 })), /"status":404/);
            await refusal(call('books_show', { id: 'two' }));
        }),
    'what only librarians may do readers cannot': async (connect, era) => {
        const body = { title: `Emma, ${era}`, author: 'Jane Austen', year: 1815 };
        await as(connect, era, '/mcp', READER, async (_, call) => {
            assert.match(await refusal(call('books_add', { body })), /only librarians/);
        });
        await as(connect, era, '/mcp', LIBRARIAN, async (_, call) => {
            const added = await call('books_add', { body });
            assert.ok(!added.isError || /already/.test(textOf(added)), textOf(added));
            assert.match(await refusal(call('books_add', { body })), /already/);
        });
    },
    'progress comes from behind a route': (connect, era) =>
        as(connect, era, '/mcp', LIBRARIAN, async client => {
            const seen = [];
            const onprogress = ({ progress }) => seen.push(progress);
            const call = { name: 'take_stock', arguments: {} };
            await (client.callsTakeSchemas ? client.callTool(call, undefined, { onprogress }) : client.callTool(call, { onprogress }));
            assert.deepEqual(seen.slice(0, 4), [1, 2, 3, 4]);
        }),
    'resources are read, by URI and by template, and a missing one is an error': (connect, era) =>
        as(connect, era, '/mcp', READER, async client => {
            const { resources } = await client.listResources();
            assert.deepEqual(resources.map(({ uri }) => uri), ['library://hours']);
            const { resourceTemplates } = await client.listResourceTemplates();
            assert.deepEqual(resourceTemplates.map(({ uriTemplate }) => uriTemplate), ['book://{id}']);
            const hours = await client.readResource({ uri: 'library://hours' });
            assert.equal(hours.contents[0].text, 'Every day from 9 to 18');
            const book = await client.readResource({ uri: 'book://2' });
            assert.equal(JSON.parse(book.contents[0].text).title, 'Moby-Dick');
            await assert.rejects(client.readResource({ uri: 'book://99' }));
        }),
    'prompts are made by handlers': (connect, era) =>
        as(connect, era, '/mcp', READER, async client => {
            const { messages } = await client.getPrompt({ name: 'reading_list', arguments: { topic: 'the sea' } });
            assert.match(messages[0].content.text, /about the sea .*Moby-Dick/);
        }),
    'a room is a server of its own': (connect, era) =>
        as(connect, era, '/rooms/attic/mcp', READER, async (client, call) => {
            assert.match(client.getInstructions(), /You look after the attic/);
            const { tools } = await client.listTools();
            assert.deepEqual(tools.map(({ name }) => name), ['state', 'lights', 'seats']);
            for (const { inputSchema } of tools) assert.ok(!('room_id' in inputSchema.properties));
            assert.equal((await call('lights', { on: true })).structuredContent.lights, true);
            assert.match(await refusal(call('seats', { body: { seats: 20 } })), /seats are free/);
            const { messages } = await client.getPrompt({ name: 'tour' });
            assert.match(messages[0].content.text, /the attic/);
        }),
    'a room that is not there refuses clients': async (connect, era) => {
        const error = await connect(era, '/rooms/cellar/mcp', READER).then(() => undefined, error => error);
        assert.ok(error, 'the client came in');
        return error.message;
    },
    'nobody comes in without a card, or with a false one': async (connect, era) => {
        for (const card of [undefined, 'card-8']) {
            const error = await connect(era, '/mcp', card).then(() => undefined, error => error);
            assert.ok(error, `a client with ${card} came in`);
            const said = [error.name, error.message, error.code, error.status, error.data?.status].join(' ');
            assert.match(said, /401|unauthori[sz]ed/i);
        }
    }
};

/** Runs every check with a client of one era. */
export async function visitApplication(connect, era) {
    for (const [name, body] of Object.entries(checks)) await check(era, name, () => body(connect, era));
}
