// A TCP proxy that can cut its connections, and refuse new ones for a while.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** Listens on a port of its own and passes everything on to the host of `url`. */
export async function proxyTo(url) {
    const { hostname, port, pathname } = new URL(url);
    const sockets = new Set();
    let broken = false;
    const server = createServer(near => {
        if (broken) return near.destroy();
        const far = connect(port, hostname);
        for (const [socket, other] of [[near, far], [far, near]]) {
            sockets.add(socket);
            socket.on('error', () => {});
            socket.once('close', () => {
                sockets.delete(socket);
                other.destroy();
            });
            socket.pipe(other);
        }
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const cut = () => {
        for (const socket of sockets) socket.destroy();
    };
    return {
        url: `http://127.0.0.1:${server.address().port}${pathname}`,
        /** Cuts what is connected; the next connection succeeds. */
        cut,
        /** Cuts what is connected and lets nobody connect before `mend`. */
        interrupt() {
            broken = true;
            cut();
        },
        mend() {
            broken = false;
        },
        close() {
            cut();
            server.close();
        }
    };
}
