// Lets other people's clients talk to a server that carries the test fixture, over HTTP, HTTP+SSE and stdio, and to an
// application whose routes agents use.
//
//   node run.mjs --server PROGRAM --application PROGRAM [--client NAME]…
//
// Which client visits in which eras is in runs.json beside this file. PROGRAM understands
// --http 127.0.0.1:PORT, --legacy-sse, --stdio, --probe and --control 127.0.0.1:PORT, the application's
// 127.0.0.1:PORT. PYTHON names the interpreter that has the Python client.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { freePort, startServer } from '../fixture/server.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const VISIT_LIMIT_MS = 300_000;
const FLAGS = ['--probe'];
/** Visits spend much of their time waiting. */
const AT_ONCE = 2;

const { values: options } = parseArgs({ options: { server: { type: 'string' }, application: { type: 'string' }, client: { type: 'string', multiple: true } } });
if (!options.server || !options.application) {
    console.error('usage: run.mjs --server PROGRAM --application PROGRAM [--client NAME]…');
    process.exit(2);
}

const programs = {
    typescript: [process.execPath, join(here, 'typescript/client.mjs')],
    'typescript-sdk': [process.execPath, join(here, 'typescript/sdk.mjs')],
    'typescript-application': [process.execPath, join(here, 'typescript/application.mjs')],
    'typescript-sdk-application': [process.execPath, join(here, 'typescript/application_sdk.mjs')],
    'python-application': [process.env.PYTHON ?? 'python3', join(here, 'python/application.py')],
    inspector: [process.execPath, join(here, 'inspector/client.mjs')],
    python: [process.env.PYTHON ?? 'python3', join(here, 'python/client.py')]
};

/** Lets one client visit and collects its report, one JSON line per check. */
async function visit(client, args) {
    const [program, ...script] = programs[client];
    const child = spawn(program, [...script, ...args], { stdio: ['ignore', 'pipe', 'pipe'], timeout: VISIT_LIMIT_MS });
    let output = '';
    let said = '';
    child.stdout.on('data', data => (output += data));
    child.stderr.on('data', data => (said = (said + data).slice(-10_000)));
    const code = await new Promise(resolve => {
        child.once('error', error => resolve(error.message));
        child.once('close', (code, signal) => resolve(code ?? signal));
    });
    const lines = output.split('\n').filter(line => line.startsWith('{'));
    return { code, checks: lines.map(line => JSON.parse(line)), said };
}

const runs = JSON.parse(readFileSync(join(here, 'runs.json'), 'utf8'));
const failures = [];

/** Starts what a client is to visit; gives how the client is told, and the server if it is one of this process. */
async function prepare(transport) {
    if (transport === 'application') {
        const server = await startServer(options.application, [], address => [address]);
        return { server, told: ['--url', server.url] };
    }
    const control = `127.0.0.1:${await freePort()}`;
    if (transport === 'stdio') return { told: ['--control', control, '--', options.server, '--stdio', ...FLAGS] };
    const sse = transport === 'sse';
    const server = await startServer(options.server, [...FLAGS, ...(sse ? ['--legacy-sse'] : []), '--control', control]);
    const at = sse ? ['--url', server.url.replace(/mcp$/, 'sse'), '--sse'] : ['--url', server.url];
    return { server, told: ['--control', control, ...at] };
}

/** Lets one client visit over one transport, and tells what it found. */
async function run({ client, transport, eras }) {
    const begin = Date.now();
    const { server, told } = await prepare(transport);
    const { code, checks, said } = await visit(client, [...eras.flatMap(era => ['--era', era]), ...told]);
    const died = server?.ended();
    server?.stop();

    const label = transport === 'application' ? client : `${client} over ${transport}`;
    const failed = checks.filter(check => !check.ok);
    const complaints = failed.map(check => `${label}, ${check.era}: ${check.check}: ${check.detail}`);
    for (const era of eras) {
        if (!checks.some(check => check.era === era)) complaints.push(`${label}, ${era}: no check was reported`);
    }
    if (code !== 0 && !failed.length) complaints.push(`${label}: ended with ${code}`);
    if (died) complaints.push(`${label}: the server ${died}\n${server.said()}`);
    if (complaints.length) console.log(said);
    failures.push(...complaints);
    const seconds = ((Date.now() - begin) / 1000).toFixed(1);
    console.log(`  ${label} (${eras.join(', ')}): ${checks.length - failed.length} ok, ${failed.length} failed, ${seconds} s`);
}

const ahead = [];
for (const client of options.client ?? Object.keys(runs)) {
    if (!runs[client]) failures.push(`runs.json has no client named ${client}`);
    for (const [transport, eras] of Object.entries(runs[client] ?? {})) ahead.push({ client, transport, eras });
}
const worker = async () => {
    for (let next = ahead.shift(); next; next = ahead.shift()) await run(next);
};
await Promise.all(Array.from({ length: AT_ONCE }, worker));

if (failures.length) {
    console.log(`\ninterop: ${failures.length} failures`);
    for (const failure of failures) console.log(`  ${failure}`);
    process.exit(1);
}
console.log('\ninterop: every client found what it expects');
