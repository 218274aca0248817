using NzbDav.Arr.Client;

namespace NzbDav.Host.Settings;

/// <summary>A configured Sonarr, Radarr, Lidarr or Prowlarr. Immutable.</summary>
public sealed record ArrSettings
{
    /// <summary>Its number in the settings.</summary>
    public required int Number { get; init; }

    /// <summary>Its name here.</summary>
    public required string Name { get; init; }

    /// <summary>Its address and key.</summary>
    public required ArrOptions Options { get; init; }

    /// <summary>The category of its downloads here.</summary>
    public required string Category { get; init; }

    /// <summary>True: stuck imports are removed from its queue by <see cref="Arr.Queue.QueueRule.Defaults"/>.</summary>
    public bool TidiesQueue { get; init; }

    /// <summary>The path of its library as it sees it, and the same folder as this server sees it; null: both see the same path.</summary>
    public (string Theirs, string Here)? Library { get; init; }
}
