// What a host, a card and a server do to each other, by name.
import assert from 'node:assert/strict';

/** The card, two frames deep. */
const card = page => page.frameLocator('#view iframe').frameLocator('iframe');
const show = (page, shown) => page.evaluate(shown => window.host.show(shown), shown);
const booking = id => ({ tool: 'show_booking', input: { id } });

/** Waits until a place in the card has a text. */
async function shows(page, place, text) {
    const found = card(page).locator(`#${place}`);
    await found.filter({ hasText: text }).waitFor();
    assert.equal(await found.textContent(), text);
}

export const checks = {
    async 'the server tells of cards where a host looks'({ told }) {
        const extension = told.capabilities.extensions['io.modelcontextprotocol/ui'];
        assert.deepEqual(extension, { mimeTypes: ['text/html;profile=mcp-app'] });
        const [shown, checkIn, move] = told.tools;
        assert.match(shown._meta.ui.resourceUri, /^ui:\/\/bookings\/card\.html\?v=[0-9a-f]{32}$/);
        assert.equal(shown._meta['ui/resourceUri'], shown._meta.ui.resourceUri);
        assert.deepEqual(checkIn._meta.ui, { visibility: ['app'] });
        assert.deepEqual(move._meta.ui, { visibility: ['model'] });
    },

    async 'a card shows the arguments and the result of its tool'({ page }) {
        const ui = await show(page, booking('7'));
        assert.deepEqual(ui, { prefersBorder: false });
        await shows(page, 'guest', 'Ada');
        await shows(page, 'room', '12');
        await shows(page, 'checkedIn', 'no');
        const log = await page.evaluate(() => window.host.log.map(({ to, id, method }) => `${to} ${method ?? `answer ${id}`}`));
        assert.deepEqual(log.filter(line => !line.endsWith('size-changed')), [
            'host ui/notifications/sandbox-proxy-ready',
            'card ui/notifications/sandbox-resource-ready',
            'host ui/initialize',
            'card answer 1',
            'host ui/notifications/initialized',
            'card ui/notifications/tool-input',
            'card ui/notifications/tool-result'
        ]);
    },

    async 'what looks like HTML in a result is shown as text'({ page }) {
        await show(page, booking('8'));
        await shows(page, 'guest', 'Grace & <Alan>');
    },

    async 'a card calls a tool that is for cards'({ page }) {
        await show(page, booking('7'));
        await card(page).locator('#check-in:enabled').click();
        await shows(page, 'said', 'Done.');
        await shows(page, 'checkedIn', 'yes');
        const seen = await page.evaluate(() => window.host.call('show_booking', { id: '7' }));
        assert.match(seen.content[0].text, /"checkedIn":true/);
    },

    async 'a card is refused a tool that is for the model'({ page }) {
        await show(page, booking('7'));
        await card(page).locator('#move:enabled').click();
        await shows(page, 'said', 'Refused: cards may not call move_booking');
        const seen = await page.evaluate(() => window.host.call('show_booking', { id: '7' }));
        assert.match(seen.content[0].text, /"room":12/);
    },

    async 'the model is told of its tools and of no tool that is for cards'({ page }) {
        assert.deepEqual(await page.evaluate(() => window.host.modelTools()), ['show_booking', 'move_booking']);
        const moved = await page.evaluate(() => window.host.call('move_booking', { id: '8', room: 15 }));
        assert.match(moved.content[0].text, /"room":15/);
    },

    async 'a card reaches what it declares and nothing else'({ page, outside, visits }) {
        visits.length = 0;
        const ui = await show(page, { card: 'ui://probe.html', input: outside });
        assert.deepEqual(ui, { csp: { connectDomains: [outside.allowed] }, prefersBorder: true });
        const message = await page.waitForFunction(() => window.host.log.find(({ method }) => method === 'notifications/message'));
        const { violations, ...found } = (await message.jsonValue()).params.data;
        assert.deepEqual(found, {
            allowed: 'reached',
            fetch: 'blocked',
            image: 'blocked',
            script: 'blocked',
            style: 'blocked',
            // A beacon always looks sent.
            beacon: found.beacon,
            host: 'blocked',
            storage: 'blocked',
            origin: 'null'
        });
        for (const directive of ['connect-src', 'img-src', 'script-src-elem', 'style-src-elem', 'frame-src']) {
            assert.ok(violations.includes(directive), `${directive} is not among ${violations}`);
        }
        assert.deepEqual(visits, [`${new URL(outside.allowed).host}/fetch`]);
    },

    async 'a card is read by its path and in its own version only'({ page, told }) {
        const { resourceUri } = told.tools[0]._meta.ui;
        const read = uri => page.evaluate(uri => window.host.read(uri).then(({ contents }) => contents[0], error => error.message), uri);
        const [versioned, plain] = [await read(resourceUri), await read('ui://bookings/card.html')];
        assert.equal(versioned.text, plain.text);
        assert.equal(versioned.uri, resourceUri);
        assert.match(await read(`ui://bookings/card.html?v=${'0'.repeat(32)}`), /not found/i);
        assert.match(await read('ui://bookings/..%2f..%2fmain.rs'), /not found/i);
    },

    async 'an icon from the folder is shown, where the version has icons'({ page, version }) {
        const widths = await page.evaluate(() => window.host.icons('show_booking'));
        if (version < '2025-11-25') assert.deepEqual(widths, []);
        else assert.ok(widths.length === 1 && widths[0] > 0, `${widths}`);
    }
};
