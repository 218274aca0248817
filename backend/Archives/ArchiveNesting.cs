using System.Collections.Immutable;
using NzbDav.Archives.Layouts;
using NzbDav.Archives.Volumes;
using NzbDav.Content;

namespace NzbDav.Archives;

/// <summary>Reads archives and disc images inside an archive, and maps their files to the files of the post.</summary>
internal static class ArchiveNesting
{
    /// <summary>Extensions of files that are never archives, so that their first article need not be fetched.</summary>
    private static readonly HashSet<string> Leaves = new(StringComparer.OrdinalIgnoreCase)
    {
        "mkv", "mka", "mks", "webm", "mp4", "m4v", "m4a", "m4b", "mov", "avi", "ts", "m2ts", "vob", "mpg", "mpeg", "wmv", "flv", "mp3",
            "flac", "ogg", "opus", "wav", "aac", "ac3",
        "dts", "srt", "sub", "idx", "ass", "ssa", "sup", "nfo", "txt", "sfv", "md5", "jpg", "jpeg", "png", "gif", "pdf", "epub", "mobi",
            "xml", "html", "htm", "url", "log", "cue",
        "m3u", "ifo", "bup", "bdmv", "mpls", "clpi", "par2", "nzb", "exe", "dll", "cbr", "cb7", "cbz",
    };

    /// <summary>
    /// Scans the entries of an archive for archives. The pieces of the entries found refer to the files of the post; the volumes of the
    /// layouts found are indexes of the outer entries.
    /// </summary>
    public static async ValueTask<ImmutableArray<ArchiveLayout>> ReadAsync(
        ArchiveLayout outer, IReadOnlyList<ArchiveVolume> files, ArchiveOptions options, ArchiveScanner scanner,
        CancellationToken cancellationToken)
    {
        var places = new List<int>();
        var volumes = new List<ArchiveVolume>();
        IContent[]? contents = null;
        for (var i = 0; i < outer.Entries.Length; i++)
        {
            var entry = outer.Entries[i];
            if (entry.IsDirectory || entry.Refusal is not null || entry.Size == 0 || Leaves.Contains(Extension(entry.Path)))
                continue;
            contents ??= [.. files.Select(file => file.Content)];
            places.Add(i);
            volumes.Add(new ArchiveVolume(ArchiveContent.Open(entry, contents, options.Pool), entry.Path));
        }

        if (volumes.Count == 0)
            return [];

        // Nothing needs to be inferred inside an archive: every header is at hand or one article away.
        var scan = await scanner(volumes, options with { Depth = options.Depth - 1, RegularSets = [] }, cancellationToken);
        return [.. scan.Layouts.Select(layout => Compose(layout, outer, places))];
    }

    private static ArchiveLayout Compose(ArchiveLayout layout, ArchiveLayout outer, List<int> places) => layout with
    {
        Volumes = [.. layout.Volumes.Select(volume => places[volume])],
        Entries = [.. layout.Entries.Select(entry => Compose(entry, outer, places))],
        Nested = ComposeAll(layout.Nested, outer, places),
    };

    private static ImmutableArray<ArchiveLayout> ComposeAll(ImmutableArray<ArchiveLayout> layouts, ArchiveLayout outer, List<int> places) =>
        [.. layouts.Select(layout => layout with
        {
            Entries = [.. layout.Entries.Select(entry => Compose(entry, outer, places))],
            Nested = ComposeAll(layout.Nested, outer, places),
        })];

    private static ArchiveEntry Compose(ArchiveEntry entry, ArchiveLayout outer, List<int> places)
    {
        var spans = ImmutableArray.CreateBuilder<ArchiveSpan>();
        foreach (var span in entry.Spans)
        {
            var parts = span.Pieces.SelectMany(piece => Cut.Out(outer.Entries[places[piece.Volume]], piece.Offset, piece.Length)).ToList();
            if (span.Cipher is null)
                Join(spans, parts);
            else if (parts.TrueForAll(part => part.Cipher is null))
            {
                spans.Add(span with { Pieces = [.. parts.SelectMany(part => part.Pieces)] });
            }
            else
            {
                return entry with
                {
                    Spans = [],
                    Refusal = new ArchiveRefusal(ArchiveRefusalReason.Unsupported,
                    $"'{entry.Path}' is encrypted inside an encrypted archive, which is not supported.")
                };
            }
        }

        return entry with { Spans = spans.ToImmutable() };
    }

    /// <summary>Adds runs and merges adjacent plain ones.</summary>
    private static void Join(ImmutableArray<ArchiveSpan>.Builder spans, List<ArchiveSpan> parts)
    {
        for (var i = 0; i < parts.Count;)
        {
            var end = i + 1;
            while (parts[i].Cipher is null && end < parts.Count && parts[end].Cipher is null)
                end++;
            var run = parts.GetRange(i, end - i);
            spans.Add(run is [var only]
                ? only : new ArchiveSpan([.. run.SelectMany(part => part.Pieces)], Cipher: null, 0, run.Sum(part => part.Length)));
            i = end;
        }
    }

    private static string Extension(string path)
    {
        var name = path[(path.LastIndexOf('/') + 1)..];
        var dot = name.LastIndexOf('.');
        return dot < 0 ? string.Empty : name[(dot + 1)..];
    }
}

/// <summary>Scans files for archives: <see cref="ArchiveReader.ReadAsync"/>, passed to the code that looks inside an archive.</summary>
internal delegate ValueTask<ArchiveScan> ArchiveScanner(
    IReadOnlyList<ArchiveVolume> files, ArchiveOptions options, CancellationToken cancellationToken);
