using System.Runtime.CompilerServices;
using NzbDav.Content;

namespace NzbDav.Library.Filling;

/// <summary>Gives filler where bytes are gone, and goes on behind them with a reader of what follows.</summary>
internal sealed class FillingReader : ContentReader
{
    private const int Piece = 64 << 10;

    private static readonly byte[] Zeros = new byte[Piece];

    private readonly FillingContent _content;
    private readonly long _end;
    private readonly ReadIntent _intent;
    private ContentReader _inner;

    /// <summary>Where the inner reader ends.</summary>
    private long _innerEnd;
    private long _position;

    /// <summary>What is filled now, up to <see cref="_fillEnd"/> of it.</summary>
    private FilledRange _hole;
    private FillerPlan? _plan;
    private long _fillEnd;
    private ReaderFiller? _filler;

    public FillingReader(FillingContent content, long start, long end, ReadIntent intent)
    {
        (_content, _position, _end, _intent) = (content, start, end, intent);
        (_inner, _innerEnd) = (content.Plain.OpenReader(start, end, intent), end);
    }

    public override long Position => _position;

    public override ValueTask<ContentLease> NextAsync(CancellationToken cancellationToken)
    {
        if (_position < _fillEnd)
            return new(Fill());
        if (_position == _innerEnd && _position < _end)
            return TurnAsync(cancellationToken);
        var next = _inner.NextAsync(cancellationToken);
        return next.IsCompletedSuccessfully ? new(Took(next.Result)) : AwaitAsync(next, cancellationToken);
    }

    public override ReaderState Observe() => Volatile.Read(ref _inner).Observe() with { Filler = Volatile.Read(ref _filler) };

    public override ValueTask DisposeAsync() => _inner.DisposeAsync();

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<ContentLease> AwaitAsync(ValueTask<ContentLease> next, CancellationToken cancellationToken)
    {
        while (true)
        {
            try
            {
                return Took(await next);
            }
            catch (ContentException error) when (error.Lost is not null)
            {
                if (!await GoOnAsync(error, error.Lost.Value, cancellationToken))
                    throw;
            }

            if (_position < _fillEnd)
                return Fill();
            next = _inner.NextAsync(cancellationToken);
        }
    }

    /// <summary>Goes on behind the end of a reader that was to end before a hole.</summary>
    private async ValueTask<ContentLease> TurnAsync(CancellationToken cancellationToken)
    {
        await OpenAsync(_position, _end);
        return await AwaitAsync(_inner.NextAsync(cancellationToken), cancellationToken);
    }

    /// <returns>False when the read has to end.</returns>
    private async ValueTask<bool> GoOnAsync(ContentException error, LostRange lost, CancellationToken cancellationToken)
    {
        if (_content.RangeOf(lost) is not { } hole || hole.End <= _position)
            return false;
        if (_position < hole.Start)
        {
            // What was decrypted is given a lease at a time: up to the hole there is more of it.
            if (_innerEnd <= hole.Start)
                return false;
            await OpenAsync(_position, Math.Min(_end, hole.Start));
            return true;
        }

        if (await _content.PlanAsync(cancellationToken) is not { } plan || !plan.Allows(hole))
            return false;
        _content.Tell(hole, lost.Segment, error.Message);
        (_plan, _hole, _fillEnd) = (plan, hole, Math.Min(_end, hole.End));
        Volatile.Write(ref _filler, new ReaderFiller(_filler?.Bytes ?? 0, lost.Segment, error.Message));

        // Now, so that it comes meanwhile.
        await OpenAsync(_fillEnd, _end);
        return true;
    }

    private async ValueTask OpenAsync(long start, long end)
    {
        var before = _inner;
        Volatile.Write(ref _inner, _content.Plain.OpenReader(start, end, _intent));
        _innerEnd = end;
        await before.DisposeAsync();
    }

    private ContentLease Took(ContentLease lease)
    {
        _position += lease.Length;
        return lease;
    }

    private ContentLease Fill()
    {
        var count = (int)Math.Min(Piece, _fillEnd - _position);
        var bytes = Zeros.AsMemory(0, count);
        if (_plan!.HasPackets)
            _plan.Write((bytes = new byte[count]).Span, _position, _hole);
        _position += count;
        Volatile.Write(ref _filler, _filler! with { Bytes = _filler.Bytes + count });
        return ContentLease.Of(bytes);
    }
}
