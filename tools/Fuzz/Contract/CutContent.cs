using NzbDav.Content;

namespace NzbDav.Fuzz.Contract;

/// <summary>An input as content whose leases are cut. All returned tasks are completed.</summary>
/// <param name="input">The input; not copied.</param>
/// <param name="cuts">Determines the lengths of the leases.</param>
/// <param name="zeros">Number of zero bytes after the input, for parsers that check the size of a file; they take no memory.</param>
internal sealed class CutContent(byte[] input, Cuts cuts, long zeros = 0) : IContent
{
    private static readonly byte[] Nothing = new byte[256 << 10];

    /// <inheritdoc/>
    public long Length => input.Length + zeros;

    /// <inheritdoc/>
    public ContentReader OpenReader(long start, long end, ReadIntent intent)
    {
        ContentRange.ThrowIfOutside(start, end, Length);
        return new Reader(input, cuts, start, end);
    }

    private sealed class Reader(byte[] input, Cuts cuts, long position, long end) : ContentReader
    {
        private long _position = position;

        public override long Position => _position;

        public override ValueTask<ContentLease> NextAsync(CancellationToken cancellationToken)
        {
            if (_position == end)
                return ValueTask.FromResult(ContentLease.Empty);
            var lease = _position >= input.Length ? Nothing.AsMemory(0, (int)Math.Min(Nothing.Length, end - _position)) : Cut();
            _position += lease.Length;
            return ValueTask.FromResult(ContentLease.Of(lease));
        }

        public override ValueTask DisposeAsync() => ValueTask.CompletedTask;

        private Memory<byte> Cut() => input.AsMemory((int)_position, cuts.At(_position, (int)(Math.Min(end, input.Length) - _position)));
    }
}
