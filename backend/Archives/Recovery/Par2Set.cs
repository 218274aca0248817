using System.Collections.Immutable;
using System.Text;
using System.Text.Unicode;

namespace NzbDav.Archives.Recovery;

/// <summary>One PAR2 file's description of the files that it protects. Immutable.</summary>
public sealed record Par2Set
{
    /// <summary>16 bytes that all files of a set share.</summary>
    public required ReadOnlyMemory<byte> Id { get; init; }

    /// <summary>Bytes per slice, a multiple of 4; 0 if the main packet was not found.</summary>
    public long SliceSize { get; init; }

    /// <summary>
    /// True for a packed set, whose slices contain several files or parts of them: its files are known, but none of them can be repaired.
    /// </summary>
    public bool IsPacked { get; init; }

    /// <summary>The described files, each once, in the order of their packets.</summary>
    public ImmutableArray<Par2File> Files { get; init; } = [];

    /// <summary>Number of files in the set, whether described here or not; 0 if the main packet was not found.</summary>
    public int FileCount { get; init; }

    /// <summary>
    /// The ids of the files that the set can repair, in the order in which their slices are numbered; empty if the main packet was not
    /// found.
    /// </summary>
    public ImmutableArray<ReadOnlyMemory<byte>> Recoverable { get; init; } = [];

    /// <summary>Merges the descriptions of two files of the same set: packets of one may be damaged or missing.</summary>
    /// <param name="other">Ignored if it belongs to another set.</param>
    public Par2Set With(Par2Set other)
    {
        ArgumentNullException.ThrowIfNull(other);
        if (!other.Id.Span.SequenceEqual(Id.Span))
            return this;
        var main = FileCount > 0 ? this : other;
        var files = Files.ToDictionary(static file => Convert.ToHexString(file.Id.Span), StringComparer.Ordinal);
        foreach (var file in other.Files)
        {
            var key = Convert.ToHexString(file.Id.Span);
            files[key] = files.TryGetValue(key, out var known) && (known.SliceChecksums.Length > 0 || file.SliceChecksums.IsEmpty)
                ? known : file;
        }

        var recoverable = main.Recoverable.Select(static id => Convert.ToHexString(id.Span)).ToHashSet(StringComparer.Ordinal);
        return main with
        {
            Files = [
            .. files.Select(file => file.Value with { Recoverable = main.FileCount == 0 || recoverable.Contains(file.Key) })]
        };
    }

    /// <summary>True if every file of the set is described.</summary>
    public bool IsComplete => FileCount > 0 && Files.Length >= FileCount;
}

/// <summary>Collects the packets of one set, in any order and with repetitions.</summary>
internal sealed class Par2SetBuilder
{
    /// <summary>
    /// Most files of a set, as a limit for malicious ones. The specification allows 32,768 slices, and each file has at least one.
    /// </summary>
    private const int MostFiles = 65_536;

    private readonly Dictionary<string, Par2File> _files = new(StringComparer.Ordinal);
    private readonly List<string> _order = [];
    private readonly Dictionary<string, byte[]> _checksums = new(StringComparer.Ordinal);
    private readonly Dictionary<string, string> _names = new(StringComparer.Ordinal);
    private readonly List<ReadOnlyMemory<byte>> _ordered = [];
    private HashSet<string>? _recoverable;
    private byte[]? _id;
    private long _sliceSize;
    private int _fileCount;

    /// <summary>True if everything is known that the supported packets can contain.</summary>
    public bool IsComplete => _fileCount > 0 && _files.Count >= _fileCount && _checksums.Count >= (_recoverable?.Count ?? 0);

    /// <summary>True once a packed main packet was seen.</summary>
    public bool IsPacked { get; set; }

    /// <summary>True if a packet belongs to the set that is read: the set of the first packet.</summary>
    public bool Accepts(ReadOnlySpan<byte> setId)
    {
        _id ??= setId.ToArray();
        return setId.SequenceEqual(_id);
    }

    public void Main(long sliceSize, uint recoverable, ReadOnlySpan<byte> ids)
    {
        var count = ids.Length / 16;
        if (sliceSize <= 0 || sliceSize % 4 != 0 || recoverable > count || count > MostFiles)
            return;
        _sliceSize = sliceSize;
        _fileCount = count;
        _recoverable = new HashSet<string>(StringComparer.Ordinal);
        _ordered.Clear();
        for (var i = 0; i < recoverable; i++)
        {
            var id = ids.Slice(i * 16, 16).ToArray();
            if (_recoverable.Add(Convert.ToHexString(id)))
                _ordered.Add(id);
        }
    }

    public void Describe(ReadOnlySpan<byte> id, ReadOnlySpan<byte> hash, ReadOnlySpan<byte> headHash, long length, ReadOnlySpan<byte> name)
    {
        var key = Convert.ToHexString(id);
        if (length < 0 || _files.Count >= MostFiles || _files.ContainsKey(key))
            return;
        _files.Add(key, new Par2File(id.ToArray(), Text(name), length, hash.ToArray(), headHash.ToArray()));
        _order.Add(key);
    }

    public void Checksums(ReadOnlySpan<byte> id, ReadOnlySpan<byte> checksums)
    {
        if (_checksums.Count < MostFiles)
            _checksums.TryAdd(Convert.ToHexString(id), checksums.ToArray());
    }

    public void Name(ReadOnlySpan<byte> id, ReadOnlySpan<byte> name)
    {
        if (_names.Count < MostFiles)
            _names.TryAdd(Convert.ToHexString(id), Encoding.Unicode.GetString(name[..(name.Length & ~1)]).TrimEnd('\0'));
    }

    public Par2Set? Build() => _id is null ? null : new Par2Set
    {
        Id = _id,
        SliceSize = _sliceSize,
        IsPacked = IsPacked,
        FileCount = _fileCount,
        Recoverable = [.. _ordered],
        Files = [.. _order.Select(key => _files[key] with
        {
            Name = _names.TryGetValue(key, out var name) && name.Length > 0 ? name : _files[key].Name,
            SliceChecksums = _checksums.TryGetValue(key, out var checksums) ? checksums : ReadOnlyMemory<byte>.Empty,
            Recoverable = _recoverable?.Contains(key) ?? true,
        })],
    };

    /// <summary>Decodes a name: ASCII by the specification, UTF-8 in practice; older tools wrote their own code page.</summary>
    private static string Text(ReadOnlySpan<byte> name)
    {
        name = name.TrimEnd((byte)0);
        return (Utf8.IsValid(name) ? Encoding.UTF8 : Encoding.Latin1).GetString(name);
    }
}
