export const en = {
  title: 'Logs', level: 'From level', anyLevel: 'All levels', search: 'Search the lines', category: 'Category', anyCategory: 'All categories', follow: 'Follow', lines: 'Lines of the log',
  levels: { trace: 'Trace', debug: 'Debug', information: 'Information', warning: 'Warning', error: 'Error', critical: 'Critical' },
  none: 'No line matches', noneHint: 'The latest 5,000 lines are kept in memory.', shown: (count: number) => (count === 1 ? '1 line' : `${count.toLocaleString('en')} lines`),
  chosen: 'Selected line', time: 'Time', copy: 'Copy this line', close: 'Close',
  support: 'Support bundle', supportPlain: 'Without names of files', supportNames: 'With names of files', supportHint: 'A .zip with versions, settings and the log, without passwords and keys.',
  change: 'Levels', changeTitle: 'What is logged', changeHint: 'Takes effect at once, until the next start. After that the levels in the settings apply.',
  all: 'Everything else', own: 'Categories with a level of their own', add: 'Add', remove: (category: string) => `Remove ${category}`, save: 'Apply', cancel: 'Cancel', applied: 'The levels are in effect.', categoryName: 'Category, such as NzbDav.Usenet', levelOf: (category: string) => `Level of ${category}`,
  names: { trace: 'Trace', debug: 'Debug', information: 'Information', warning: 'Warning', error: 'Error', fatal: 'Fatal', off: 'Off' } as Record<string, string>,
}
