namespace NzbDav.Catalog.Tests.Blobs;

/// <summary>An upload that breaks off.</summary>
internal sealed class BrokenStream : MemoryStream
{
    // An upload of unknown length.
    public override bool CanSeek => false;

    private int _reads;

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (++_reads > 3)
            throw new EndOfStreamException();
        buffer.Span.Fill(1);
        return new(buffer.Length);
    }
}
