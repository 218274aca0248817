import type { en } from './text.en'

export const de: typeof en = {
  pages: {
    overview: 'Übersicht', jobs: 'Aufträge', files: 'Dateien', torrents: 'Torrents', providers: 'Anbieter', library: 'Bibliothek', settings: 'Einstellungen',
    logs: 'Protokoll', backups: 'Sicherungen', users: 'Benutzer', about: 'Über NzbDav',
  },
  main: 'Hauptmenü',
  skip: 'Zum Inhalt springen',
  add: 'Hinzufügen',
  more: 'Mehr',
  setup: 'Einrichtung',
  signOut: 'Abmelden',
  account: 'Konto',
  own: 'Passwort und Sitzungen',
  theme: 'Farben',
  light: 'Hell',
  dark: 'Dunkel',
  system: 'Wie das System',
  language: 'Sprache',
  away: (seconds: number) => `Der Server antwortet nicht. Nächster Versuch in ${seconds} s.`,
  failed: 'Diese Seite ist ausgefallen.',
  reload: 'Neu laden',
  notFound: 'Diese Seite gibt es nicht.',
}
