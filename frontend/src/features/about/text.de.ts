import type { en } from './text.en'

export const de: typeof en = {
  title: 'Über NzbDav', version: 'Version', commit: 'Commit', runtime: 'Laufzeit', system: 'System', started: 'Gestartet', copy: 'Diese Angaben kopieren',
  changes: 'Neuerungen', noChanges: 'Es sind keine Änderungen verzeichnet.', licences: 'Lizenzen', licencesHint: 'Was andere geschaffen haben und NzbDav mitliefert.',
  name: 'Name', licence: 'Lizenz', inServer: 'Im Server', inPage: 'In der Seite', texts: 'Lizenztexte', textOf: (name, licence) => `${licence}: Lizenztext von ${name}`, address: (name) => `Webseite von ${name}`,
}
