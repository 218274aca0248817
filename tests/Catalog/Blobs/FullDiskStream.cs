namespace NzbDav.Catalog.Tests.Blobs;

/// <summary>Forwards writes until the given space is used up, then fails like a full disk.</summary>
internal sealed class FullDiskStream(Stream target, long room) : Stream
{
    private long _room = room;

    public override bool CanRead => false;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override void Write(byte[] buffer, int offset, int count)
    {
        _room -= count;
        if (_room < 0)
            throw new IOException("No space left on device", 28);
        target.Write(buffer, offset, count);
    }

    public override void Flush() => target.Flush();

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();
}
