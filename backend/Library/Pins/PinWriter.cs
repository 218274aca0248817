using NzbDav.Catalog.Database;
using NzbDav.Content;
using NzbDav.Content.Checksums;

namespace NzbDav.Library.Pins;

/// <summary>Writes the pins of one file. Not thread-safe. If disposed without <see cref="Keep"/>, it leaves nothing behind.</summary>
internal sealed class PinWriter : IDisposable
{
    private readonly PinStore _store;
    private readonly IReadOnlyList<ByteSpan> _ranges;
    private readonly string _path;
    private readonly FileStream _file;
    private readonly List<uint> _checksums = [];
    private int _range;
    private long _written;
    private bool _isKept;

    public PinWriter(PinStore store, PinKey key, IReadOnlyList<ByteSpan> ranges, string path)
    {
        _store = store;
        _ranges = ranges;
        _path = path;
        Key = key;
        _file = new FileStream(path + PinStore.Unfinished, FileMode.Create, FileAccess.Write, FileShare.None, PinSet.Block)
        { Position = PinFile.HeaderOf(ranges) };
    }

    public PinKey Key { get; }

    /// <summary>True once the set must not be kept. Guarded by the store's lock.</summary>
    public bool IsVoid { get; set; }

    /// <summary>Appends the next bytes of the ranges, in order.</summary>
    /// <param name="bytes">Verified bytes, of one range at a time.</param>
    /// <exception cref="IOException">The disk is full or broken.</exception>
    public void Append(ReadOnlySpan<byte> bytes)
    {
        _file.Write(bytes);
        while (!bytes.IsEmpty)
        {
            var range = _ranges[_range];
            var inBlock = (int)(_written % PinSet.Block);
            var count = (int)Math.Min(Math.Min(PinSet.Block - inBlock, range.Length - _written), bytes.Length);
            if (inBlock == 0)
                _checksums.Add(0);
            _checksums[^1] = Crc32.Append(_checksums[^1], bytes[..count]);
            bytes = bytes[count..];
            _written += count;
            if (_written == range.Length)
                (_range, _written) = (_range + 1, 0);
        }
    }

    /// <summary>Completes the file: from now on readers use it.</summary>
    /// <returns>False when the file's pins were dropped meanwhile, or exceed the limit: nothing is kept.</returns>
    /// <exception cref="IOException">The disk is full or broken.</exception>
    /// <exception cref="InvalidOperationException">Bytes are missing.</exception>
    public bool Keep()
    {
        if (_range < _ranges.Count)
            throw new InvalidOperationException($"Range {_range} of {_ranges.Count} is not written to its end.");
        _file.Position = 0;
        _file.Write(PinFile.Header(Key, _ranges, _checksums));
        _file.Dispose();
        var set = new PinSet(Key, _ranges, _checksums) { Path = _path };
        _isKept = _store.Keep(this, set, () => File.Move(_path + PinStore.Unfinished, _path, overwrite: true));
        return _isKept;
    }

    public void Dispose()
    {
        _store.Ended(this);
        try
        {
            _file.Dispose();
            if (!_isKept)
                File.Delete(_path + PinStore.Unfinished);
        }
        catch (Exception e) when (FileFaults.IsFault(e))
        {
            // Removed at the next start.
        }
    }
}
