using System.Net.Sockets;
using NzbDav.MockSwarm.Pacing;

namespace NzbDav.MockSwarm.Seeders;

/// <summary>
/// One leecher's connection: a reading and a writing loop. Between them is a queue of messages, each of which takes effect a round
/// trip after it was received. Blocks are copied once, from the content into the send buffer; nothing is allocated per block.
/// </summary>
internal sealed class SeederSession
{
    private readonly SeederState _seeder;
    private readonly Socket _socket;
    private readonly Alarm _alarm = new();
    private readonly Lock _gate = new();
    private readonly Queue<Incoming> _incoming = new();
    private readonly long _accepted = PreciseClock.Now;
    private readonly SeederInbox _inbox;
    private readonly SeederOutbox _outbox;
    private volatile bool _closed;

    public SeederSession(SeederState seeder, Socket socket)
    {
        _seeder = seeder;
        _socket = socket;
        _inbox = new SeederInbox(Deliver, Due);
        _outbox = new SeederOutbox(seeder, _inbox);
    }

    /// <summary>Serves until either side closes.</summary>
    public async Task RunAsync()
    {
        try
        {
            await Task.WhenAll(ReadAsync(), WriteAsync());
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            // The leecher is gone.
        }
        finally
        {
            Close();
        }
    }

    public void Close()
    {
        _closed = true;
        _socket.Dispose();
        _alarm.Set();
    }

    /// <summary>When a message that is read now takes effect. A distant leecher would have been connected one round trip later.</summary>
    private long Due() => Math.Max(PreciseClock.Now, _accepted + _seeder.RoundTrip) + _seeder.RoundTrip;

    private void Deliver(Incoming message)
    {
        lock (_gate)
            _incoming.Enqueue(message);
    }

    private async Task ReadAsync()
    {
        var buffer = new byte[64 << 10];
        var filled = 0;
        try
        {
            while (!_closed)
            {
                var read = await _socket.ReceiveAsync(buffer.AsMemory(filled));
                if (read == 0)
                    return;
                filled += read;
                var taken = _inbox.Take(buffer.AsSpan(0, filled));
                if (taken < 0)
                    return;
                buffer.AsSpan(taken, filled - taken).CopyTo(buffer);
                filled -= taken;
                if (filled == buffer.Length)
                    Array.Resize(ref buffer, buffer.Length * 2);
                _alarm.Set();
            }
        }
        finally
        {
            Close();
        }
    }

    private async Task WriteAsync()
    {
        try
        {
            while (!_closed)
            {
                var now = PreciseClock.Now;
                var next = TakeDue(now);
                var wake = _outbox.Fill(now);
                if (_outbox.IsClosing)
                    return;
                if (_outbox.Filled.Length == 0)
                {
                    await _alarm.WaitAsync(Math.Min(next, wake));
                    continue;
                }

                await _socket.SendAsync(_outbox.Filled);
                _seeder.Counters.Passed(_outbox.Filled.Length);
                _outbox.Sent();
            }
        }
        finally
        {
            Close();
        }
    }

    /// <summary>Processes the messages that are due; returns when the next one is due.</summary>
    private long TakeDue(long now)
    {
        lock (_gate)
        {
            while (_incoming.TryPeek(out var message))
            {
                if (message.Due > now)
                    return message.Due;
                _incoming.Dequeue();
                _outbox.Handle(message, now);
            }
        }

        return long.MaxValue;
    }
}
