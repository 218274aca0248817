using System.Buffers.Binary;
using System.Net;
using NzbDav.MockSwarm.Contents;
using NzbDav.Torrents.Status;
using NzbDav.Torrents.Tests.Hostile;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Tests.Scripted;

/// <summary>
/// A peer without a socket, seen through the engine's transport. Sends what a test wants, records what it receives, and detects when
/// the engine has processed everything it sent: nothing here takes time. Thread-safe.
/// </summary>
internal sealed class ScriptedPeer(MockTorrent torrent, int port, IPAddress? address = null) : ITransport
{
    public const byte Choke = 0;
    public const byte Unchoke = 1;
    public const byte Interested = 2;
    public const byte NotInterested = 3;
    public const byte Request = 6;
    public const byte Piece = 7;
    public const byte HaveAll = 14;
    public const byte HaveNone = 15;
    public const byte Suggest = 13;
    public const byte Reject = 16;
    public const byte AllowedFast = 17;
    public const byte Extended = 20;

    private readonly Lock _gate = new();
    private readonly List<(byte Id, byte[] Payload)> _heard = [];
    private readonly List<TaskCompletionSource> _watchers = [];
    private readonly Queue<byte> _said = new();
    private TaskCompletionSource<int>? _receiving;
    private Memory<byte> _buffer;
    private bool _greeted;
    private bool _jammed;
    private bool _closed;

    public IPEndPoint Remote { get; } = new(address ?? IPAddress.Loopback, port);

    /// <inheritdoc/>
    public bool IsUtp { get; set; }

    /// <inheritdoc/>
    public PeerEncryption Encryption => PeerEncryption.None;

    /// <inheritdoc/>
    public bool HandshakeSent => false;

    /// <summary>Answers each request at once.</summary>
    public bool Serves { get; set; }

    /// <summary>How many requests a test has answered, by its own count.</summary>
    public int Answered { get; set; }

    /// <summary>The engine's dial completes when this does.</summary>
    public TaskCompletionSource Reachable { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>The last choke or unchoke was an unchoke.</summary>
    public bool IsServed
    {
        get
        {
            lock (_gate)
                return _heard.FindLast(static message => message.Id is Choke or Unchoke) is { Id: Unchoke, Payload: not null };
        }
    }

    /// <summary>Bytes that the engine received.</summary>
    public long Told { get; private set; }

    /// <summary>Payloads of the messages of one kind, in the order in which they came.</summary>
    public IReadOnlyList<byte[]> Heard(byte id)
    {
        lock (_gate)
            return [.. _heard.Where(message => message.Id == id).Select(static message => message.Payload)];
    }

    /// <summary>Completes when the engine has said so many messages of one kind.</summary>
    public Task HearsAsync(byte id, int count = 1) => UntilAsync(() => _heard.Count(message => message.Id == id) >= count);

    /// <summary>Completes when the engine's handshake is here.</summary>
    public Task IsGreetedAsync() => UntilAsync(() => _greeted);

    /// <summary>Says a handshake and whether it has everything or nothing; completes when the engine has taken that in.</summary>
    public Task GreetAsync(byte has) => SayAsync(HostilePeer.Handshake(torrent.Hash.Span), HostilePeer.Message(has));

    /// <summary>Says a message; completes when the engine has taken it in.</summary>
    public Task SayAsync(byte id, params int[] numbers) => SayAsync([HostilePeer.Message(id, HostilePeer.Numbers(numbers))]);

    /// <summary>Says bytes; completes when the engine has taken them in.</summary>
    public Task SayAsync(params ReadOnlySpan<byte[]> parts)
    {
        lock (_gate)
        {
            foreach (var part in parts)
                Say(part);
        }

        return UntilAsync(() => _closed || (_receiving is not null && _said.Count == 0));
    }

    /// <summary>A block as the wire has it.</summary>
    public byte[] Block(ReadOnlySpan<byte> request)
    {
        var bytes = new byte[BinaryPrimitives.ReadInt32BigEndian(request[8..])];
        torrent.Content.Fill(((long)BinaryPrimitives.ReadInt32BigEndian(request) * torrent.Content.PieceLength)
            + BinaryPrimitives.ReadInt32BigEndian(request[4..]), bytes);
        return HostilePeer.Message(Piece, [.. request[..8], .. bytes]);
    }

    public ValueTask<int> ReceiveAsync(Memory<byte> buffer)
    {
        lock (_gate)
        {
            if (_closed)
                return ValueTask.FromException<int>(new IOException("Closed."));
            if (_said.Count > 0)
                return ValueTask.FromResult(Take(buffer.Span));
            _buffer = buffer;
            _receiving = new TaskCompletionSource<int>(TaskCreationOptions.RunContinuationsAsynchronously);
            Changed();
            return new ValueTask<int>(_receiving.Task);
        }
    }

    /// <summary>The engine has closed the connection.</summary>
    public bool IsClosed
    {
        get
        {
            lock (_gate)
                return _closed;
        }
    }

    /// <summary>How often the engine sent something.</summary>
    public int Sends { get; private set; }

    public ValueTask ReadyAsync()
    {
        lock (_gate)
        {
            if (_closed)
                return ValueTask.FromException(new IOException("Closed."));
            if (_said.Count > 0)
                return ValueTask.CompletedTask;
            _buffer = Memory<byte>.Empty;
            _receiving = new TaskCompletionSource<int>(TaskCreationOptions.RunContinuationsAsynchronously);
            Changed();
            return new ValueTask(_receiving.Task);
        }
    }

    private async ValueTask SendLaterAsync(Task jam, Memory<byte> buffer)
    {
        await jam;
        await SendAsync(buffer);
    }

    /// <summary>Until this completes, what the engine sends is held up.</summary>
    public TaskCompletionSource? Jam { get; set; }

    /// <summary>Completes when the engine waits for a send that is jammed.</summary>
    public Task IsJammedAsync() => UntilAsync(() => _jammed);

    public ValueTask SendAsync(Memory<byte> buffer)
    {
        lock (_gate)
        {
            if (Jam is { Task.IsCompleted: false } jam)
            {
                _jammed = true;
                Changed();
                return SendLaterAsync(jam.Task, buffer);
            }

            Sends++;
            for (ReadOnlySpan<byte> bytes = buffer.Span; bytes.Length > 0;)
            {
                if (!_greeted)
                {
                    _greeted = true;
                    bytes = bytes[Handshake.Size..];
                    continue;
                }

                var length = BinaryPrimitives.ReadInt32BigEndian(bytes);
                if (length > 0)
                    Hear(bytes[4], bytes.Slice(5, length - 1).ToArray());
                bytes = bytes[(4 + length)..];
            }

            Changed();
        }

        return ValueTask.CompletedTask;
    }

    public void Gather(int bytes)
    {
    }

    public void Dispose()
    {
        lock (_gate)
        {
            _closed = true;
            _receiving?.TrySetException(new IOException("Closed."));
            Changed();
        }
    }

    private void Hear(byte id, byte[] payload)
    {
        _heard.Add((id, payload));
        if (Serves && id == Request)
            Say(Block(payload));
    }

    private void Say(byte[] part)
    {
        foreach (var value in part)
            _said.Enqueue(value);
        if (_receiving is not { } receiving)
            return;
        _receiving = null;
        receiving.TrySetResult(Take(_buffer.Span));
    }

    private int Take(Span<byte> buffer)
    {
        var count = Math.Min(buffer.Length, _said.Count);
        for (var i = 0; i < count; i++)
            buffer[i] = _said.Dequeue();
        Told += count;
        return count;
    }

    private async Task UntilAsync(Func<bool> condition)
    {
        while (true)
        {
            TaskCompletionSource watcher;
            lock (_gate)
            {
                if (condition())
                    return;
                watcher = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                _watchers.Add(watcher);
            }

            await watcher.Task.WaitAsync(TimeSpan.FromMinutes(1));
        }
    }

    private void Changed()
    {
        _watchers.ForEach(static watcher => watcher.TrySetResult());
        _watchers.Clear();
    }
}
