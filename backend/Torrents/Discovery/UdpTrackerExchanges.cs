using System.Buffers.Binary;
using System.Collections.Concurrent;
using System.Security.Cryptography;
using NzbDav.Torrents.Datagrams;

namespace NzbDav.Torrents.Discovery;

/// <summary>Pending requests to UDP trackers, by transaction id (BEP 15). Thread-safe.</summary>
internal sealed class UdpTrackerExchanges : IDisposable
{
    /// <summary>Offset of the transaction id in both kinds of request. In answers it is 4.</summary>
    private const int TransactionAt = 12;

    private readonly ConcurrentDictionary<
        uint, (UdpTarget Tracker, TaskCompletionSource<(DatagramAddress From, byte[] Packet)?> Answer)> _waiting = new();
    private readonly IDatagramChannel _channel;
    private readonly TimeProvider _time;
    private readonly IDisposable _registration;

    /// <param name="channel">Sends and receives; not owned.</param>
    /// <param name="time">Drives the waits.</param>
    public UdpTrackerExchanges(IDatagramChannel channel, TimeProvider time)
    {
        _channel = channel;
        _time = time;
        _registration = channel.Register(Handle);
    }

    /// <summary>
    /// Sends one packet and waits for its answer of at least eight bytes. Returns the sender and the answer; null if none arrived in time.
    /// </summary>
    /// <param name="tracker">Answers from other senders are ignored. For a name that only the proxy can resolve, any sender that knows the
    /// transaction id is accepted.</param>
    /// <param name="packet">The packet; a new transaction id is written into it.</param>
    /// <param name="wait">Time limit.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    public async Task<(DatagramAddress From, byte[] Packet)?> ExchangeAsync(
        UdpTarget tracker, byte[] packet, TimeSpan wait, CancellationToken cancellationToken)
    {
        var answer = new TaskCompletionSource<(DatagramAddress From, byte[] Packet)?>(TaskCreationOptions.RunContinuationsAsynchronously);
        uint transaction;
        do
        {
            // Unpredictable, because anybody who knows the id can answer in the tracker's name.
            RandomNumberGenerator.Fill(packet.AsSpan(TransactionAt, 4));
            transaction = BinaryPrimitives.ReadUInt32BigEndian(packet.AsSpan(TransactionAt));
        }
        while (!_waiting.TryAdd(transaction, (tracker, answer)));

        try
        {
            // The entry exists before the packet is sent, so the answer cannot arrive first.
            await using var timer = _time.CreateTimer(static state => ((TaskCompletionSource<(DatagramAddress From, byte[] Packet)?>)state!)
                .TrySetResult(null), answer, wait, Timeout.InfiniteTimeSpan);
            await using var cancelled = cancellationToken.UnsafeRegister(static (state, token) =>
                ((TaskCompletionSource<(DatagramAddress From, byte[] Packet)?>)state!).TrySetCanceled(token), answer);
            tracker.Send(_channel, packet);
            return await answer.Task;
        }
        finally
        {
            _waiting.TryRemove(transaction, out _);
        }
    }

    public void Dispose() => _registration.Dispose();

    private bool Handle(DatagramAddress from, ReadOnlySpan<byte> datagram)
    {
        // <action><transaction>
        if (datagram.Length < 8 || BinaryPrimitives.ReadUInt32BigEndian(datagram) > 3
            || !_waiting.TryGetValue(BinaryPrimitives.ReadUInt32BigEndian(datagram[4..]), out var waiting)
                || !waiting.Tracker.Matches(from))
            return false;
        waiting.Answer.TrySetResult((from, datagram.ToArray()));
        return true;
    }
}
