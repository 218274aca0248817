using NzbDav.Catalog;

namespace NzbDav.Library;

/// <summary>A folder at the top where jobs are dropped: what it takes.</summary>
/// <param name="Folder">Its name.</param>
/// <param name="Refusal">What is said to other files.</param>
/// <param name="Endings">File name endings, with what they stand for.</param>
internal sealed record DropPlace(string Folder, string Refusal, IReadOnlyList<(JobKind Kind, string Ending)> Endings)
{
    /// <summary><c>/nzbs</c>.</summary>
    public static DropPlace Nzbs { get; } = new(LibraryStore.DropFolder, "Only .nzb files can be dropped here, as they are or packed (.gz, .bz2, .zip).", [(JobKind.Nzb, ".nzb")])
    {
        Packings = [".gz", ".bz2", ".zip"],
    };

    /// <summary><c>/torrents</c>.</summary>
    public static DropPlace Torrents { get; } = new(
        LibraryStore.TorrentFolder, "Only .torrent and .magnet files can be dropped here.", [(JobKind.Torrent, ".torrent"), (JobKind.Magnet, ".magnet")]);

    public static IReadOnlyList<DropPlace> All { get; } = [Nzbs, Torrents];

    /// <summary>What its jobs were brought as.</summary>
    public JobKind[] Kinds { get; } = [.. Endings.Select(static ending => ending.Kind)];

    /// <summary>Endings of files that are taken with such files packed inside.</summary>
    public string[] Packings { get; private init; } = [];

    /// <summary>The place of that name; null if it is none.</summary>
    public static DropPlace? Of(string folder) => All.FirstOrDefault(place => place.Folder == folder);

    /// <summary>What a file of that name is; null if it is not taken here.</summary>
    public (JobKind Kind, string Ending)? Match(string name)
    {
        foreach (var ending in Endings)
        {
            if (name.EndsWith(ending.Ending, StringComparison.OrdinalIgnoreCase))
                return ending;
        }

        return null;
    }

    /// <summary>The ending of files of that kind.</summary>
    public string EndingOf(JobKind kind) => Endings.First(ending => ending.Kind == kind).Ending;
}
