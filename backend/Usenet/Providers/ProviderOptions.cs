using System.Security.Cryptography.X509Certificates;

namespace NzbDav.Usenet.Providers;

/// <summary>One Usenet account, as it is configured. Immutable; bound from <c>NzbDav:Usenet:Providers:N</c>.</summary>
public sealed record ProviderOptions
{
    /// <summary>Name in logs and on the health page; the host when empty.</summary>
    public string Name { get; init; } = "";

    /// <summary>Host name or address.</summary>
    public string Host { get; init; } = "";

    /// <summary>TCP port; 563 is the registered one for NNTP over TLS, 119 without.</summary>
    public int Port { get; init; } = 563;

    /// <summary>TLS from the first byte (RFC 8143).</summary>
    public bool UseTls { get; init; } = true;

    /// <summary>Certificates are checked unless this is switched off for a server that has none to show.</summary>
    public bool VerifyCertificate { get; init; } = true;

    /// <summary>Account name; empty for a server that asks for none.</summary>
    public string Username { get; init; } = "";

    /// <summary>Password.</summary>
    public string Password { get; init; } = "";

    /// <summary>Most connections that the account allows, 1 … 500. The real cap is learned when it is lower.</summary>
    public int MaxConnections { get; init; } = 20;

    /// <summary>Connections kept open and logged in, so that the first read does not wait for them; null for as many as allowed, at most 20.</summary>
    public int? WarmConnections { get; init; }

    /// <summary>0 is asked first; equal ones share the load; higher ones are asked for what lower ones do not have.</summary>
    public int Priority { get; init; }

    /// <summary>Whose articles it has, in the user's words; empty: not known. What one provider of a backbone does not have, the others of it are not asked for. Upper and lower case are the same.</summary>
    public string Backbone { get; init; } = "";

    /// <summary>Roots to trust in place of the system's; for servers with a certificate of their own.</summary>
    public X509Certificate2Collection? TrustedRoots { get; init; }

    /// <summary>What to call it.</summary>
    public string DisplayName => Name.Length > 0 ? Name : Host;

    /// <summary>Has the articles that another has.</summary>
    public bool IsKinOf(ProviderOptions other)
    {
        ArgumentNullException.ThrowIfNull(other);
        return Backbone.Length > 0 && string.Equals(Backbone, other.Backbone, StringComparison.OrdinalIgnoreCase);
    }

    /// <summary>Connections to keep warm.</summary>
    public int WarmFloor => Math.Min(WarmConnections ?? 20, MaxConnections);

    /// <summary>One line per fault; none when the options can be used.</summary>
    /// <param name="path">Where they stand in the configuration, for the message.</param>
    public IEnumerable<string> Validate(string path)
    {
        if (string.IsNullOrWhiteSpace(Host))
            yield return $"{path}:Host is empty: give the provider's host name.";
        else if (Uri.CheckHostName(Host) == UriHostNameType.Unknown)
            yield return $"{path}:Host is '{Host}', which is no host name or address: leave out scheme, port and path.";
        if (Port is < 1 or > 65535)
            yield return $"{path}:Port is {Port}: it must be 1 … 65535.";
        if (MaxConnections is < 1 or > 500)
            yield return $"{path}:MaxConnections is {MaxConnections}: it must be 1 … 500.";
        if (WarmConnections is < 0)
            yield return $"{path}:WarmConnections is {WarmConnections}: it must be 0 or more.";
        if (Priority is < 0 or > 99)
            yield return $"{path}:Priority is {Priority}: it must be 0 … 99.";
        if (Username.Length == 0 && Password.Length > 0)
            yield return $"{path}:Username is empty but a password is given.";
        if (HasControl(Username) || HasControl(Password))
            yield return $"{path}: the user name or password holds a control character, which NNTP cannot send.";
    }

    private static bool HasControl(string text) => text.Any(char.IsControl);
}
