using System.Collections.Immutable;

namespace NzbDav.Usenet.Nzb;

/// <summary>The contents of an NZB. Immutable and thread-safe.</summary>
public sealed class NzbDocument
{
    internal NzbDocument(IReadOnlyDictionary<string, ImmutableArray<string>> meta, ImmutableArray<NzbFile> files)
    {
        Meta = meta;
        Files = files;
        foreach (var file in files)
        {
            SegmentCount += file.Segments.Length;
            Bytes += file.Bytes;
        }
    }

    /// <summary>
    /// All <c>&lt;meta type="…"&gt;</c> values of the head (title, password, category, tag …), in order. Types are compared ignoring case.
    /// </summary>
    public IReadOnlyDictionary<string, ImmutableArray<string>> Meta { get; }

    /// <summary>At least one file; each has at least one segment.</summary>
    public ImmutableArray<NzbFile> Files { get; }

    /// <summary>Segments of all files.</summary>
    public int SegmentCount { get; }

    /// <summary>Encoded bytes of all files, as stated in the NZB.</summary>
    public long Bytes { get; }

    /// <summary>One document with the files and values of several.</summary>
    public static NzbDocument Join(IReadOnlyCollection<NzbDocument> documents)
    {
        ArgumentNullException.ThrowIfNull(documents);
        var meta = documents.SelectMany(document => document.Meta).GroupBy(pair => pair.Key, StringComparer.OrdinalIgnoreCase)
            .ToDictionary(
                type => type.Key, type => type.SelectMany(pair => pair.Value).ToImmutableArray(), StringComparer.OrdinalIgnoreCase);
        return new NzbDocument(meta, [.. documents.SelectMany(document => document.Files)]);
    }

    /// <summary>The first value of a meta type; null if there is none.</summary>
    public string? FirstMeta(string type) => Meta.TryGetValue(type, out var values) ? values[0] : null;
}
