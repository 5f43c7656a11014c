// Shows cards in a real Chromium: the example server `cards`, a small host page, and what each may do to the other.
//
//   node run.mjs --server PROGRAM [--version VERSION]…
//
// PROGRAM takes an address and a folder of cards. CHROMIUM names the browser.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { startServer } from '../fixture/server.mjs';
import { checks } from './checks.mjs';
import { startPages } from './pages.mjs';

const VERSIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
/** A test machine has no display, and its browser needs nothing from elsewhere. A container runs it as root. */
const FLAGS = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync'
];
const PATIENCE_MS = 20_000;

const { values: options } = parseArgs({ options: { server: { type: 'string' }, version: { type: 'string', multiple: true } } });
if (!options.server || !process.env.CHROMIUM) {
    console.error('usage: CHROMIUM=BROWSER node run.mjs --server PROGRAM [--version VERSION]…');
    process.exit(2);
}

const path = relative => fileURLToPath(new URL(relative, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'cards-'));
const pages = await startPages();
// The same server by two names: one that the card declares, and one that it does not.
const outside = { allowed: `http://127.0.0.1:${pages.outsidePort}`, refused: `http://localhost:${pages.outsidePort}` };
cpSync(path('../../crates/mcp-server/examples/cards/cards'), join(folder, 'cards'), { recursive: true });
cpSync(path('cards'), join(folder, 'cards'), { recursive: true });
writeFileSync(join(folder, 'cards/probe.meta.json'), JSON.stringify({ csp: { connectDomains: [outside.allowed] } }));

const failures = [];
let passed = 0;
const browser = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath: process.env.CHROMIUM,
    headless: true,
    args: FLAGS
});
try {
    for (const version of options.version ?? VERSIONS) {
        // A server of its own, so that no version sees what another did.
        const server = await startServer(options.server, [], address => [address, join(folder, 'cards')]);
        for (const [name, check] of Object.entries(checks)) {
            const page = await browser.newPage();
            page.setDefaultTimeout(PATIENCE_MS);
            const said = [];
            page.on('pageerror', error => said.push(error.message));
            try {
                await page.goto(pages.hostUrl);
                const { url } = server;
                const told = await page.evaluate(settings => window.host.connect(settings), { url, version, sandboxUrl: pages.sandboxUrl });
                await check({ page, told, version, outside, visits: pages.visits });
                if (said.length) throw new Error(`the page complained: ${said.join('; ')}`);
                passed += 1;
            } catch (error) {
                failures.push(`${version}: ${name}: ${error.message}`);
            }
            await page.close();
        }
        server.stop();
        console.log(`  ${version}: ${Object.keys(checks).length} checks`);
    }
    console.log(`browser: ${browser.browser()?.version() ?? 'Chromium'}, ${passed} checks passed, ${failures.length} failed`);
} finally {
    await browser.close();
    pages.stop();
    rmSync(folder, { recursive: true, force: true });
}
for (const failure of failures) console.log(`  ${failure}`);
process.exit(failures.length ? 1 : 0);
