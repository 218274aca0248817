import type { SettingWords } from './words'

const roles = { viewer: 'Zuschauer: ansehen und abspielen', operator: 'Bediener: auch hinzufügen, ändern und löschen', administrator: 'Administrator: alles' }

export const access: Record<string, SettingWords> = {
  'Access:LanNetworks': { title: 'Netze ohne Anmeldung', description: 'Von hier aus verlangt die Seite keine Anmeldung. Dazu gehören Lokale Namen, Kein Proxy oder ein vertrauter Proxy.' },
  'Access:LanRights': { title: 'Rechte in diesen Netzen', description: 'Was ohne Anmeldung aus diesen Netzen heraus erlaubt ist.', choices: { full: 'Alles', read: 'Ansehen und abspielen' } },
  UrlBase: {
    title: 'Basis-URL', description: 'Alles liegt unter diesem Pfad, zum Beispiel /nzbdav, für einen Proxy, der mehrere Programme unter einem Namen anbietet. Außerhalb davon antwortet nur /health, und Browser erfahren, wo sie liegt.',
  },
  'Access:TrustedProxies': {
    title: 'Vertraute Proxys', description: 'Von diesen Adressen werden X-Forwarded-For, -Proto, -Host und -Prefix übernommen. Besser die Adresse des Proxys selbst als sein ganzes Netz angeben.',
  },
  'Access:LanHosts': {
    title: 'Lokale Namen', description: 'Hostnamen und Adressen, unter denen das eigene Netz diesen Server erreicht, zum Beispiel nas.lan oder 192.168.1.10. Kein Proxy darf sie verwenden.',
  },
  'Access:NoProxy': {
    title: 'Kein Proxy', description: 'Kein Reverse-Proxy oder Tunnel erreicht diesen Server, außer vertrauten. Dann müssen Adressen und lokale Namen nicht aufgezählt werden.',
  },
  'Access:Frames': {
    title: 'Seiten, die sie einbetten', description: 'Websites, deren Seiten diese in einem Rahmen zeigen dürfen, zum Beispiel Organizr oder Home Assistant. Die Anmeldung gilt dort nur unter derselben Domain.',
  },
  'Access:LinkDays': {
    title: 'Längste Dauer von Links', description: 'So viele Tage darf ein Link gelten, der eine Datei ohne Anmeldung öffnet. Wer nicht verwalten darf, bekommt höchstens eine Woche.',
  },
  'Access:Hsts': { title: 'Immer https', description: 'Weist Browser, die über https kommen, an, ein Jahr lang nur noch https zu verwenden. Erst einschalten, wenn https dauerhaft funktioniert.' },
  'Access:ForwardAuthHeader': {
    title: 'Header mit dem Benutzer', description: 'Der Header, in dem ein vertrauter Proxy den von ihm angemeldeten Benutzer nennt, zum Beispiel Remote-User. Von allen anderen wird er nicht beachtet.',
  },
  'Access:ForwardAuthSecret': {
    title: 'Geheimnis des Proxys', description: 'Muss ein vertrauter Proxy als X-Forward-Auth-Secret mitschicken, damit dieser Header zählt und seine Adresse allein nicht genügt.',
  },
  'Access:ForwardAuthRole': { title: 'Rolle über den Proxy', description: 'Was Benutzer dürfen, die ein vertrauter Proxy nennt.', choices: roles },
  'Access:Oidc:Authority': {
    title: 'OpenID Connect: Aussteller', description: 'Die Adresse des Anbieters, wie er seinen Aussteller schreibt, zum Beispiel https://auth.example.com/realms/home. Zusammen mit Name und Geheimnis des Clients anzugeben.',
  },
  'Access:Oidc:ClientId': { title: 'OpenID Connect: Client', description: 'Wie dieser Server beim Anbieter heißt.' },
  'Access:Oidc:ClientSecret': { title: 'OpenID Connect: Geheimnis', description: 'Das gemeinsame Geheimnis mit dem Anbieter. Es erscheint nie im Protokoll.' },
  'Access:Oidc:Role': { title: 'OpenID Connect: Rolle', description: 'Was nach einer Anmeldung über OpenID Connect erlaubt ist.', choices: roles },
  'Access:Oidc:AllowedGroups': { title: 'OpenID Connect: Gruppen', description: 'Gruppen, deren Mitglieder sich anmelden dürfen. Es genügt, in dieser Liste oder in der Benutzerliste zu stehen.' },
  'Access:Oidc:AllowedNames': { title: 'OpenID Connect: Benutzer', description: 'Benutzer, die sich anmelden dürfen. Ohne diese Liste und die der Gruppen dürfen es alle, die der Anbieter zulässt.' },
  'Access:Oidc:GroupsClaim': { title: 'OpenID Connect: Claim der Gruppen', description: 'Der Claim mit den Gruppen eines Benutzers. Nur zu ändern, wenn er beim Anbieter anders heißt.' },
  'Access:Oidc:NameClaim': {
    title: 'OpenID Connect: Claim des Namens', description: 'Der Claim mit dem Namen des Benutzers. sub ist richtig, wo Benutzer ihren Namen ändern können.', defaultNote: 'der erste vorhandene von preferred_username, email, sub',
  },
  'Access:Oidc:Scopes': { title: 'OpenID Connect: Scopes', description: 'Was vom Anbieter angefordert wird; openid muss darunter sein.' },
  'Access:Oidc:SessionHours': {
    title: 'OpenID Connect: Dauer einer Sitzung', description: 'Nach dieser Zeit ist unabhängig von der Aktivität eine neue Anmeldung über OpenID Connect nötig: Spätestens dann ist ausgesperrt, wer eine Gruppe verlassen hat.',
  },
  'Api:Key': {
    title: 'Voller API-Schlüssel', description: 'Öffnet alles: die eigene API, die SABnzbd-Schnittstelle und die Metriken von anderen Rechnern aus.', defaultNote: 'beim ersten Start erzeugt, liegt in keys/api',
  },
  'Api:ClientKey': {
    title: 'Schlüssel für Download-Clients', description: 'Für Sonarr und andere Programme, die diesen Server als Download-Client nutzen: Warteschlange, Verlauf und Hinzufügen über die SABnzbd-Schnittstelle, sonst nichts.',
    defaultNote: 'beim ersten Start erzeugt, liegt in keys/client',
  },
  'Api:AddKey': { title: 'Schlüssel zum Hinzufügen', description: 'Erlaubt nur das Hinzufügen von Aufträgen, wie der NZB-Schlüssel von SABnzbd.' },
  'Api:ReadKey': {
    title: 'Schlüssel zum Lesen', description: 'Erlaubt nur das Ansehen: Warteschlange, Verlauf, Zustand, Metriken. Passwörter von Archiven bleiben verborgen, von der Adresse eines Indexers ist nur der Host sichtbar.',
  },
}
