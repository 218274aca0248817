namespace NzbDav.Arr.Setup;

/// <summary>How an application reaches this gateway as its download client.</summary>
public sealed record GatewayAddress
{
    /// <summary>Name of the download client in the application.</summary>
    public string Name { get; init; } = "NzbDav";

    /// <summary>True: as its qBittorrent, for torrents; false: as its SABnzbd, for posts.</summary>
    public bool IsForTorrents { get; init; }

    /// <summary>Host as seen from the application's machine or container.</summary>
    public required string Host { get; init; }

    /// <summary>Port, 1 to 65535.</summary>
    public required int Port { get; init; }

    /// <summary>A key with the right to add, see and change downloads.</summary>
    public required string ApiKey { get; init; }

    /// <summary>Path in front of <c>/api</c>; empty if there is none.</summary>
    public string UrlBase { get; init; } = string.Empty;

    /// <summary>True to use TLS.</summary>
    public bool UseSsl { get; init; }

    /// <summary>The category for this application's downloads: <c>tv</c>, <c>movies</c>, …</summary>
    public required string Category { get; init; }

    /// <summary>Path of its downloads as the gateway reports it. Together with <see cref="LocalPath"/> it becomes a remote path mapping;
    /// null for none.</summary>
    public string? RemotePath { get; init; }

    /// <summary>Path where the application finds them.</summary>
    public string? LocalPath { get; init; }

    /// <summary>What is wrong and what to do; null if everything is valid.</summary>
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

    /// <summary>All but the key, so that it cannot get into a log.</summary>
    public override string ToString() => $"{Name} at {Host}:{Port}{UrlBase}, category {Category}";
}
