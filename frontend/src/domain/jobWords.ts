import { defineText, useText } from '~/ui/text/catalogue'

type Words = { steps: Record<string, string>; reasons: Record<string, readonly [string, string]>; otherReason: readonly [string, string] }

/** What the steps of an import are called, and what can be wrong with a job: in short, and what to do. By the names and codes of the API. */
const text = defineText<Words>(
  {
    steps: { fetch: 'fetch', parse: 'read', probe: 'probe', name: 'name', layout: 'lay out', validate: 'check', repair: 'repair', publish: 'publish', metadata: 'metadata' },
    reasons: {
      'malformed-nzb': ['Unreadable .nzb', 'Download the .nzb again from where you found it.'],
      'missing-articles': ['Articles are gone', 'Add a provider with longer retention or another backbone, then retry; or look for another post.'],
      'corrupt-articles': ['Articles are damaged', 'Another provider may have them intact: add one and retry, or look for another post.'],
      'incomplete-nzb': ['Incomplete .nzb', 'The .nzb lacks parts of a file. Look for another one of the same post.'],
      'providers-unavailable': ['No provider answers', 'NzbDav tries again by itself. See Providers for the reason.'],
      'compressed-archive': ['Compressed archive', 'Only stored archives can be played from the middle. Look for a post that is not compressed.'],
      'encrypted-archive': ['Password missing', 'Add it again with the password.'],
      'bad-archive': ['Unsupported archive', 'It cannot be read, or is of a kind that NzbDav does not know. Look for another post.'],
      'missing-volumes': ['Volumes are missing', 'The post lacks volumes of its archive. Look for another post.'],
      'no-video': ['No video inside', 'This category accepts only videos. Choose another category and retry.'],
      'malformed-torrent': ['Unreadable torrent', 'Get the .torrent or magnet link again.'],
      'no-metadata': ['No peer answered', 'No peer sent the contents of the magnet link. Retry when it has seeds, or use the .torrent file.'],
      'torrents-off': ['Torrents are off', 'Switch them on in the settings, then retry.'],
      'torrent-elsewhere': ['On another gateway', 'Another gateway has this torrent. Retry when that one no longer needs it.'],
      storage: ['Cannot be stored', 'Free some disk space or check the permissions of the data folder, then retry.'],
      'internal-error': ['Error in NzbDav', 'Retry. If it fails again, report it with the log.'],
    },
    otherReason: ['Failed', 'Retry, or look for another post.'] as readonly [string, string],
  },
  {
    steps: { fetch: 'holen', parse: 'lesen', probe: 'prüfen', name: 'benennen', layout: 'ordnen', validate: 'kontrollieren', repair: 'reparieren', publish: 'freigeben', metadata: 'Metadaten' },
    reasons: {
      'malformed-nzb': ['Unlesbare .nzb', 'Lade die .nzb erneut von dort, wo du sie gefunden hast.'],
      'missing-articles': ['Artikel sind verschwunden', 'Ergänze einen Anbieter mit längerer Vorhaltezeit oder anderem Backbone und versuche es erneut, oder such einen anderen Post.'],
      'corrupt-articles': ['Artikel sind beschädigt', 'Ein anderer Anbieter hat sie vielleicht unversehrt: ergänze einen, oder such einen anderen Post.'],
      'incomplete-nzb': ['Unvollständige .nzb', 'Der .nzb fehlen Teile einer Datei. Such eine andere desselben Posts.'],
      'providers-unavailable': ['Kein Anbieter antwortet', 'Es wird von selbst erneut versucht. Den Grund zeigt die Seite Anbieter.'],
      'compressed-archive': ['Komprimiertes Archiv', 'Nur unkomprimierte Archive lassen sich aus der Mitte abspielen. Such einen anderen Post.'],
      'encrypted-archive': ['Passwort fehlt', 'Füge ihn mit dem Passwort erneut hinzu.'],
      'bad-archive': ['Nicht unterstütztes Archiv', 'Es ist unlesbar oder von einer Art, die NzbDav nicht kennt. Such einen anderen Post.'],
      'missing-volumes': ['Teile fehlen', 'Dem Post fehlen Teile seines Archivs. Such einen anderen Post.'],
      'no-video': ['Kein Video enthalten', 'Diese Kategorie nimmt nur Videos. Wähle eine andere und versuche es erneut.'],
      'malformed-torrent': ['Unlesbarer Torrent', 'Hol die .torrent-Datei oder den Magnet-Link erneut.'],
      'no-metadata': ['Kein Peer hat geantwortet', 'Kein Peer hat gesagt, was der Magnet-Link enthält. Versuche es erneut, wenn es Seeds gibt, oder nimm die .torrent-Datei.'],
      'torrents-off': ['Torrents sind aus', 'Schalte sie in den Einstellungen ein und versuche es erneut.'],
      'torrent-elsewhere': ['Bei einem anderen Gateway', 'Ein anderes Gateway hat diesen Torrent. Versuche es erneut, wenn es ihn nicht mehr braucht.'],
      storage: ['Kann nicht gespeichert werden', 'Schaffe Platz oder prüfe die Rechte des Datenordners und versuche es erneut.'],
      'internal-error': ['Fehler in NzbDav', 'Versuche es erneut. Scheitert es wieder, melde es mit dem Protokoll.'],
    },
    otherReason: ['Gescheitert', 'Versuche es erneut, oder such einen anderen Post.'],
  },
)

/** Steps and failures of jobs in the page's language. */
export function useJobWords() {
  const t = useText(text)
  return {
    step: (name: string | null) => (name === null ? '' : t.steps[name] ?? name),
    reason: (code: string) => t.reasons[code] ?? t.otherReason,
  }
}
