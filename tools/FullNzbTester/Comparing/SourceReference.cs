using NzbDav.FullNzbTester.Stages;

namespace NzbDav.FullNzbTester.Comparing;

/// <summary>The posted file itself: each byte that is read must be the byte that was posted.</summary>
internal sealed class SourceReference(SourceBytes source) : IReference
{
    /// <summary>How far ahead skipped bytes are searched for: a dozen articles.</summary>
    private const int SearchWindow = 8 << 20;

    public IRangeCheck Open(Stage stage, long start) => new Check(stage, source, start);

    private sealed class Check(Stage stage, SourceBytes source, long start) : IRangeCheck
    {
        private long _read;
        private long _wrong;
        private string? _first;
        private bool _forgiven;

        public void Take(ReadOnlySpan<byte> bytes)
        {
            var position = start + _read;
            if (source.FirstDifference(position, bytes) is var at and >= 0)
            {
                _first ??= Describe(position + at, bytes[at..]);
                _wrong += source.Differences(position + at, bytes[at..]);
            }

            _read += bytes.Length;
        }

        public void Forgive() => _forgiven = true;

        public void Dispose()
        {
            stage.Compared(_read, _forgiven ? 0 : _wrong);
            if (_first is not null && !_forgiven)
                stage.Fail($"{_first}; {_wrong:N0} of the {_read:N0} bytes read from {start:N0} on are wrong.");
        }

        private string Describe(long offset, ReadOnlySpan<byte> bytes)
        {
            if (offset >= source.Length)
                return $"byte {offset:N0} is one too many: the file has {source.Length:N0}";
            var expected = source.From(offset);
            var text = $"byte {offset:N0} is wrong (0x{bytes[0]:X2} instead of 0x{expected[0]:X2})";
            var pattern = bytes[..Math.Min(64, bytes.Length)];
            var further = pattern.Length < 16 ? -1 : expected[..Math.Min(SearchWindow, expected.Length)].IndexOf(pattern);
            return further > 0 ? $"{text}: {further:N0} bytes were left out" : text;
        }
    }
}
