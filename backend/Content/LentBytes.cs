using System.Security.Cryptography;

namespace NzbDav.Content;

/// <summary>
/// The beginning of a segment that was lent before the segment failed. A reader that asks again may go on only in a segment that begins with the same bytes.
/// </summary>
/// <param name="Segment">Its id.</param>
/// <param name="Length">Bytes from the segment's first on, at least 1.</param>
/// <param name="Hash">SHA-256 of them.</param>
internal sealed record LentBytes(string Segment, int Length, byte[] Hash)
{
    public static LentBytes Of(string segment, ReadOnlySpan<byte> bytes) => new(segment, bytes.Length, SHA256.HashData(bytes));

    public bool AreIn(ReadOnlySpan<byte> bytes) => SHA256.HashData(bytes).AsSpan().SequenceEqual(Hash);
}
