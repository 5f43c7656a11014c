// A file that a tool lets grow for as long as it runs, which shows when it has stopped.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const TICK_MS = 10;

/** Gives `body` the arguments for the tool `tick_file`, and what waits until the tool has stopped, or has begun. */
export async function ticking(body) {
    const folder = mkdtempSync(join(tmpdir(), 'interop-'));
    const path = join(folder, 'ticks');
    const stillness = async () => {
        assert.ok(existsSync(path), 'the tool has not begun');
        let before = -1;
        while (statSync(path).size !== before) {
            before = statSync(path).size;
            await sleep(20 * TICK_MS);
        }
    };
    const beginning = async () => {
        while (!existsSync(path)) await sleep(TICK_MS);
    };
    try {
        await body({ path, n: 10_000, gap_ms: TICK_MS }, stillness, beginning);
    } finally {
        rmSync(folder, { recursive: true });
    }
}
