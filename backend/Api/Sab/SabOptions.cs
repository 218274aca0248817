namespace NzbDav.Api.Sab;

/// <summary>What the SABnzbd interface tells of itself.</summary>
public sealed record SabOptions
{
    /// <summary>Clients treat versions below 2.0 in an old way; this is one whose interface is described here.</summary>
    public const string Version = "4.5.1";

    /// <summary>Where clients find the tree: the mount, absolute, without a slash at its end.</summary>
    public required string MountPath { get; init; }

    /// <summary>The configuration folder: its disk's space is told.</summary>
    public required string ConfigFolder { get; init; }

    /// <summary>Hosts in private networks from which <c>addurl</c> may fetch, by name or address, <c>*</c> for all.</summary>
    public IReadOnlyList<string> PrivateHosts { get; init; } = [];

    /// <summary>What the line to the providers carries, in bytes a second: what a speed limit in per cent refers to. Null: not known.</summary>
    public long? LineBytesPerSecond { get; init; }

    /// <summary>Largest upload in bytes; default 512 MiB and a little for the form around it.</summary>
    public long MaxUploadBytes { get; init; } = (512L << 20) + (1 << 20);

    /// <summary>Takes secrets out of what is told of warnings.</summary>
    public Func<string, string> Clean { get; init; } = static text => text;

    /// <summary>The folder that lists what was completed, as those see it who import from it.</summary>
    public string CompletedPath => $"{MountPath}/completed-symlinks";
}
