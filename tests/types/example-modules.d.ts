// The modules that the documented examples import beside the package, as far as they use them.

declare module "node:http" {
  interface IncomingMessage extends AsyncIterable<Uint8Array> {
    readonly method?: string | undefined;
    readonly url?: string | undefined;
    readonly headers: Record<string, string | string[] | undefined>;
  }
  interface ServerResponse {
    readonly destroyed: boolean;
    writeHead(status: number, headers?: Record<string, string | number>): this;
    write(part: Uint8Array | string): boolean;
    end(): this;
    destroy(error?: Error): this;
    on(event: string, listener: (...values: unknown[]) => void): this;
  }
  export function createServer(listener: (incoming: IncomingMessage, outgoing: ServerResponse) => void): {
    listen(port: number): unknown;
  };
}

declare module "vite" {
  type Middleware = import("address-query/proxy/node").NodeListener;
  interface Plugin {
    name: string;
    configureServer?: (server: { middlewares: { use(path: string, middleware: Middleware): unknown } }) => void;
  }
  export function defineConfig(config: { plugins: Plugin[] }): unknown;
}

declare module "vitest" {
  export function test(name: string, run: () => unknown): void;
  export function afterEach(hook: () => unknown): void;
}

declare module "@testing-library/react" {
  export function cleanup(): void;
  export function render(element: unknown): unknown;
  export const screen: {
    findAllByRole(role: string): Promise<HTMLElement[]>;
    findByRole(role: string, options: { name: string }): Promise<HTMLElement>;
    findByText(text: string | RegExp): Promise<HTMLElement>;
  };
}
