using System.Diagnostics;
using NzbDav.MockSwarm.Contents;

namespace NzbDav.TorrentTester.Findings;

/// <summary>Compares read bytes with those of the mock swarm, and measures the cost of that, so that it is not attributed to the engine.
/// One reader at a time.</summary>
internal sealed class ByteCheck(long length, int pieceLength)
{
    /// <summary>The default of the mock swarm.</summary>
    private const ulong Seed = 1;

    private static long _compared;
    private readonly SwarmBytes _source = new(Seed, pieceLength, length);
    private readonly byte[] _expected = new byte[256 << 10];
    private long _ticks;

    /// <summary>Bytes compared by all checks of this run.</summary>
    public static long Compared => Interlocked.Read(ref _compared);

    /// <summary>CPU time spent comparing.</summary>
    public TimeSpan Spent => Stopwatch.GetElapsedTime(0, _ticks);

    /// <exception cref="InvalidDataException">The bytes differ.</exception>
    public void Verify(long at, ReadOnlySpan<byte> bytes)
    {
        var started = Stopwatch.GetTimestamp();
        Interlocked.Add(ref _compared, bytes.Length);
        while (!bytes.IsEmpty)
        {
            var part = bytes[..Math.Min(bytes.Length, _expected.Length)];
            var expected = _expected.AsSpan(0, part.Length);
            _source.Fill(at, expected);
            var same = part.CommonPrefixLength(expected);
            if (same < part.Length)
                throw new InvalidDataException($"Wrong byte at {at + same}.");
            at += part.Length;
            bytes = bytes[part.Length..];
        }

        _ticks += Stopwatch.GetTimestamp() - started;
    }
}
