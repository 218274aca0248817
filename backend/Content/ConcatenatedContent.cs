namespace NzbDav.Content;

/// <summary>Several contents read one after the other as one, such as the volumes of a split file. Parts may be empty.</summary>
public sealed class ConcatenatedContent : IContent
{
    private readonly IContent[] _parts;
    private readonly long[] _starts;

    /// <param name="parts">In order. The list is copied, so later changes to it have no effect.</param>
    public ConcatenatedContent(IEnumerable<IContent> parts)
    {
        ArgumentNullException.ThrowIfNull(parts);
        _parts = [.. parts.Where(part => part.Length > 0)];
        _starts = new long[_parts.Length];
        for (var i = 0; i < _parts.Length; i++)
        {
            _starts[i] = Length;
            Length = checked(Length + _parts[i].Length);
        }
    }

    /// <inheritdoc/>
    public long Length { get; }

    /// <summary>Parts that are not empty.</summary>
    internal int Count => _parts.Length;

    /// <inheritdoc/>
    public ContentReader OpenReader(long start, long end, ReadIntent intent)
    {
        ContentRange.ThrowIfOutside(start, end, Length);
        return new ConcatenatedReader(this, start, end, intent);
    }

    /// <summary>Offset of a part's first byte; <see cref="Length"/> for the index after the last.</summary>
    internal long StartOf(int part) => part == _parts.Length ? Length : _starts[part];

    /// <summary>Index of the part that holds <paramref name="offset"/>, which is less than <see cref="Length"/>.</summary>
    internal int Find(long offset)
    {
        var index = Array.BinarySearch(_starts, offset);
        return index >= 0 ? index : ~index - 1;
    }

    /// <summary>Opens the bytes of <c>[start, end)</c> that lie in one part.</summary>
    internal ContentReader OpenPart(int part, long start, long end, ReadIntent intent) =>
        _parts[part].OpenReader(Math.Max(start, StartOf(part)) - StartOf(part), Math.Min(end, StartOf(part + 1)) - StartOf(part), intent);
}
