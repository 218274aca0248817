using System.Collections.Concurrent;
using System.Security.Cryptography;
using NzbDav.FullNzbTester.Stages;

namespace NzbDav.FullNzbTester.Comparing;

/// <summary>For a file of which there is no source: keeps each range's checksum, so that a second, independent read can be held against it.</summary>
internal sealed class RecordingReference : IReference
{
    private readonly ConcurrentQueue<RangeRecord> _records = new();

    /// <summary>What was read so far, by readers that have left.</summary>
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
