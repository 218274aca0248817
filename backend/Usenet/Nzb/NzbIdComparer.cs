namespace NzbDav.Usenet.Nzb;

/// <summary>Compares message-ids byte by byte. Hashes are seeded per process, so that no NZB can be crafted to collide.</summary>
internal sealed class NzbIdComparer : IEqualityComparer<ReadOnlyMemory<byte>>
{
    public static NzbIdComparer Instance { get; } = new();

    public bool Equals(ReadOnlyMemory<byte> x, ReadOnlyMemory<byte> y) => x.Span.SequenceEqual(y.Span);

    public int GetHashCode(ReadOnlyMemory<byte> obj)
    {
        var hash = default(HashCode);
        hash.AddBytes(obj.Span);
        return hash.ToHashCode();
    }
}
