// Sessions over HTTP: begun, ended by either side, begun anew.
import assert from 'node:assert/strict';
import { target } from '../report.mjs';
import { ticking } from '../ticking.mjs';
import { textOf } from '../visitor.mjs';

/** Ends a session behind its client's back. */
async function end({ wire, version }) {
    const headers = { 'mcp-session-id': wire.sessionId, 'mcp-protocol-version': version };
    const response = await fetch(target.url, { method: 'DELETE', headers });
    assert.ok(response.ok, `the session could not be ended: ${response.status}`);
}

const withSession = {
    async 'each client has a session of its own'(visitor, Kind) {
        const other = await Kind.connect(visitor.era);
        assert.match(visitor.wire.sessionId, /^[\x21-\x7e]+$/);
        assert.notEqual(other.wire.sessionId, visitor.wire.sessionId);
        await other.leave();
        assert.equal(textOf(await visitor.call('echo', { text: 'still here' })), 'still here');
    },
    async 'a session that its client ended is gone'({ era }, Kind) {
        const visitor = await Kind.connect(era);
        const headers = {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            'mcp-session-id': visitor.wire.sessionId,
            'mcp-protocol-version': visitor.version
        };
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
        const ask = () => fetch(target.url, { method: 'POST', headers, body });
        const alive = await ask();
        await alive.text();
        assert.equal(alive.status, 200);
        await visitor.wire.terminateSession();
        assert.equal(visitor.wire.sessionId, undefined);
        assert.equal((await ask()).status, 404);
        await visitor.client.close();
    },
    async 'a client whose session has ended shakes hands again'({ era }, Kind) {
        const visitor = await Kind.connect(era);
        const before = visitor.wire.sessionId;
        await end(visitor);
        const error = await visitor.call('echo', { text: 'lost' }).catch(error => error);
        assert.equal(visitor.statusOf(error), 404, error.message);
        await visitor.client.close();
        await visitor.connectAgain();
        assert.notEqual(visitor.wire.sessionId, before);
        assert.equal(textOf(await visitor.call('echo', { text: 'found' })), 'found');
        await visitor.leave();
    },
    async 'a tool stops when its session ends'({ era }, Kind) {
        const visitor = await Kind.connect(era);
        await ticking(async (args, stillness) => {
            const begun = Promise.withResolvers();
            const call = visitor.call('tick_file', args, { onprogress: begun.resolve }).catch(error => error);
            await begun.promise;
            await end(visitor);
            await stillness();
            // The clients go on asking for the answer of a call whose session is gone until they are closed.
            await visitor.client.close();
            assert.ok((await call) instanceof Error);
        });
    }
};

const withoutSession = {
    async 'there is no session'({ wire }) {
        assert.equal(wire.sessionId, undefined);
    }
};

export const sessions = { concerns: ({ hasSession }) => hasSession, checks: withSession };
export const noSessions = { concerns: ({ overHttp, hasSession }) => overHttp && !hasSession, checks: withoutSession };
