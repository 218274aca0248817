namespace NzbDav.Torrents.Utp;

/// <content>Handles packets from the peer.</content>
internal sealed partial class UtpConnection
{
    /// <summary>Number of data packets after which an acknowledgement is sent at once (RFC 9293, 3.8.6.3).</summary>
    private const int MostOwed = 2;

    /// <summary>
    /// Age in packets from which on an acknowledgement is ignored: it refers to nothing under way, and may be forged (compare RFC 5961,
    /// 5.2).
    /// </summary>
    private const int OldestAcknowledgement = 1_024;

    /// <summary>
    /// Age in packets from which on a reset is ignored. A reset ends the connection; a genuine one answers a packet under way or
    /// acknowledged a moment ago.
    /// </summary>
    private const int OldestReset = 16;

    /// <summary>
    /// Number of repeated acknowledgements of one packet after which the next packet counts as lost. An acknowledgement with another window
    /// is no repetition (RFC 5681, 2); libtorrent sends many of those.
    /// </summary>
    private const int MostRepeats = 3;

    private uint _delayToUs;
    private int _repeats;

    /// <summary>Handles a packet of this connection. Whatever the packet contains, the worst it can do is end this connection.</summary>
    public void Handle(in UtpPacket packet)
    {
        lock (_gate)
        {
            if (_phase == Phase.Closed)
                return;
            var now = _host.Now;
            HandleKnown(packet, now);
            Schedule();
        }
    }

    /// <summary>Handles a reset: the peer does not know the connection, or has dropped it.</summary>
    public void HandleReset(in UtpPacket packet)
    {
        lock (_gate)
        {
            // A reset repeats the number of one of our packets. Our acknowledgements have the next number.
            var distance = _sent.Distance(packet.Acknowledged);
            if (_phase != Phase.Closed && distance >= -OldestReset && distance <= _sent.Count + 1)
                End("The peer has dropped the connection.");
        }
    }

    private void HandleKnown(in UtpPacket packet, long now)
    {
        if (packet.Type == UtpType.Syn)
        {
            // Our answer was lost.
            if (_phase == Phase.Answering && packet.Sequence == _received.Last)
                SendState(now);
            return;
        }

        var distance = _sent.Distance(packet.Acknowledged);
        var isSameRoom = packet.Window == _peerRoom;
        if (distance > _sent.Count || distance < -OldestAcknowledgement)
            return;
        if (_phase == Phase.Dialling)
        {
            if (packet.Type != UtpType.State || distance != 1)
                return;

            // The first data packet of both libutp and libtorrent has the same number as their answer.
            _received.Begin((ushort)(packet.Sequence - 1));
            _phase = Phase.Open;
            _giveUpAt = 0;
            _opened!.TrySetResult(true);
        }
        else if (_phase == Phase.Answering)
        {
            // The sender of the SYN has received our answer, so its address is not forged. The dialling side speaks first (BEP 3).
            if (distance != 0 || packet.Type != UtpType.Data)
                return;
            _phase = Phase.Open;
            _giveUpAt = 0;
            if (!_host.Opened(this, _to))
            {
                SendReset(now);
                End("There is no room for another peer.");
                return;
            }
        }

        Note(packet, now);
        if (distance >= 0)
            HandleAcknowledgement(packet, distance, isSameRoom, now);
        if (packet.Type is UtpType.Data or UtpType.Fin && !TryHandleData(packet, now))
            return;
        Pump(now);
        if (_owed >= MostOwed)
            SendState(now);
        else if (_owed > 0 && _acknowledgeAt == 0)
            _acknowledgeAt = now + AcknowledgeWithin;
        if (_phase == Phase.Closing && _isEndSent && _sent.Count == 0)
            End("It was closed.");
    }

    /// <summary>Stores the fields that every packet has.</summary>
    private void Note(in UtpPacket packet, long now)
    {
        _silence = 0;
        _delayToUs = (uint)now - packet.Sent;
        _peerRoom = packet.Window;
        if (_peerRoom > 0)
            _probeAt = 0;
    }

    private void HandleAcknowledgement(in UtpPacket packet, int distance, bool isSameRoom, long now)
    {
        var waiting = _sent.Count;
        var arrived = _sent.Acknowledge(packet, now);
        if (arrived.RoundTrip >= 0)
            _roundTrip.Measure(arrived.RoundTrip);
        if (arrived.Bytes > 0)
        {
            _roundTrip.Answered();
            _congestion.Acknowledged(arrived.Bytes, packet.Delay, now, _isLimiting, UtpMemory.Plenty);
            _isLimiting = false;
            _timeoutAt = _sent.Count > 0 ? now + _roundTrip.Timeout : 0;
        }

        var isLost = false;
        if (distance > 0 || waiting == 0)
            _repeats = 0;
        else if (packet.Type == UtpType.State && isSameRoom && ++_repeats == MostRepeats)
            isLost = _sent.MarkFirstLost();
        if (!packet.Selective.IsEmpty)
            isLost |= _sent.FindLost(_roundTrip.Smoothed);
        _repairs |= isLost;
        if (isLost)
            _congestion.OnLoss(now, _roundTrip.Smoothed);
    }

    /// <summary>Handles data or the end of the stream. False if the connection has ended.</summary>
    private bool TryHandleData(in UtpPacket packet, long now)
    {
        if (_disposed)
        {
            // Nobody reads the data. The end of the peer's stream answers the end of ours.
            if (packet.Type == UtpType.Fin)
            {
                _received.Add(packet);
                _owed = MostOwed;
                return true;
            }

            SendReset(now);
            End("It was closed.");
            return false;
        }

        switch (_received.Add(packet))
        {
            case Arrival.Next when packet.Type == UtpType.Data:
                _owed++;
                break;
            default:
                // At once: the peer waits for the acknowledgement of the end, or counts acknowledgements to find lost packets (RFC 5681,
                // 4.2).
                _owed = MostOwed;
                break;
        }

        Wake();
        return true;
    }
}
