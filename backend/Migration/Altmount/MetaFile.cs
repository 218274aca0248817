using NzbDav.Migration.Packed;

namespace NzbDav.Migration.Altmount;

/// <summary>A <c>.meta</c> file of altmount: one file of its tree.</summary>
internal sealed class MetaFile
{
    /// <summary>Most articles of a file: more than a terabyte.</summary>
    public const int MostArticles = 5_000_000;

    private readonly List<MetaSegment> _segments = [];
    private readonly List<MetaReference> _references = [];
    private bool _hasRuns;

    private MetaFile()
    {
    }

    private static ReadOnlySpan<byte> Magic => [0x00, 0x41, 0x4D, 0x33, 0x01];

    public long Size { get; private set; }

    /// <summary>Path of the .nzb; empty: not known.</summary>
    public string NzbPath { get; private set; } = "";

    /// <summary>Status of the file; 3: damaged.</summary>
    public long Status { get; private set; }

    public string Password { get; private set; } = "";

    /// <summary>Encryption: 0 none, 1 rclone, 2 headers, 3 AES.</summary>
    public long Encryption { get; private set; }

    /// <summary>The Guid of the nzbdav item that it was migrated from; empty: none.</summary>
    public string NzbdavId { get; private set; } = "";

    /// <summary>True if it lies in an archive inside an archive.</summary>
    public bool IsNested { get; private set; }

    /// <summary>True if it consists of several clips with changed time stamps.</summary>
    public bool HasClips { get; private set; }

    /// <summary>Path of its release's store; empty: the articles are in this file.</summary>
    public string StorePath { get; private set; } = "";

    /// <summary>Its articles, if they are in this file.</summary>
    public IReadOnlyList<MetaSegment> Segments => _segments;

    /// <exception cref="InvalidDataException">It is damaged.</exception>
    public static MetaFile Parse(ReadOnlySpan<byte> bytes)
    {
        var file = new MetaFile();
        var reader = new ProtobufReader(bytes.StartsWith(Magic) ? bytes[Magic.Length..] : bytes);
        while (reader.Next())
            file.ReadField(reader);
        return file;
    }

    /// <summary>Its articles in order, with those of a store.</summary>
    /// <exception cref="InvalidDataException">It names articles that the store does not have.</exception>
    public List<MetaSegment> SegmentsIn(StoreFile store)
    {
        // Runs are listed apart from single references; only the index gives the order of both.
        var references = _hasRuns ? _references.OrderBy(reference => reference.Index) : _references.AsEnumerable();
        var segments = new List<MetaSegment>();
        foreach (var (index, count, start, last, size) in references)
        {
            if (index < 0 || count < 0 || count > store.Articles.Count - index || segments.Count + count > MostArticles)
                throw new InvalidDataException("it names articles that its store does not have");
            for (var i = index; i < index + count; i++)
            {
                var (id, _, bytes) = store.Articles[(int)i];
                var decoded = size > 0 ? size : bytes;
                segments.Add(new MetaSegment(id, decoded, start, last < 0 ? decoded - 1 : last));
            }
        }

        return segments;
    }

    private void ReadField(in ProtobufReader reader)
    {
        switch (reader.Field)
        {
            case 1: Size = reader.Number; break;
            case 2: NzbPath = reader.Text; break;
            case 3: Status = reader.Number; break;
            case 6: Password = reader.Text; break;
            case 8: Encryption = reader.Number; break;
            case 9: Add(Segment(reader.Bytes)); break;
            case 14: NzbdavId = reader.Text; break;
            case 15: IsNested = true; break;
            case 17: HasClips = true; break;
            case 18: StorePath = reader.Text; break;
            case 19: _references.Add(Reference(reader.Bytes)); break;
            case 20:
                _hasRuns = true;
                _references.Add(Run(reader.Bytes));
                break;
        }

        if (_references.Count > MostArticles)
            throw new InvalidDataException("it names more articles than any file has");
    }

    private void Add(MetaSegment segment)
    {
        if (_segments.Count == MostArticles)
            throw new InvalidDataException("it names more articles than any file has");
        _segments.Add(segment);
    }

    private static MetaSegment Segment(ReadOnlySpan<byte> bytes)
    {
        var (id, size, start, last) = ("", 0L, 0L, 0L);
        var reader = new ProtobufReader(bytes);
        while (reader.Next())
        {
            switch (reader.Field)
            {
                case 1: size = reader.Number; break;
                case 3: start = reader.Number; break;
                case 4: last = reader.Number; break;
                case 5: id = reader.Text; break;
            }
        }

        return new MetaSegment(id, size, start, last);
    }

    private static MetaReference Reference(ReadOnlySpan<byte> bytes)
    {
        var (index, start, last, size) = (0L, 0L, 0L, 0L);
        var reader = new ProtobufReader(bytes);
        while (reader.Next())
        {
            switch (reader.Field)
            {
                case 1: index = reader.Number; break;
                case 2: start = reader.Number; break;
                case 3: last = reader.Number; break;
                case 4: size = reader.Number; break;
            }
        }

        return new MetaReference(index, 1, start, last, size);
    }

    private static MetaReference Run(ReadOnlySpan<byte> bytes)
    {
        var (index, count, size) = (0L, 0L, 0L);
        var reader = new ProtobufReader(bytes);
        while (reader.Next())
        {
            switch (reader.Field)
            {
                case 1: index = reader.Number; break;
                case 2: count = reader.Number; break;
                case 3: size = reader.Number; break;
            }
        }

        return new MetaReference(index, count, 0, -1, size);
    }
}

/// <summary>Consecutive articles of a store, and the bytes of them that belong to the file.</summary>
/// <param name="Index">Index of the first article, counted over all files of the store.</param>
/// <param name="Count">Number of articles.</param>
/// <param name="Start">First byte of each.</param>
/// <param name="Last">Last byte of each, inclusive; negative: to its end.</param>
/// <param name="Size">Decoded bytes of each; 0: as the store says.</param>
internal readonly record struct MetaReference(long Index, long Count, long Start, long Last, long Size);

/// <summary>An article, and the bytes of it that belong to the file.</summary>
/// <param name="Id">Message-id.</param>
/// <param name="Size">Decoded bytes.</param>
/// <param name="Start">First byte.</param>
/// <param name="Last">Last byte, inclusive.</param>
internal readonly record struct MetaSegment(string Id, long Size, long Start, long Last);
