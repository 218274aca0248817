namespace NzbDav.Host.Settings.Texts;

public static partial class SettingTexts
{
    private static readonly (string, string)[] RoleChoices = [("viewer", "Viewer: look and play"),
        ("operator", "Operator: also add, change and delete"), ("administrator", "Administrator: everything")];

    private static readonly SettingText[] OfAccess =
    [
        new("Access:LanNetworks", Access, "Networks without sign-in",
            "People in these networks need not sign in to the page. It takes Local names, No proxy or a trusted proxy.")
            { Form = Networks },
        new("Access:LanRights", Access, "Rights in these networks", "What people in these networks may do.")
            { Choices = [("full", "Everything"), ("read", "Look and play")] },
        new("Access:LanHosts", Access, "Local names",
            "Host names and addresses under which your network reaches this server, such as nas.lan or 192.168.1.10. No proxy may use " +
            "them.") { Form = Names },
        new("Access:NoProxy", Access, "No proxy",
            "No reverse proxy or tunnel reaches this server, except trusted ones. Then addresses and local names need not be listed."),
        new("UrlBase", Access, "URL base",
            "Puts everything below this path, such as /nzbdav, for a proxy that serves several programs under one name. Outside of it " +
            "only /health answers, and browsers are told where it is.") { Form = "path" },
        new("Access:TrustedProxies", Access, "Trusted proxies",
            "Proxies whose X-Forwarded-For, -Proto, -Host and -Prefix are trusted. Enter the proxy's own address rather than its " +
            "network.") { Form = Networks, IsAdvanced = true },
        new("Access:Frames", Access, "Sites that may frame it",
            "Sites whose pages may show this one in a frame, such as Organizr or Home Assistant. Sign-in works there only under the same " +
            "domain.")
            { Form = "origins such as https://home.example.com, separated by commas", IsAdvanced = true },
        new("Access:LinkDays", Access, "Longest life of links",
            "How many days a link that opens a file without a sign-in may work. Users who may not manage get a week at most.")
            { Unit = "days", IsAdvanced = true },
        new("Access:Hsts", Access, "Always https",
            "Tells browsers that came over https to use only https for a year. Turn it on when https works for good.")
            { IsAdvanced = true },
        new("Access:ForwardAuthHeader", Access, "Header with the user", "The header in which a trusted proxy names the user it has " +
            "signed in, such as Remote-User. From anybody else it is ignored.") { Form = "name of a header", IsAdvanced = true },
        new("Access:ForwardAuthSecret", Access, "Secret of the proxy",
            "A secret that the trusted proxy must send as X-Forward-Auth-Secret, so that its address alone is not enough.")
            { Form = "text, at least 16 characters", IsAdvanced = true },
        new("Access:ForwardAuthRole", Access, "Role of users from the proxy", "The role of users that a trusted proxy names.")
            { Choices = RoleChoices, IsAdvanced = true },
        new("Access:Oidc:Authority", Access, "OpenID Connect: issuer",
            "The provider's address as it writes its issuer, such as https://auth.example.com/realms/home. Set it with the client's name " +
            "and secret.") { Form = "address", IsAdvanced = true },
        new("Access:Oidc:ClientId", Access, "OpenID Connect: client", "The provider's id for this server.") { IsAdvanced = true },
        new("Access:Oidc:ClientSecret", Access, "OpenID Connect: secret", "The secret shared with the provider. It is never logged.")
            { IsAdvanced = true },
        new("Access:Oidc:Role", Access, "OpenID Connect: role", "The role of everybody who signs in this way.")
            { Choices = RoleChoices, IsAdvanced = true },
        new("Access:Oidc:AllowedGroups", Access, "OpenID Connect: groups",
            "Groups whose members may sign in. Being in this list or in the list of users is enough.") { Form = Names, IsAdvanced = true },
        new("Access:Oidc:AllowedNames", Access, "OpenID Connect: users",
            "Users who may sign in. Without this list and the list of groups, everybody accepted by the provider may sign in.")
            { Form = Names, IsAdvanced = true },
        new("Access:Oidc:GroupsClaim", Access, "OpenID Connect: claim of groups",
            "The claim that lists a user's groups. Change it when your provider uses another name.") { IsAdvanced = true },
        new("Access:Oidc:NameClaim", Access, "OpenID Connect: claim of the name",
            "The claim that is the user's name. Take sub where users can change their name.")
            { DefaultNote = "the first there is of preferred_username, email, sub", IsAdvanced = true },
        new("Access:Oidc:Scopes", Access, "OpenID Connect: scopes", "The scopes to ask for; openid must be among them.")
            { Form = Names, IsAdvanced = true },
        new("Access:Oidc:SessionHours", Access, "OpenID Connect: length of a session",
            "How long a sign-in by OpenID Connect lasts, however much it is used. Whoever left a group is out by then.")
            {
                Unit = "hours",
                IsAdvanced = true,
            },
        new("Api:Key", Access, "Full API key", "Opens everything: the native API, the SABnzbd and qBittorrent interfaces, and metrics.")
            { Form = KeyForm, DefaultNote = "made at the first start, kept in `keys/api`", IsAdvanced = true },
        new("Api:ClientKey", Access, "Key for download clients",
            "For Sonarr and other programs that use this server as their download client: queue, history and adding in the SABnzbd and " +
            "qBittorrent interfaces, and nothing else.")
            { Form = KeyForm, DefaultNote = "made at the first start, kept in `keys/client`", IsAdvanced = true },
        new("Api:AddKey", Access, "Key that adds", "May only add jobs, like SABnzbd's NZB key.") { Form = KeyForm, IsAdvanced = true },
        new("Api:ReadKey", Access, "Key that reads",
            "May only read: queue, history, state, metrics. It sees no passwords of archives, and of an indexer's address only the " +
            "host.") { Form = KeyForm, IsAdvanced = true },
    ];
}
