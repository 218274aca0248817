namespace NzbDav.Api.Native.Providers;

/// <summary>A Usenet account to test. It need not be saved.</summary>
internal sealed record ProviderTestBody
{
    /// <summary>
    /// The saved account that is being edited; null for a new one. Its password is used when <see cref="Password"/> is null, but only for the same host and port, and
    /// with TLS as it was saved.
    /// </summary>
    public int? Number { get; init; }

    /// <summary>Host name or address.</summary>
    public string Host { get; init; } = "";

    /// <summary>TCP port, 1 to 65535.</summary>
    public int Port { get; init; }

    /// <summary>TLS from the first byte.</summary>
    public bool UseTls { get; init; }

    /// <summary>The certificate must be valid.</summary>
    public bool VerifyCertificate { get; init; } = true;

    /// <summary>Null or empty for a server without a login.</summary>
    public string? Username { get; init; }

    /// <summary>Null for the saved one.</summary>
    public string? Password { get; init; }

    /// <summary>The proxy to reach it through, such as socks5://user:password@host:1080; empty for none, null for the saved one.</summary>
    public string? Proxy { get; init; }

    /// <summary>Connections to try, 1 to 500.</summary>
    public int MaxConnections { get; init; }
}
