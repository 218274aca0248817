import { defineText } from '../text/catalogue'

export const text = defineText(
  {
    open: 'Open in…', here: 'On this system', elsewhere: 'On other systems', asPlaylist: 'As a playlist', playlist: (kind: string) => `Playlist (.${kind})`, preparing: 'Preparing the link…',
    silent: (player: string) => `${player} did not open`,
    why: (player: string) => `No program on this device seems to answer to links for ${player}. Open the playlist with it instead, or copy the address.`,
    copyLink: 'Copy the play link', copyCommand: 'Copy as a command', close: 'Close',
  },
  {
    open: 'Öffnen mit…', here: 'Auf diesem System', elsewhere: 'Auf anderen Systemen', asPlaylist: 'Als Wiedergabeliste', playlist: (kind: string) => `Wiedergabeliste (.${kind})`, preparing: 'Der Link wird vorbereitet …',
    silent: (player: string) => `${player} hat sich nicht geöffnet`,
    why: (player: string) => `Kein Programm auf diesem Gerät scheint auf Links für ${player} zu antworten. Öffne damit stattdessen die Wiedergabeliste oder kopiere die Adresse.`,
    copyLink: 'Abspiellink kopieren', copyCommand: 'Als Befehl kopieren', close: 'Schließen',
  },
)
