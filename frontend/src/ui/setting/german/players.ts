import type { SettingWords } from './words'

export const players: Record<string, SettingWords> = {
  'WebDav:Username': {
    title: 'Benutzername', description: 'Der WebDAV-Benutzer für Player und eingehängte Laufwerke. Zusammen mit dem Passwort anzugeben: Ohne beides lässt WebDAV niemanden herein, außer in der Vorführung.',
  },
  'WebDav:Password': { title: 'Passwort', description: 'Das WebDAV-Passwort. Es öffnet keine Einstellungen, und eine Änderung beendet keine Sitzung auf dieser Seite.' },
  'WebDav:MountPath': { title: 'Einhängepunkt', description: 'Wo die Wurzel des Baums für alle eingehängt ist, die den Links in completed-symlinks folgen: Mit diesem Pfad beginnen die Links. Ohne Angabe der eingehängte Ordner, falls es ihn gibt.' },
  'Mount:Path': { title: 'Eingehängter Ordner', description: 'Ein leerer Ordner, in dem dieser Server den Baum als Dateisystem zeigt, ohne rclone. Nötig sind Linux und in einem Container /dev/fuse.' },
  'Mount:Socket': {
    title: 'Socket des Einhänge-Helfers', description: 'Der Socket eines Programms, das für diesen Server einhängt (nzbdav mount-helper), damit der Server selbst keine Rechte braucht. Der eingehängte Ordner sagt dann, wo Programme den Baum sehen.',
  },
  'Mount:AllowOther': {
    title: 'Für alle Benutzer einhängen', description: 'Lässt alle Benutzer des Rechners in den eingehängten Ordner. Läuft der Server nicht als root, braucht das die Zeile user_allow_other in /etc/fuse.conf. Mit einem Helfer entscheidet dieser.',
  },
  'Mount:User': { title: 'Besitzer im eingehängten Ordner', description: 'Die Nummer des Benutzers, dem dort alles gehört. Ohne Angabe der des Servers.' },
  'Mount:Group': { title: 'Gruppe im eingehängten Ordner', description: 'Die Nummer der Gruppe, der dort alles gehört. Ohne Angabe die des Servers.' },
  'Strm:Categories': {
    title: 'Kategorien mit .strm-Dateien', description: 'Kategorien, deren Dateien für Sonarr & Co als .strm-Dateien mit einer Adresse statt als Links erscheinen: für Medienserver ohne eingehängtes Laufwerk. Untertitel und andere kleine Dateien liegen unverändert daneben.',
  },
  'Strm:Url': { title: 'Adresse in .strm-Dateien', description: 'Womit diese Adressen beginnen: wie Player diesen Server erreichen, mit seiner Basis-URL, zum Beispiel http://nas:8080.' },
  'WebDav:DeleteLinked': {
    title: 'Verlinktes löschen', description: 'Erlaubt WebDAV-Clients, unter content auch zu löschen, worauf eine Bibliothek verweist oder verweisen könnte. Sonst wird das abgelehnt.',
  },
  'WebDav:Scratch': { title: 'scratch zeigen', description: 'Zeigt /scratch, einen Ordner auf dem Datenträger des Servers, in den WebDAV-Clients frei schreiben dürfen.' },
  'Rclone:Url': {
    title: 'Fernsteuerung von rclone', description: 'Adresse des rclone, das die Wurzel des Baums einhängt (rclone mount --rc), zum Beispiel http://rclone:5572. Es erfährt von jedem neuen Ordner, bevor dieser als vorhanden gemeldet wird.',
  },
  'Rclone:Username': { title: 'Benutzername der Fernsteuerung', description: 'Der Wert, den rclone als --rc-user erhalten hat.' },
  'Rclone:Password': { title: 'Passwort der Fernsteuerung', description: 'Der Wert, den rclone als --rc-pass erhalten hat.' },

  'Library:Folders': {
    title: 'Ordner der Bibliotheken', description: 'Alle Ordner, in denen Bibliotheken Links auf hiesige Dateien halten, wie dieser Server sie sieht, jedes eingehängte Laufwerk für sich. Symbolische Links und .strm-Dateien darin werden gelesen, nie verfolgt oder geändert.',
  },
  'Export:Strm': {
    title: 'Ordner mit .strm-Dateien', description: 'Ordner auf dem Datenträger dieses Servers, die mit einer Kategorie Schritt halten: je Video und Musikstück eine .strm-Datei, zum Beispiel movies=/library/movies. Fremde Dateien darin bleiben unberührt. Dazu muss die Adresse in .strm-Dateien angegeben sein.',
  },
  'Export:Symlinks': { title: 'Ordner mit symbolischen Links', description: 'Dasselbe mit einem symbolischen Link je Datei, der in den Einhängepunkt führt.' },
  'Export:Nfo': { title: 'Angaben neben Videos', description: 'Legt in diesen Ordnern neben jedes Video eine .nfo-Datei: Titel und Jahr oder Staffel und Folge, soweit der Name sie zweifelsfrei nennt.' },
  'Library:HideAfterDays': { title: 'Verbergen nach', description: 'Nach dieser Zeit verschwindet eine Datei aus dem Baum, die in keiner Bibliothek mehr ist.' },
  'Library:DeleteAfterDays': { title: 'Löschen nach', description: 'So lange bleibt eine solche Datei verborgen, bevor sie gelöscht wird.' },
  'Library:TrialDays': { title: 'Probezeit', description: 'Zeit nach dem ersten Lesen, in der nichts verborgen oder gelöscht wird. Das Protokoll nennt, was geschehen würde.' },
  'Library:MostPercent': {
    title: 'Höchstens auf einmal', description: 'Größter Anteil aller je verlinkten Dateien, der auf einmal fehlen, verborgen oder gelöscht werden darf; fünf Dateien dürfen es immer sein. Bei mehr geschieht nichts, bis es bestätigt ist.',
  },
  'Library:ReadMinutes': {
    title: 'Leseabstand', description: 'Zeit zwischen zwei Durchgängen durch alle Ordner und Programme. Ordner werden außerdem kurz nach jeder Änderung gelesen, sofern das System sie meldet.',
  },

  'Health:StatsPerDay': {
    title: 'Fragen pro Tag', description: 'Nach wie vielen Artikeln die Anbieter täglich gefragt werden (STAT, das nichts abruft), um Posts zu finden, die nicht mehr vollständig sind. Alles andere geht vor. Bei 0 wird nichts geprüft. Die Seite Zustand zeigt, wie bald ein verschwundener Post damit auffällt.',
  },
  'Health:Action': {
    title: 'Ohne Rückfrage', description: 'Was mit einem Post geschieht, dessen Artikel zweimal, mit mindestens zwei Tagen Abstand, bei allen Anbietern fehlten. Ersetzen braucht Sonarr, Radarr oder Lidarr: Der alte Post wird verborgen, sobald der Ersatz importiert ist und sich abspielen lässt, und 30 Tage später gelöscht.',
    choices: { check: 'Nur anzeigen', repair: 'Reparieren oder aus einem anderen Post desselben Releases lesen', replace: 'Reparieren, sonst ersetzen lassen' },
  },
  'Health:RemovalsPerDay': {
    title: 'Entfernungen pro Tag', description: 'Wie viele ersetzte Posts an einem Tag verborgen werden dürfen. Sind es mehr, wird nichts verborgen, bis es auf der Seite Zustand bestätigt ist; bei 0 wird jedes Mal gefragt.',
  },
}
