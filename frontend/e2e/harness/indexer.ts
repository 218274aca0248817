import { randomBytes } from 'node:crypto'
import { Web } from './web'

/** An indexer with the Newznab API: error 100 without the right key; a search finds the titles that have all words. */
export class Indexer {
  readonly key = randomBytes(8).toString('hex')
  private web: Web | null = null
  private readonly posts: { title: string; nzb: string }[] = []
  private constructor() {}

  static async start(): Promise<Indexer> {
    const indexer = new Indexer()
    indexer.web = await Web.start((_, url) => indexer.answer(url))
    return indexer
  }

  get url(): string {
    return this.web?.url ?? ''
  }

  /** Lists a post; the first is the youngest. */
  add(title: string, nzb: string): void {
    this.posts.push({ title, nzb })
  }

  async stop(): Promise<void> {
    await this.web?.stop()
  }

  private answer(url: URL): { headers: Record<string, string>; text: string } {
    const xml = (text: string) => ({ headers: { 'Content-Type': 'application/xml' }, text: `<?xml version="1.0" encoding="utf-8"?>${text}` })
    if (url.searchParams.get('apikey') !== this.key) return xml('<error code="100" description="Incorrect user credentials"/>')
    const [, number] = /^\/get\/(\d+)$/.exec(url.pathname) ?? []
    if (number !== undefined) return { headers: { 'Content-Type': 'application/x-nzb' }, text: this.posts[Number(number)]?.nzb ?? '' }
    const words = (url.searchParams.get('q') ?? '').toLowerCase().split(' ')
    const items = this.posts.map((post, at) => ({ ...post, at })).filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)))
    const posted = (at: number) => new Date(Date.now() - (at + 1) * 86_400_000).toUTCString()
    return xml(`<rss version="2.0" xmlns:newznab="http://www.newznab.com/DTD/2010/feeds/attributes/"><channel>${items.map(({ title, at }) => `<item><title>${title}</title>
      <enclosure url="${this.url}/get/${at}?apikey=${this.key}" length="5000000" type="application/x-nzb"/><pubDate>${posted(at)}</pubDate><newznab:attr name="size" value="5000000"/><newznab:attr name="grabs" value="${at + 2}"/></item>`).join('')}</channel></rss>`)
  }
}
