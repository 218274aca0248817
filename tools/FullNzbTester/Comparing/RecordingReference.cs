using System.Collections.Concurrent;
using System.Security.Cryptography;
using NzbDav.FullNzbTester.Stages;

namespace NzbDav.FullNzbTester.Comparing;

/// <summary>
/// For a file without a source to compare with: records each range's checksum, to be compared with a second, independent read.
/// </summary>
internal sealed class RecordingReference : IReference
{
    private readonly ConcurrentQueue<RangeRecord> _records = new();

    /// <summary>Ranges of the readers that have finished.</summary>
    public IReadOnlyList<RangeRecord> Records => [.. _records];

    public IRangeCheck Open(Stage stage, long start) => new Check(this, stage.Name, start);

    private sealed class Check(RecordingReference owner, string stage, long start) : IRangeCheck
    {
        private readonly IncrementalHash _hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        private long _length;
        private bool _forgiven;

        public void Take(ReadOnlySpan<byte> bytes)
        {
            _hash.AppendData(bytes);
            _length += bytes.Length;
        }

        public void Forgive() => _forgiven = true;

        public void Dispose()
        {
            if (_length > 0 && !_forgiven)
                owner._records.Enqueue(new RangeRecord(stage, start, _length, Convert.ToHexString(_hash.GetHashAndReset())));
            _hash.Dispose();
        }
    }
}

/// <summary>A range that a reader received, with its checksum.</summary>
/// <param name="Stage">The stage that read it.</param>
/// <param name="Start">First byte.</param>
/// <param name="Length">Number of bytes.</param>
/// <param name="Sha256">SHA-256 of the bytes, in hexadecimal.</param>
internal sealed record RangeRecord(string Stage, long Start, long Length, string Sha256);
