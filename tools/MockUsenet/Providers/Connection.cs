using System.Buffers;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Threading.Channels;
using NzbDav.MockUsenet.Pacing;
using NzbDav.MockUsenet.Protocol;
using NzbDav.MockUsenet.Transports;

namespace NzbDav.MockUsenet.Providers;

/// <summary>
/// One client: a reader that timestamps and answers commands as they arrive, and a <see cref="ReplyWriter"/> that sends the answers
/// in order when they are due. <see cref="RunAsync"/> never throws: broken connections are what the mock is for.
/// </summary>
internal sealed class Connection : IDisposable
{
    /// <summary>The most commands that may wait for their reply; beyond that the client's sends block, as with a real server.</summary>
    private const int PipelineDepth = 1_024;

    /// <summary>Holds some two hundred pipelined commands per receive.</summary>
    private const int ReceiveSize = 16 * 1_024;

    private readonly ProviderBehaviour _provider;
    private readonly IConnectionOwner _owner;
    private readonly Socket _socket;
    private readonly Session _session;
    private readonly ReplySchedule _schedule;
    private readonly DelayWaiter _delay;
    private readonly Channel<Reply> _replies = Channel.CreateBounded<Reply>(
        new BoundedChannelOptions(PipelineDepth) { SingleReader = true, SingleWriter = true });

    private Transport? _transport;
    private int _counted;
    private volatile bool _aborted;
    private volatile bool _vanished;

    /// <param name="provider">Decides the answers to its commands.</param>
    /// <param name="owner">Secures the connection, and is notified of its end.</param>
    /// <param name="socket">Owned from here on.</param>
    /// <param name="counted">True: it counts against the limit. False: it is above the limit and is refused.</param>
    /// <param name="seed">Seed of its jitter.</param>
    public Connection(ProviderBehaviour provider, IConnectionOwner owner, Socket socket, bool counted, ulong seed)
    {
        (_provider, _owner, _socket, _counted) = (provider, owner, socket, counted ? 1 : 0);
        _session = new Session(provider, overCap: !counted);
        _schedule = new ReplySchedule(seed);
        _delay = new DelayWaiter(provider.Scheduler);
    }

    public async Task RunAsync()
    {
        try
        {
            using var transport = await _owner.SecureAsync(_socket, _delay);
            _transport = transport;
            if (!_aborted)
                await Task.WhenAll(GuardAsync(ReadAsync(transport)), GuardAsync(WriteAsync(transport)));
        }
        catch (Exception e) when (IsBroken(e))
        {
            // The handshake failed: the client is gone or does not trust the certificate.
        }
        finally
        {
            Dispose();
        }
    }

    /// <summary>Called by <see cref="RunAsync"/> at its end.</summary>
    public void Dispose()
    {
        Abort(reset: false);
        _delay.Dispose();
    }

    /// <summary>Ends it now, from any thread.</summary>
    public void Abort(bool reset)
    {
        _aborted = true;
        GiveBack();
        _delay.Cancel();
        _replies.Writer.TryComplete();
        if (_transport is { } transport)
            transport.Abort(reset);
        else
            _socket.Dispose();
    }

    private static bool IsBroken(Exception e) =>
        e is SocketException or ObjectDisposedException or IOException or OperationCanceledException or AuthenticationException
            or InvalidOperationException;

    /// <summary>If one side fails, the other ends too.</summary>
    private async Task GuardAsync(Task side)
    {
        try
        {
            await side;
        }
        catch (Exception e)
        {
            Abort(reset: false);
            if (!IsBroken(e))
                throw;
        }
    }

    private void GiveBack()
    {
        if (Interlocked.Exchange(ref _counted, 0) != 0)
            _owner.GiveBack(_vanished);
    }

    private async Task WriteAsync(Transport transport)
    {
        var writer = new ReplyWriter(_provider, transport, _delay);
        if (!await writer.RunAsync(_replies.Reader, GiveBack))
            Abort(reset: false);
    }

    private async Task ReadAsync(Transport transport)
    {
        var buffer = ArrayPool<byte>.Shared.Rent(ReceiveSize);
        try
        {
            await EnqueueAsync(_session.Greet(), Stamp());
            var held = 0;
            while (true)
            {
                var received = await ReceiveAsync(transport, buffer.AsMemory(held));
                if (received == 0)
                    break;
                if (_session.Ended)
                    continue;
                held += received;
                var arrival = Stamp();
                var used = 0;
                while (!_session.Ended && TryAnswer(buffer.AsSpan(used, held - used), out var consumed, out var reply))
                {
                    used += consumed;
                    if (consumed > 0)
                        await EnqueueAsync(reply, arrival);
                }

                buffer.AsSpan(used, held - used).CopyTo(buffer);
                held = _session.Ended ? 0 : held - used;
                // The line is longer than the buffer.
                if (held == buffer.Length)
                {
                    Abort(reset: false);
                    return;
                }
            }

            // The client sends nothing more: pending replies are still sent, but stalls end.
            _replies.Writer.TryComplete();
            _delay.CancelForever();
        }
        finally
        {
            _replies.Writer.TryComplete();
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    /// <summary>Receives, and records if the client leaves without QUIT.</summary>
    private async ValueTask<int> ReceiveAsync(Transport transport, Memory<byte> buffer)
    {
        var received = 0;
        try
        {
            received = await transport.ReceiveAsync(buffer);
        }
        finally
        {
            _vanished |= received == 0 && !_aborted && !_session.Ended;
        }

        return received;
    }

    private bool TryAnswer(ReadOnlySpan<byte> bytes, out int consumed, out Reply reply)
    {
        var rest = bytes;
        if (!CommandParser.TryReadLine(ref rest, out var line))
        {
            (consumed, reply) = (0, default);
            return false;
        }

        consumed = bytes.Length - rest.Length;
        reply = _session.Answer(line);
        return true;
    }

    /// <summary>The time, or 0 when no delay depends on it.</summary>
    private long Stamp() => _provider.HasDelays ? _provider.Scheduler.Now : 0;

    private ValueTask EnqueueAsync(Reply reply, long arrival)
    {
        var due = arrival == 0 ? 0 : _schedule.Next(arrival, _provider.Latency.Ticks, _provider.Jitter.Ticks);
        var timed = reply with { Due = due };
        return _replies.Writer.TryWrite(timed) ? ValueTask.CompletedTask : _replies.Writer.WriteAsync(timed);
    }
}

/// <summary>What a connection needs from the provider that accepted it. Thread-safe.</summary>
internal interface IConnectionOwner
{
    /// <summary>Wraps an accepted socket, after the TLS handshake where there is one.</summary>
    /// <param name="socket">Owned by the transport from here on.</param>
    /// <param name="delay">Waits out the round trip before the handshake.</param>
    Task<Transport> SecureAsync(Socket socket, DelayWaiter delay);

    /// <summary>Called once when a connection that counts against the limit has ended.</summary>
    /// <param name="vanished">True if the client left without QUIT, so that its place may stay taken for a while.</param>
    void GiveBack(bool vanished);
}
