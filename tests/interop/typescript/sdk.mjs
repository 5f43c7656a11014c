// Drives a server with the official TypeScript client of the first generation; see report.mjs.
//
// It knows one era, the handshake, in which it always proposes the newest revision.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CreateMessageRequestSchema, ElicitRequestSchema, ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { eras, finish, target } from './report.mjs';
import { visit } from './visit.mjs';
import { ELICIT, ROOTS, SAMPLE, Visitor } from './visitor.mjs';

const CAPABILITIES = {
    elicitation: { form: { applyDefaults: true } },
    sampling: {},
    roots: { listChanged: true }
};
const QUESTIONS = { [ELICIT]: ElicitRequestSchema, [SAMPLE]: CreateMessageRequestSchema, [ROOTS]: ListRootsRequestSchema };

class FirstGeneration extends Visitor {
    unknownResource = -32002;

    static async connect(era, { url = target.url, command = target.command, capabilities = CAPABILITIES } = {}) {
        const visitor = new FirstGeneration(era);
        const client = new Client({ name: 'interop', version: '1.0.0' }, { capabilities });
        for (const [method, schema] of Object.entries(QUESTIONS)) {
            if (!(method.split('/')[0] in capabilities)) continue;
            client.setRequestHandler(schema, ({ params }) => visitor.answer(method, params));
        }
        client.fallbackNotificationHandler = async ({ method, params }) => visitor.hear(method, params);
        client.onerror = error => console.error(`${era}: ${error.message}`);
        visitor.client = client;
        await visitor.connectAgain(url, command);
        return visitor;
    }

    /** What the client does with tasks. */
    get tasks() {
        return this.client.experimental.tasks;
    }

    /** Connects the client once more, as after the end of a session. */
    async connectAgain(url = target.url, [program, ...args] = target.command) {
        this.wire = url ? this.overWeb(new URL(url)) : new StdioClientTransport({ command: program, args, stderr: 'inherit' });
        // Only the transport is told which revision was agreed on.
        const told = this.wire.setProtocolVersion?.bind(this.wire);
        this.wire.setProtocolVersion = version => {
            this.version = version;
            told?.(version);
        };
        await this.client.connect(this.wire);
    }

    overWeb(url) {
        if (target.sse) return new SSEClientTransport(url, { fetch: this.fetch });
        return new StreamableHTTPClientTransport(url, {
            fetch: this.fetch,
            reconnectionOptions: {
                initialReconnectionDelay: 100,
                maxReconnectionDelay: 1000,
                reconnectionDelayGrowFactor: 1.5,
                maxRetries: 10
            }
        });
    }

    call(name, args = {}, options = {}) {
        return this.client.callTool({ name, arguments: args, ...options.params }, undefined, options);
    }

    /** Asks to be told of changes; gives what ends that. */
    async follow({ uri }) {
        if (!uri) return async () => {};
        await this.client.subscribeResource({ uri });
        return () => this.client.unsubscribeResource({ uri });
    }

    statusOf(error) {
        return error.code;
    }

    async leave() {
        if (this.wire.sessionId) await this.wire.terminateSession();
        await this.client.close();
    }
}

for (const era of eras ?? ['legacy']) await visit(FirstGeneration, era);
finish();
