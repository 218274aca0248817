using System.Collections.Immutable;
using NzbDav.Archives.Layouts;

namespace NzbDav.Archives.Volumes;

/// <summary>Reads the parts of a split file as one, and maps ranges back to the parts. For one caller at a time.</summary>
internal sealed class VolumeJoin
{
    private readonly IReadOnlyList<VolumeWindow> _windows;
    private readonly IReadOnlyList<int> _indexes;
    private readonly long[] _starts;

    /// <param name="windows">All files of the job.</param>
    /// <param name="indexes">The parts, in order.</param>
    public VolumeJoin(IReadOnlyList<VolumeWindow> windows, IReadOnlyList<int> indexes)
    {
        _windows = windows;
        _indexes = indexes;
        _starts = new long[indexes.Count];
        for (var i = 0; i < _starts.Length; i++)
        {
            _starts[i] = Length;
            Length = checked(Length + windows[indexes[i]].Length);
        }
    }

    /// <summary>Total length of the parts in bytes.</summary>
    public long Length { get; }

    /// <summary>Number of parts.</summary>
    public int Count => _indexes.Count;

    /// <summary>Name of the first part.</summary>
    public string Name => _windows[_indexes[0]].Name;

    /// <summary>Offset of a part's first byte.</summary>
    public long StartOf(int part) => _starts[part];

    /// <summary>Reads bytes of the joined file: see <see cref="VolumeWindow.ReadAsync"/>.</summary>
    public async ValueTask<ReadOnlyMemory<byte>> ReadAsync(long offset, int count, CancellationToken cancellationToken)
    {
        count = (int)Math.Min(count, Math.Max(0, Length - offset));
        if (count == 0)
            return default;
        var part = Find(offset);
        if (offset - _starts[part] + count <= _windows[_indexes[part]].Length)
            return await _windows[_indexes[part]].ReadAsync(offset - _starts[part], count, cancellationToken);
        var bytes = new byte[count];
        var filled = 0;
        foreach (var piece in Pieces(offset, count))
        {
            (await _windows[piece.Volume].ReadAsync(piece.Offset, (int)piece.Length, cancellationToken)).CopyTo(bytes.AsMemory(filled));
            filled += (int)piece.Length;
        }

        return bytes;
    }

    /// <summary>Maps a range of the joined file to pieces of the volumes. The range must be inside the file.</summary>
    public ImmutableArray<ArchivePiece> Pieces(long offset, long length)
    {
        var pieces = ImmutableArray.CreateBuilder<ArchivePiece>();
        for (var part = length > 0 ? Find(offset) : 0; length > 0; part++)
        {
            var within = offset - _starts[part];
            var count = Math.Min(length, _windows[_indexes[part]].Length - within);
            if (count > 0)
                pieces.Add(new ArchivePiece(_indexes[part], within, count));
            offset += count;
            length -= count;
        }

        return pieces.ToImmutable();
    }

    private int Find(long offset)
    {
        var index = Array.BinarySearch(_starts, offset);
        if (index < 0)
            return ~index - 1;

        // Parts may be empty: the last part that begins here contains the byte.
        while (index + 1 < _starts.Length && _starts[index + 1] == offset)
            index++;
        return index;
    }
}
