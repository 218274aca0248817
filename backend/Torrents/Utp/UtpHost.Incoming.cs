using System.Net;
using System.Threading.Channels;
using NzbDav.Torrents.Connections;
using NzbDav.Torrents.Datagrams;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Utp;

/// <content>Datagrams that arrive, and peers that connect. A sender's address may be forged until it has repeated a random number of
/// ours.</content>
internal sealed partial class UtpHost
{
    /// <summary>Most connections in all, also those that are being opened: twice what an engine has by default.</summary>
    private const int MostConnections = 1_000;

    /// <summary>Most connections that have not proved their address. Each costs less than 2 KiB and five seconds.</summary>
    private const int MostHalfOpen = 100;

    /// <summary>Most of them from one address, or from one /64 of IPv6, as for connections by TCP whose handshake has not
    /// arrived.</summary>
    private const int MostPerAddress = 8;

    /// <summary>Connections that wait to be accepted.</summary>
    private const int MostWaiting = 32;

    /// <summary>Most resets in a second, over all unknown connections.</summary>
    private const int MostResets = 20;

    /// <summary>Unknown connections that are remembered, so that each gets one reset.</summary>
    private const int Remembered = 256;

    private readonly Channel<ITransport> _waiting = Channel.CreateBounded<ITransport>(MostWaiting);
    private readonly Lock _admitting = new();
    private readonly AddressCounts _halfOpenAddresses = new();
    private readonly HashSet<UtpConnection> _halfOpen = [];
    private readonly Queue<(DatagramAddress, ushort)> _reset = new();
    private readonly HashSet<(DatagramAddress, ushort)> _resetOnce = [];
    private readonly Action<IPEndPoint>? _greeted;
    private long _resetSecond;
    private int _resets;
    private int _acceptors;

    /// <summary>Connections from peers, to be accepted.</summary>
    public ChannelReader<ITransport> Waiting => _waiting.Reader;

    /// <summary>Connections that have not proved their address.</summary>
    public int HalfOpen
    {
        get
        {
            lock (_admitting)
                return _halfOpen.Count;
        }
    }

    /// <summary>Whether peers may connect.</summary>
    public bool IsListening => Volatile.Read(ref _acceptors) > 0 && _policy() == UtpPolicy.On;

    /// <summary>Somebody accepts connections from now on, or no longer does.</summary>
    public void Listen(bool begins) => Interlocked.Add(ref _acceptors, begins ? 1 : -1);

    /// <summary>A peer has connected and proved its address. False if nobody accepts it.</summary>
    public bool Opened(UtpConnection connection, DatagramAddress from)
    {
        NoLongerHalfOpen(connection, from);
        if (!IsListening || !_waiting.Writer.TryWrite(connection))
            return false;
        _greeted?.Invoke(connection.Remote);
        return true;
    }

    private bool Take(DatagramAddress from, ReadOnlySpan<byte> datagram)
    {
        if (_closed || !IsOn || !UtpPacket.CanBegin(datagram))
            return false;
        if (!UtpPacket.TryRead(datagram, out var packet) || !from.IsUsable)
            return true;
        if (packet.Type == UtpType.Syn)
        {
            TakeSyn(from, packet);
            return true;
        }

        if (packet.Type == UtpType.Reset)
        {
            // Some name the id of packets to us, others repeat the one that they saw: one more where we dialled, one less where they did.
            FindForReset(from, packet.Id)?.TakeReset(packet);
            return true;
        }

        if (_connections.TryGetValue((from, packet.Id), out var connection))
            connection.Take(packet);
        else
            Reset(from, packet);
        return true;
    }

    private UtpConnection? FindForReset(DatagramAddress from, ushort id)
    {
        if (_connections.TryGetValue((from, id), out var connection))
            return connection;
        foreach (var other in (ReadOnlySpan<ushort>)[(ushort)(id - 1), (ushort)(id + 1)])
        {
            if (_connections.TryGetValue((from, other), out connection) && connection.SendId == id)
                return connection;
        }

        return null;
    }

    private void TakeSyn(DatagramAddress from, in UtpPacket syn)
    {
        // "conn_id_recv = pkt.connection_id + 1; conn_id_send = pkt.connection_id; seq_nr = rand()"
        var id = (ushort)(syn.Id + 1);
        if (_connections.TryGetValue((from, id), out var known))
        {
            known.Take(syn);
            return;
        }

        var connection = IsListening && _connections.Count < MostConnections
            ? new UtpConnection(this, from, id, syn.Id, RandomNumber()) : null;
        if (connection is null || !TryEnter(connection))
        {
            // Without an answer most clients would wait for seconds before they try TCP.
            Reset(from, syn);
            return;
        }

        if (_connections.TryAdd((from, id), connection))
            connection.Answer(syn);
        else
            NoLongerHalfOpen(connection, from);
    }

    private bool TryEnter(UtpConnection connection)
    {
        var address = connection.Remote.Address;
        lock (_admitting)
        {
            var here = FamilyDials.IsSix(address) ? _halfOpenAddresses.OfNetwork(address) : _halfOpenAddresses.Of(address);
            if (_halfOpen.Count >= MostHalfOpen || (here >= MostPerAddress && !LocalNetwork.Contains(address)))
                return false;
            _halfOpen.Add(connection);
            _halfOpenAddresses.Add(address);
            return true;
        }
    }

    private void NoLongerHalfOpen(UtpConnection connection, DatagramAddress from)
    {
        lock (_admitting)
        {
            if (_halfOpen.Remove(connection))
                _halfOpenAddresses.Remove(from.ToAddress());
        }
    }

    /// <summary>Tells the sender that there is no such connection: once, in 20 bytes, and not too often in all.</summary>
    private void Reset(DatagramAddress from, in UtpPacket packet)
    {
        lock (_admitting)
        {
            var second = Now / 1_000_000;
            if (second != _resetSecond)
                (_resetSecond, _resets) = (second, 0);
            if (_resets >= MostResets || !_resetOnce.Add((from, packet.Id)))
                return;
            _resets++;
            _reset.Enqueue((from, packet.Id));
            if (_reset.Count > Remembered)
                _resetOnce.Remove(_reset.Dequeue());
        }

        Span<byte> answer = stackalloc byte[UtpPacket.HeaderSize];
        UtpPacket.Write(answer, new UtpHeader(UtpType.Reset, packet.Id, (uint)Now, 0, 0, RandomNumber(), packet.Sequence));
        Send(from, answer);
    }
}
