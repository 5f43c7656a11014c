// Drives the application whose routes agents use with the official TypeScript client of the second generation; see
// report.mjs. The URL is that of its main endpoint.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { visitApplication } from './checks/application.mjs';
import { eras, finish, target } from './report.mjs';
import { MODERN } from './visitor.mjs';

async function connect(era, path, card) {
    const mode = era === 'legacy' ? era : { pin: era };
    const client = new Client({ name: 'interop', version: '1.0.0' }, { versionNegotiation: { mode } });
    const headers = card ? { Authorization: `Bearer ${card}` } : {};
    await client.connect(new StreamableHTTPClientTransport(new URL(path, target.url), { requestInit: { headers } }));
    return client;
}

for (const era of eras ?? ['legacy', MODERN]) await visitApplication(connect, era);
finish();
