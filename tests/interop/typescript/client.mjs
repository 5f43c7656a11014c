// Drives a server with the official TypeScript client of the second generation; see report.mjs.
//
// Eras: `legacy` is the handshake, `auto` lets the client choose, a revision pins it. Each era is a connection of
// its own; without --era the handshake and 2026-07-28 are used.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { eras, finish, target } from './report.mjs';
import { visit } from './visit.mjs';
import { ELICIT, MODERN, ROOTS, SAMPLE, Visitor } from './visitor.mjs';

const CAPABILITIES = {
    elicitation: { form: { applyDefaults: true } },
    sampling: {},
    roots: { listChanged: true }
};

class SecondGeneration extends Visitor {
    /** The code of the newest revision, which this client puts in place of the older revisions' own. */
    unknownResource = -32602;

    static async connect(era, { url = target.url, command = target.command, capabilities = CAPABILITIES } = {}) {
        const visitor = new SecondGeneration(era);
        const mode = era === 'legacy' || era === 'auto' ? era : era < MODERN ? 'legacy' : { pin: era };
        const versions = era < MODERN ? { supportedProtocolVersions: [era] } : {};
        const client = new Client(
            { name: 'interop', version: '1.0.0' },
            { capabilities, versionNegotiation: { mode }, ...versions }
        );
        for (const method of [ELICIT, SAMPLE, ROOTS]) {
            if (!(method.split('/')[0] in capabilities)) continue;
            client.setRequestHandler(method, ({ params }) => visitor.answer(method, params));
        }
        client.fallbackNotificationHandler = async ({ method, params }) => visitor.hear(method, params);
        client.onerror = error => console.error(`${era}: ${error.message}`);
        visitor.client = client;
        await visitor.connectAgain(url, command);
        return visitor;
    }

    /** Connects the client once more, as after the end of a session. */
    async connectAgain(url = target.url, [program, ...args] = target.command) {
        this.wire = url
            ? new StreamableHTTPClientTransport(new URL(url), {
                  fetch: this.fetch,
                  reconnectionOptions: {
                      initialReconnectionDelay: 100,
                      maxReconnectionDelay: 1000,
                      reconnectionDelayGrowFactor: 1.5,
                      maxRetries: 10
                  }
              })
            : new StdioClientTransport({ command: program, args, stderr: 'inherit' });
        await this.client.connect(this.wire);
        this.version = this.client.getNegotiatedProtocolVersion();
    }

    call(name, args = {}, options = {}) {
        return this.client.callTool({ name, arguments: args, ...options.params }, options);
    }

    /** Sends a request and takes any result for an answer, one that asks for input among them. */
    request(method, params) {
        return this.client.request({ method, params }, { allowInputRequired: true });
    }

    /** Asks to be told of changes; gives what ends that. */
    async follow({ lists = [], uri }) {
        if (!this.withHandshake) {
            const filter = Object.fromEntries(lists.map(list => [`${list}ListChanged`, true]));
            if (uri) filter.resourceSubscriptions = [uri];
            const subscription = await this.client.listen(filter);
            return () => subscription.close();
        }
        if (!uri) return async () => {};
        await this.client.subscribeResource({ uri });
        return () => this.client.unsubscribeResource({ uri });
    }

    statusOf(error) {
        return error.data?.status;
    }

    async leave() {
        if (this.wire.sessionId) await this.wire.terminateSession();
        await this.client.close();
    }
}

for (const era of eras ?? ['legacy', MODERN]) await visit(SecondGeneration, era);
finish();
