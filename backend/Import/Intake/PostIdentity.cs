using System.Security.Cryptography;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import.Intake;

/// <summary>
/// Identifies a post independently of how its .nzb is written: indexers list the same post with other subjects, in another order, and with another head.
/// </summary>
internal static class PostIdentity
{
    /// <summary>SHA-256 over the sorted message-ids, each followed by a line feed, in lower-case hex.</summary>
    public static string Of(NzbDocument document)
    {
        var ids = new ReadOnlyMemory<byte>[document.SegmentCount];
        var count = 0;
        foreach (var file in document.Files)
        {
            foreach (var segment in file.Segments)
                ids[count++] = segment.MessageIdUtf8;
        }

        Array.Sort(ids, static (one, other) => one.Span.SequenceCompareTo(other.Span));
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        foreach (var id in ids)
        {
            hash.AppendData(id.Span);
            hash.AppendData("\n"u8);
        }

        return Convert.ToHexStringLower(hash.GetHashAndReset());
    }
}
