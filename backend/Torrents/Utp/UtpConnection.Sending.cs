namespace NzbDav.Torrents.Utp;

/// <content>Sends packets and runs the timers. Used under the lock.</content>
internal sealed partial class UtpConnection
{
    /// <summary>
    /// Most consecutive time-outs without any packet from the peer. With the next one, after 31 s or more, the peer counts as gone.
    /// </summary>
    private const int MostTimeouts = 5;

    /// <summary>
    /// Most consecutive time-outs while the peer's window is closed, because it need not answer then. The layer above disconnects a peer
    /// that reads nothing for two minutes.
    /// </summary>
    private const int MostProbes = 15;

    /// <summary>How long an acknowledgement may wait for data to accompany it (RFC 9293 allows TCP 500 ms; libutp waits 100 ms).</summary>
    private const long AcknowledgeWithin = 20_000;

    private Memory<byte> _unsent;
    private bool _isEndSent;
    private bool _isLimiting;

    /// <summary>
    /// True after a loss was found. One packet is then sent again at once, whatever the window allows, because the peer cannot deliver
    /// later packets before this one (RFC 5681, 3.2).
    /// </summary>
    private bool _repairs;
    private long _peerRoom = UtpMemory.Least;
    private int _announcedWindow;
    private int _silence;
    private long _lastSent;
    private long _timeoutAt;
    private long _acknowledgeAt;
    private long _probeAt;
    private int _owed;

    /// <summary>Sends what the windows allow, lost packets first.</summary>
    /// <param name="now">The time.</param>
    /// <param name="isProbe">True to send one packet although the peer's window is closed, to learn whether it has opened.</param>
    private void Pump(long now, bool isProbe = false)
    {
        while (_sent.HasLost)
        {
            var packet = _sent.PeekLost(out var number, out var type);
            if (!_repairs && _sent.InFlight > 0 && _sent.InFlight + packet.Length > _congestion.Bytes)
                return;
            _repairs = false;
            _sent.Resent(number, now);
            Transmit(packet, type, number, now);
        }

        if (_phase is not (Phase.Open or Phase.Closing))
            return;
        var window = Math.Min(Math.Min(_congestion.Bytes, _peerRoom), _host.Memory.LimitPerConnection);
        while (!_unsent.IsEmpty && !_sent.IsFull)
        {
            var size = Math.Min(_unsent.Length, _mostPayload);
            if (_sent.InFlight + size > window && !isProbe)
            {
                _isLimiting |= _congestion.Bytes == window;
                if (_sent.InFlight > 0)
                    break;
                if (_peerRoom == 0)
                {
                    // BEP 29: "If there are no bytes in flight, … the timer is still running": another packet requests the window.
                    if (_probeAt == 0)
                        _probeAt = now + _roundTrip.Timeout;
                    break;
                }

                size = (int)Math.Min(size, _peerRoom);
            }

            if (!SendNew(_unsent.Span[..size], UtpType.Data, now))
            {
                // All memory is in use. The next acknowledgement frees some. If nothing is under way, this is tried again later.
                if (_sent.InFlight == 0)
                    _probeAt = now + RoundTripTime.LeastTimeout;
                break;
            }

            _unsent = _unsent[size..];
            _probeAt = 0;
            if (isProbe)
                break;
        }

        if (!_unsent.IsEmpty)
            return;
        _sentAll.End();
        if (_phase == Phase.Closing && !_isEndSent && !_sent.IsFull)
            _isEndSent = SendNew([], UtpType.Fin, now);
    }

    /// <summary>Sends a packet with a number of its own. False if there is no memory for it.</summary>
    private bool SendNew(ReadOnlySpan<byte> payload, UtpType type, long now)
    {
        var length = UtpPacket.HeaderSize + payload.Length;
        if (_host.Memory.TryRent(length) is not { } buffer)
            return false;
        payload.CopyTo(buffer.AsSpan(UtpPacket.HeaderSize));
        var number = _sent.Next;
        _sent.Add(buffer, length, type, now);
        Transmit(buffer.AsSpan(0, length), type, number, now);
        return true;
    }

    private void Transmit(Span<byte> packet, UtpType type, ushort number, long now)
    {
        Write(packet, type, number, now);
        _host.Send(_to, packet);
        if (_timeoutAt == 0)
            _timeoutAt = now + _roundTrip.Timeout;
        if (type != UtpType.Syn)
            (_owed, _acknowledgeAt) = (0, 0);
    }

    /// <summary>Sends an acknowledgement with our window.</summary>
    private void SendState(long now)
    {
        Span<byte> packet = stackalloc byte[UtpPacket.HeaderSize + 2 + 64];
        Span<byte> bits = stackalloc byte[64];
        var selective = _received.WriteSelective(bits);
        var length = UtpPacket.HeaderSize;
        Write(packet, UtpType.State, _sent.Next, now, selective > 0);
        if (selective > 0)
            length += UtpPacket.WriteSelective(packet[length..], bits[..selective]);
        (_owed, _acknowledgeAt) = (0, 0);
        _host.Send(_to, packet[..length]);
    }

    private void SendReset(long now)
    {
        Span<byte> packet = stackalloc byte[UtpPacket.HeaderSize];
        Write(packet, UtpType.Reset, _sent.Next, now);
        _host.Send(_to, packet);
    }

    private void Write(Span<byte> packet, UtpType type, ushort number, long now, bool hasSelective = false)
    {
        _lastSent = now;
        _announcedWindow = _received.Room;

        // A SYN has the id that its sender expects in packets to it. All other packets have the other id.
        var id = type == UtpType.Syn ? ReceiveId : SendId;
        var header = new UtpHeader(type, id, (uint)now, _delayToUs, (uint)_announcedWindow, number, _received.Last);
        UtpPacket.Write(packet, header, hasSelective);
    }

    /// <summary>
    /// Call when bytes were read. Announces our window if the announced one was small and it is much larger now (RFC 9293, 3.8.6.2.2).
    /// </summary>
    private void AnnounceWindow()
    {
        if (_phase != Phase.Open || _received.Room - _announcedWindow < UtpMemory.Least / 2 || _announcedWindow > UtpMemory.Plenty / 2)
            return;
        if (_announcedWindow >= UtpMemory.Least / 2 && _received.Room - _announcedWindow < UtpMemory.Plenty / 4)
            return;
        SendState(_host.Now);
    }

    private void TickOpen(long now)
    {
        if (_timeoutAt != 0 && now >= _timeoutAt)
            TimedOut(now);
        if (_phase == Phase.Closed)
            return;
        if (_probeAt != 0 && now >= _probeAt)
        {
            _probeAt = 0;
            Pump(now, isProbe: true);
        }

        if ((_acknowledgeAt != 0 && now >= _acknowledgeAt) || (_phase == Phase.Open && now - _lastSent >= KeepAlive))
            SendState(now);
    }

    private void TimedOut(long now)
    {
        _timeoutAt = 0;
        if (_sent.Count == 0)
            return;
        if (++_silence > (_peerRoom == 0 ? MostProbes : MostTimeouts))
        {
            End("The peer does not answer.");
            return;
        }

        _roundTrip.Double();
        _congestion.TimedOut(now);
        _repeats = 0;
        _sent.MarkAllLost();
        Pump(now);
    }

    /// <summary>Requests the tick that is due next.</summary>
    private void Schedule()
    {
        if (_phase != Phase.Closed)
            _host.WakeAt(NextDue());
    }

    private long NextDue()
    {
        if (_phase == Phase.Closed)
            return long.MaxValue;
        var due = _phase == Phase.Open ? _lastSent + KeepAlive : long.MaxValue;
        foreach (var at in (ReadOnlySpan<long>)[_timeoutAt, _acknowledgeAt, _probeAt, _giveUpAt])
        {
            if (at != 0)
                due = Math.Min(due, at);
        }

        return due;
    }
}
