// Drives a server with the command line of the MCP Inspector and reports one JSON line per check.
//
//   node client.mjs [--era legacy|modern|auto]… (--url URL | -- PROGRAM ARGUMENT…)
//
// Each run of the Inspector is a connection of its own; it declares roots, none of them set, and cannot be asked
// by forms or for samples. What it has no method for, such as subscriptions, is left to the other clients.
//
// Without --era the handshake (legacy) and the newest revision (modern) are used. The server must carry the
// test fixture. A line is {"era", "check", "ok", "detail"}; the exit code is 1 when any check failed.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = dirname(fileURLToPath(import.meta.url));
const launcher = join(here, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');
const RUN_LIMIT_MS = 30_000;
const AT_ONCE = 2;

const { values: options, positionals: command } = parseArgs({
    allowPositionals: true,
    options: { era: { type: 'string', multiple: true }, url: { type: 'string' }, control: { type: 'string' } }
});
if (!options.url === !command.length) {
    console.error('usage: client.mjs [--era legacy|modern|auto]… (--url URL | -- PROGRAM ARGUMENT…)');
    process.exit(2);
}

// The Inspector keeps a catalogue and settings in the home folder; here they get a folder of their own.
const folder = mkdtempSync(join(tmpdir(), 'inspector-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const env = {
    ...process.env,
    MCP_CATALOG_PATH: join(folder, 'catalog.json'),
    MCP_CLIENT_CONFIG_PATH: join(folder, 'client.json')
};

/** Runs the Inspector once; gives its exit code, what it printed, and the result it printed if any. */
async function inspect(era, method, ...more) {
    const server = options.url ? ['--server-url', options.url, '--transport', 'http'] : [];
    const target = options.url ? [] : ['--', ...command];
    const args = ['--cli', ...server, '--protocol-era', era, '--format', 'json', '--quiet', '--method', method, ...more, ...target];
    const child = spawn(process.execPath, [launcher, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'], timeout: RUN_LIMIT_MS });
    let output = '';
    let complaint = '';
    child.stdout.on('data', data => (output += data));
    child.stderr.on('data', data => (complaint += data));
    const code = await new Promise(resolve => child.once('close', (code, signal) => resolve(code ?? signal)));
    return { code, output, complaint };
}

/** Runs the Inspector, expecting it to succeed, and gives the result. */
async function result(era, method, ...more) {
    const { code, output, complaint } = await inspect(era, method, ...more);
    assert.equal(code, 0, `exit code ${code}: ${complaint || output}`);
    const answer = JSON.parse(output);
    return answer.result ?? answer;
}

const checks = {
    async 'initialize'(era) {
        const { code, output, complaint } = await inspect(era, 'initialize');
        assert.equal(code, 0, complaint || output);
        assert.match(output, era === 'legacy' ? /2025-11-25/ : /2026-07-28/);
        assert.match(output, /everything/);
    },
    async 'tools/list'(era) {
        const { tools } = await result(era, 'tools/list');
        const names = tools.map(tool => tool.name);
        for (const name of ['test_simple_text', 'echo', 'stat']) assert.ok(names.includes(name), `${name} is not listed`);
        return `${names.length} tools`;
    },
    async 'tools/call without arguments'(era) {
        const { content } = await result(era, 'tools/call', '--tool-name', 'test_simple_text');
        assert.ok(content[0].text.length > 0);
    },
    async 'tools/call with arguments'(era) {
        const { content } = await result(era, 'tools/call', '--tool-name', 'echo', '--tool-arg', 'text=one two');
        assert.equal(content[0].text, 'one two');
    },
    async 'tools/call with a structured result'(era) {
        const answer = await result(era, 'tools/call', '--tool-name', 'stat', '--tool-arg', 'mode=ok');
        assert.equal(typeof answer.structuredContent.n, 'number');
    },
    async 'tools/call that asks for roots'(era) {
        const { structuredContent } = await result(era, 'tools/call', '--tool-name', 'ask_roots');
        assert.deepEqual(structuredContent, { roots: [] });
    },
    async 'tools/call that would ask the user fails'(era) {
        const { code, output, complaint } = await inspect(
            era, 'tools/call', '--tool-name', 'test_elicitation', '--tool-arg', 'message=Who?'
        );
        assert.ok(Number.isInteger(code) && code > 0, `exit code ${code}: ${output}`);
        assert.match(output + complaint, /capability/);
    },
    async 'tools/call whose stream the server closes'(era) {
        const { content } = await result(era, 'tools/call', '--tool-name', 'test_reconnection');
        assert.match(content[0].text, /came back/);
    },
    async 'tools/call again and again'(era) {
        const { code, output, complaint } = await inspect(
            era, 'tools/call', '--tool-name', 'echo', '--tool-arg', 'text=x', '--load', '--load-requests', '60'
        );
        assert.equal(code, 0, complaint || output);
        const told = JSON.parse(output);
        const { ok, errors, toolErrors } = told.result ?? told;
        assert.deepEqual({ ok, errors, toolErrors }, { ok: 60, errors: 0, toolErrors: 0 }, output);
    },
    async 'logging/setLevel'(era) {
        // 2026-07-28 has no such method, and the Inspector knows it.
        const { code, output, complaint } = await inspect(era, 'logging/setLevel', '--log-level', 'error');
        if (era === 'legacy') assert.equal(code, 0, complaint || output);
        else assert.match(output + complaint, /not supported/);
    },
    async 'tools/call of an unknown tool fails'(era) {
        const { code, output } = await inspect(era, 'tools/call', '--tool-name', 'no_such_tool');
        assert.ok(Number.isInteger(code) && code > 0, `exit code ${code}: ${output}`);
        return `exit code ${code}`;
    },
    async 'resources/list'(era) {
        const { resources } = await result(era, 'resources/list');
        assert.ok(resources.some(({ uri }) => uri === 'test://static-text'));
    },
    async 'resources/templates/list'(era) {
        const { resourceTemplates } = await result(era, 'resources/templates/list');
        assert.ok(resourceTemplates.some(({ uriTemplate }) => uriTemplate === 'test://template/{id}/data'));
    },
    async 'resources/read'(era) {
        const { contents } = await result(era, 'resources/read', '--uri', 'test://static-text');
        assert.ok(contents[0].text.length > 0);
    },
    async 'prompts/list'(era) {
        const names = (await result(era, 'prompts/list')).prompts.map(prompt => prompt.name);
        for (const name of ['test_prompt_with_arguments', 'pick']) assert.ok(names.includes(name), `${name} is not listed`);
    },
    async 'prompts/get'(era) {
        const { messages } = await result(
            era, 'prompts/get', '--prompt-name', 'test_prompt_with_arguments', '--prompt-args', 'arg1=one', 'arg2=two'
        );
        assert.match(messages[0].content.text, /one.*two/);
    }
};

let failures = 0;

async function check(era, name) {
    try {
        const detail = (await checks[name](era)) ?? '';
        console.log(JSON.stringify({ era, check: name, ok: true, detail }));
    } catch (error) {
        failures += 1;
        const detail = `${error.name}: ${error.message}`.slice(0, 2000);
        console.log(JSON.stringify({ era, check: name, ok: false, detail }));
    }
}

/** Takes one check after the other off a common list. */
async function work(era, names) {
    for (let name = names.shift(); name; name = names.shift()) await check(era, name);
}

for (const era of options.era ?? ['legacy', 'modern']) {
    const names = Object.keys(checks);
    await Promise.all(Array.from({ length: AT_ONCE }, () => work(era, names)));
}
process.exit(failures ? 1 : 0);
