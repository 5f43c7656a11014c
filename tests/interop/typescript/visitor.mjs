// What the checks know of a connection, whichever client made it: what it hears, what it is asked and answers.
import { target } from './report.mjs';

export const MODERN = '2026-07-28';

/** Methods of the questions a server puts to a client. */
export const ELICIT = 'elicitation/create';
export const SAMPLE = 'sampling/createMessage';
export const ROOTS = 'roots/list';

/** A connected client. Each of the clients fills in what its interface does in its own way. */
export class Visitor {
    /** Notifications in the order of their arrival, as {method, params}. */
    heard = [];
    /** Questions in the order of their arrival, as {method, params}. */
    asked = [];
    /** How questions are answered, by method; a check may put its own answer in. */
    answers = {};
    /** HTTP requests in the order of their sending, as {method, headers}. */
    requests = [];
    #waiting = new Set();
    #stream = Promise.withResolvers();

    constructor(era) {
        this.era = era;
        this.overHttp = Boolean(target.url) && !target.sse;
    }

    /** Whether this connection began with a handshake. */
    get withHandshake() {
        return this.version < MODERN;
    }

    /** Whether this connection belongs to a session that the server keeps. */
    get hasSession() {
        return this.overHttp && this.withHandshake;
    }

    /** Answers a question of the server, and remembers it. */
    async answer(method, params) {
        this.asked.push({ method, params });
        const answer = this.answers[method];
        if (!answer) throw new Error(`nobody expected ${method}`);
        return answer(params);
    }

    /** Takes note of a notification. */
    hear(method, params) {
        this.heard.push({ method, params });
        for (const look of this.#waiting) look();
    }

    /** Waits for a notification that arrived after the first `after`, and gives its parameters. */
    hears(method, matches = () => true, after = 0) {
        return new Promise(resolve => {
            const look = () => {
                const found = this.heard.slice(after).find(message => message.method === method && matches(message.params ?? {}));
                if (!found) return;
                this.#waiting.delete(look);
                resolve(found.params ?? {});
            };
            this.#waiting.add(look);
            look();
        });
    }

    /** Waits for the stream of a session, on which the server tells what belongs to no call. */
    async streamIsOpen() {
        if (this.hasSession) await this.#stream.promise;
    }

    /** How many GET requests asked for what followed an event that had arrived. */
    get resumptions() {
        return this.requests.filter(({ method, headers }) => method === 'GET' && headers.has('last-event-id')).length;
    }

    /** Sends an HTTP request for the client and takes note of it. */
    fetch = async (url, init = {}) => {
        const method = init.method ?? 'GET';
        const headers = new Headers(init.headers);
        this.requests.push({ method, headers });
        const response = await fetch(url, init);
        if (method === 'GET' && response.ok) this.#stream.resolve();
        return response;
    };
}

/** Tells the server, outside MCP, to change something. */
export async function control(method, path) {
    const response = await fetch(`http://${target.control}${path}`, { method });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
}

/** The text of a result's blocks. */
export const textOf = result => result.content.map(block => block.text ?? '').join('');

/** Waits for an error: thrown, or a result that is marked as one. Gives its text. */
export async function refusal(outcome) {
    const settled = await outcome.catch(error => error);
    if (settled instanceof Error) return settled.message;
    if (!settled.isError) throw new Error(`there was no error but ${JSON.stringify(settled)}`);
    return textOf(settled);
}
