// Runs the official conformance suite set by set and judges every single check.
//
//   node drive.mjs (--server PROGRAM | --url URL) [--set NAME]… --out DIR
//
// PROGRAM is started as `PROGRAM --http 127.0.0.1:PORT` with the flags of the set and must serve MCP on /mcp.
// Which scenarios run, how many checks succeed, and what may be skipped and why, is in expected.json beside this file.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startServer } from '../fixture/server.mjs';
import { judge, mistakes, stale } from './judge.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const suite = join(here, 'node_modules/@modelcontextprotocol/conformance');
const RUN_LIMIT_MS = 300_000;

const { values: options } = parseArgs({
    options: {
        server: { type: 'string' },
        url: { type: 'string' },
        set: { type: 'string', multiple: true },
        out: { type: 'string' },
        help: { type: 'boolean' }
    }
});
if (options.help || !options.out || !options.server === !options.url) {
    console.error('usage: drive.mjs (--server PROGRAM | --url URL) [--set NAME]… --out DIR');
    process.exit(options.help ? 0 : 2);
}

/** Runs the suite once; its exit code is returned but never trusted. */
async function runSuite(args, url, directory) {
    const child = spawn(
        process.execPath,
        [join(suite, 'dist/index.js'), 'server', '--url', url, ...args, '-o', directory],
        { stdio: ['ignore', 'pipe', 'pipe'], timeout: RUN_LIMIT_MS }
    );
    let output = '';
    child.stdout.on('data', data => (output += data));
    child.stderr.on('data', data => (output += data));
    const code = await new Promise(resolve => child.once('close', (code, signal) => resolve(code ?? signal)));
    return { code, output };
}

/** Reads the checks of every scenario below `directory`; folders are named server-SCENARIO-TIME. */
function readResults(directory) {
    const results = new Map();
    for (const folder of readdirSync(directory)) {
        const name = /^server-(.+)-\d{4}-\d{2}-\d{2}T[\dZ.-]+$/.exec(folder)?.[1];
        if (!name) continue;
        const checks = JSON.parse(readFileSync(join(directory, folder, 'checks.json'), 'utf8'));
        results.set(name, [...(results.get(name) ?? []), ...checks]);
    }
    return results;
}

function printTable(rows) {
    const width = Math.max(8, ...rows.map(row => row.scenario.length));
    const line = cells => `  ${cells[0].padEnd(width)}${cells.slice(1, 6).map(cell => String(cell).padStart(9)).join('')}  ${cells[6]}`;
    console.log(line(['scenario', 'ok', 'failure', 'warning', 'skipped', 'info', '']));
    const total = { SUCCESS: 0, FAILURE: 0, WARNING: 0, SKIPPED: 0, INFO: 0 };
    for (const { scenario, counts, verdict } of rows) {
        console.log(line([scenario, counts.SUCCESS, counts.FAILURE, counts.WARNING, counts.SKIPPED, counts.INFO, verdict]));
        for (const status of Object.keys(total)) total[status] += counts[status];
    }
    console.log(line(['total', ...Object.values(total), '']));
    return total;
}

const expected = JSON.parse(readFileSync(join(here, 'expected.json'), 'utf8'));
const version = JSON.parse(readFileSync(join(suite, 'package.json'), 'utf8')).version;
const complaints = mistakes(expected);
if (version !== expected.suite) complaints.push(`expected.json is written for suite ${expected.suite}, installed is ${version}`);
const chosen = expected.sets.filter(set => !options.set || options.set.includes(set.name));
for (const name of options.set ?? []) {
    if (!expected.sets.some(set => set.name === name)) complaints.push(`there is no set named ${name}`);
}

const usedExcuses = new Set();
let server;
let flags;
const totals = [];
try {
    for (const set of chosen) {
        const wanted = (set.server ?? []).join(' ');
        if (options.server && wanted !== flags) {
            // Sets that want the same server share one, so that it meets them all.
            server?.stop();
            server = await startServer(options.server, set.server);
            flags = wanted;
        }
        const url = server?.url ?? options.url;
        const directory = join(options.out, set.name);
        rmSync(directory, { recursive: true, force: true });
        mkdirSync(directory, { recursive: true });
        const begin = Date.now();
        const { code, output } = await runSuite(set.args, url, directory);
        writeFileSync(join(directory, 'output.txt'), output);
        const results = readResults(directory);
        const seconds = ((Date.now() - begin) / 1000).toFixed(1);
        console.log(`\nconformance suite ${version}, set ${set.name}: ${results.size} scenarios in ${seconds} s${wanted && `, server with ${wanted}`}`);
        if (!results.size) console.log(output.slice(-4000));
        const verdict = judge(set, results, expected.excused, usedExcuses);
        const total = printTable(verdict.rows);
        const passed = verdict.rows.filter(row => row.verdict === 'ok' || row.verdict === 'skipped').length;
        totals.push(
            `  ${set.name}: ${passed} of ${verdict.rows.length} scenarios; checks: ${total.SUCCESS} succeeded, ` +
                `${total.FAILURE} failed, ${total.WARNING} warned, ${total.SKIPPED} skipped`
        );
        complaints.push(...verdict.complaints.map(complaint => `${set.name}: ${complaint}`));
        if (typeof code !== 'number') complaints.push(`${set.name}: the suite was stopped by ${code}`);
        if (server?.ended()) {
            complaints.push(`${set.name}: the server ${server.ended()}\n${server.said()}`);
            break;
        }
    }
} finally {
    server?.stop();
}
if (chosen.length === expected.sets.length) complaints.push(...stale(expected.excused, usedExcuses));

if (complaints.length) {
    console.log(`\nconformance: ${complaints.length} complaints (raw results are in ${options.out})`);
    for (const complaint of complaints) console.log(`  ${complaint}`);
    process.exit(1);
}
console.log(`\nconformance: every expected scenario passed`);
for (const line of totals) console.log(line);
