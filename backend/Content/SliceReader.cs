namespace NzbDav.Content;

/// <summary>Shifts the position of another reader, which it owns.</summary>
internal sealed class SliceReader(ContentReader inner, long shift) : ContentReader
{
    public override long Position => inner.Position - shift;

    public override ValueTask<ContentLease> NextAsync(CancellationToken cancellationToken) => inner.NextAsync(cancellationToken);

    public override ReaderState Observe() => inner.Observe();

    public override void GiveWay(TimeSpan? patience) => inner.GiveWay(patience);

    public override ValueTask DisposeAsync() => inner.DisposeAsync();
}
