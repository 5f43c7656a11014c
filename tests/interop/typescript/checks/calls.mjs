// Tools: listed, called, refused, followed while they work, cancelled.
import assert from 'node:assert/strict';
import { ticking } from '../ticking.mjs';
import { refusal, textOf } from '../visitor.mjs';

const WITH_STRUCTURED_RESULTS = '2025-06-18';
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';

export const calls = {
    checks: {
        async 'tools are listed'({ client }) {
            const { tools } = await client.listTools();
            const names = tools.map(tool => tool.name);
            for (const name of ['test_simple_text', 'test_tool_with_progress', 'echo', 'stat', 'slow_echo']) {
                assert.ok(names.includes(name), `${name} is not listed`);
            }
            assert.equal(new Set(names).size, names.length, 'a tool is listed twice');
            return `${tools.length} tools`;
        },
        async 'a tool without arguments is called'(visitor) {
            const result = await visitor.call('test_simple_text', undefined);
            assert.ok(!result.isError);
            assert.ok(textOf(result).length > 0);
        },
        async 'a tool gets its arguments unchanged'(visitor) {
            const text = 'snow ☃, a "quote", a \\ and\na line';
            assert.equal(textOf(await visitor.call('echo', { text })), text);
        },
        async 'a structured result fits its schema'(visitor) {
            // The client checks the result against the listed output schema.
            const result = await visitor.call('stat', { mode: 'ok' });
            if (visitor.version >= WITH_STRUCTURED_RESULTS) assert.deepEqual(result.structuredContent, { n: 1 });
            else assert.deepEqual(JSON.parse(textOf(result)), { n: 1 });
        },
        async 'wrong arguments are refused'(visitor) {
            return refusal(visitor.call('echo', { text: 5 }));
        },
        async 'an unknown tool is an error'(visitor) {
            return refusal(visitor.call('no_such_tool'));
        },
        async 'progress arrives in order and before the result'(visitor) {
            const seen = [];
            await visitor.call('test_tool_with_progress', {}, { onprogress: ({ progress }) => seen.push(progress) });
            assert.deepEqual(seen, [0, 50, 100]);
        },
        async 'messages arrive from the level on that was asked for'(visitor) {
            const params = visitor.withHandshake ? {} : { _meta: { [LOG_LEVEL]: 'error' } };
            if (visitor.withHandshake) await visitor.client.setLoggingLevel('error');
            await visitor.call('log_all', {}, { params });
            const levels = visitor.heard.filter(({ method }) => method === 'notifications/message').map(({ params }) => params.level);
            assert.deepEqual(levels, ['error', 'critical', 'alert', 'emergency']);
        },
        async 'a cancelled call ends and the next one works'(visitor) {
            const stop = new AbortController();
            const begin = Date.now();
            const call = visitor.call('slow_echo', { ms: 10_000, text: 'late' }, { signal: stop.signal });
            setTimeout(() => stop.abort('no longer needed'), 100);
            await assert.rejects(call);
            const took = Date.now() - begin;
            assert.ok(took < 5000, `the call ended after ${took} ms`);
            assert.equal(textOf(await visitor.call('echo', { text: 'next' })), 'next');
            return `${took} ms`;
        },
        async 'cancelling a call stops the tool'(visitor) {
            await ticking(async (args, stillness) => {
                const stop = new AbortController();
                const onprogress = () => stop.abort('no longer needed');
                await assert.rejects(visitor.call('tick_file', args, { signal: stop.signal, onprogress }));
                await stillness();
            });
        },
        async 'calls overlap'(visitor) {
            const texts = ['a', 'b', 'c', 'd'];
            const begin = Date.now();
            const results = await Promise.all(texts.map(text => visitor.call('slow_echo', { ms: 500, text })));
            assert.deepEqual(results.map(textOf), texts);
            const took = Date.now() - begin;
            assert.ok(took < 1800, `four calls of 500 ms took ${took} ms`);
            return `${took} ms`;
        }
    }
};
