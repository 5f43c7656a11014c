// Connections that end too early: by the server's choice, and because the network fails.
import assert from 'node:assert/strict';
import { proxyTo } from '../proxy.mjs';
import { target } from '../report.mjs';
import { control, textOf } from '../visitor.mjs';

const TICK = 'test://tick';

/** The first revisions in which a stream can be resumed, in which a client has forms, and in which a server may hang up. */
const WITH_RESUMPTION = '2025-03-26';
const WITH_FORMS = '2025-06-18';
const WITH_POLLING = '2025-11-25';

/** Lets a client of its own talk through a proxy. */
async function through(Kind, era, body) {
    const proxy = await proxyTo(target.url);
    const visitor = await Kind.connect(era, { url: proxy.url });
    try {
        await visitor.streamIsOpen();
        await body(visitor, proxy);
        await visitor.leave();
    } finally {
        proxy.close();
        await visitor.client.close();
    }
}

const withSession = {
    async 'a result is fetched after the server has closed the stream of its call'({ era }, Kind) {
        const visitor = await Kind.connect(era);
        await visitor.streamIsOpen();
        assert.match(textOf(await visitor.call('test_reconnection')), /came back/);
        // Older revisions do not let a server hang up, so it does not.
        assert.equal(visitor.resumptions > 0, visitor.version >= WITH_POLLING, 'GET with an event id');
        await visitor.leave();
    },
    async 'a call goes on after its connection was cut'({ era }, Kind) {
        await through(Kind, era, async (visitor, proxy) => {
            const seen = [];
            const onprogress = ({ progress }) => {
                seen.push(progress);
                if (progress === 3) proxy.cut();
            };
            const result = await visitor.call('progress', { n: 12, gap_ms: 50 }, { onprogress });
            assert.equal(textOf(result), '12 reports');
            assert.ok(visitor.resumptions > 0, 'the client has not come back with an event id');
            // Nothing is lost in the cut, and nothing comes twice.
            assert.deepEqual(seen, Array.from({ length: 12 }, (_, index) => index + 1));
        });
    },
    async 'what the server told during a cut is told afterwards'({ era }, Kind) {
        await through(Kind, era, async (visitor, proxy) => {
            await visitor.follow({ uri: TICK });
            await control('POST', `/updated?uri=${TICK}`);
            await visitor.hears('notifications/resources/updated');
            const after = visitor.heard.length;
            proxy.interrupt();
            await control('POST', `/updated?uri=${TICK}`);
            proxy.mend();
            await visitor.hears('notifications/resources/updated', () => true, after);
            assert.ok(visitor.resumptions > 0, 'the client has not come back with an event id');
        });
    },
    async 'a question is answered though the connection was cut'({ era, version }, Kind) {
        if (version < WITH_FORMS) return 'this revision has no forms';
        return through(Kind, era, async (visitor, proxy) => {
            visitor.answers['elicitation/create'] = async () => {
                proxy.cut();
                return { action: 'accept', content: { note: 'back again' } };
            };
            assert.equal(textOf(await visitor.call('echo_with_note', { text: 'first' })), 'first (back again)');
        });
    }
};

const withoutSession = {
    async 'a call fails with its connection, and the next one works'({ era }, Kind) {
        await through(Kind, era, async (visitor, proxy) => {
            const onprogress = ({ progress }) => progress === 2 && proxy.cut();
            await assert.rejects(visitor.call('progress', { n: 100, gap_ms: 50 }, { onprogress, timeout: 5000 }));
            assert.equal(visitor.resumptions, 0, 'this revision has nothing to resume');
            assert.equal(textOf(await visitor.call('echo', { text: 'next' })), 'next');
        });
    }
};

export const cutsOfSessions = {
    concerns: ({ hasSession, version }) => hasSession && version >= WITH_RESUMPTION,
    checks: withSession
};
export const cutsOfCalls = {
    concerns: ({ overHttp, hasSession }) => overHttp && !hasSession,
    checks: withoutSession
};
