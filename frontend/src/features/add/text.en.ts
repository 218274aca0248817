import { plural } from '~/ui/text/catalogue'

const jobs = (count: number) => plural('en', count, 'job', 'jobs')

export const en = {
  title: 'Add', drop: 'Drop to add', dropText: '.nzb, .torrent, .magnet, or .zip of them',
  choose: 'Choose files', orDrop: 'or drop them anywhere on the page',
  links: 'Links', linksText: 'Addresses of .nzb or .torrent files and magnet links, one per line. Ctrl+V works anywhere on the page.', addLinks: 'Add links', handle: 'Open magnet links here', handleText: 'Asks the browser to open magnet links of all pages with NzbDav.',
  category: 'Category', byDefault: 'Default', password: 'Password', passwordText: 'For encrypted archives.', priority: 'Priority',
  priorities: { force: 'Force: even while paused', high: 'High', normal: 'Normal', low: 'Low' },
  more: 'Password, priority', paused: 'Add paused',
  close: 'Close', adding: (count: number) => `Adding ${jobs(count)}`, added: (done: number, failed: number) => (failed === 0 ? `Added ${jobs(done)}` : `Added ${jobs(done)}, ${failed} failed`),
  sending: 'Sending', queued: 'Queued', duplicate: 'Already there', failed: 'Failed',
  notAJob: (name: string) => `${name} is not an .nzb, .torrent, .magnet or .zip file.`, noLinks: 'There is no link in this text. Use http(s) addresses and magnet links.', empty: (name: string) => `${name} is empty.`,
  pasted: 'Pasted', show: 'Show', clear: 'Clear list', retry: 'Try again', retryOf: (name: string) => `Try again: ${name}`, list: 'What was added',
}
