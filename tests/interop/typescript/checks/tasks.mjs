// Calls that go on as tasks, in the dialect of 2025-11-25: followed, listed, answered, cancelled.
import assert from 'node:assert/strict';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { ticking } from '../ticking.mjs';
import { ELICIT, textOf } from '../visitor.mjs';

const INVALID_PARAMS = -32602;
const METHOD_NOT_FOUND = -32601;
const RELATED = 'io.modelcontextprotocol/related-task';
const STATUS = 'notifications/tasks/status';

const accept = content => () => ({ action: 'accept', content });
const codeOf = async outcome => (await outcome.then(() => assert.fail('there was no error'), error => error)).code;

/** What the client is told of a call from its creation to its end, by kind. */
async function followed({ tasks }, name, args, options = {}) {
    const told = [];
    for await (const message of tasks.callToolStream({ name, arguments: args }, undefined, { task: {}, ...options })) {
        told.push(message);
    }
    return told;
}

/** Begins a call as a task and does not follow it; gives the task. */
async function begun({ tasks }, name, args = {}, options = {}) {
    const stream = tasks.callToolStream({ name, arguments: args }, undefined, { task: {}, ...options });
    const { value } = await stream.next();
    await stream.return();
    assert.equal(value.type, 'taskCreated', value.error?.message);
    return value.task;
}

const result = ({ tasks }, { taskId }) => tasks.getTaskResult(taskId, CallToolResultSchema);

/** Looks at a task until it has come to a status. */
async function until({ tasks }, { taskId }, status) {
    for (;;) {
        const task = await tasks.getTask(taskId);
        if (task.status === status) return task;
        await new Promise(resolve => setTimeout(resolve, 20));
    }
}

const checks = {
    async 'the client sees that the server runs tasks'({ client }) {
        const { tasks } = client.getServerCapabilities();
        assert.deepEqual(tasks, { list: {}, cancel: {}, requests: { tools: { call: {} } } });
        const { tools } = await client.listTools();
        const support = name => tools.find(tool => tool.name === name).execution?.taskSupport ?? 'forbidden';
        assert.deepEqual(['greet', 'slow_compute', 'failing_job'].map(support), ['forbidden', 'optional', 'required']);
    },
    async 'a call as a task is followed to its result'(visitor) {
        const told = await followed(visitor, 'slow_compute', { seconds: 0.1 }, { task: { ttl: 60_000 } });
        assert.equal(told[0].type, 'taskCreated');
        assert.equal(told[0].task.ttl, 60_000);
        assert.equal(told.at(-1).type, 'result', told.at(-1).error?.message);
        assert.equal(textOf(told.at(-1).result), 'computed something for 0.1 s');
    },
    async 'a task is looked at and its result waited for'(visitor) {
        const task = await begun(visitor, 'slow_compute', { seconds: 0.3, label: 'six' });
        assert.equal((await visitor.tasks.getTask(task.taskId)).status, 'working');
        const waited = await result(visitor, task);
        assert.equal(textOf(waited), 'computed six for 0.3 s');
        assert.deepEqual(waited._meta[RELATED], { taskId: task.taskId });
        assert.equal((await visitor.tasks.getTask(task.taskId)).status, 'completed');
        // It is there for whoever asks once more.
        assert.equal(textOf(await result(visitor, task)), 'computed six for 0.3 s');
    },
    async 'the list has every task'(visitor) {
        const ids = [];
        for (let label = 0; label < 3; label += 1) {
            ids.push((await begun(visitor, 'slow_compute', { seconds: 0, label: `${label}` })).taskId);
        }
        const listed = [];
        let cursor;
        do {
            const page = await visitor.tasks.listTasks(cursor);
            listed.push(...page.tasks.map(task => task.taskId));
            cursor = page.nextCursor;
        } while (cursor);
        assert.deepEqual(listed.slice(-3), ids);
    },
    async 'a cancelled task ends'(visitor) {
        const { taskId } = await begun(visitor, 'slow_compute', { seconds: 3600 });
        assert.equal((await visitor.tasks.cancelTask(taskId)).status, 'cancelled');
        assert.equal((await visitor.tasks.getTask(taskId)).status, 'cancelled');
        assert.equal(await codeOf(visitor.tasks.cancelTask(taskId)), INVALID_PARAMS);
        await assert.rejects(result(visitor, { taskId }), /cancelled/);
    },
    async 'a tool stops when its task is cancelled'(visitor) {
        await ticking(async (args, stillness, beginning) => {
            const { taskId } = await begun(visitor, 'tick_file', args);
            await beginning();
            await visitor.tasks.cancelTask(taskId);
            await stillness();
        });
    },
    async 'a tool stops when its client goes, though it runs as a task'({ era }, Kind) {
        const other = await Kind.connect(era);
        await ticking(async (args, stillness, beginning) => {
            await begun(other, 'tick_file', args);
            await beginning();
            await other.leave();
            await stillness();
        });
    },
    async 'a question of a task is answered while its result is waited for'(visitor) {
        visitor.answers[ELICIT] = accept({ confirm: true });
        const task = await begun(visitor, 'confirm_delete', { filename: 'old.txt' });
        await until(visitor, task, 'input_required');
        assert.equal(visitor.asked.length, 0);
        assert.equal(textOf(await result(visitor, task)), 'old.txt is deleted');
        const [{ params }] = visitor.asked;
        assert.equal(params.message, 'Delete old.txt?');
        assert.deepEqual(params._meta[RELATED], { taskId: task.taskId });
    },
    async 'a client that follows a task is asked by the way'(visitor) {
        visitor.answers[ELICIT] = ({ message }) =>
            accept(message === 'What is your name?' ? { name: 'Ada' } : { confirm: true })();
        const told = await followed(visitor, 'multi_input', {});
        assert.equal(textOf(told.at(-1).result), 'Ada is sure', told.at(-1).error?.message);
        assert.equal(visitor.asked.length, 2);
    },
    async 'progress of a task arrives while its result is waited for'(visitor) {
        const seen = [];
        const onprogress = ({ progress }) => seen.push(progress);
        const task = await begun(visitor, 'progress', { n: 3, gap_ms: 50 }, { onprogress });
        assert.equal(textOf(await result(visitor, task)), '3 reports');
        assert.equal(seen.at(-1), 3, `${seen}`);
    },
    async 'the client is told of changes of its tasks'(visitor) {
        await visitor.streamIsOpen();
        const { taskId } = await begun(visitor, 'slow_compute', { seconds: 0.1 });
        const told = await visitor.hears(STATUS, task => task.taskId === taskId && task.status === 'completed');
        assert.deepEqual(told, await visitor.tasks.getTask(taskId));
    },
    async 'a failure for the model and an error of the protocol fail a task'(visitor) {
        const job = await begun(visitor, 'failing_job');
        const failed = await result(visitor, job);
        assert.ok(failed.isError && textOf(failed).includes('the job failed'));
        assert.equal((await visitor.tasks.getTask(job.taskId)).status, 'failed');
        const error = await begun(visitor, 'protocol_error_job');
        assert.equal(await codeOf(result(visitor, error)), -31_099);
        assert.equal((await visitor.tasks.getTask(error.taskId)).status, 'failed');
    },
    async 'a call that does not fit its tool is refused'(visitor) {
        const [{ error }] = await followed(visitor, 'greet', { name: 'Ada' });
        assert.equal(error.code, METHOD_NOT_FOUND);
        const plain = { method: 'tools/call', params: { name: 'failing_job', arguments: {} } };
        assert.equal(await codeOf(visitor.client.request(plain, CallToolResultSchema)), METHOD_NOT_FOUND);
    },
    async "another client's task is unknown"(visitor, Kind) {
        const { taskId } = await begun(visitor, 'slow_compute', { seconds: 0 });
        const other = await Kind.connect(visitor.era);
        assert.equal(await codeOf(other.tasks.getTask(taskId)), INVALID_PARAMS);
        assert.equal(await codeOf(result(other, { taskId })), INVALID_PARAMS);
        assert.equal(await codeOf(other.tasks.cancelTask(taskId)), INVALID_PARAMS);
        assert.deepEqual((await other.tasks.listTasks()).tasks, []);
        await other.leave();
        assert.equal(await codeOf(visitor.tasks.getTask('nobody')), INVALID_PARAMS);
    }
};

/** Only one of the clients speaks this dialect. */
export const tasks = { concerns: ({ tasks }) => Boolean(tasks), checks };
