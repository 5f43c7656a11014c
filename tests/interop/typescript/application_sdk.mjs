// Drives the application whose routes agents use with the official TypeScript client of the first generation, which
// knows the handshake only; see report.mjs. The URL is that of its main endpoint.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { visitApplication } from './checks/application.mjs';
import { eras, finish, target } from './report.mjs';

class FirstGeneration extends Client {
    /** Whether a call takes the schema of its result before its options. */
    callsTakeSchemas = true;
}

async function connect(_era, path, card) {
    const client = new FirstGeneration({ name: 'interop', version: '1.0.0' }, { capabilities: {} });
    const headers = card ? { Authorization: `Bearer ${card}` } : {};
    await client.connect(new StreamableHTTPClientTransport(new URL(path, target.url), { requestInit: { headers } }));
    return client;
}

for (const era of eras ?? ['legacy']) await visitApplication(connect, era);
finish();
