// Tools and a prompt that ask the user, the model and the client, answered by the client's own handlers.
//
// The same checks hold in both eras: with a handshake the server sends requests while the call is open, on
// 2026-07-28 the client's library repeats the call with the answers.
import assert from 'node:assert/strict';
import { ELICIT, ROOTS, SAMPLE, refusal, textOf } from '../visitor.mjs';

/** The first revision with forms, and the first with their defaults and all kinds of choice. */
const WITH_FORMS = '2025-06-18';
const WITH_EVERY_CHOICE = '2025-11-25';

const accept = content => () => ({ action: 'accept', content });
const sampled = text => () => ({ role: 'assistant', model: 'a model', content: { type: 'text', text } });
const folders = { roots: [{ uri: 'file:///test/root', name: 'Test Root' }] };

/** What a tool told of the user's answer. */
async function told(visitor, tool, args = {}) {
    const [, action, content] = textOf(await visitor.call(tool, args)).match(/action=(\w+), content=(.*)$/);
    return { action, content: JSON.parse(content) };
}

/** The forms that the user has seen. */
const forms = ({ asked }) => asked.filter(({ method }) => method === ELICIT).map(({ params }) => params);

const withForms = {
    async 'the user accepts'(visitor) {
        const user = { username: 'ada', email: 'ada@example.org' };
        visitor.answers[ELICIT] = accept(user);
        const answer = await told(visitor, 'test_elicitation', { message: 'Who are you?' });
        assert.deepEqual(answer, { action: 'accept', content: user });
        const [{ message, requestedSchema }] = forms(visitor);
        assert.equal(message, 'Who are you?');
        assert.equal(requestedSchema.properties.email.format, 'email');
        assert.deepEqual(requestedSchema.required, ['username', 'email']);
    },
    async 'the user declines'(visitor) {
        visitor.answers[ELICIT] = () => ({ action: 'decline' });
        assert.equal((await told(visitor, 'test_elicitation', { message: 'Who?' })).action, 'decline');
    },
    async 'the user cancels'(visitor) {
        visitor.answers[ELICIT] = () => ({ action: 'cancel' });
        assert.equal((await told(visitor, 'test_elicitation', { message: 'Who?' })).action, 'cancel');
    },
    async 'an answer that does not fit the form is refused'(visitor) {
        visitor.answers[ELICIT] = accept({ username: 'ada' });
        return refusal(visitor.call('test_elicitation', { message: 'Who?' }));
    },
    async 'a user who is sure decides, and so does one who is not'(visitor) {
        const path = '/no/such/path';
        visitor.answers[ELICIT] = accept({ sure: true });
        assert.equal(textOf(await visitor.call('confirm_delete_path', { path })), `deleted ${path}`);
        visitor.answers[ELICIT] = accept({ sure: false });
        assert.match(await refusal(visitor.call('confirm_delete_path', { path })), /was kept/);
    },
    async 'calls go on while the user thinks'(visitor) {
        visitor.answers[ELICIT] = async () => {
            const text = textOf(await visitor.call('echo', { text: 'meanwhile' }));
            return { action: 'accept', content: { note: text } };
        };
        assert.equal(textOf(await visitor.call('echo_with_note', { text: 'first' })), 'first (meanwhile)');
    },
    async 'the user is asked twice in a row'(visitor) {
        visitor.answers[ELICIT] = ({ requestedSchema: { properties } }) => ({
            action: 'accept',
            content: properties.name ? { name: 'Ada' } : { color: 'green' }
        });
        assert.equal(textOf(await visitor.call('test_input_required_result_multi_round')), 'Ada likes green.');
        assert.match(forms(visitor)[1].message, /Ada/);
    },
    async 'a confirmation comes back with its state'(visitor) {
        visitor.answers[ELICIT] = accept({ ok: true });
        for (const tool of ['request_state', 'tampered_state']) {
            assert.equal(textOf(await visitor.call(`test_input_required_result_${tool}`)), 'state-ok: confirmed');
        }
    },
    async 'user, model and client are asked at once'(visitor) {
        visitor.answers = { [ELICIT]: accept({ name: 'Ada' }), [SAMPLE]: sampled('Hello'), [ROOTS]: () => folders };
        const text = textOf(await visitor.call('test_input_required_result_multiple_inputs'));
        assert.equal(text, 'Hello Ada, working in file:///test/root');
        assert.deepEqual(visitor.asked.map(({ method }) => method).toSorted(), [ELICIT, ROOTS, SAMPLE]);
    },
    async 'everyone is asked whom the client declared'(visitor) {
        visitor.answers = { [ELICIT]: accept({ name: 'Ada' }), [SAMPLE]: sampled('Hello'), [ROOTS]: () => folders };
        const text = textOf(await visitor.call('test_input_required_result_capabilities'));
        assert.equal(text, 'Asked: the user, the model, for roots');
    },
    async 'a prompt asks, too'(visitor) {
        visitor.answers[ELICIT] = accept({ context: 'a storm' });
        const { messages } = await visitor.client.getPrompt({ name: 'test_input_required_result_prompt' });
        assert.match(messages[0].content.text, /a storm/);
    },
    async 'a tool that reports its progress asks'(visitor) {
        visitor.answers[ELICIT] = accept({ name: 'Ada' });
        const seen = [];
        const onprogress = ({ progress }) => seen.push(progress);
        assert.equal(textOf(await visitor.call('test_streaming_elicitation', {}, { onprogress })), 'Ada');
        assert.equal(seen[0], 1);
        // Over stdio the clients drop a report that arrives together with the result.
        if (visitor.overHttp) assert.equal(seen.at(-1), 2);
        return seen.join(' ');
    }
};

const withEveryChoice = {
    async 'the client fills in the defaults of a form'(visitor) {
        // The handler gives nothing: what arrives is what the client took from the schema.
        visitor.answers[ELICIT] = accept({});
        const content = { name: 'John Doe', age: 30, score: 95.5, status: 'active', verified: true };
        assert.deepEqual(await told(visitor, 'test_elicitation_sep1034_defaults'), { action: 'accept', content });
        const { properties } = forms(visitor)[0].requestedSchema;
        const defaults = Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, field.default]));
        assert.deepEqual(defaults, content);
    },
    async 'the user overrules a default'(visitor) {
        visitor.answers[ELICIT] = accept({ age: 31, status: 'pending' });
        const { content } = await told(visitor, 'test_elicitation_sep1034_defaults');
        assert.deepEqual([content.age, content.status, content.verified], [31, 'pending', true]);
    },
    async 'the user chooses in every kind of list'(visitor) {
        const content = {
            untitledSingle: 'option2',
            titledSingle: 'value3',
            legacyEnum: 'opt1',
            untitledMulti: ['option1', 'option3'],
            titledMulti: ['value2']
        };
        visitor.answers[ELICIT] = accept(content);
        assert.deepEqual(await told(visitor, 'test_elicitation_sep1330_enums'), { action: 'accept', content });
        const { untitledSingle, titledSingle, legacyEnum, untitledMulti, titledMulti } = forms(visitor)[0].requestedSchema.properties;
        assert.deepEqual(untitledSingle.enum, ['option1', 'option2', 'option3']);
        assert.deepEqual(titledSingle.oneOf[0], { const: 'value1', title: 'First Option' });
        assert.deepEqual(legacyEnum.enumNames, ['Option One', 'Option Two', 'Option Three']);
        assert.deepEqual(untitledMulti.items.enum, untitledSingle.enum);
        assert.deepEqual(titledMulti.items.anyOf, titledSingle.oneOf);
    },
    async 'a choice that is not in its list is refused'(visitor) {
        const outside = { untitledSingle: 'option9', titledSingle: 'Third Option', untitledMulti: ['option9'], titledMulti: ['x'] };
        for (const [field, value] of Object.entries(outside)) {
            visitor.answers[ELICIT] = accept({ [field]: value });
            await refusal(visitor.call('test_elicitation_sep1330_enums')).catch(error => {
                throw new Error(`${field}: ${error.message}`);
            });
        }
    }
};

const inEveryEra = {
    async 'the model is asked'(visitor) {
        visitor.answers[SAMPLE] = sampled('Lisbon');
        const text = textOf(await visitor.call('test_sampling', { prompt: 'Which city?' }));
        assert.equal(text, 'LLM response: Lisbon');
        const [{ params }] = visitor.asked;
        assert.equal(params.messages[0].content.text, 'Which city?');
        assert.equal(params.maxTokens, 100);
    },
    async 'a model that may not answer is an error'(visitor) {
        visitor.answers[SAMPLE] = () => {
            throw Object.assign(new Error('the user said no'), { code: -1 });
        };
        return refusal(visitor.call('test_sampling', { prompt: 'Which city?' }));
    },
    async 'the roots are asked for'(visitor) {
        visitor.answers[ROOTS] = () => folders;
        assert.deepEqual(JSON.parse(textOf(await visitor.call('ask_roots'))), folders);
    },
    async 'a client that declared nothing is asked nothing'({ era }, Kind) {
        const visitor = await Kind.connect(era, { capabilities: {} });
        try {
            const calls = { test_elicitation: { message: 'Who?' }, test_sampling: { prompt: 'Which?' }, ask_roots: {} };
            for (const [tool, args] of Object.entries(calls)) await refusal(visitor.call(tool, args));
            const text = textOf(await visitor.call('test_input_required_result_capabilities'));
            assert.equal(text, 'Nobody could be asked.');
            assert.equal(visitor.asked.length, 0);
        } finally {
            await visitor.leave();
        }
    },
    async 'a client learns that it may not fill in forms of a revision without them'(visitor) {
        if (visitor.version >= WITH_FORMS) return 'this revision has forms';
        return refusal(visitor.call('test_elicitation', { message: 'Who?' }));
    }
};

/** Keeps checks to connections of a revision or newer. */
function from(revision, checks) {
    const kept = body => (visitor, Kind) => (visitor.version < revision ? `not before ${revision}` : body(visitor, Kind));
    return Object.fromEntries(Object.entries(checks).map(([name, body]) => [name, kept(body)]));
}

export const asking = {
    checks: { ...inEveryEra, ...from(WITH_FORMS, withForms), ...from(WITH_EVERY_CHOICE, withEveryChoice) }
};
