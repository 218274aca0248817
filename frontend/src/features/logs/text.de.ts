import type { en } from './text.en'

export const de: typeof en = {
  title: 'Protokoll', level: 'Ab Stufe', anyLevel: 'Alle Stufen', search: 'Zeilen durchsuchen', category: 'Kategorie', anyCategory: 'Alle Kategorien', follow: 'Mitlaufen', lines: 'Zeilen des Protokolls',
  levels: { trace: 'Ablauf', debug: 'Debug', information: 'Information', warning: 'Warnung', error: 'Fehler', critical: 'Kritisch' },
  none: 'Keine Zeile passt', noneHint: 'Die letzten 5.000 Zeilen bleiben im Speicher.', shown: (count) => (count === 1 ? '1 Zeile' : `${count.toLocaleString('de')} Zeilen`),
  chosen: 'Die gewählte Zeile', time: 'Zeit', copy: 'Diese Zeile kopieren', close: 'Schließen',
  support: 'Support-Paket', supportPlain: 'Ohne Dateinamen', supportNames: 'Mit Dateinamen', supportHint: 'Eine .zip mit Versionen, Einstellungen und Protokoll, ohne Passwörter und Schlüssel.',
  change: 'Stufen', changeTitle: 'Was protokolliert wird', changeHint: 'Gilt sofort und bis zum nächsten Start. Was danach gilt, steht in den Einstellungen.',
  all: 'Alles Übrige', own: 'Kategorien mit eigener Stufe', add: 'Hinzufügen', remove: (category) => `${category} entfernen`, save: 'Anwenden', cancel: 'Abbrechen', applied: 'Die Stufen gelten.', categoryName: 'Kategorie, etwa NzbDav.Usenet', levelOf: (category) => `Stufe von ${category}`,
  names: { trace: 'Ablauf', debug: 'Debug', information: 'Information', warning: 'Warnung', error: 'Fehler', fatal: 'Kritisch', off: 'Aus' },
}
