import { plural } from '~/ui/text/catalogue'

export const en = {
  pages: {
    overview: 'Overview', jobs: 'Jobs', files: 'Files', torrents: 'Torrents', providers: 'Providers', library: 'Library', settings: 'Settings',
    logs: 'Logs', backups: 'Backups', users: 'Users', about: 'About',
  },
  main: 'Main',
  skip: 'Skip to the content',
  add: 'Add',
  more: 'More',
  signOut: 'Sign out',
  account: 'Account',
  theme: 'Colours',
  light: 'Light',
  dark: 'Dark',
  system: 'As the system',
  language: 'Language',
  away: (seconds: number) => (seconds > 0 ? `The server does not answer. Next attempt in ${seconds} s.` : 'The server does not answer. Trying now.'),
  awaySince: (when: string) => `What is shown is of ${when}.`,
  tryNow: 'Try now',
  outdated: 'The server runs a new version. This page is still of the old one.',
  streams: (count: number) => plural('en', count, 'stream', 'streams'),
  search: 'Search', searchHint: 'Pages, settings, files', noResults: 'Nothing found.',
  groups: { pages: 'Pages', settings: 'Settings', files: 'Files', actions: 'Actions' },
  keysTitle: 'Keys', close: 'Close',
  keyGroups: [
    ['Everywhere', [['/', 'Search this page'], ['Ctrl K', 'Go to a page, setting or file'], ['?', 'These keys'], ['Ctrl V', 'Add a link or .nzb from the clipboard'], ['Esc', 'Close what is on top']]],
    ['Jobs', [['↑ ↓ PgUp PgDn Home End', 'Move'], ['Space', 'Select'], ['Shift ↑ ↓', 'Select several'], ['Ctrl A', 'Select all that the filter shows'], ['Enter', 'Details'], ['R', 'Retry'], ['P', 'Pause or resume'], ['F2', 'Rename'], ['Del', 'Remove from the list'], ['Shift Del', 'Delete with files'], ['Alt ↑ ↓', 'Move in the queue'], ['Alt Home End', 'To the top or bottom of the queue'], ['Shift F10', 'Menu']]],
  ] as readonly (readonly [string, readonly (readonly [string, string])[]])[],
  failed: 'This page has failed.',
  reload: 'Reload',
  notFound: 'There is no such page.',
}
