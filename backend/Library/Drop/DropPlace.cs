using NzbDav.Catalog.Jobs;

namespace NzbDav.Library.Drop;

/// <summary>A top-level folder where jobs are dropped, and the files that it accepts.</summary>
/// <param name="Folder">Its name.</param>
/// <param name="Refusal">The message when any other file is refused.</param>
/// <param name="Endings">File name endings, with what they stand for.</param>
internal sealed record DropPlace(string Folder, string Refusal, IReadOnlyList<(JobKind Kind, string Ending)> Endings)
{
    /// <summary>The collection at the top of the tree where .nzb files are dropped.</summary>
    public const string NzbFolder = "nzbs";

    /// <summary>The collection at the top of the tree where .torrent and .magnet files are dropped.</summary>
    public const string TorrentFolder = "torrents";

    /// <summary><c>/nzbs</c>.</summary>
    public static DropPlace Nzbs { get; } = new(NzbFolder, "Only .nzb files can be dropped here, as they are or packed (.gz, .bz2, .zip).", [(JobKind.Nzb, ".nzb")])
    {
        Packings = [".gz", ".bz2", ".zip"],
    };

    /// <summary><c>/torrents</c>.</summary>
    public static DropPlace Torrents { get; } = new(
        TorrentFolder, "Only .torrent and .magnet files can be dropped here.", [(JobKind.Torrent, ".torrent"), (JobKind.Magnet, ".magnet")]);

    public static IReadOnlyList<DropPlace> All { get; } = [Nzbs, Torrents];

    /// <summary>The kinds of its jobs.</summary>
    public JobKind[] Kinds { get; } = [.. Endings.Select(static ending => ending.Kind)];

    /// <summary>Endings of accepted archives that contain such files.</summary>
    public string[] Packings { get; private init; } = [];

    /// <summary>The place of that name; null if it is none.</summary>
    public static DropPlace? Of(string folder) => All.FirstOrDefault(place => place.Folder == folder);

    /// <summary>The kind of a file by its name; null if it is not accepted here.</summary>
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
