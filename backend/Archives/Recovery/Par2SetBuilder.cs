using System.Text;
using System.Text.Unicode;

namespace NzbDav.Archives.Recovery;

/// <summary>Collects the packets of one set. They may come in any order and repeatedly.</summary>
internal sealed class Par2SetBuilder
{
    /// <summary>Most files of a set, as a limit for malicious ones. The specification allows 32,768 slices, and each file has at least one.</summary>
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

    /// <summary>True if everything is known that the supported packets contain.</summary>
    public bool IsComplete => _fileCount > 0 && _files.Count >= _fileCount && _checksums.Count >= (_recoverable?.Count ?? 0);

    /// <summary>True once a packed main packet was seen.</summary>
    public bool IsPacked { get; set; }

    /// <summary>The first packet decides which set is read.</summary>
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

    /// <summary>ASCII by the specification, UTF-8 in practice; older tools wrote their own code page.</summary>
    private static string Text(ReadOnlySpan<byte> name)
    {
        name = name.TrimEnd((byte)0);
        return (Utf8.IsValid(name) ? Encoding.UTF8 : Encoding.Latin1).GetString(name);
    }
}
