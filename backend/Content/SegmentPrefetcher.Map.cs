namespace NzbDav.Content;

/// <summary>Handles a segment that does not match the map.</summary>
public sealed partial class SegmentPrefetcher
{
    /// <summary>Handles a head segment that ended unreadable: repairs the map if possible, otherwise throws the reason.</summary>
    private async ValueTask ResolveAsync(Slot head, CancellationToken cancellationToken)
    {
        var flight = head.Flight;
        if (_partial == flight && _partialGeneration != flight.Generation)
            throw flight.Failure();
        if (flight.Outcome is not (SegmentOutcome.Found or SegmentOutcome.Mismatch))
        {
            DropHead();
            throw flight.Failure();
        }

        if (IsExpected(flight, head.Extent))
        {
            // Complete now, so it is used as it is, with all segments under way behind it, unless bytes lent from another copy that failed differ from it.
            if (_unconfirmed is { } lent && !flight.BeginsWith(lent))
                throw new ContentException(ContentFault.Corrupt, $"The article <{flight.Key.Id}> differs from a damaged copy of which part had already been sent.");
            _unconfirmed = null;
            return;
        }

        // Useful to the next reader, even if this one cannot continue with it.
        var map = await _repair.CorrectAsync(_map, head.Extent.Segment, flight, cancellationToken);
        if (map is null || _partial is not null || _unconfirmed is not null)
        {
            // Another request may bring another copy; not possible once part of this one was lent.
            if (_partial is null)
                DropHead();
            throw new ContentException(ContentFault.Corrupt, $"The article <{flight.Key.Id}> is not the expected part of the file.");
        }

        lock (_gate)
            UseLocked(map);
    }

    /// <summary>Asks the source to confirm the head segment's place, and continues with the map it returns.</summary>
    private async ValueTask ProveAsync(Slot head, CancellationToken cancellationToken)
    {
        _cache.Raise(head.Flight, _head);
        var map = await _repair.ProveAsync(_map, head.Extent.Segment, _head, _position, _partial, _partialGeneration, cancellationToken);
        if (map == _map)
            return;
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_disposed, this);
            _partial = null;
            UseLocked(map);
        }
    }

    private void UseLocked(ExtentMap map)
    {
        _slots.CloseFrom(0);
        _map = map;
        _slots.NextExtent = map.Find(_position);
    }
}
