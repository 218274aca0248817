namespace NzbDav.Content;

/// <summary>Shifts the position of another reader, which it owns.</summary>
internal sealed class SliceReader(ContentReader inner, long shift) : DelegatingReader(inner)
{
    public override long Position => Inner!.Position - shift;

    public override ValueTask<ContentLease> NextAsync(CancellationToken cancellationToken) => Inner!.NextAsync(cancellationToken);

    public override ValueTask DisposeAsync() => Inner!.DisposeAsync();
}
