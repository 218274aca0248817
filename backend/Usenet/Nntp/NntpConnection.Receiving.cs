using System.Diagnostics;
using System.Net.Sockets;

namespace NzbDav.Usenet.Nntp;

/// <summary>The receive loop: splits the received bytes into status lines and bodies.</summary>
internal sealed partial class NntpConnection
{
    /// <summary>Receives some bytes; false at the end. Decoded bytes are published before a wait, so that a reader is not woken for each TLS record.</summary>
    private async ValueTask<bool> ReceiveAsync()
    {
        var receiving = _received.ReceiveAsync(isIdle: _receiver.Request is null && !IsBusy);
        if (!receiving.IsCompleted)
            _receiver.Show();
        try
        {
            if (await receiving == 0)
                return false;
        }
        catch (Exception e) when (e is IOException or SocketException or ObjectDisposedException or InvalidOperationException)
        {
            WasEndedByServer |= !IsClosed;
            Close(e.Message);
            return false;
        }

        var now = _time.GetTimestamp();
        if (_receiver.Request is not null)
            _clock.Waited(now - _lastActivity, _receiver.Written);
        Volatile.Write(ref _lastActivity, now);
        return true;
    }

    /// <summary>
    /// Waits as the speed limit demands, until it changes or the connection is closed. Meanwhile the connection must not count as slow or silent.
    /// </summary>
    private async Task HoldAsync(LineHold hold)
    {
        var ticks = (long)(hold.Wait.TotalSeconds * _time.TimestampFrequency);
        var until = _time.GetTimestamp() + ticks;
        long headSince;
        Volatile.Write(ref _lastActivity, until);
        lock (_gate)
        {
            headSince = _headSince + ticks;
            Volatile.Write(ref _headSince, headSince);
        }

        using (var ended = new CancellationTokenSource())
        {
            await Task.WhenAny(Task.Delay(hold.Wait, _time, ended.Token), hold.Changed, _ended.Task);
            await ended.CancelAsync();
        }

        var now = _time.GetTimestamp();
        if (now >= until)
            return;
        Volatile.Write(ref _lastActivity, now);
        lock (_gate)
        {
            // A request sent meanwhile over an idle connection has set its own.
            if (_headSince == headSince)
                Volatile.Write(ref _headSince, headSince - (until - now));
        }
    }

    private void Process()
    {
        while (!_received.IsEmpty)
        {
            if (_receiver.Request is { } request)
                ReadBody(request, _received.Unread);
            else if (_skippedFor is { } skipped)
            {
                if (!TrySkipLine(skipped, _received.Unread))
                    return;
            }
            else if (!TryReadStatus(_received.Unread))
                return;
        }
    }

    private bool TryReadStatus(ReadOnlySpan<byte> source)
    {
        var code = NntpStatusLine.Scan(source, out var line, out var consumed);
        if (code < 0)
            return false;
        NntpRequest? request;
        bool alone;
        lock (_gate)
        {
            alone = _sent.Count == 1;
            request = _sent.TryPeek(out var first) ? first : null;
        }

        _received.Skip(consumed);
        if (code == 0 || request is null)
        {
            // RFC 3977 §3.2.1.1: a server may say 400 unprompted when it is about to close an idle connection.
            Close($"the server said \"{NntpStatusLine.TextOf(line)}\"");
            _received.Drop();
            return false;
        }

        _clock.Began(request, alone, LastActivity);
        switch (NntpAnswers.Of(request.Command, request.Sent, code))
        {
            case NntpAnswer.BodyFollows:
                HasServed = true;
                _receiver.Begin(request);
                return true;
            case NntpAnswer.HeadersFollow:
                HasServed = true;
                _receiver.Begin(request, isHeadersAlone: true);
                return true;
            case NntpAnswer.Yes:
                Finish(request, AttemptOutcome.Found, reason: null);
                return true;
            case NntpAnswer.YesAndBlock:
                _skippedFor = request;
                return true;
            case NntpAnswer.Unknown:
                // The same provider is asked again, by another command.
                _account.Lacks(request.Sent);
                Finish(request, AttemptOutcome.NotSent, $"{_account.Name} said \"{NntpStatusLine.TextOf(line)}\"");
                return true;
            case NntpAnswer.No:
                HasServed |= request.Command == NntpCommand.Body;
                Finish(request, AttemptOutcome.Missing, $"{_account.Name} said \"{NntpStatusLine.TextOf(line)}\"");
                return true;
            case NntpAnswer.Refused:
                // The article is requested from another provider.
                WasRefused = true;
                goto default;
            default:
                WasEndedByServer = request.Command == NntpCommand.Quit;
                Close($"the server said \"{NntpStatusLine.TextOf(line)}\"");
                _received.Drop();
                return false;
        }
    }

    /// <summary>
    /// Skips a line of a block that nobody needs; false when none is complete. RFC 3977 §3.1.1: a line with a dot alone ends the block.
    /// </summary>
    private bool TrySkipLine(NntpRequest request, ReadOnlySpan<byte> source)
    {
        var end = source.IndexOf((byte)'\n');
        if (end < 0 && source.Length <= NntpStatusLine.MaxLength)
            return false;
        var isLast = end >= 0 && !_isWithinLine && source[..end].TrimEnd((byte)'\r') is [(byte)'.'];
        _isWithinLine = end < 0;
        _received.Skip(end < 0 ? source.Length : end + 1);
        if (!isLast)
            return true;
        _skippedFor = null;
        Finish(request, AttemptOutcome.Found, reason: null);
        return true;
    }

    private void ReadBody(NntpRequest request, ReadOnlySpan<byte> source)
    {
        var ended = _receiver.Feed(source, out var consumed);
        _received.Skip(consumed);
        if (!ended)
            return;
        _clock.Came(_receiver.Written);
        if (_receiver.IsIntact)
            _clock.CameWhole(request, HeadSince, LastActivity, _receiver.DecodeTime);
        var end = _receiver.End();
        if (end.Odd is { } odd)
        {
            Leave(request);
            _owner!.EndedOdd(this, request, odd, end.Header!);
            _telling = null;
            return;
        }

        Finish(request, end.Outcome, end.Reason);
    }

    private void Finish(NntpRequest request, AttemptOutcome outcome, string? reason)
    {
        Leave(request);
        _owner!.Ended(this, request, outcome, reason);
        _telling = null;
    }

    private void Leave(NntpRequest request)
    {
        long headSince;
        bool wasFull;
        _telling = request;
        lock (_gate)
        {
            wasFull = _sent.Count >= Depth;
            headSince = _headSince;
            var first = _sent.Dequeue();
            Debug.Assert(first == request, "responses come in the order of the commands");
            Volatile.Write(ref _headSince, LastActivity);
        }

        Last = _clock.Ended(headSince, LastActivity, wasFull);
    }
}
