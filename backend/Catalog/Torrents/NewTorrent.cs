namespace NzbDav.Catalog.Torrents;

/// <summary>Options for a torrent to be added. A torrent that the user already has keeps its own.</summary>
public sealed record NewTorrent
{
    /// <inheritdoc cref="TorrentEntry.Name"/>
    public string? Name { get; init; }

    /// <inheritdoc cref="TorrentEntry.Tags"/>
    public IReadOnlyList<string> Tags { get; init; } = [];

    /// <inheritdoc cref="TorrentEntry.SavePath"/>
    public string? SavePath { get; init; }

    /// <inheritdoc cref="TorrentEntry.Layout"/>
    public string? Layout { get; init; }

    /// <inheritdoc cref="TorrentEntry.Policy"/>
    public TorrentPolicy Policy { get; init; } = new();

    /// <inheritdoc cref="TorrentEntry.IsStopped"/>
    public bool IsStopped { get; init; }

    /// <inheritdoc cref="TorrentEntry.IsForced"/>
    public bool IsForced { get; init; }

    /// <inheritdoc cref="TorrentEntry.IsSequential"/>
    public bool IsSequential { get; init; }

    /// <inheritdoc cref="TorrentEntry.IsEdgesFirst"/>
    public bool IsEdgesFirst { get; init; }

    /// <inheritdoc cref="TorrentEntry.UploadLimit"/>
    public long? UploadLimit { get; init; }

    /// <inheritdoc cref="TorrentEntry.DownloadLimit"/>
    public long? DownloadLimit { get; init; }

    /// <inheritdoc cref="TorrentEntry.Selection"/>
    public string? Selection { get; init; }
}
