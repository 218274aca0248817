import type { AxeResults } from 'axe-core'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe-core finds against WCAG 2.2 A and AA, one line each; empty: nothing. `within` is a selector, such as that of a dialog: what it covers is not to be clicked. The policy stops scripts that are added, not those that are evaluated. */
export async function violations(page: Page, within = 'html'): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const results = await page.evaluate(async (within) => {
    const { axe } = window as unknown as { axe: { run: (within: string, options: unknown) => Promise<AxeResults> } }
    // Bars that stick to the window cover what can be scrolled out from under them.
    const stuck = [...document.querySelectorAll<HTMLElement>('*')].filter((element) => getComputedStyle(element).position === 'sticky')
    for (const element of stuck) element.style.position = 'static'
    try {
      return await axe.run(within, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })
    } finally {
      for (const element of stuck) element.style.position = ''
    }
  }, within)
  return results.violations.flatMap((violation) =>
    violation.nodes.map((node) => `${violation.id}: ${node.target.join(' ')}: ${node.failureSummary?.replace(/\s+/g, ' ') ?? violation.help} ${node.html.slice(0, 160)}`))
}
