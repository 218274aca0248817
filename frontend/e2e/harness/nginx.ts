import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, repository, temporaryFolder } from './files'
import { Program } from './process'
import type { Server } from './server'

/** nginx with the sample of docs/reverse-proxy.md, before a server whose URL base is /nzbdav. */
export class Nginx {
  private constructor(private readonly program: Program, private readonly folder: ReturnType<typeof temporaryFolder>, private readonly port: number) {}

  static async start(server: Server): Promise<Nginx> {
    const sample = /```nginx\n([^]*?)```/.exec(readFileSync(repository('docs/reverse-proxy.md'), 'utf8'))?.[1]
    if (sample === undefined) throw new Error('docs/reverse-proxy.md shows no sample for nginx.')
    const folder = temporaryFolder()
    const port = await freePort()
    const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder.path}/${kind};`).join('\n')
    const configuration = join(folder.path, 'nginx.conf')
    writeFileSync(configuration, `daemon off;\nmaster_process off;\npid ${folder.path}/nginx.pid;\nerror_log stderr notice;\nevents { }\nhttp {\naccess_log off;\n${places}\n${
      replaced(replaced(sample, 'listen 80;', `listen 127.0.0.1:${port};`), 'http://127.0.0.1:8080;', `http://127.0.0.1:${server.listens};`)}\n}\n`)
    const program = Program.start('nginx', 'nginx', ['-p', folder.path, '-e', 'stderr', '-c', configuration], { PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin` })
    await program.says(/using the "epoll" event method/)
    return new Nginx(program, folder, port)
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/nzbdav/`
  }

  async stop(): Promise<void> {
    await this.program.stop()
    this.folder.remove()
  }
}

function replaced(text: string, what: string, by: string): string {
  if (!text.includes(what)) throw new Error(`the sample lacks "${what}".`)
  return text.replace(what, by)
}
