namespace NzbDav.Usenet.Tests.Nzb;

/// <summary>Gives one byte per read.</summary>
internal sealed class TrickleStream(byte[] bytes) : MemoryStream(bytes)
{
    public override int Read(Span<byte> buffer) => base.Read(buffer.IsEmpty ? buffer : buffer[..1]);

    public override int Read(byte[] buffer, int offset, int count) => base.Read(buffer, offset, Math.Min(1, count));
}
