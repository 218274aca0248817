import { plural } from '~/ui/text/catalogue'
import type { en } from './text.en'

export const de: typeof en = {
  pages: {
    overview: 'Übersicht', jobs: 'Aufträge', files: 'Dateien', torrents: 'Torrents', releases: 'Releases', providers: 'Anbieter', library: 'Bibliothek', health: 'Zustand', settings: 'Einstellungen',
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
  away: (seconds) => (seconds > 0 ? `Der Server antwortet nicht. Nächster Versuch in ${seconds} s.` : 'Der Server antwortet nicht. Neuer Versuch läuft.'),
  awaySince: (when) => `Der gezeigte Stand ist von ${when}.`,
  tryNow: 'Jetzt versuchen',
  outdated: 'Auf dem Server läuft eine neue Version. Diese Seite ist noch die alte.',
  streams: (count) => plural('de', count, 'Stream', 'Streams'),
  search: 'Suchen', searchHint: 'Seiten, Einstellungen, Dateien', noResults: 'Nichts gefunden.',
  groups: { pages: 'Seiten', settings: 'Einstellungen', files: 'Dateien', actions: 'Aktionen' },
  keysTitle: 'Tasten', close: 'Schließen',
  keyGroups: [
    ['Überall', [['/', 'Auf dieser Seite suchen'], ['Strg K', 'Zu einer Seite, Einstellung oder Datei'], ['?', 'Diese Tasten'], ['Strg V', 'Link oder .nzb aus der Zwischenablage hinzufügen'], ['Esc', 'Schließen, was oben liegt']]],
    ['Aufträge', [['↑ ↓ Bild↑ Bild↓ Pos1 Ende', 'Bewegen'], ['Leertaste', 'Auswählen'], ['Umschalt ↑ ↓', 'Mehrere auswählen'], ['Strg A', 'Alles auswählen, was der Filter zeigt'], ['Eingabe', 'Einzelheiten'], ['R', 'Erneut versuchen'], ['P', 'Anhalten oder fortsetzen'], ['F2', 'Umbenennen'], ['Entf', 'Aus der Liste entfernen'], ['Umschalt Entf', 'Mit Dateien löschen'], ['Alt ↑ ↓', 'In der Warteschlange verschieben'], ['Alt Pos1 Ende', 'An Anfang oder Ende der Warteschlange'], ['Umschalt F10', 'Menü']]],
    ['Dateien', [['Eingabe', 'Öffnen'], ['I', 'Details'], ['P', 'Abspielen'], ['Rücktaste', 'Übergeordneter Ordner'], ['Leertaste', 'Auswählen'], ['Umschalt ↑ ↓', 'Mehrere auswählen'], ['Strg A', 'Alle geladenen auswählen'], ['F2', 'Umbenennen'], ['Entf', 'Löschen']]],
  ],
  failed: 'Diese Seite ist ausgefallen.',
  pageComes: 'Die Seite öffnet sich, sobald der Server antwortet.', reloadsLater: 'Der Server antwortet nicht. Die Seite lädt sich neu, sobald er antwortet.',
  reload: 'Neu laden',
  notFound: 'Diese Seite gibt es nicht.',
}
