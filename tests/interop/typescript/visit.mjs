// One visit: a client connects in one era and passes every check that concerns such a connection.
import { answers } from './checks/answers.mjs';
import { asking } from './checks/asking.mjs';
import { byHand } from './checks/by_hand.mjs';
import { calls } from './checks/calls.mjs';
import { changes } from './checks/changes.mjs';
import { connection } from './checks/connection.mjs';
import { cutsOfCalls, cutsOfSessions } from './checks/cuts.mjs';
import { noSessions, sessions } from './checks/sessions.mjs';
import { tasks } from './checks/tasks.mjs';
import { check, target } from './report.mjs';

/** Checks by what they look at; a group without `concerns` looks at every connection. */
const groups = [connection, calls, answers, asking, byHand, changes, cutsOfSessions, cutsOfCalls, sessions, noSessions, tasks];

/** Connects a client of the given kind and runs the checks. */
export async function visit(Kind, era) {
    let visitor;
    const command = target.command.length ? [...target.command, ...(target.control ? ['--control', target.control] : [])] : [];
    const connects = async () => {
        visitor = await Kind.connect(era, { command });
    };
    if (!(await check(era, 'the client connects', connects))) return;
    for (const { concerns = () => true, checks } of groups) {
        if (!concerns(visitor)) continue;
        for (const [name, body] of Object.entries(checks)) {
            await check(era, name, () => {
                visitor.heard.length = 0;
                visitor.asked.length = 0;
                visitor.answers = {};
                return body(visitor, Kind);
            });
        }
    }
    await check(era, 'the connection ends', () => visitor.leave());
}
