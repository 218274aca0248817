using NzbDav.Content;

namespace NzbDav.Usenet.Articles;

/// <summary>Reads repaired articles from disk, and fetches all others from the network.</summary>
/// <param name="network">Asks the providers.</param>
/// <param name="patches">The repaired articles.</param>
internal sealed class PatchedFetcher(ISegmentFetcher network, PatchFolder patches) : ISegmentFetcher
{
    /// <inheritdoc/>
    public long Burst => network.Burst;

    /// <inheritdoc/>
    public void Begin(SegmentFlight flight)
    {
        if (!patches.Has(flight.Key.Id))
        {
            network.Begin(flight);
            return;
        }

        flight.FetcherState = this;
        ThreadPool.UnsafeQueueUserWorkItem(static state => state.Self.Read(state.flight), (Self: this, flight), preferLocal: false);
    }

    /// <inheritdoc/>
    public void Raise(SegmentFlight flight)
    {
        if (!ReferenceEquals(flight.FetcherState, this))
            network.Raise(flight);
    }

    /// <inheritdoc/>
    public string? TraceOf(SegmentFlight flight) => ReferenceEquals(flight.FetcherState, this) ? null : network.TraceOf(flight);

    /// <inheritdoc/>
    public string? SourceOf(SegmentFlight flight) => ReferenceEquals(flight.FetcherState, this) ? "a repair" : network.SourceOf(flight);

    /// <inheritdoc/>
    public bool TryDrop(SegmentFlight flight) => !ReferenceEquals(flight.FetcherState, this) && network.TryDrop(flight);

    /// <inheritdoc/>
    public void Completed(SegmentFlight flight)
    {
        if (!ReferenceEquals(flight.FetcherState, this))
            network.Completed(flight);
    }

    /// <summary>Runs on a thread-pool thread, where an exception would end the process.</summary>
    private void Read(SegmentFlight flight)
    {
        try
        {
            ReadPatch(flight);
        }
        catch (Exception e)
        {
            flight.Fail(ContentFault.Unavailable, $"The repaired article cannot be read: {e.Message}");
        }
    }

    private void ReadPatch(SegmentFlight flight)
    {
        if (patches.TryRead(flight.Key.Id) is not { } patch)
        {
            flight.FetcherState = null;
            network.Begin(flight);
            return;
        }

        var buffer = flight.RentBuffer(patch.Bytes.Length);
        patch.Bytes.Span.CopyTo(buffer.Memory.Span);
        flight.Complete(buffer, patch.Bytes.Length, patch.Header.Begin, patch.Header);
        buffer.Release();
    }
}
