using NzbDav.FullNzbTester.Comparing;
using NzbDav.MockUsenet.Articles;

namespace NzbDav.FullNzbTester.Replay;

/// <summary>Compares what a client receives with the post. Not thread-safe.</summary>
internal sealed class ReplayCheck(IArticleSource source, long offset) : IRangeCheck
{
    private readonly byte[] _expected = new byte[256 << 10];
    private long _offset = offset;

    /// <summary>Bytes compared.</summary>
    public long Compared { get; private set; }

    /// <summary>Number of wrong bytes.</summary>
    public long Wrong { get; private set; }

    public void Take(ReadOnlySpan<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            var part = bytes[..Math.Min(bytes.Length, _expected.Length)];
            var there = (int)Math.Max(0, Math.Min(part.Length, source.Length - _offset));
            source.Fill(_offset, _expected.AsSpan(0, there));
            for (var i = 0; i < part.Length; i++)
                Wrong += i < there && part[i] == _expected[i] ? 0 : 1;
            Compared += part.Length;
            _offset += part.Length;
            bytes = bytes[part.Length..];
        }
    }

    /// <summary>Forgives nothing: a response must be right up to the cut.</summary>
    public void Forgive()
    {
    }

    public void Dispose()
    {
    }
}
