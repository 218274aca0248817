using System.Threading.Channels;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Pacing;
using NzbDav.MockUsenet.Protocol;
using NzbDav.MockUsenet.Transports;

namespace NzbDav.MockUsenet.Providers;

/// <summary>
/// Sends one connection's replies in order, each when it is due. Small replies that are due together share one send. A body
/// is sent in one send of its own, straight from the article's memory, unless a rate limit splits it into pieces.
/// </summary>
internal sealed class ReplyWriter(ProviderBehaviour provider, Transport transport, DelayWaiter delay)
{
    private readonly byte[] _small = new byte[16 * 1_024];
    private readonly Pacer _line = new(0);
    private int _held;

    /// <summary>Runs until there are no more replies, or one that ends the connection.</summary>
    /// <param name="replies">In the order of their commands.</param>
    /// <param name="closing">Called before the first byte of a reply that ends the connection.</param>
    /// <returns>False if the connection has to be torn down at once.</returns>
    public async Task<bool> RunAsync(ChannelReader<Reply> replies, Action closing)
    {
        while (await replies.WaitToReadAsync())
        {
            while (replies.TryRead(out var reply))
            {
                if (reply.Due > 0 && reply.Due > provider.Scheduler.Now)
                {
                    await FlushAsync();
                    if (!await delay.UntilAsync(reply.Due))
                        return false;
                }

                var ready = reply;
                if (reply.Delay > 0)
                {
                    await FlushAsync();
                    ready = reply with { Due = provider.Scheduler.Now + reply.Delay };
                    if (!await delay.UntilAsync(ready.Due))
                        return false;
                }

                if (!await ThawAsync())
                    return false;
                if (reply.Close)
                    closing();
                var sent = await SendAsync(ready);
                if (sent == SendOutcome.Broken)
                    return false;
                if (sent == SendOutcome.Cut)
                    return await DrainAsync(replies);
                if (!reply.Close)
                    continue;
                await FlushAsync();
                await transport.FinishAsync();
                return await DrainAsync(replies);
            }

            await FlushAsync();
        }

        return true;
    }

    /// <summary>Drops replies after the end, so that the reader does not block before it notices that the client closes.</summary>
    private static async Task<bool> DrainAsync(ChannelReader<Reply> replies)
    {
        while (await replies.WaitToReadAsync())
        {
            while (replies.TryRead(out _))
            {
            }
        }

        return true;
    }

    private ValueTask<SendOutcome> SendAsync(in Reply reply) => reply.Kind switch
    {
        ReplyKind.Text => AppendAsync(reply.Text),
        ReplyKind.Stat => AppendAsync(reply.Segment!.StatusLine("223 0 ")),
        ReplyKind.Head => AppendAsync((byte[])[.. reply.Segment!.StatusLine("221 0 "), .. reply.Segment.HeaderLines(), .. ".\r\n"u8]),
        _ => SendBodyAsync(reply),
    };

    private async ValueTask<SendOutcome> SendBodyAsync(Reply reply)
    {
        var segment = reply.Segment!;
        var wire = segment.Wire;
        if (reply.Fault is { } fault)
        {
            if (!fault.IsSilent)
                await AppendAsync(reply.Kind == ReplyKind.Article ? ArticleHead(segment) : wire[..segment.StatusLength]);
            return await SendFaultyAsync(fault, segment, wire[segment.StatusLength..], reply);
        }

        if (reply.Kind == ReplyKind.Article)
        {
            await AppendAsync(ArticleHead(segment));
            wire = wire[segment.StatusLength..];
        }

        _line.Rate = RateOf(reply);
        return await ServeAsync(segment, wire, reply.Due, _line);
    }

    private async ValueTask<SendOutcome> SendFaultyAsync(Fault fault, PostedSegment segment, ReadOnlyMemory<byte> body, Reply reply)
    {
        var due = reply.Due;
        _line.Rate = RateOf(reply);
        var split = (int)Math.Clamp(fault.After ?? body.Length / 2, 0, body.Length);
        switch (fault.Kind)
        {
            case FaultKind.Corrupt:
                return await ServeAsync(segment, BodyDamage.Corrupt(body.Span), due, _line);
            case FaultKind.Truncated:
                return await ServeAsync(null, BodyDamage.Truncate(body.Span, fault.After, fault.Abrupt), due, _line);
            case FaultKind.WrongArticle:
                var other = fault.Other ?? provider.Store.OtherThan(segment);
                return await ServeAsync(other, other.Body, due, _line);
            case FaultKind.Slow:
                return await ServeAsync(segment, body, due, new Pacer(fault.Rate));
            case FaultKind.Stall:
                if (await SendPacedAsync(body[..split], due, _line) == SendOutcome.Broken)
                    return SendOutcome.Broken;
                var end = fault.Duration is { } duration ? provider.Scheduler.Now + duration.Ticks : long.MaxValue;
                return await delay.UntilAsync(end) ? await ServeAsync(segment, body[split..], end, _line) : SendOutcome.Broken;
            case FaultKind.Drop:
                if (await SendPacedAsync(body[..split], due, _line) == SendOutcome.Broken)
                    return SendOutcome.Broken;
                if (fault.Abrupt)
                    transport.Abort(reset: true);
                else
                    transport.Cut();
                return fault.Abrupt ? SendOutcome.Broken : SendOutcome.Cut;
            default:
                throw new InvalidOperationException($"{fault.Kind} is decided when the command arrives.");
        }
    }

    private async ValueTask<SendOutcome> ServeAsync(PostedSegment? segment, ReadOnlyMemory<byte> bytes, long due, Pacer line)
    {
        var sent = await SendPacedAsync(bytes, due, line);
        if (sent == SendOutcome.Whole)
            provider.Counters.Served(segment?.Size ?? 0);
        if (!provider.KeepsArticles)
            segment?.Forget();
        return sent;
    }

    private async ValueTask<SendOutcome> SendPacedAsync(ReadOnlyMemory<byte> bytes, long due, Pacer line)
    {
        await FlushAsync();
        if (line.Rate <= 0 && provider.Line.Rate <= 0 && provider.SharedLine is null)
        {
            await transport.SendAsync(bytes);
            provider.Counters.Sent(bytes.Length);
            return SendOutcome.Whole;
        }

        var (ready, gone) = (due, 0);
        while (gone < bytes.Length)
        {
            var piece = bytes.Length - gone;
            if (line.Rate > 0)
                piece = Math.Min(piece, line.Piece(gone));
            if (provider.Line.Rate > 0)
                piece = Math.Min(piece, provider.Line.Piece(gone));
            if (provider.SharedLine is { } shared)
                piece = Math.Min(piece, shared.Piece(gone));
            var now = provider.Scheduler.Now;
            ready = Math.Max(line.Pass(piece, ready, now), provider.Line.Pass(piece, ready, now));
            if (!await delay.UntilAsync(Pacer.WakeUp(ready, gone)))
                return SendOutcome.Broken;
            if (provider.SharedLine is { } home && !await delay.UntilAsync(Pacer.WakeUp(home.Pass(piece, provider.Scheduler.Now), gone)))
                return SendOutcome.Broken;
            if (!await ThawAsync())
                return SendOutcome.Broken;
            await transport.SendAsync(bytes.Slice(gone, piece));
            provider.Counters.Sent(piece);
            gone += piece;
        }

        return SendOutcome.Whole;
    }

    private async ValueTask<SendOutcome> AppendAsync(ReadOnlyMemory<byte> bytes)
    {
        if (_held + bytes.Length > _small.Length)
            await FlushAsync();
        if (bytes.Length > _small.Length)
        {
            await transport.SendAsync(bytes);
            provider.Counters.Sent(bytes.Length);
            return SendOutcome.Whole;
        }

        bytes.CopyTo(_small.AsMemory(_held));
        _held += bytes.Length;
        return SendOutcome.Whole;
    }

    private async ValueTask FlushAsync()
    {
        if (_held == 0)
            return;
        await transport.SendAsync(_small.AsMemory(0, _held));
        provider.Counters.Sent(_held);
        _held = 0;
    }

    /// <summary>Waits for the end of the connection while the provider is frozen; false then.</summary>
    private ValueTask<bool> ThawAsync() => provider.IsFrozen ? delay.UntilAsync(long.MaxValue) : new ValueTask<bool>(true);

    private long RateOf(in Reply reply) => reply.Rate > 0 ? reply.Rate : provider.ConnectionRate;

    private static byte[] ArticleHead(PostedSegment segment) => [.. segment.StatusLine("220 0 "), .. segment.HeaderLines(), .. "\r\n"u8];
}

/// <summary>Outcome of sending a reply.</summary>
internal enum SendOutcome
{
    /// <summary>The whole reply was sent.</summary>
    Whole,

    /// <summary>FIN was sent; the client is expected to close.</summary>
    Cut,

    /// <summary>The connection is gone, or has to be torn down.</summary>
    Broken,
}
