import { createServer, type IncomingMessage, type Server as HttpServer } from 'node:http'

/** A small web server on loopback, of which fakes of other programs are made. */
export class Web {
  private constructor(private readonly server: HttpServer, readonly url: string) {}

  /** @param answer What each request gets; what it throws is a 500 with the reason. */
  static async start(answer: (request: IncomingMessage, url: URL, body: string) => Answer | Promise<Answer>): Promise<Web> {
    const server = createServer((request, response) => {
      void (async () => {
        try {
          const { status = 200, headers = {}, json, text } = await answer(request, new URL(request.url ?? '/', 'http://127.0.0.1'), await bodyOf(request))
          response.writeHead(status, { ...(json === undefined ? {} : { 'Content-Type': 'application/json; charset=utf-8' }), ...headers })
          response.end(json === undefined ? text ?? '' : JSON.stringify(json))
        } catch (error) {
          response.writeHead(500).end(String(error))
        }
      })()
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const address = server.address()
    return new Web(server, `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`)
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((done) => this.server.close(done))
  }
}

export type Answer = { status?: number; headers?: Record<string, string>; json?: unknown; text?: string }

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}
