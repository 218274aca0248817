import { plural } from '~/ui/text/catalogue'
import type { en } from './text.en'

const jobs = (count: number) => plural('de', count, 'Auftrag', 'Aufträge')

export const de: typeof en = {
  title: 'Hinzufügen', drop: 'Loslassen zum Hinzufügen', dropText: '.nzb, .torrent, .magnet oder .zip davon',
  choose: 'Dateien wählen', orDrop: 'oder irgendwo auf die Seite ziehen',
  links: 'Links', linksText: 'Adressen von .nzb- oder .torrent-Dateien und Magnet-Links, je Zeile einer. Strg+V geht überall auf der Seite.', handle: 'Magnet-Links hier öffnen', handleText: 'Bittet den Browser, Magnet-Links aller Seiten mit NzbDav zu öffnen.', addLinks: 'Links hinzufügen',
  category: 'Kategorie', byDefault: 'Standard', password: 'Passwort', passwordText: 'Für verschlüsselte Archive.', priority: 'Priorität',
  priorities: { force: 'Sofort: auch wenn angehalten', high: 'Hoch', normal: 'Normal', low: 'Niedrig' },
  more: 'Passwort, Priorität', paused: 'Angehalten hinzufügen',
  close: 'Schließen', adding: (count) => `${jobs(count)} werden hinzugefügt`, added: (done, failed) => (failed === 0 ? `${jobs(done)} hinzugefügt` : `${jobs(done)} hinzugefügt, ${failed} gescheitert`),
  sending: 'Wird gesendet', queued: 'Eingereiht', duplicate: 'Schon vorhanden', failed: 'Gescheitert',
  notAJob: (name) => `${name} ist keine .nzb, .torrent, .magnet oder .zip.`, noLinks: 'In diesem Text ist kein Link: möglich sind http(s)-Adressen und Magnet-Links.', empty: (name) => `${name} ist leer.`,
  pasted: 'Eingefügt', show: 'Zeigen', clear: 'Liste leeren', retry: 'Erneut versuchen', retryOf: (name) => `Erneut versuchen: ${name}`, list: 'Was hinzugefügt wurde',
}
