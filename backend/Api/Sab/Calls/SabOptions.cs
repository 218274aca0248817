using NzbDav.Content.Proxies;

namespace NzbDav.Api.Sab.Calls;

/// <summary>Options of the SABnzbd interface.</summary>
public sealed record SabOptions
{
    /// <summary>
    /// The version whose interface is implemented here: the last one whose ids begin with <c>SABnzbd_nzo_</c>, by which programs tell a
    /// post from a torrent. From 5.0.2 on they are GUIDs. Clients treat versions below 2.0 differently.
    /// </summary>
    public const string Version = "4.5.5";

    /// <summary>The default of <see cref="UserAgent"/>.</summary>
    public const string DefaultUserAgent = "NzbDav";

    /// <summary>Where clients find the tree: the mount, absolute, without a trailing slash.</summary>
    public required string MountPath { get; init; }

    /// <summary>The configuration folder: the free space of its disk is reported.</summary>
    public required string ConfigFolder { get; init; }

    /// <summary>Hosts in private networks from which <c>addurl</c> may fetch, by name or address; <c>*</c> for all.</summary>
    public IReadOnlyList<string> PrivateHosts { get; init; } = [];

    /// <summary>What the .nzb files of <c>addurl</c> are fetched as: some indexers admit known download clients only.</summary>
    public string UserAgent { get; init; } = DefaultUserAgent;

    /// <summary>The proxy through which public addresses are fetched; null: none.</summary>
    public ProxyAddress? Proxy { get; init; }

    /// <summary>
    /// Bandwidth of the line to the providers in bytes per second, to which a speed limit in per cent refers. Null: not known.
    /// </summary>
    public long? LineBytesPerSecond { get; init; }

    /// <summary>Largest upload in bytes; default 512 MiB and a little for the form around it.</summary>
    public long MaxUploadBytes { get; init; } = (512L << 20) + (1 << 20);

    /// <summary>Removes secrets from warnings before they are reported.</summary>
    public Func<string, string> Clean { get; init; } = static text => text;

    /// <summary>The folder of completed downloads, as seen by the programs that import from it.</summary>
    public string CompletedPath => $"{MountPath}/completed-symlinks";
}
