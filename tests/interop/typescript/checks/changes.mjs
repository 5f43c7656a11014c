// What a server tells on its own: changed lists and resources, to those who asked for it.
import assert from 'node:assert/strict';
import { control, textOf } from '../visitor.mjs';

const TICK = 'test://tick';
const OTHER = 'test://watched-resource';
const MOMENTS = 20;
const UPDATED = 'notifications/resources/updated';

const update = uri => control('POST', `/updated?uri=${encodeURIComponent(uri)}`);

async function read({ client }, uri) {
    const { contents } = await client.readResource({ uri }, { cacheMode: 'refresh' });
    return contents[0].text;
}

async function toolNames({ client }) {
    const { tools } = await client.listTools(undefined, { cacheMode: 'refresh' });
    return tools.map(tool => tool.name);
}

export const changes = {
    checks: {
        async 'an update of a resource is told'(visitor) {
            await visitor.streamIsOpen();
            const stop = await visitor.follow({ uri: TICK });
            const before = await read(visitor, TICK);
            await update(TICK);
            await visitor.hears(UPDATED, ({ uri }) => uri === TICK);
            assert.equal(Number(await read(visitor, TICK)), Number(before) + 1);
            await stop();
        },
        async 'an update is told only to those who want it still'(visitor) {
            await visitor.streamIsOpen();
            const stop = await visitor.follow({ uri: TICK });
            const stopOther = await visitor.follow({ uri: OTHER });
            await stop();
            // On 2026-07-28 nobody confirms the end of a subscription, so it may take a moment.
            for (let moment = 0; ; moment += 1) {
                assert.ok(moment < MOMENTS, 'what nobody follows any more is told for ever');
                visitor.heard.length = 0;
                await update(TICK);
                await update(OTHER);
                await visitor.hears(UPDATED, ({ uri }) => uri === OTHER);
                if (!visitor.heard.some(({ method, params }) => method === UPDATED && params.uri === TICK)) break;
            }
            await stopOther();
        },
        async 'a tool that is added and removed is told, listed and called'(visitor) {
            await visitor.streamIsOpen();
            const stop = await visitor.follow({ lists: ['tools'] });
            await control('POST', '/tools/latecomer');
            try {
                await visitor.hears('notifications/tools/list_changed');
                assert.ok((await toolNames(visitor)).includes('latecomer'));
                assert.equal(textOf(await visitor.call('latecomer')), 'better late than never');
            } finally {
                visitor.heard.length = 0;
                await control('DELETE', '/tools/latecomer');
            }
            await visitor.hears('notifications/tools/list_changed');
            assert.ok(!(await toolNames(visitor)).includes('latecomer'));
            await stop();
        },
        async 'changed prompts and resources are told'(visitor) {
            await visitor.streamIsOpen();
            const stop = await visitor.follow({ lists: ['prompts', 'resources'] });
            for (const list of ['prompts', 'resources']) {
                await control('POST', `/changed/${list}`);
                await visitor.hears(`notifications/${list}/list_changed`);
            }
            await stop();
        },
        async 'a tool tells of changes, too'(visitor) {
            await visitor.streamIsOpen();
            const stop = await visitor.follow({ lists: ['tools', 'prompts'] });
            await visitor.call('test_trigger_tool_change');
            await visitor.hears('notifications/tools/list_changed');
            await visitor.call('test_trigger_prompt_change');
            await visitor.hears('notifications/prompts/list_changed');
            await stop();
        }
    }
};
