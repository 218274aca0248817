using System.Net;
using System.Net.Sockets;
using NzbDav.Access.Keys;
using NzbDav.Access.Options;
using NzbDav.Catalog.Users;

namespace NzbDav.Host.Settings;

public sealed partial class SettingsReader
{
    private AccessOptions ReadAccess()
    {
        var options = new AccessOptions
        {
            UrlBase = ReadUrlBase(),
            TrustedProxies = ReadNetworks("Access:TrustedProxies"),
            ForwardAuthHeader = ReadHeader(),
            ForwardAuthSecret = ReadForwardAuthSecret(),
            ForwardAuthRole = ReadRole("Access:ForwardAuthRole"),
            Oidc = ReadOidc(),
            LanNetworks = ReadNetworks("Access:LanNetworks"),
            LanRights = ReadLanRights(),
            LanHosts = Names("Access:LanHosts", "none") ?? [],
            NoProxy = Flag("Access:NoProxy", otherwise: false),
            Frames = ReadOrigins("Access:Frames"),
            LinkLifetime = TimeSpan.FromDays(Number("Access:LinkDays", (int)new AccessOptions().LinkLifetime.TotalDays, 1, 365)),
            Hsts = Flag("Access:Hsts", otherwise: false),
        };
        if (options.ForwardAuthHeader is not null && options.TrustedProxies.Count == 0)
            Fault("Access:ForwardAuthHeader", "it needs NzbDav__Access__TrustedProxies: the header is accepted from nobody else.");
        if (options.ForwardAuthSecret is not null && options.ForwardAuthHeader is null)
            Fault("Access:ForwardAuthSecret", "it needs NzbDav__Access__ForwardAuthHeader: it protects only that header.");
        return options;
    }

    /// <summary>Wrong secrets are not counted, so it must be too long to guess.</summary>
    private string? ReadForwardAuthSecret()
    {
        var secret = Secret("Access:ForwardAuthSecret");
        if (secret is null or { Length: >= 16 })
            return secret;
        Fault("Access:ForwardAuthSecret", "it must have at least 16 characters.");
        return null;
    }

    private PathString ReadUrlBase()
    {
        var text = (Text("UrlBase") ?? "").Trim('/');
        if (text.Length == 0)
            return PathString.Empty;
        if (Array.TrueForAll(text.Split('/'), IsPlain))
            return new PathString("/" + text);
        Fault("UrlBase", $"'{text}' is not a path such as /nzbdav: letters, digits, '-', '_', '.' and '~' between single slashes.");
        return PathString.Empty;

        static bool IsPlain(string segment) =>
            segment is not ("" or "." or "..") && segment.All(c => char.IsAsciiLetterOrDigit(c) || c is '-' or '_' or '.' or '~');
    }

    private List<IPNetwork> ReadNetworks(string path)
    {
        var networks = new List<IPNetwork>();
        foreach (var text in Names(path, "none") ?? [])
        {
            if (ToNetwork(text) is { PrefixLength: 0 })
                Fault(path, $"'{text}' includes everybody: name single addresses or small networks.");
            else if (ToNetwork(text) is { } network)
                networks.Add(network);
            else
                Fault(path, $"'{text}' is not an address or network such as 172.18.0.2 or 192.168.0.0/16.");
        }

        return networks;
    }

    /// <summary>Hosts by name, address or network; <c>*</c> for all.</summary>
    private List<string> ReadHosts(string path)
    {
        var hosts = new List<string>();
        foreach (var text in Names(path, []))
        {
            if (!text.Contains('/', StringComparison.Ordinal))
                hosts.Add(text);
            else if (ToNetwork(text) is { } network)
                hosts.Add(network.ToString());
            else
                Fault(path, $"'{text}' is not a name, address or network such as nas.lan, 192.168.1.10 or 192.168.1.0/24.");
        }

        return hosts;
    }

    /// <summary>
    /// A single address is a network of one. Bits after the prefix are ignored, because people write their own address with a prefix.
    /// </summary>
    private static IPNetwork? ToNetwork(string text)
    {
        var slash = text.IndexOf('/', StringComparison.Ordinal);
        var written = slash < 0 ? text : text[..slash];

        // Old notations such as 10.0.0 and 010.0.0.1 would be parsed as different addresses.
        if (!IPAddress.TryParse(written, out var address)
            || (address.AddressFamily == AddressFamily.InterNetwork && address.ToString() != written))
            return null;
        var bits = address.AddressFamily == AddressFamily.InterNetwork ? 32 : 128;
        var prefix = bits;
        if (slash >= 0 && (!int.TryParse(text[(slash + 1)..], System.Globalization.NumberStyles.None,
            System.Globalization.CultureInfo.InvariantCulture, out prefix) || prefix > bits))
            return null;
        var bytes = address.GetAddressBytes();
        for (var bit = prefix; bit < bits; bit++)
            bytes[bit / 8] &= (byte)~(0x80 >> (bit % 8));
        return new IPNetwork(new IPAddress(bytes), prefix);
    }

    private List<string> ReadOrigins(string path)
    {
        var origins = new List<string>();
        foreach (var text in Names(path, "none") ?? [])
        {
            // Rebuilt from the parsed address: the text goes into a header, where a blank or a semicolon would start another rule.
            if (Uri.TryCreate(text, UriKind.Absolute, out var uri)
                && uri is { Scheme: "http" or "https", AbsolutePath: "/", Query: "", Fragment: "", UserInfo: "" })
                origins.Add(uri.GetLeftPart(UriPartial.Authority));
            else
                Fault(path, $"'{text}' is not an origin such as https://home.example.com or http://192.168.1.5:8123.");
        }

        return origins;
    }

    private string? ReadHeader()
    {
        var header = Text("Access:ForwardAuthHeader");
        if (header is null || header.All(c => char.IsAsciiLetterOrDigit(c) || c == '-'))
            return header;
        Fault("Access:ForwardAuthHeader", $"'{header}' is not the name of a header such as Remote-User.");
        return null;
    }

    private ApiRights ReadLanRights()
    {
        switch (Choice("Access:LanRights", "read"))
        {
            case "full":
                return ApiRights.Full;
            case null or "read":
                return ApiRights.Read;
            case var other:
                Fault("Access:LanRights", $"'{other}' is neither full nor read.");
                return ApiRights.Read;
        }
    }

    private UserRole ReadRole(string path)
    {
        if (Choice(path, "administrator") is not { } text)
            return UserRole.Administrator;
        if (Enum.TryParse<UserRole>(text, ignoreCase: true, out var role) && !char.IsAsciiDigit(text[0]))
            return role;
        Fault(path, $"'{text}' is not one of viewer, operator, administrator.");
        return UserRole.Viewer;
    }

    private OidcOptions? ReadOidc()
    {
        var role = ReadRole("Access:Oidc:Role");
        var (authority, client, secret) = (Text("Access:Oidc:Authority"), Text("Access:Oidc:ClientId"), Secret("Access:Oidc:ClientSecret"));
        var (scopes, nameClaim, names) =
            (Names("Access:Oidc:Scopes", "openid,profile,email"), Text("Access:Oidc:NameClaim"), Names("Access:Oidc:AllowedNames", "none"));
        var hours = Number("Access:Oidc:SessionHours", 24, 1, 720);
        var (groupsClaim, groups) = (Text("Access:Oidc:GroupsClaim", "groups"), Names("Access:Oidc:AllowedGroups", "none"));
        if (authority is null && client is null && secret is null)
        {
            if (scopes is not null || nameClaim is not null || names is not null || groupsClaim is not null || groups is not null)
                Fault("Access:Oidc", "Authority, ClientId and ClientSecret must be set.");
            return null;
        }

        if (authority is null || client is null || secret is null)
        {
            Fault("Access:Oidc", "Authority, ClientId and ClientSecret must be set together.");
            return null;
        }

        if (!Uri.TryCreate(authority, UriKind.Absolute, out var uri) || uri.Scheme is not ("http" or "https") || uri.Query.Length > 0
            || uri.Fragment.Length > 0)
        {
            Fault("Access:Oidc:Authority", $"'{authority}' is not an address such as https://auth.example.com.");
            return null;
        }

        var options = new OidcOptions { Authority = uri, ClientId = client, ClientSecret = secret, NameClaim = nameClaim };
        options = options with
        {
            Scopes = scopes ?? options.Scopes,
            AllowedNames = names ?? [],
            GroupsClaim = groupsClaim ?? options.GroupsClaim,
            AllowedGroups = groups ?? [],
            SessionLifetime = TimeSpan.FromHours(hours),
            Role = role,
        };
        if (!options.Scopes.Contains("openid", StringComparer.Ordinal))
            Fault("Access:Oidc:Scopes", "openid must be among them.");
        return options;
    }
}
