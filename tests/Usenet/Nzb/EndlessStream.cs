using System.Text;

namespace NzbDav.Usenet.Tests.Nzb;

/// <summary>Gives a head, then the same words for ever.</summary>
internal sealed class EndlessStream(string head, string filler) : Stream
{
    private readonly byte[] _head = Encoding.UTF8.GetBytes(head);
    private readonly byte[] _filler = Encoding.UTF8.GetBytes(filler);

    public long BytesGiven { get; private set; }

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => throw new NotSupportedException();

    public override long Position { get => BytesGiven; set => throw new NotSupportedException(); }

    public override int Read(Span<byte> buffer)
    {
        for (var i = 0; i < buffer.Length; i++, BytesGiven++)
            buffer[i] = BytesGiven < _head.Length ? _head[BytesGiven] : _filler[(BytesGiven - _head.Length) % _filler.Length];
        return buffer.Length;
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override void Flush()
    {
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
}
