// Serves the sockets of a sample service over a server of `node:http`.
import WebSocket, { WebSocketServer } from "./node_modules/ws/wrapper.mjs";

export { WebSocket };

/** Connects each socket of the server with one of the service. `accepts(request)` is false for handshakes that the server refuses. */
export function serveSockets(server, service, accepts = () => true) {
  const sockets = new WebSocketServer({ noServer: true });
  server.on("upgrade", (request, connection, head) => {
    if (!accepts(request)) return connection.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    sockets.handleUpgrade(request, connection, head, (outer) => {
      const inner = new service.sockets.WebSocket(`ws://sample.invalid${request.url}`);
      const opened = new Promise((resolve) => inner.addEventListener("open", resolve));
      outer.on("message", (data) => void opened.then(() => inner.send(String(data))));
      outer.on("close", () => inner.close());
      inner.addEventListener("message", ({ data }) => outer.send(data));
      // A code that only browsers use, for a connection that was lost.
      inner.addEventListener("close", ({ code }) => (code === 1006 ? outer.terminate() : outer.close(code)));
    });
  });
}
