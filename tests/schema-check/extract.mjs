// Takes the official JSON schemas of the protocol revisions out of the pinned conformance suite.
//
//   node extract.mjs BUNDLE FOLDER      writes FOLDER/REVISION.json for each revision the suite carries
//
// The suite checks every message against these schemas and ships them inside its one bundled file, as
// object literals of constants, followed by a table from revision to schema. 2024-11-05 is not among them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

const REVISIONS = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];

const [bundle, folder] = process.argv.slice(2);
if (!bundle || !folder) {
    console.error('usage: extract.mjs BUNDLE FOLDER');
    process.exit(2);
}
const source = readFileSync(bundle, 'utf8');

/** The object literal that begins at `start`, found by counting braces outside of strings. */
function literalAt(start) {
    let depth = 0;
    for (let at = start; at < source.length; at += 1) {
        const character = source[at];
        if (character === '{') depth += 1;
        if (character === '}' && (depth -= 1) === 0) return source.slice(start, at + 1);
        if (character === '`' || character === '"' || character === "'") {
            for (at += 1; source[at] !== character; at += 1) if (source[at] === '\\') at += 1;
        }
    }
    throw new Error('an object literal does not end');
}

const literals = new Map();
for (const match of source.matchAll(/([\w$]+)=(?=\{\$schema:`[^`]*`,(?:definitions|\$defs):\{Annotations:)/g)) {
    literals.set(match[1], literalAt(match.index + match[0].length));
}
// The table names all revisions in order; the newest one may be written as a constant's name.
const table = /\{"2025-03-26":([\w$]+),"2025-06-18":([\w$]+),"2025-11-25":([\w$]+),[^:{}]+:([\w$]+)\}/.exec(source);
if (!table) throw new Error('the bundle has no table from revision to schema');

mkdirSync(folder, { recursive: true });
REVISIONS.forEach((revision, index) => {
    const literal = literals.get(table[index + 1]);
    if (!literal) throw new Error(`the bundle has no schema for ${revision}`);
    // An empty context: the literal can hold data and nothing else.
    const json = runInNewContext(`JSON.stringify((${literal}), null, 2)`, Object.create(null), { timeout: 5000 });
    const schema = JSON.parse(json);
    const definitions = Object.keys(schema.$defs ?? schema.definitions ?? {});
    const modern = definitions.includes('DiscoverResult');
    if (!definitions.includes('CallToolResult') || modern !== (revision === '2026-07-28')) {
        throw new Error(`what was found for ${revision} is not its schema`);
    }
    const file = join(folder, `${revision}.json`);
    writeFileSync(file, `${json}\n`);
    console.log(`${file}: ${definitions.length} definitions`);
});
