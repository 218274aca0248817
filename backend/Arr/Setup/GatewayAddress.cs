namespace NzbDav.Arr.Setup;

/// <summary>How an application reaches this gateway as its download client.</summary>
public sealed record GatewayAddress
{
    /// <summary>What it is called there.</summary>
    public string Name { get; init; } = "NzbDav";

    /// <summary>True: as its qBittorrent, for torrents; false: as its SABnzbd, for posts.</summary>
    public bool IsForTorrents { get; init; }

    /// <summary>As seen from the application's machine or container.</summary>
    public required string Host { get; init; }

    /// <summary>1 to 65535.</summary>
    public required int Port { get; init; }

    /// <summary>A key that may add downloads, see and change them.</summary>
    public required string ApiKey { get; init; }

    /// <summary>Path in front of <c>/api</c>; empty if there is none.</summary>
    public string UrlBase { get; init; } = string.Empty;

    /// <summary>Whether it is spoken to over TLS.</summary>
    public bool UseSsl { get; init; }

    /// <summary>The category for this application's downloads: <c>tv</c>, <c>movies</c>, …</summary>
    public required string Category { get; init; }

    /// <summary>Where the gateway says its downloads are. With <see cref="LocalPath"/> a remote path mapping is made; null for none.</summary>
    public string? RemotePath { get; init; }

    /// <summary>Where the application finds them.</summary>
    public string? LocalPath { get; init; }

    /// <summary>What is wrong and what to do; null if nothing is.</summary>
    public string? Problem()
    {
        if (string.IsNullOrWhiteSpace(Name) || string.IsNullOrWhiteSpace(Host) || Host.Contains('/', StringComparison.Ordinal))
            return "Name and host are needed; the host alone, without http:// and path.";
        if (Port is < 1 or > 65535)
            return "The port is a number from 1 to 65535.";
        if (string.IsNullOrWhiteSpace(ApiKey) || string.IsNullOrWhiteSpace(Category))
            return "The API key and a category are needed.";
        return (RemotePath is null) != (LocalPath is null) ? "A path mapping needs both paths." : null;
    }

    /// <summary>Says all but the key.</summary>
    public override string ToString() => $"{Name} at {Host}:{Port}{UrlBase}, category {Category}";
}
