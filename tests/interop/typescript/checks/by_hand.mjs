// Multi round-trip requests as the wire has them: the client hands out what asks for input, the check repeats the call.
import assert from 'node:assert/strict';

const CALL = 'tools/call';

async function begin(visitor, tool) {
    const first = await visitor.request(CALL, { name: tool, arguments: {} });
    assert.equal(first.resultType, 'input_required');
    return first;
}

export const byHand = {
    concerns: ({ withHandshake }) => !withHandshake,
    checks: {
        async 'a call is repeated with the answer'(visitor) {
            const name = 'test_input_required_result_elicitation';
            const { inputRequests, requestState } = await begin(visitor, name);
            assert.equal(inputRequests.user_name.method, 'elicitation/create');
            const inputResponses = { user_name: { action: 'accept', content: { name: 'Ada' } } };
            const { content } = await visitor.request(CALL, { name, arguments: {}, inputResponses, requestState });
            assert.equal(content[0].text, 'Hello, Ada!');
        },
        async 'state that was tampered with is refused'(visitor) {
            const name = 'test_input_required_result_tampered_state';
            const { requestState } = await begin(visitor, name);
            const inputResponses = { confirm: { action: 'accept', content: { ok: true } } };
            const repeated = { name, arguments: {}, inputResponses, requestState: `${requestState}-TAMPERED` };
            await assert.rejects(visitor.request(CALL, repeated), { code: -32602 });
        },
        async 'a confirmation without its state is asked for again'(visitor) {
            const name = 'test_input_required_result_request_state';
            const inputResponses = { confirm: { action: 'accept', content: { ok: true } } };
            const result = await visitor.request(CALL, { name, arguments: {}, inputResponses });
            assert.equal(result.resultType, 'input_required');
        }
    }
};
