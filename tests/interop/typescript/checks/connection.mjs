// Which revision was agreed on, and what every connection can do.
import assert from 'node:assert/strict';
import { MODERN } from '../visitor.mjs';

export const connection = {
    checks: {
        async 'the negotiated version fits the era'({ version, era }) {
            const expected = { legacy: '2025-11-25', auto: MODERN }[era] ?? era;
            assert.equal(version, expected);
            return version;
        },
        async 'the client learns who the server is'({ client }) {
            assert.equal(client.getServerVersion()?.name, 'everything');
            assert.ok(client.getInstructions()?.length > 0);
            const offers = client.getServerCapabilities();
            for (const offer of ['tools', 'resources', 'prompts', 'completions']) {
                // The oldest revisions do not name completions.
                assert.ok(offers[offer] || offer === 'completions', `${offer} is not offered`);
            }
        },
        async 'a ping is answered'({ client, withHandshake }) {
            // 2026-07-28 has no ping, and a client that knows this sends none.
            if (withHandshake) await client.ping();
            else await assert.rejects(client.ping());
        }
    }
};
