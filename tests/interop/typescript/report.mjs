// The command line of the TypeScript clients, and the report of their checks, one JSON line per check.
//
//   node CLIENT.mjs [--era ERA]… [--control HOST:PORT] (--url URL [--sse] | -- PROGRAM ARGUMENT…)
//
// The server must carry the test fixture. Where it is started here, it is told to open the control channel.
// A line is {"era", "check", "ok", "detail"}; the exit code is 1 when any check failed.
import { parseArgs } from 'node:util';

const CHECK_LIMIT_MS = 15_000;

const { values: options, positionals: command } = parseArgs({
    allowPositionals: true,
    options: {
        era: { type: 'string', multiple: true },
        url: { type: 'string' },
        sse: { type: 'boolean', default: false },
        control: { type: 'string' }
    }
});
if (!options.url === !command.length) {
    console.error('usage: CLIENT.mjs [--era ERA]… [--control HOST:PORT] (--url URL [--sse] | -- PROGRAM ARGUMENT…)');
    process.exit(2);
}

/** Which eras to visit, if the command line says so. */
export const eras = options.era;

/** Where the server is: a URL, of a stream of HTTP+SSE if `sse` is set, or the program to start. */
export const target = { url: options.url, sse: options.sse, command, control: options.control };

let failures = 0;

function report(era, check, ok, detail) {
    if (!ok) failures += 1;
    console.log(JSON.stringify({ era, check, ok, detail: String(detail).slice(0, 2000) }));
    return ok;
}

/** Runs one check within a time limit, reports it, and tells whether it passed. */
export async function check(era, name, body) {
    let timer;
    const limit = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error(`no end within ${CHECK_LIMIT_MS} ms`)), CHECK_LIMIT_MS);
    });
    try {
        return report(era, name, true, (await Promise.race([body(), limit])) ?? '');
    } catch (error) {
        return report(era, name, false, `${error.name}: ${error.message}`);
    } finally {
        clearTimeout(timer);
    }
}

/** Ends the program with what the checks came to. */
export function finish() {
    process.exit(failures ? 1 : 0);
}
