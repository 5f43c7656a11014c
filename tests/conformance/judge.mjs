// Decides what the suite's raw results mean. Pure: no files, no processes.
//
// The suite's exit code is no guide: warnings, skipped checks and scenarios that never ran all leave it
// at 0. So every check of every scenario is looked at here, and whatever is not a success needs an
// entry with a reason in expected.json; an entry that no longer applies is a failure too. The successes are
// counted besides, because a check that is no longer made leaves nothing to look at.

const STATUSES = ['SUCCESS', 'FAILURE', 'WARNING', 'SKIPPED', 'INFO'];

/** Counts the checks of one scenario by status. */
export function count(checks) {
    const counts = Object.fromEntries(STATUSES.map(status => [status, 0]));
    for (const check of checks) counts[check.status] = (counts[check.status] ?? 0) + 1;
    return counts;
}

/**
 * The checks of one scenario that are no success and are not excused.
 *
 * An INFO entry is a mere log line when the check of the same id also succeeded; otherwise it stands in
 * place of a check and has to be excused like a skipped one. An excuse may be for some sets only. FAILURE, WARNING and unknown statuses are
 * never excused.
 */
export function problems(set, scenario, checks, excuses, usedExcuses) {
    const succeeded = new Set(checks.filter(check => check.status === 'SUCCESS').map(check => check.id));
    return checks.filter(check => {
        if (check.status === 'SUCCESS') return false;
        if (check.status === 'INFO' && succeeded.has(check.id)) return false;
        if (check.status !== 'SKIPPED' && check.status !== 'INFO') return true;
        const index = excuses.findIndex(
            excuse =>
                excuse.scenario === scenario &&
                excuse.check === check.id &&
                excuse.status === check.status &&
                (excuse.sets?.includes(set.name) ?? true)
        );
        if (index >= 0) usedExcuses.add(index);
        return index < 0;
    });
}

/** Mistakes in expected.json itself. */
export function mistakes(expected) {
    const found = [];
    for (const excuse of expected.excused) {
        if (!excuse.reason?.trim()) found.push(`excused ${excuse.scenario}/${excuse.check} gives no reason`);
        if (!['SKIPPED', 'INFO'].includes(excuse.status)) {
            found.push(`excused ${excuse.scenario}/${excuse.check} must be SKIPPED or INFO: nothing else can be excused`);
        }
    }
    for (const set of expected.sets) {
        if (!Number.isInteger(set.successes)) found.push(`${set.name}: successes is no number`);
        for (const [scenario, reason] of Object.entries(set.skipped)) {
            if (!reason?.trim()) found.push(`${set.name}: skipped ${scenario} gives no reason`);
            if (set.scenarios.includes(scenario)) found.push(`${set.name}: ${scenario} is both expected and skipped`);
        }
    }
    return found;
}

/**
 * Judges one set: `results` maps a scenario to its array of checks.
 * Returns the rows of the table and the complaints; no complaint means the set passed.
 */
export function judge(set, results, excuses, usedExcuses) {
    const rows = [];
    const complaints = [];
    for (const scenario of set.scenarios) {
        const checks = results.get(scenario);
        if (!checks?.length) {
            complaints.push(`${scenario} did not run`);
            rows.push({ scenario, verdict: 'missing', counts: count([]) });
            continue;
        }
        const bad = problems(set, scenario, checks, excuses, usedExcuses);
        if (!checks.some(check => check.status === 'SUCCESS')) complaints.push(`${scenario} has no check that succeeded`);
        for (const check of bad) {
            const detail = check.errorMessage ?? check.description ?? '';
            complaints.push(`${scenario}/${check.id}: ${check.status}${detail ? `: ${detail}` : ''}`);
        }
        rows.push({ scenario, verdict: bad.length ? 'FAILED' : 'ok', counts: count(checks) });
    }
    for (const scenario of Object.keys(set.skipped)) {
        const checks = results.get(scenario);
        if (!checks?.length) {
            complaints.push(`${scenario} is listed as skipped, but the suite has no such scenario in this set: remove it`);
            continue;
        }
        const ran = checks.filter(check => check.status !== 'SKIPPED');
        if (ran.length) {
            complaints.push(`${scenario} is listed as skipped, but ${ran[0].id} ended as ${ran[0].status}: expect it`);
        }
        rows.push({ scenario, verdict: 'skipped', counts: count(checks) });
    }
    for (const scenario of results.keys()) {
        if (!set.scenarios.includes(scenario) && !(scenario in set.skipped)) {
            complaints.push(`${scenario} ran, but expected.json does not name it`);
            rows.push({ scenario, verdict: 'unlisted', counts: count(results.get(scenario)) });
        }
    }
    const successes = rows.reduce((sum, row) => sum + row.counts.SUCCESS, 0);
    if (successes !== set.successes) {
        complaints.push(`${successes} checks succeeded where expected.json has ${set.successes}`);
    }
    return { rows, complaints };
}

/** Excuses that no check needed; only meaningful after all sets have run. */
export function stale(excuses, usedExcuses) {
    return excuses
        .filter((_, index) => !usedExcuses.has(index))
        .map(excuse => `excused ${excuse.scenario}/${excuse.check} (${excuse.status}) no longer occurs: remove it`);
}
