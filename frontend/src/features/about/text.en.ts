export const en = {
  title: 'About', version: 'Version', commit: 'Commit', runtime: 'Runtime', system: 'System', started: 'Started', copy: 'Copy these details',
  changes: 'What is new', noChanges: 'No changes are listed.', licences: 'Licences', licencesHint: 'Third-party software that ships with NzbDav.',
  name: 'Name', licence: 'Licence', inServer: 'In the server', inPage: 'In the page', texts: 'Licence texts', textOf: (name: string, licence: string) => `${licence}: licence text of ${name}`, address: (name: string) => `Home page of ${name}`,
}
