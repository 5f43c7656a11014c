// A client of one server over Streamable HTTP, in a web page: what a host needs of one, in both eras.
const MODERN = '2026-07-28';
const CARDS = 'io.modelcontextprotocol/ui';
const CAPABILITIES = { extensions: { [CARDS]: { mimeTypes: ['text/html;profile=mcp-app'] } } };
const INFO = { name: 'host-page', version: '1.0.0' };

export class Client {
    #url;
    #version;
    #session;
    #last = 0;

    constructor(url, version) {
        this.#url = url;
        this.#version = version;
    }

    /** Shakes hands where the version does, and tells the server's capabilities. */
    async connect() {
        if (this.#version === MODERN) return (await this.request('server/discover')).capabilities;
        const params = { protocolVersion: this.#version, capabilities: CAPABILITIES, clientInfo: INFO };
        const { capabilities, protocolVersion } = await this.request('initialize', params);
        if (protocolVersion !== this.#version) throw new Error(`the server chose ${protocolVersion}`);
        await this.#post({ method: 'notifications/initialized' });
        return capabilities;
    }

    async request(method, params = {}) {
        const id = ++this.#last;
        const response = await this.#post({ id, method, params: this.#withMeta(params) });
        const answer = await read(response, id);
        if (answer.error) throw Object.assign(new Error(answer.error.message), { code: answer.error.code });
        return answer.result;
    }

    #withMeta(params) {
        if (this.#version !== MODERN) return params;
        const meta = {
            'io.modelcontextprotocol/protocolVersion': MODERN,
            'io.modelcontextprotocol/clientCapabilities': CAPABILITIES,
            'io.modelcontextprotocol/clientInfo': INFO
        };
        return { ...params, _meta: meta };
    }

    async #post(message) {
        const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
        if (message.method !== 'initialize') headers['MCP-Protocol-Version'] = this.#version;
        if (this.#version === MODERN) {
            headers['Mcp-Method'] = message.method;
            const name = message.params?.name ?? message.params?.uri;
            if (name) headers['Mcp-Name'] = name;
        }
        if (this.#session) headers['Mcp-Session-Id'] = this.#session;
        const response = await fetch(this.#url, {
            method: 'POST',
            headers,
            body: JSON.stringify({ jsonrpc: '2.0', ...message })
        });
        this.#session ??= response.headers.get('Mcp-Session-Id') ?? undefined;
        return response;
    }
}

/** The answer to a request, from plain JSON or from an event stream. */
async function read(response, id) {
    const text = await response.text();
    if (!response.headers.get('Content-Type')?.startsWith('text/event-stream')) return JSON.parse(text);
    const data = text.split('\n').filter(line => line.startsWith('data:')).map(line => line.slice(5).trim());
    const answer = data.filter(Boolean).map(line => JSON.parse(line)).find(message => message.id === id);
    if (!answer) throw new Error(`no answer to ${id} on the stream: ${text}`);
    return answer;
}
