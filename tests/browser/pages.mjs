// The servers of the test: a host's page, its sandbox on another origin, and somebody else whom a card may not reach.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../fixture/server.mjs';

const FOLDER = fileURLToPath(new URL('host/', import.meta.url));
const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.mjs': 'text/javascript' };

/** The policy of a card from what it declares; nothing reaches outside where it declares nothing. */
export function policy({ connectDomains, resourceDomains, frameDomains, baseUriDomains } = {}) {
    const list = (origins, otherwise) => (origins?.length ? origins.join(' ') : otherwise);
    const resources = list(resourceDomains, '');
    return [
        "default-src 'none'",
        `script-src 'self' 'unsafe-inline' ${resources}`,
        `style-src 'self' 'unsafe-inline' ${resources}`,
        `img-src 'self' data: ${resources}`,
        `font-src 'self' ${resources}`,
        `media-src 'self' data: ${resources}`,
        `connect-src ${list(connectDomains, "'none'")}`,
        `frame-src ${list(frameDomains, "'none'")}`,
        "object-src 'none'",
        `base-uri ${list(baseUriDomains, "'self'")}`
    ].join('; ');
}

async function listen(answer) {
    const port = await freePort();
    const server = createServer(answer);
    await new Promise((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
    const stop = () => {
        server.close();
        server.closeAllConnections();
    };
    return { port, stop };
}

async function page(request, response) {
    const url = new URL(request.url, 'http://page');
    const name = url.pathname === '/' ? 'index.html' : url.pathname.slice(1);
    try {
        const body = await readFile(join(FOLDER, name));
        const headers = { 'Content-Type': TYPES[extname(name)] ?? 'application/octet-stream' };
        if (name === 'sandbox.html') {
            const csp = url.searchParams.get('csp');
            headers['Content-Security-Policy'] = policy(csp ? JSON.parse(csp) : undefined);
        }
        response.writeHead(200, headers).end(body);
    } catch {
        response.writeHead(404).end();
    }
}

/** Starts all three. */
export async function startPages() {
    const visits = [];
    const host = await listen(page);
    const sandbox = await listen(page);
    const outside = await listen((request, response) => {
        visits.push(`${request.headers.host}${request.url}`);
        response.writeHead(200, { 'Access-Control-Allow-Origin': '*', 'Content-Type': 'text/plain' }).end('reached');
    });
    return {
        hostUrl: `http://127.0.0.1:${host.port}/`,
        sandboxUrl: `http://127.0.0.1:${sandbox.port}/sandbox.html`,
        outsidePort: outside.port,
        visits,
        stop: () => [host, sandbox, outside].forEach(server => server.stop())
    };
}
