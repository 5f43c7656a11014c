// Resources, prompts and completion.
import assert from 'node:assert/strict';

export const answers = {
    checks: {
        async 'resources and templates are listed'({ client }) {
            const { resources } = await client.listResources();
            assert.ok(resources.some(({ uri }) => uri === 'test://static-text'));
            const { resourceTemplates } = await client.listResourceTemplates();
            assert.ok(resourceTemplates.some(({ uriTemplate }) => uriTemplate === 'test://template/{id}/data'));
        },
        async 'a resource is read'({ client }) {
            const { contents } = await client.readResource({ uri: 'test://static-text' });
            assert.equal(contents[0].uri, 'test://static-text');
            assert.ok(contents[0].text.length > 0);
        },
        async 'a resource is read through its template'({ client }) {
            const { contents } = await client.readResource({ uri: 'test://template/123/data' });
            assert.match(contents[0].text, /123/);
        },
        async 'an unknown resource is an error'({ client, unknownResource: code }) {
            await assert.rejects(client.readResource({ uri: 'test://no-such-resource' }), { code });
        },
        async 'prompts are listed'({ client }) {
            const names = (await client.listPrompts()).prompts.map(prompt => prompt.name);
            for (const name of ['test_prompt_with_arguments', 'pick']) assert.ok(names.includes(name), `${name} is not listed`);
        },
        async 'a prompt gets its arguments'({ client }) {
            const { messages } = await client.getPrompt({
                name: 'test_prompt_with_arguments',
                arguments: { arg1: 'one', arg2: 'two' }
            });
            assert.match(messages[0].content.text, /one.*two/);
        },
        async 'a prompt without its argument is an error'({ client }) {
            await assert.rejects(client.getPrompt({ name: 'pick', arguments: {} }), { code: -32602 });
        },
        async 'an argument of a prompt is completed'({ client }) {
            const ref = { type: 'ref/prompt', name: 'pick' };
            const all = await client.complete({ ref, argument: { name: 'city', value: '' } });
            assert.ok(all.completion.values.length > 0, 'no value is proposed');
            const [first] = all.completion.values;
            const some = await client.complete({ ref, argument: { name: 'city', value: first } });
            assert.ok(some.completion.values.includes(first));
            const arg1 = { name: 'arg1', value: 'test' };
            await client.complete({ ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' }, argument: arg1 });
            return all.completion.values.join(' ');
        }
    }
};
