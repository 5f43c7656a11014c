// Tests that the judge can fail: each way in which a run can be bad must be noticed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judge, mistakes, stale } from './judge.mjs';

const set = { name: 's', args: [], scenarios: ['ping'], skipped: {} };
const ok = { id: 'ping', status: 'SUCCESS' };
const run = (checks, excuses = [], over = {}) =>
    judge({ ...set, successes: successes(checks), ...over }, new Map(Object.entries(checks)), excuses, new Set()).complaints;
const successes = checks => Object.values(checks).flat().filter(check => check.status === 'SUCCESS').length;

test('a clean run passes', () => assert.deepEqual(run({ ping: [ok] }), []));

for (const status of ['FAILURE', 'WARNING', 'SKIPPED', 'INFO', 'SOMETHING-NEW']) {
    test(`a check that ends as ${status} is a failure`, () => {
        const complaints = run({ ping: [ok, { id: 'other', status }] });
        assert.equal(complaints.length, 1);
        assert.match(complaints[0], new RegExp(`^ping/other: ${status}`));
    });
}

test('an INFO beside a success of the same check is a log line', () => {
    assert.deepEqual(run({ ping: [ok, { id: 'ping', status: 'INFO' }] }), []);
});

test('a scenario that did not run is a failure', () => assert.match(run({})[0], /did not run/));
test('a scenario with no checks did not run', () => assert.match(run({ ping: [] })[0], /did not run/));

test('a scenario whose checks were all excused has proved nothing', () => {
    const excuse = { scenario: 'ping', check: 'ping', status: 'SKIPPED', reason: 'r' };
    assert.match(run({ ping: [{ id: 'ping', status: 'SKIPPED' }] }, [excuse])[0], /no check that succeeded/);
});

test('a scenario nobody listed is a failure', () => {
    assert.match(run({ ping: [ok], extra: [ok] })[0], /does not name it/);
});

test('an excuse covers its own check and status only', () => {
    const excuse = { scenario: 'ping', check: 'a', status: 'SKIPPED', reason: 'r' };
    assert.deepEqual(run({ ping: [ok, { id: 'a', status: 'SKIPPED' }] }, [excuse]), []);
    assert.equal(run({ ping: [ok, { id: 'a', status: 'FAILURE' }] }, [excuse]).length, 1);
    assert.equal(run({ ping: [ok, { id: 'b', status: 'SKIPPED' }] }, [excuse]).length, 1);
});

test('an excuse nobody needs is stale', () => {
    assert.equal(stale([{ scenario: 'ping', check: 'a', status: 'SKIPPED' }], new Set()).length, 1);
    assert.equal(stale([{ scenario: 'ping', check: 'a', status: 'SKIPPED' }], new Set([0])).length, 0);
});

test('an excuse for some sets covers no other', () => {
    const excuse = { scenario: 'ping', check: 'a', status: 'INFO', reason: 'r', sets: ['s'] };
    const checks = { ping: [ok, { id: 'a', status: 'INFO' }] };
    assert.deepEqual(run(checks, [excuse]), []);
    assert.equal(run(checks, [excuse], { name: 'other' }).length, 1);
});

test('a check that is no longer made is missed', () => {
    assert.match(run({ ping: [ok] }, [], { successes: 2 })[0], /1 checks succeeded where expected.json has 2/);
});

test('a scenario listed as skipped that does anything else is stale', () => {
    const over = { skipped: { later: 'r' } };
    assert.deepEqual(run({ ping: [ok], later: [{ id: 'x', status: 'SKIPPED' }] }, [], over), []);
    for (const status of ['SUCCESS', 'FAILURE', 'WARNING', 'INFO']) {
        const complaints = run({ ping: [ok], later: [{ id: 'x', status }] }, [], over);
        assert.match(complaints[0], new RegExp(`ended as ${status}`));
    }
    assert.match(run({ ping: [ok] }, [], over)[0], /no such scenario/);
});

test('every exception needs a reason, and a failure cannot be excused', () => {
    const expected = {
        excused: [{ scenario: 'a', check: 'b', status: 'FAILURE', reason: ' ' }],
        sets: [{ ...set, skipped: { ping: '' } }]
    };
    assert.equal(mistakes(expected).length, 5);
});
