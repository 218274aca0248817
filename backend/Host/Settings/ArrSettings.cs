using NzbDav.Arr.Client;

namespace NzbDav.Host.Settings;

/// <summary>One Sonarr, Radarr, Lidarr or Prowlarr that this server talks to. Immutable.</summary>
public sealed record ArrSettings
{
    /// <summary>The number it is configured under.</summary>
    public required int Number { get; init; }

    /// <summary>What it is called here.</summary>
    public required string Name { get; init; }

    /// <summary>How it is reached.</summary>
    public required ArrOptions Options { get; init; }

    /// <summary>The category of its downloads here.</summary>
    public required string Category { get; init; }

    /// <summary>Stuck imports are taken out of its queue by <see cref="Arr.Queue.QueueRule.Defaults"/>.</summary>
    public bool TidiesQueue { get; init; }

    /// <summary>Its library as it sees it, and the same folder as this server sees it; null: both see it alike.</summary>
    public (string Theirs, string Here)? Library { get; init; }
}
