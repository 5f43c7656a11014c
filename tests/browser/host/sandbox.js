// Between a host and a card: shows the card in a frame of no origin, which inherits the policy of this page, and passes
// messages on.
const hostOrigin = new URL(document.referrer).origin;
let view;

const toHost = message => window.parent.postMessage(message, hostOrigin);

window.addEventListener('message', ({ source, origin, data }) => {
    if (source === window.parent && origin === hostOrigin) {
        if (data.method === 'ui/notifications/sandbox-resource-ready') {
            view = document.createElement('iframe');
            view.sandbox.add('allow-scripts');
            view.srcdoc = data.params.html;
            document.body.replaceChildren(view);
        } else {
            // The frame has no origin that could be named.
            view.contentWindow.postMessage(data, '*');
        }
    } else if (view && source === view.contentWindow) {
        if (!data?.method?.startsWith('ui/notifications/sandbox-')) toHost(data);
    }
});

window.addEventListener('DOMContentLoaded', () => {
    toHost({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-proxy-ready', params: {} });
});
