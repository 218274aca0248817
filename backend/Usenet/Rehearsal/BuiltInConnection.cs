using System.IO.Pipelines;
using System.Text;

namespace NzbDav.Usenet.Rehearsal;

/// <summary>A connection to the account of a <see cref="BuiltInPost"/>: answers commands as a server does, in memory.</summary>
internal sealed class BuiltInConnection : Stream
{
    private readonly BuiltInPost _post;

    // Unbounded: the writer of the commands also reads the answers, and would block itself.
    private readonly Pipe _answers = new(new PipeOptions(pauseWriterThreshold: 0, useSynchronizationContext: false));
    private readonly Stream _reading;
    private readonly Lock _gate = new();
    private readonly List<byte> _command = [];
    private bool _isClosed;

    public BuiltInConnection(BuiltInPost post)
    {
        _post = post;
        _reading = _answers.Reader.AsStream();
        Answer("200 ready\r\n"u8);
    }

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

    public override int Read(byte[] buffer, int offset, int count) => _reading.Read(buffer, offset, count);

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        _reading.ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
        _reading.ReadAsync(buffer, cancellationToken);

    public override void Write(byte[] buffer, int offset, int count) => Feed(buffer.AsSpan(offset, count));

    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
    {
        Feed(buffer.AsSpan(offset, count));
        return Task.CompletedTask;
    }

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        Feed(buffer.Span);
        return ValueTask.CompletedTask;
    }

    public override void Flush()
    {
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        if (disposing)
            Close();
        base.Dispose(disposing);
    }

    private void Feed(ReadOnlySpan<byte> bytes)
    {
        foreach (var one in bytes)
        {
            if (one != '\n')
            {
                _command.Add(one);
                continue;
            }

            var command = Encoding.ASCII.GetString([.. _command]).TrimEnd('\r');
            _command.Clear();
            Execute(command);
        }
    }

    private void Execute(string command)
    {
        var article = command.Split(' ') is [_, ['<', .. var id, '>']] ? _post.Find(id) : null;
        switch (command.Split(' ')[0])
        {
            case "BODY" when article is not null:
                Answer("222 body follows\r\n"u8, article);
                break;
            case "STAT" when article is not null:
                Answer("223 exists\r\n"u8);
                break;
            case "BODY" or "STAT":
                Answer("430 no such article\r\n"u8);
                break;
            case "DATE":
                Answer("111 20000101000000\r\n"u8);
                break;
            case "QUIT":
                Close("205 bye\r\n"u8);
                break;
            default:
                Answer("500 unknown command\r\n"u8);
                break;
        }
    }

    /// <summary>Readers are woken on other threads, so the gate is never held while they run.</summary>
    private void Answer(ReadOnlySpan<byte> line, ReadOnlySpan<byte> block = default)
    {
        lock (_gate)
        {
            if (_isClosed)
                return;
            Put(line);
            Put(block);

            // Completes at once, because nothing bounds the pipe.
            _ = _answers.Writer.FlushAsync().AsTask();
        }
    }

    private void Close(ReadOnlySpan<byte> line = default)
    {
        lock (_gate)
        {
            if (_isClosed)
                return;
            _isClosed = true;
            Put(line);
            _answers.Writer.Complete();
        }
    }

    private void Put(ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(_answers.Writer.GetSpan(bytes.Length));
        _answers.Writer.Advance(bytes.Length);
    }
}
