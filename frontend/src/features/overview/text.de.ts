import { plural } from '~/ui/text/catalogue'
import type { en } from './text.en'

export const de: typeof en = {
  title: 'Übersicht',
  now: 'jetzt', lastHour: 'Letzte Stunde nach Anbieter', provider: 'Anbieter', rateNow: 'Jetzt', mean: 'Mittel', peak: 'Spitze', torrents: 'Torrents', all: 'Alle',
  chart: 'Rate je Anbieter in der letzten Stunde. Die Zahlen stehen in der Tabelle darunter.',
  streams: 'Streams', noStreams: 'Gerade läuft nichts.', streamOf: (program, address) => `${program} auf ${address}`,
  states: { streaming: 'Läuft', waiting: 'Wartet', idle: 'Ruht' },
  ahead: (size) => `${size} voraus`, waits: (count, time) => `${plural('de', count, 'Wartezeit', 'Wartezeiten')}, ${time}`, firstByte: (time) => `erstes Byte nach ${time}`, waited: (time, article, when, story) => `Wartete um ${when} ${time}${article === null ? '' : ` auf Artikel ${article}`}${story === null ? '' : `: ${story}`}`, waitsFor: (what, provider) => `Wartet auf ${what}${provider === null ? '' : ` von ${provider}`}`,
  scans: { fast: 'Scanner: liest schneller, als jemand zusieht, lässt anderen den Vortritt', steps: 'Scanner: holt Bilder in Schritten, lässt anderen den Vortritt' },
  end: 'Beenden', endOf: (name) => `Stream von ${name} beenden`, position: 'Position', notEnded: 'Nicht beendet',
  importing: 'Import', noImports: 'Es wird nichts importiert.', inQueue: (count) => `${plural('de', count, 'Auftrag', 'Aufträge')} in der Warteschlange`,
  needs: 'Braucht dich', allWell: 'Alles in Ordnung.', retry: 'Erneut versuchen', details: 'Einzelheiten', allFailed: (count) => `Alle ${count.toLocaleString('de')} gescheiterten Aufträge`,
  notReady: 'Nicht bereit', providerDown: (name) => `${name} ist ausgefallen`, since: (when) => `seit ${when}`, nextTry: (when) => `nächster Versuch ${when}`, see: 'Öffnen',
  setup: { user: 'Noch kann sich niemand anmelden: lege ein Konto an.', provider: 'Es gibt noch keinen Usenet-Anbieter.', webdav: 'WebDAV hat noch kein Passwort: Player können sich nicht verbinden.', arrs: 'Sonarr und Radarr sind nicht verbunden.' },
  setupGo: { user: 'Konto anlegen', provider: 'Anbieter ergänzen', webdav: 'Passwort setzen', arrs: 'Verbinden' },
  machine: 'Rechner', disk: 'Platte', diskFree: (free, total) => `${free} von ${total} frei`, buffers: 'Puffer', of: (used, most) => `${used} von ${most}`, process: 'Speicher', cpu: 'CPU', cache: 'Cache',
  articles: 'Artikel auf der Platte', fromDisk: 'Von der Platte', fromDiskOf: (size, share) => `${size}, ${share} der Anfragen`, articleCount: 'Artikel', loading: 'wird eingelesen',
  noRoom: (reason) => `Kein Platz für weitere Artikel: ${reason}`,
  notKept: (reason) => `Artikel werden gerade nicht auf der Platte behalten: ${reason}`,
  emptyTitle: 'Noch läuft nichts', ways: 'Drei Wege zum Abspielen',
  wayPage: 'Auf dieser Seite', wayPageText: 'Dateien öffnen, einen Film wählen, abspielen.', openFiles: 'Dateien öffnen',
  wayDav: 'In einem Player', wayDavText: 'Infuse, VLC, Kodi: eine WebDAV-Freigabe mit dieser Adresse anlegen.',
  wayMount: 'In Jellyfin, Plex oder Emby', wayMountText: 'Mit rclone einhängen und den Ordner der Bibliothek hinzufügen.',
  firstAdd: 'Zuerst etwas hinzufügen: eine .nzb oder .torrent hierher ziehen.', add: 'Hinzufügen',
}
