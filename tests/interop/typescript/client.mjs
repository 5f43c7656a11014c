// Drives a server with the official TypeScript client and reports one JSON line per check.
//
//   node client.mjs [--era legacy|auto|2026-07-28]… (--url URL | -- PROGRAM ARGUMENT…)
//
// `legacy` is the handshake, `auto` lets the client choose, a revision pins it. Each era is a connection of
// its own; without --era the handshake and 2026-07-28 are used. The server must carry the test fixture.
// A line is {"era", "check", "ok", "detail"}; the exit code is 1 when any check failed.
import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const MODERN = '2026-07-28';
const CHECK_LIMIT_MS = 15_000;

const { values: options, positionals: command } = parseArgs({
    allowPositionals: true,
    options: { era: { type: 'string', multiple: true }, url: { type: 'string' } }
});
if (!options.url === !command.length) {
    console.error('usage: client.mjs [--era legacy|auto|2026-07-28]… (--url URL | -- PROGRAM ARGUMENT…)');
    process.exit(2);
}

let failures = 0;

/** Runs one check within a time limit and reports it. */
async function check(era, name, body) {
    let timer;
    const limit = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error(`no end within ${CHECK_LIMIT_MS} ms`)), CHECK_LIMIT_MS);
    });
    try {
        const detail = (await Promise.race([body(), limit])) ?? '';
        console.log(JSON.stringify({ era, check: name, ok: true, detail: String(detail) }));
        return true;
    } catch (error) {
        failures += 1;
        const detail = `${error.name}: ${error.message}`.slice(0, 2000);
        console.log(JSON.stringify({ era, check: name, ok: false, detail }));
        return false;
    } finally {
        clearTimeout(timer);
    }
}

function transport() {
    if (options.url) return new StreamableHTTPClientTransport(new URL(options.url));
    const [program, ...args] = command;
    return new StdioClientTransport({ command: program, args, stderr: 'inherit' });
}

const textOf = result => result.content.map(block => block.text ?? '').join('');

const checks = {
    async 'the negotiated version fits the era'(client, era) {
        const version = client.getNegotiatedProtocolVersion();
        if (era === 'legacy') assert.ok(version < MODERN, version);
        else assert.equal(version, era === 'auto' ? MODERN : era);
        return version;
    },
    async 'tools are listed'(client) {
        const { tools } = await client.listTools();
        const names = tools.map(tool => tool.name);
        for (const name of ['test_simple_text', 'test_tool_with_progress', 'echo', 'stat', 'slow_echo']) {
            assert.ok(names.includes(name), `${name} is not listed`);
        }
        assert.equal(new Set(names).size, names.length, 'a tool is listed twice');
        return `${tools.length} tools`;
    },
    async 'a tool without arguments is called'(client) {
        const result = await client.callTool({ name: 'test_simple_text' });
        assert.ok(!result.isError);
        assert.ok(textOf(result).length > 0);
    },
    async 'a tool gets its arguments unchanged'(client) {
        const text = 'snow ☃, a "quote", a \\ and\na line';
        const result = await client.callTool({ name: 'echo', arguments: { text } });
        assert.equal(textOf(result), text);
    },
    async 'a structured result fits its schema'(client) {
        // The client checks the result against the listed output schema.
        const result = await client.callTool({ name: 'stat', arguments: { mode: 'ok' } });
        assert.equal(typeof result.structuredContent?.n, 'number');
    },
    async 'wrong arguments are refused'(client) {
        const outcome = await client.callTool({ name: 'echo', arguments: { text: 5 } }).catch(error => error);
        assert.ok(outcome instanceof Error || outcome.isError, 'a number was taken for a text');
    },
    async 'an unknown tool is an error'(client) {
        const outcome = await client.callTool({ name: 'no_such_tool', arguments: {} }).catch(error => error);
        assert.ok(outcome instanceof Error || outcome.isError, 'the call succeeded');
    },
    async 'progress arrives in order and before the result'(client) {
        const seen = [];
        await client.callTool(
            { name: 'test_tool_with_progress', arguments: {} },
            { onprogress: ({ progress }) => seen.push(progress) }
        );
        assert.ok(seen.length >= 3, `${seen.length} reports`);
        assert.deepEqual(seen, seen.toSorted((a, b) => a - b));
        return seen.join(' ');
    },
    async 'a cancelled call ends and the next one works'(client) {
        const stop = new AbortController();
        const begin = Date.now();
        const call = client.callTool({ name: 'slow_echo', arguments: { ms: 10_000, text: 'late' } }, { signal: stop.signal });
        setTimeout(() => stop.abort('no longer needed'), 100);
        await assert.rejects(call);
        const took = Date.now() - begin;
        assert.ok(took < 5000, `the call ended after ${took} ms`);
        assert.equal(textOf(await client.callTool({ name: 'echo', arguments: { text: 'next' } })), 'next');
        return `${took} ms`;
    },
    async 'calls overlap'(client) {
        const texts = ['a', 'b', 'c', 'd'];
        const begin = Date.now();
        const results = await Promise.all(
            texts.map(text => client.callTool({ name: 'slow_echo', arguments: { ms: 500, text } }))
        );
        assert.deepEqual(results.map(textOf), texts);
        const took = Date.now() - begin;
        assert.ok(took < 1800, `four calls of 500 ms took ${took} ms`);
        return `${took} ms`;
    },
    async 'resources and templates are listed'(client) {
        const { resources } = await client.listResources();
        assert.ok(resources.some(({ uri }) => uri === 'test://static-text'));
        const { resourceTemplates } = await client.listResourceTemplates();
        assert.ok(resourceTemplates.some(({ uriTemplate }) => uriTemplate === 'test://template/{id}/data'));
    },
    async 'a resource is read'(client) {
        const { contents } = await client.readResource({ uri: 'test://static-text' });
        assert.equal(contents[0].uri, 'test://static-text');
        assert.ok(contents[0].text.length > 0);
    },
    async 'a resource is read through its template'(client) {
        const { contents } = await client.readResource({ uri: 'test://template/123/data' });
        assert.match(contents[0].text, /123/);
    },
    async 'an unknown resource is an error'(client) {
        await assert.rejects(client.readResource({ uri: 'test://no-such-resource' }));
    },
    async 'prompts are listed'(client) {
        const names = (await client.listPrompts()).prompts.map(prompt => prompt.name);
        for (const name of ['test_prompt_with_arguments', 'pick']) assert.ok(names.includes(name), `${name} is not listed`);
    },
    async 'a prompt gets its arguments'(client) {
        const { messages } = await client.getPrompt({
            name: 'test_prompt_with_arguments',
            arguments: { arg1: 'one', arg2: 'two' }
        });
        assert.match(messages[0].content.text, /one.*two/);
    },
    async 'a prompt without its argument is an error'(client) {
        await assert.rejects(client.getPrompt({ name: 'pick', arguments: {} }));
    },
    async 'an argument of a prompt is completed'(client) {
        const ref = { type: 'ref/prompt', name: 'pick' };
        const all = await client.complete({ ref, argument: { name: 'city', value: '' } });
        assert.ok(all.completion.values.length > 0, 'no value is proposed');
        const [first] = all.completion.values;
        const some = await client.complete({ ref, argument: { name: 'city', value: first } });
        assert.ok(some.completion.values.includes(first));
        const arg1 = { name: 'arg1', value: 'test' };
        await client.complete({ ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' }, argument: arg1 });
        return all.completion.values.join(' ');
    }
};

async function visit(era) {
    const mode = era === 'legacy' || era === 'auto' ? era : { pin: era };
    const client = new Client({ name: 'interop', version: '1.0.0' }, { versionNegotiation: { mode } });
    let wire;
    client.onerror = error => console.error(`${era}: ${error.message}`);
    if (!(await check(era, 'the client connects', () => client.connect((wire = transport()))))) return;
    for (const [name, body] of Object.entries(checks)) await check(era, name, () => body(client, era));
    await check(era, 'the connection ends', async () => {
        if (wire.sessionId) await wire.terminateSession();
        await client.close();
    });
}

for (const era of options.era ?? ['legacy', MODERN]) await visit(era);
process.exit(failures ? 1 : 0);
