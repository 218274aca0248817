import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { people, type Role } from './people'

/** Where the page is: a server, or a proxy before it. Ends with a slash. */
export type Site = { readonly url: string }

let browser: Browser | null = null

/** Chromium of the system; one for a whole file of flows. `closeBrowser` ends it. */
async function launch(): Promise<Browser> {
  browser ??= await chromium.launch({ executablePath: process.env.NZBDAV_CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
  return browser
}

/** To be called after all flows of a file. */
export async function closeBrowser(): Promise<void> {
  await browser?.close()
  browser = null
}

export type Look = { scheme?: 'light' | 'dark'; width?: number; lang?: string }
type Options = Look & {
  /** Who is signed in; nobody if left out. */
  as?: Role
  /** Where it begins, below the server's address; nothing is opened if null. */
  path?: string | null
  /** Errors of the console that belong to the flow: a wrong password is a 401, which Chromium tells there. */
  allow?: RegExp[]
}

/** A window with one page. Collects what must not happen: errors of the console (violations of the content security policy among them) and of scripts. */
export class Tab {
  readonly faults: string[] = []
  constructor(readonly page: Page, readonly context: BrowserContext, private readonly site: Site, readonly allowed: RegExp[]) {
    page.on('console', (message) => {
      const text = `${message.text()} ${message.location().url}`
      if (message.type() === 'error' && !this.allowed.some((pattern) => pattern.test(text))) this.faults.push(text)
    })
    page.on('pageerror', (error) => this.faults.push(error.stack ?? error.message))
  }

  /** Goes to an address of the page by loading it. */
  async open(path: string): Promise<void> {
    await this.page.goto(new URL(path.replace(/^\//, ''), this.site.url).href)
  }

  /** Ends it; throws if anything happened that must not. */
  async close(): Promise<void> {
    await this.context.close()
    if (this.faults.length > 0) throw new Error(`the browser's console told of:\n${this.faults.join('\n')}`)
  }
}

/** Opens a window on a server, signed in as somebody. */
export async function openTab(site: Site, { as, path = '/', allow = [], scheme = 'light', width = 1440, lang = 'en-GB' }: Options = {}): Promise<Tab> {
  const context = await (await launch()).newContext({
    viewport: { width, height: width < 640 ? 844 : 900 }, hasTouch: width < 640, colorScheme: scheme, reducedMotion: 'reduce', locale: lang,
  })
  // Much for what is there at once: other programs may take the machine meanwhile.
  context.setDefaultTimeout(20_000)
  if (as !== undefined) await signIn(context, site, as)
  const tab = new Tab(await context.newPage(), context, site, allow)
  if (path !== null) await tab.open(path)
  return tab
}

/** Gives a window the session of somebody, by the API. */
export async function signIn(context: BrowserContext, site: Site, role: Role): Promise<void> {
  const answer = await context.request.post(new URL('api/v1/session', site.url).href, { data: people[role] })
  if (!answer.ok()) throw new Error(`sign-in: ${answer.status()} ${await answer.text()}`)
}

/** Runs a flow in a window of its own and closes it; faults of the console fail it. */
export async function inTab(site: Site, options: Options, flow: (tab: Tab) => Promise<void>): Promise<void> {
  const tab = await openTab(site, options)
  try {
    await flow(tab)
  } catch (error) {
    const folder = process.env.NZBDAV_SHOTS
    if (folder !== undefined) await tab.page.screenshot({ path: `${folder}/failed-${Date.now()}.png` }).catch(() => undefined)
    await tab.context.close()
    throw tab.faults.length > 0 && error instanceof Error ? new Error(`${error.message}\nThe console told of:\n${tab.faults.join('\n')}`, { cause: error }) : error
  }
  await tab.close()
}
