using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;
using NzbDav.Catalog.Tree;
using NzbDav.Content;

namespace NzbDav.Library.Filling;

/// <summary>
/// A posted file in which players read filler in place of lost bytes, if its container survives that and the user chose it. Only for
/// playback and probes: copies, imports, pins and checks end at the hole. In an encrypted file the decrypted bytes are filled. Thread-safe.
/// </summary>
/// <param name="plain">The file, decrypted. Its readers report lost bytes in <see cref="ContentException.Lost"/>.</param>
/// <param name="known">The same file, including bytes kept on disk; its container is read from here.</param>
/// <param name="item">The file's row.</param>
/// <param name="fills">True while the user wants filler.</param>
/// <param name="logger">Logs each filled hole once.</param>
internal sealed partial class FillingContent(IContent plain, IContent known, CatalogItem item, Func<bool> fills, ILogger logger)
    : DelegatingContent(plain)
{
    /// <summary>How many holes are remembered as logged. Further ones are not logged.</summary>
    private const int MaxLoggedHoles = 4_096;

    private readonly Lock _gate = new();
    private readonly HashSet<long> _loggedHoles = [];
    private FillerPlan? _plan;

    /// <summary>The file, decrypted.</summary>
    internal IContent Plain => Inner;

    public override ContentReader OpenReader(long start, long end, ReadIntent intent) =>
        intent is ReadIntent.Playback or ReadIntent.Probe && fills()
            ? new FillingReader(this, start, end, intent) : base.OpenReader(start, end, intent);

    /// <summary>The bytes of the file that are lost with those of the post; null: none.</summary>
    internal ByteSpan? RangeOf(LostRange lost) =>
        (item.Encryption is { } encryption ? encryption.LostWith(lost.Bytes) : lost.Bytes) is { } range && range.End <= Length
            ? range : null;

    /// <summary>Where the file may be filled; null if unknown because its head is lost too.</summary>
    internal async ValueTask<FillerPlan?> PlanAsync(CancellationToken cancellationToken)
    {
        try
        {
            // Concurrent callers may read it twice, with the same result.
            return Volatile.Read(ref _plan) ?? (_plan = await FillerPlan.ReadAsync(known, cancellationToken));
        }
        catch (ContentException)
        {
            return null;
        }
    }

    /// <summary>Logs that a reader continues with filler; once for each hole.</summary>
    internal void LogOnce(ByteSpan range, int segment, string reason)
    {
        lock (_gate)
        {
            if (_loggedHoles.Count >= MaxLoggedHoles || !_loggedHoles.Add(range.Start))
                return;
        }

        LogFilled(logger, item.Name, range.Start, range.End - 1, segment + 1, reason);
    }

    [LoggerMessage(303, LogLevel.Warning,
        "Bytes {First}-{Last} of {File} are replaced by filler for whoever plays it, as article {Article} cannot be had: {Reason}")]
    private static partial void LogFilled(ILogger logger, string file, long first, long last, int article, string reason);
}

/// <summary>Returns filler where bytes are lost, and continues after them with a new reader.</summary>
internal sealed class FillingReader : DelegatingReader
{
    private const int Piece = 64 << 10;

    private static readonly byte[] Zeros = new byte[Piece];

    private readonly FillingContent _content;
    private readonly long _end;
    private readonly ReadIntent _intent;

    /// <summary>End of the inner reader's range.</summary>
    private long _innerEnd;

    /// <summary>Position of the next byte of filler; −1 while the inner reader is read.</summary>
    private long _fillAt = -1;

    /// <summary>The hole that is filled now, up to <see cref="_fillEnd"/>.</summary>
    private ByteSpan _hole;
    private FillerPlan? _plan;
    private long _fillEnd;
    private ReaderFiller? _filler;

    public FillingReader(FillingContent content, long start, long end, ReadIntent intent)
    {
        (_content, _end, _intent) = (content, end, intent);
        (Inner, _innerEnd) = (content.Plain.OpenReader(start, end, intent), end);
    }

    public override long Position => _fillAt >= 0 ? _fillAt : base.Position;

    public override ValueTask<ContentLease> NextAsync(CancellationToken cancellationToken)
    {
        if (_fillAt >= 0)
            return new(Fill());
        if (_innerEnd < _end && Inner!.Position == _innerEnd)
            return ContinueAsync(cancellationToken);
        var next = Inner!.NextAsync(cancellationToken);
        return next.IsCompletedSuccessfully ? next : AwaitAsync(next, cancellationToken);
    }

    public override ReaderState Observe() => base.Observe() with { Filler = Volatile.Read(ref _filler) };

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<ContentLease> AwaitAsync(ValueTask<ContentLease> next, CancellationToken cancellationToken)
    {
        while (true)
        {
            try
            {
                return await next;
            }
            catch (ContentException error) when (error.Lost is not null)
            {
                if (!await ContinuePastHoleAsync(error, error.Lost.Value, cancellationToken))
                    throw;
            }

            if (_fillAt >= 0)
                return Fill();
            next = Inner!.NextAsync(cancellationToken);
        }
    }

    /// <summary>Continues after an inner reader that was opened only up to a hole.</summary>
    private async ValueTask<ContentLease> ContinueAsync(CancellationToken cancellationToken)
    {
        await OpenAsync(Inner!.Position, _end);
        return await AwaitAsync(Inner!.NextAsync(cancellationToken), cancellationToken);
    }

    /// <returns>False when the read fails.</returns>
    private async ValueTask<bool> ContinuePastHoleAsync(ContentException error, LostRange lost, CancellationToken cancellationToken)
    {
        if (_content.RangeOf(lost) is not { } hole || hole.End <= Inner!.Position)
            return false;
        if (Inner!.Position < hole.Start)
        {
            // Decryption fails a whole lease at a time: there may be readable bytes before the hole.
            if (_innerEnd <= hole.Start)
                return false;
            await OpenAsync(Inner!.Position, Math.Min(_end, hole.Start));
            return true;
        }

        if (await _content.PlanAsync(cancellationToken) is not { } plan || !plan.Allows(hole))
            return false;
        _content.LogOnce(hole, lost.Segment, error.Message);
        (_plan, _hole, _fillAt, _fillEnd) = (plan, hole, Inner!.Position, Math.Min(_end, hole.End));
        Volatile.Write(ref _filler, new ReaderFiller(_filler?.Bytes ?? 0, lost.Segment, error.Message));

        // Opened now, so that it fetches while the filler is read.
        await OpenAsync(_fillEnd, _end);
        return true;
    }

    private async ValueTask OpenAsync(long start, long end)
    {
        var before = Inner!;
        Inner = _content.Plain.OpenReader(start, end, _intent);
        _innerEnd = end;
        await before.DisposeAsync();
    }

    private ContentLease Fill()
    {
        var count = (int)Math.Min(Piece, _fillEnd - _fillAt);
        var bytes = Zeros.AsMemory(0, count);
        if (_plan!.HasPackets)
            _plan.Write((bytes = new byte[count]).Span, _fillAt, _hole);
        _fillAt = _fillAt + count < _fillEnd ? _fillAt + count : -1;
        Volatile.Write(ref _filler, _filler! with { Bytes = _filler.Bytes + count });
        return ContentLease.Of(bytes);
    }
}

/// <summary>What a player reads where bytes are lost: no provider has them and they cannot be reconstructed.</summary>
public enum HolePolicy
{
    /// <summary>The read fails.</summary>
    Fail,

    /// <summary>A film continues with filler if its container survives that. Every other read fails.</summary>
    Zeros,
}
