// The smallest host that shows cards as the extension asks: each in a sandbox of another origin, under a policy made of
// what the card declares, with nothing but messages between them. `window.host` is driven from outside.
import { Client } from './client.mjs';

const CARD = 'text/html;profile=mcp-app';

/** Who may call a tool; everybody, where it says nothing. */
const visibility = tool => tool._meta?.ui?.visibility ?? ['model', 'app'];

class Host {
    /** Every message between card and host, in order. */
    log = [];
    #sandboxUrl;
    #client;
    #tools;

    async connect({ url, version, sandboxUrl }) {
        this.#sandboxUrl = sandboxUrl;
        this.#client = new Client(url, version);
        const capabilities = await this.#client.connect();
        this.#tools = (await this.#client.request('tools/list')).tools;
        return { capabilities, tools: this.#tools };
    }

    /** The tools that a model would be told of. */
    modelTools() {
        return this.#tools.filter(tool => visibility(tool).includes('model')).map(tool => tool.name);
    }

    /** Calls a tool for the model. */
    call(name, input) {
        return this.#client.request('tools/call', { name, arguments: input });
    }

    read(uri) {
        return this.#client.request('resources/read', { uri });
    }

    /** Shows the icons of a tool, and tells how wide each is. */
    async icons(name) {
        const place = document.getElementById('icons');
        place.replaceChildren();
        const { icons = [] } = this.#tools.find(tool => tool.name === name);
        return Promise.all(
            icons.map(async ({ src }) => {
                const image = new Image();
                image.src = src;
                place.append(image);
                await image.decode();
                return image.naturalWidth;
            })
        );
    }

    /** Calls a tool and shows its card; `card` shows one by its URI, with this input and no call. */
    async show({ tool, input, card }) {
        const entry = this.#tools.find(({ name }) => name === tool);
        const uri = card ?? entry._meta.ui.resourceUri;
        const [contents] = (await this.read(uri)).contents;
        if (contents.mimeType !== CARD || !uri.startsWith('ui://')) throw new Error(`${uri} is no card`);
        const ui = contents._meta?.ui ?? {};
        const frame = document.createElement('iframe');
        frame.className = ui.prefersBorder ? 'bordered' : '';
        frame.sandbox.add('allow-scripts', 'allow-same-origin');
        const query = new URLSearchParams(ui.csp ? { csp: JSON.stringify(ui.csp) } : {});
        frame.src = `${this.#sandboxUrl}?${query}`;
        this.#serve(frame, { html: contents.text, ui, tool: entry, input });
        document.getElementById('view').replaceChildren(frame);
        return ui;
    }

    /** Answers what the card in the frame says. */
    #serve(frame, { html, ui, tool, input }) {
        const origin = new URL(frame.src).origin;
        const say = message => {
            this.log.push({ to: 'card', ...message });
            frame.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, origin);
        };
        this.#stop?.abort();
        this.#stop = new AbortController();
        const hear = async ({ source, origin: from, data }) => {
            if (source !== frame.contentWindow || from !== origin || data?.jsonrpc !== '2.0') return;
            this.log.push({ to: 'host', ...data });
            if (data.method === 'ui/notifications/sandbox-proxy-ready') {
                const params = { html, csp: ui.csp, permissions: ui.permissions };
                say({ method: 'ui/notifications/sandbox-resource-ready', params });
            } else if (data.method === 'ui/notifications/initialized') {
                say({ method: 'ui/notifications/tool-input', params: { arguments: input } });
                if (tool) say({ method: 'ui/notifications/tool-result', params: await this.call(tool.name, input) });
            } else if (data.method === 'ui/notifications/size-changed') {
                frame.style.height = `${data.params.height}px`;
            } else if (data.method && data.id !== undefined) {
                try {
                    say({ id: data.id, result: await this.#answer(data, tool) });
                } catch (error) {
                    say({ id: data.id, error: { code: error.code ?? -32000, message: error.message } });
                }
            }
        };
        window.addEventListener('message', hear, { signal: this.#stop.signal });
    }

    #stop;

    /** What a card may ask of its host. */
    async #answer({ method, params }, tool) {
        switch (method) {
            case 'ui/initialize':
                return {
                    protocolVersion: '2026-01-26',
                    hostInfo: { name: 'host-page', version: '1.0.0' },
                    hostCapabilities: { serverTools: {}, serverResources: {}, logging: {} },
                    hostContext: {
                        theme: 'light',
                        displayMode: 'inline',
                        containerDimensions: { width: 480, maxHeight: 600 },
                        ...(tool && { toolInfo: { tool } })
                    }
                };
            case 'ping':
                return {};
            case 'resources/read':
                return this.read(params.uri);
            case 'tools/call': {
                const called = this.#tools.find(({ name }) => name === params.name);
                if (!called || !visibility(called).includes('app')) {
                    throw new Error(`cards may not call ${params.name}`);
                }
                return this.call(params.name, params.arguments);
            }
            default:
                throw Object.assign(new Error(`${method} is nothing that this host does`), { code: -32601 });
        }
    }
}

window.host = new Host();
