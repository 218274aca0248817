using System.Text;
using System.Threading.Channels;

namespace NzbDav.Usenet.Tests.Nntp;

/// <summary>A connection whose other end is a test: lends what it is fed, in pieces of the size that the test chose.</summary>
internal sealed class ReplayStream : Stream
{
    private readonly Channel<byte[]> _fed = Channel.CreateUnbounded<byte[]>();
    private readonly Lock _gate = new();
    private readonly StringBuilder _written = new();
    private byte[] _current = [];
    private volatile bool _waits;
    private int _at;

    /// <summary>Most bytes that one read returns.</summary>
    public int Piece { get; init; } = int.MaxValue;

    /// <summary>Awaited before each write.</summary>
    public Func<Task> BeforeWrite { get; set; } = static () => Task.CompletedTask;

    /// <summary>Called before each read.</summary>
    public Action BeforeRead { get; set; } = static () => { };

    /// <summary>Completes at the next read of nothing: the connection is idle.</summary>
    public TaskCompletionSource Idle { get; set; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>True when all that was fed was taken and dealt with: whoever reads asks for more.</summary>
    public bool IsDrained => _waits && _fed.Reader.Count == 0;

    public string Written
    {
        get
        {
            lock (_gate)
                return _written.ToString();
        }
    }

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

    public void Feed(string text) => Feed(Encoding.Latin1.GetBytes(text));

    public void Feed(byte[] bytes) => _fed.Writer.TryWrite(bytes);

    /// <summary>The other end closes, or the connection breaks.</summary>
    public void End(Exception? fault = null) => _fed.Writer.TryComplete(fault);

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        BeforeRead();
        if (buffer.IsEmpty && _at == _current.Length)
            Idle.TrySetResult();
        while (_at == _current.Length)
        {
            _waits = true;
            if (!await _fed.Reader.WaitToReadAsync(cancellationToken))
                return 0;
            _waits = false;
            _fed.Reader.TryRead(out _current!);
            _at = 0;
        }

        var count = Math.Min(Math.Min(Piece, buffer.Length), _current.Length - _at);
        _current.AsSpan(_at, count).CopyTo(buffer.Span);
        _at += count;
        return count;
    }

    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        await BeforeWrite();
        lock (_gate)
            _written.Append(Encoding.Latin1.GetString(buffer.Span));
    }

    public override void Flush()
    {
    }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
}
